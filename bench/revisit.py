"""Revisits of demo sites that grew: requests against pages that are new or changed, and what was missed.

    python bench/revisit.py [--size 30] [--grown 6]
    python bench/revisit.py --edits [--seeds 3] [--first 1] [--share 0.3]

With `--edits`: pages that were captured once are edited and no list says so; the revisit may send as many requests as
`share` of the pages. The sites differ in what tells where edits are (`edited_sites`); two kinds were held out while
developing.
"""

from __future__ import annotations

import random
import re
import sqlite3
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

from edited_sites import HELD_OUT_MAKERS, OPEN_MAKERS, EditedSite
from grown import KINDS
from harness import Table, run

from siteseer.crawler.revisit_options import sources
from siteseer.crawler.run import crawl
from siteseer.demo import Server
from siteseer.demo.site import local_path
from siteseer.settings import CrawlOptions

WANTED, WANTED_EDITS = 1.3, 0.8
DAYS = 30
ROWS = (
    ("blog", "auto", "classic", 1), ("blog", "auto", "modern", 2), ("blog", "blind", "classic", 3),
    ("blog", "blind", "modern", 4), ("blog", "blind", "modern", 5), ("blog", "auto", "classic", 6),
    ("forum", "auto", "classic", 1), ("forum", "auto", "modern", 2), ("forum", "blind", "modern", 4),
    ("wiki", "auto", "classic", 1), ("wiki", "auto", "modern", 2), ("wiki", "blind", "modern", 3),
)  # fmt: skip


def visit(kind: str, seed: int, template: str, strategy: str, size: int, grown: int) -> tuple[int, int, int]:
    """Return how many pages are new or changed, how many requests the revisit sent, and how many pages it missed."""
    before, after = KINDS[kind](seed, template, size, grown)
    old = {(text.page, text.text) for text in before.truth.texts}
    fresh = [text for text in after.truth.texts if (text.page, text.text) not in old]
    wanted = {text.page for text in fresh} | {text.thread for text in fresh}
    with tempfile.TemporaryDirectory() as folder, Server(before) as server:
        place = Path(folder)
        crawl(CrawlOptions((server.url + "/",), place, strategy, delay=0.0, assets="none"))
        server.site = after
        server.log.clear()
        crawl(CrawlOptions(tuple(sources(place)), place, "revisit", recrawl=True, delay=0.0, assets="none"))
        asked = [plain(local_path(entry.path)) for entry in server.log]
    return len(wanted), len(asked), len(wanted - set(asked))


def plain(path: str) -> str:
    """Return a path without the session that old forums add to it."""
    return re.sub(r"[?&]sid=[0-9a-f]{32}", "", path)


def date_back(place: Path, days: int) -> None:
    """Make a collection look as if it had been crawled some days earlier: a crawl takes no time beside that."""
    state = sqlite3.connect(place / "siteseer" / "state.db")
    with state:
        rows = state.execute("SELECT id, time FROM captures").fetchall()
        for number, time in rows:
            earlier = datetime.fromisoformat(time.replace("Z", "+00:00")) - timedelta(days=days)
            state.execute(
                "UPDATE captures SET time = ? WHERE id = ?", (earlier.isoformat().replace("+00:00", "Z"), number)
            )
    state.close()


def find_edits(make: Callable[[random.Random], EditedSite], seed: int, share: float) -> tuple[int, int, int, int, int]:
    """Return edits, edits found, new pages, new pages missed, and requests of a revisit with a budget."""
    chance = random.Random(seed)
    made = make(chance)
    with tempfile.TemporaryDirectory() as folder, Server(made.serve()) as server:
        place = Path(folder)
        crawl(CrawlOptions((server.url + "/",), place, "blind", delay=0.0, assets="none"))
        budget = int(share * len(made.pages))
        date_back(place, DAYS)
        edited, new = made.pass_time(chance)
        server.site = made.serve()
        server.log.clear()
        seeds = tuple(sources(place))
        crawl(CrawlOptions(seeds, place, "revisit", recrawl=True, delay=0.0, assets="none", limit=budget))
        asked = {local_path(entry.path) for entry in server.log}
        requests = len(server.log)
    return len(edited), len(edited & asked), len(new), len(new - asked), requests


def show_edits(seeds: int, share: float, first: int) -> None:
    """Print how many edits a revisit with a budget finds on each kind of site."""
    table = Table("site:<16", "edits:>7", "found:>7", "share:>7.3f", "new:>5", "missed:>8", "requests:>10", ":<10")
    totals = []
    for title, makers in (("", OPEN_MAKERS), ("held out", HELD_OUT_MAKERS)):
        for make in makers:
            rows = [find_edits(make, seed, share) for seed in range(first, first + seeds)]
            edits, found, new, missed, requests = (sum(column) for column in zip(*rows, strict=True))
            totals.append((edits, found, new, missed))
            name = make.__name__.replace("_", " ")
            table.row(name, edits, found, found / edits, new, missed, requests, f"  {title}")
    edits, found, new, missed = (sum(column) for column in zip(*totals, strict=True))
    table.row("all", edits, found, found / edits, new, missed, None, f"  wanted {WANTED_EDITS}, 0 missed")


def main(
    size: int = 30,
    grown: int = 6,
    edits: Annotated[bool, "edits to pages that were captured once"] = False,
    seeds: int = 3,
    first: Annotated[int, "the first seed"] = 1,
    share: Annotated[float, "requests allowed, as a share of the pages"] = 0.3,
) -> None:
    if edits:
        show_edits(seeds, share, first)
        return
    table = Table(
        "site:<7", "first crawl:<13", "template:<9", "seed:>5", "news:>6", "requests:>10", "allowed:>9.1f", "missed:>8"
    )
    for kind, strategy, template, seed in ROWS:
        pages, requests, missed = visit(kind, seed, template, strategy, size, grown)
        allowed = WANTED * pages + 1 if kind == "blog" else None
        table.row(kind, strategy, template, seed, pages, requests, allowed, missed)


if __name__ == "__main__":
    run(main)
