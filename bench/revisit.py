"""Revisits of demo blogs that grew: requests against pages that are new or changed, and what was missed.

python bench/revisit.py [--size 30] [--grown 6]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from siteseer.crawl.run import crawl
from siteseer.demo import Server, make_site
from siteseer.demo.site import local_path
from siteseer.present.cli.revisit import sources
from siteseer.settings import CrawlOptions

WANTED = 1.3


def visit(seed: int, template: str, strategy: str, size: int, grown: int) -> tuple[int, int, int]:
    """Return how many pages are new or changed, how many requests the revisit sent, and how many pages it missed."""
    before = make_site("blog", seed=seed, template=template, size=size)
    after = make_site("blog", seed=seed, template=template, size=size, grown=grown)
    old = {(text.page, text.text) for text in before.truth.texts}
    fresh = [text for text in after.truth.texts if (text.page, text.text) not in old]
    wanted = {text.page for text in fresh} | {text.thread for text in fresh}
    with tempfile.TemporaryDirectory() as folder, Server(before) as server:
        place = Path(folder)
        crawl(CrawlOptions((server.url + "/",), place, strategy, delay=0.0, assets="none"))
        server.site = after
        server.log.clear()
        crawl(CrawlOptions(tuple(sources(place)), place, "revisit", recrawl=True, delay=0.0, assets="none"))
        asked = [local_path(entry.path) for entry in server.log]
    return len(wanted), len(asked), len(wanted - set(asked))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--size", type=int, default=30)
    arguments.add_argument("--grown", type=int, default=6)
    chosen = arguments.parse_args()
    print(
        f"{'first crawl':12} {'template':9} {'seed':>4} {'new or changed':>15} {'requests':>9} {'allowed':>8} {'missed':>7}"
    )
    for strategy, template, seed in (
        ("auto", "classic", 1),
        ("auto", "modern", 2),
        ("blind", "classic", 3),
        ("blind", "modern", 4),
    ):
        pages, requests, missed = visit(seed, template, strategy, chosen.size, chosen.grown)
        print(f"{strategy:12} {template:9} {seed:4} {pages:15} {requests:9} {WANTED * pages + 1:8.1f} {missed:7}")


if __name__ == "__main__":
    main()
