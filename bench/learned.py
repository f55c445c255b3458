"""Distinct 2-grams against requests for blind, acebot, learned and aware (Figure 5.11 of Faheem's thesis), and what
decisions of `learned` cost at 20,000 known URLs.

    python bench/learned.py [--captures A,B,C] [--parts curves,decisions] [--out DIR]

Captured sites answer from memory; every request counts, robots.txt and ACEBot's sample too. A blind crawl is cut where
the largest of the others has long ended. With --out, each capture's curves are also written as SVG.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parent)]

from learned_seeds import crawl, fetch_from  # noqa: E402

from decide.learned_driver import context_of  # noqa: E402
from real.captures import Capture, capture  # noqa: E402
from siteseer.decide.acebot import Acebot  # noqa: E402
from siteseer.decide.aware import Aware  # noqa: E402
from siteseer.decide.blind import Blind  # noqa: E402
from siteseer.decide.learned import Learned  # noqa: E402
from siteseer.decide.scope import SeedScope  # noqa: E402
from siteseer.knowledge.base import KnowledgeBase  # noqa: E402
from siteseer.measure.plots import Series, line_chart  # noqa: E402
from siteseer.model import Action, Follow, Outcome, Seed, Submit  # noqa: E402
from siteseer.navigation.economical.choice import choose  # noqa: E402
from siteseer.navigation.economical.learner import Learner  # noqa: E402
from siteseer.navigation.economical.prose import pack  # noqa: E402
from siteseer.page.grams import DistinctGrams, grams  # noqa: E402
from siteseer.page.tree import is_html  # noqa: E402
from siteseer.settings import AcebotOptions  # noqa: E402

THREE = ("textpattern", "serendipity-2k11", "fluxbb")
MOST = 2_500
KINDS = ("topic", "list", "user", "board", "item", "note", "day", "part")


class InScope:
    """Lets a strategy follow only what is in scope, as the crawl loop does."""

    def __init__(self, strategy: Any, scope: SeedScope) -> None:
        self.strategy, self.scope = strategy, scope

    def start(self, seeds: list[Seed], memory: Any) -> Iterator[Action]:
        return self._within(self.strategy.start(seeds, memory))

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        return self._within(self.strategy.decide(outcome, why))

    def refill(self, room: int) -> Iterator[Action]:
        return self._within(self.strategy.refill(room))

    def _within(self, actions: Any) -> Iterator[Action]:
        return (one for one in actions if not isinstance(one, Follow) or self.scope.verdict(one.url).allowed)


def strategies(site: Capture) -> dict[str, Any]:
    origin = site.truth["origin"]
    scope = SeedScope([origin + "/"])
    return {
        "blind": Blind(),
        "acebot": Acebot(scope, AcebotOptions(sample=300)),
        "learned": Learned(context_of(origin)),
        "aware": Aware(KnowledgeBase.shipped(), scope),
    }


def curve(site: Capture, strategy: Any) -> list[int]:
    """Return the distinct 2-grams after each request."""
    done = crawl(InScope(strategy, SeedScope([site.truth["origin"] + "/"])), site, limit=MOST)
    fetch, seen, heights = fetch_from(site), DistinctGrams(), [0]
    gained = 0
    for follow in done.asked:
        page = fetch(follow.url)
        if page is not None and page.status == 200 and is_html(page):
            gained += len(seen.add(grams(page)))
            page.memo.clear()
        heights.append(gained)
    return heights


def drawn(name: str, curves: dict[str, list[int]]) -> str:
    """Return the curves of one capture as SVG."""
    series = []
    for label, heights in curves.items():
        dots = [*range(0, len(heights), max(1, len(heights) // 300)), len(heights) - 1]
        series.append(Series(label, [(at, heights[at]) for at in dots]))
    return line_chart(series, f"{name}: distinct 2-grams against requests", "requests", "distinct 2-grams")


def curves(names: list[str], out: Path | None) -> None:
    print(
        f"{'capture':18} {'strategy':8} {'requests':>8} {'2-grams':>8}  requests for 50 %, 90 % and 99 % of the most found"
    )
    for name in names:
        site = capture(name)
        found = {label: curve(site, strategy) for label, strategy in strategies(site).items()}
        most = max(map(max, found.values()))
        for label, heights in found.items():
            reached = [
                next((n for n, one in enumerate(heights) if one >= share * most), "-") for share in (0.5, 0.9, 0.99)
            ]
            print(f"{name:18} {label:8} {len(heights) - 1:8,} {heights[-1]:8,}  {reached}", flush=True)
        if out:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"curves-{name}.svg").write_text(drawn(name, found), encoding="utf-8")


def decisions(known: int = 20_000, pages: int = 300) -> None:
    """Choosing and learning at 20,000 known URLs of 40 kinds, each page with new text and ten new URLs."""
    learner = Learner()
    urls = [[f"http://e.org/{KINDS[n % 8]}{'abcde'[n % 5]}.php?id={n}&x={n % 7}", "", 0] for n in range(known)]
    learner.happened(["found", None, urls])
    began, decided = time.process_time(), 0
    for page in range(pages):
        for choice in choose(learner, 1):
            decided += 1
            learner.happened(["asked", [choice.number], False])
            new = [[f"http://e.org/topica.php?id={known + 10 * page + n}&x=1", "", 0] for n in range(10)]
            text = pack(tuple(range(300 * page, 300 * page + 300)))
            learner.happened(["page", choice.number, 200, new, text, pack(tuple(range(9 * page, 9 * page + 9))), None])
    spent = 1000 * (time.process_time() - began) / max(1, decided)
    print(f"learner at {known:,} known URLs: {spent:.2f} ms a page over {decided} pages (wanted at most 3)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--captures", default=",".join(THREE))
    parser.add_argument("--parts", default="curves,decisions")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if "decisions" in given.parts:
        decisions()
    if "curves" in given.parts:
        curves(given.captures.split(","), given.out)


if __name__ == "__main__":
    main()
