"""Prints the progress line of a running crawl, and the summary when it is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from siteseer.cli.terminal import plain, print_message, verbosity
from siteseer.crawler.progress_words import left_words, objects_words
from siteseer.model import JSON

if TYPE_CHECKING:
    from siteseer.crawler.progress import Snapshot

QUIET_SECONDS = 10.0
"""How often a line is written where stderr is no terminal."""
TOTALS = ("crawls", "requests", "pages", "objects", "problems")
"""The totals of a collection that people are told; the JSON has more."""


@contextmanager
def live() -> Iterator[Callable[[Snapshot], None]]:
    """Give a function that shows how far a crawl is: one line that changes, or now and then a line of a log."""
    if verbosity() < 0:
        yield lambda snapshot: None
        return
    if not sys.stderr.isatty():
        last = time.monotonic()

        def write(snapshot: Snapshot) -> None:
            nonlocal last
            if time.monotonic() - last >= QUIET_SECONDS:
                last = time.monotonic()
                print_message(line(snapshot))

        yield write
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), refresh_per_second=4, transient=True) as display:
        yield lambda snapshot: display.update(Text(line(snapshot) + "\n" + plain(snapshot.url)[:200]))


def line(now: Snapshot) -> str:
    """Return the live line."""
    rate = now.requests / now.seconds if now.seconds else 0.0
    gain = now.two_grams / now.requests if now.requests else 0.0
    reasons = "".join(f"; {rule[:30]}: {count:,}" for rule, count in now.skipped_by[:3])
    reasons = f" ({reasons[2:]})" if reasons else ""
    parts = [
        f"{now.requests:,} requests ({rate:.1f}/s)",
        f"{now.pages:,} pages kept",
        f"{objects_words(now.objects, now.provisional_objects)} objects",
        f"{now.skipped:,} skipped{reasons}",
        f"{gain:.0f} new 2-grams per request",
        f"{left_words(now.left.low, now.left.high)} left",
    ]
    return " · ".join(parts)


def print_summary(summary: JSON) -> None:
    """Print a summary for people; its problems are said before it."""
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None, pad_edge=False)
    totals = {f"total {name}": value for name, value in summary.get("total", {}).items() if name in TOTALS}
    several = totals if totals.get("total crawls", 1) > 1 else {}
    for name, value in ({name: value for name, value in summary.items() if name != "total"} | several).items():
        if isinstance(value, dict):
            value = ", ".join(
                f"{key}: {one:,}" if isinstance(one, int) else f"{key}: {one}" for key, one in value.items()
            )
            value = value or "none"
        elif isinstance(value, list) and name == "total problems":
            value = "; ".join(problem["sentence"] for problem in value) or "none"
        elif name == "problems":
            value = f"{len(value):,}, said above" if value else "none"
        elif isinstance(value, int) and not isinstance(value, bool):
            value = f"{value:,}"
        table.add_row(name.replace("_", " "), plain(str(value)))
    Console().print(table)
