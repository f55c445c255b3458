"""`siteseer audit`: how much content do the skipped URLs stand for?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from siteseer.model import JSON
from siteseer.present.cli.say import answer, plain, tell


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("audit")(audit)


def audit(
    collection: Annotated[Path, typer.Argument(help="The collection's directory.")],
    sample: Annotated[int, typer.Option(min=1, help="How many skipped URLs to look at.")] = 100,
    fix: Annotated[bool, typer.Option("--fix", help="Lift rules that lost content, and let the crawl go on.")] = False,
    seed: Annotated[int, typer.Option(help="Another seed draws another sample.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False,
) -> None:
    """Fetch a random sample of the skipped URLs and estimate what share of them would have brought content."""
    from siteseer.measure.audit import audit as run

    result = run(collection, sample, fix, seed, tell)
    if as_json:
        answer(result)
    else:
        _print(result)


def _print(result: JSON) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Coverage certificate")
    for name in ("rule", "skipped", "looked at", "missed", "95 % interval"):
        table.add_column(name, justify="left" if name == "rule" else "right")
    for row in [*result["rules"], {**result, "rule": "all rules"}]:
        interval = f"{row['low']:.1%} – {row['high']:.1%}"
        numbers = (f"{row['skipped_urls']:,}", f"{row['sampled']:,}", f"{row['missed_share']:.1%}", interval)
        table.add_row(plain(row["rule"]), *numbers)
    Console().print(table)
    print(
        f"A page counts as missed where it holds at least 30 new 2-grams of prose. The missed pages stand for about "
        f"{result['estimated_two_grams']:,} 2-grams: an estimate without guarantee."
    )
    if result["unreachable"]:
        print(
            f"{result['unreachable']:,} of the addresses that were drawn could not be reached; nothing is said of them."
        )
    if result.get("lifted"):
        print("Lifted: " + ", ".join(plain(rule) for rule in result["lifted"]))
