"""Revisits of demo sites that grew: requests against pages that are new or changed, and what was missed.

python bench/revisit.py [--size 30] [--grown 6]
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from grown import KINDS

from siteseer.crawl.run import crawl
from siteseer.demo import Server
from siteseer.demo.site import local_path
from siteseer.present.cli.revisit import sources
from siteseer.settings import CrawlOptions

WANTED = 1.3
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


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--size", type=int, default=30)
    arguments.add_argument("--grown", type=int, default=6)
    chosen = arguments.parse_args()
    print(
        f"{'site':6} {'first crawl':12} {'template':9} {'seed':>4} {'news':>5} {'requests':>9} {'allowed':>8} {'missed':>7}"
    )
    for kind, strategy, template, seed in ROWS:
        pages, requests, missed = visit(kind, seed, template, strategy, chosen.size, chosen.grown)
        allowed = f"{WANTED * pages + 1:.1f}" if kind == "blog" else ""
        print(
            f"{kind:6} {strategy:12} {template:9} {seed:4} {pages:5} {requests:9} {allowed:>8} {missed:7}", flush=True
        )


if __name__ == "__main__":
    main()
