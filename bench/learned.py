"""Distinct 2-grams against requests for blind, acebot, learned and aware (Figure 5.11 of Faheem's thesis), and what
decisions of `learned` cost at 20,000 known URLs.

    python bench/learned.py [--captures A,B,C] [--parts curves,decisions] [--out DIR]

Captured sites answer from memory; every request counts, robots.txt and ACEBot's sample too. A blind crawl is cut where
the largest of the others has long ended. With --out, each capture's curves are also written as SVG.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from harness import Names, run
from learned_seeds import crawl, fetch_from, prepare
from tests.real.captures import Capture, capture
from tests.strategies.learned.learned_driver import Rows, context_of

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.measure.charts.svg_charts import Series, line_chart
from siteseer.model import Action, Follow, Outcome, Page, Seed, Submit
from siteseer.page.tree import is_html
from siteseer.page.two_grams import DistinctGrams, grams
from siteseer.settings import AcebotOptions
from siteseer.strategies.acebot.acebot_strategy import AcebotStrategy
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.blind_strategy import BlindStrategy
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from siteseer.strategies.scope import SeedScope

THREE = ("textpattern", "serendipity-2k11", "fluxbb")
MOST = 2_500
KINDS = ("topic", "list", "user", "board", "item", "note", "day", "part")
LETTERS = str.maketrans("0123456789", "abcdefghij")


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
        "blind": BlindStrategy(),
        "acebot": AcebotStrategy(scope, AcebotOptions(sample=300)),
        "learned": LearnedStrategy(context_of(origin)),
        "aware": AwareStrategy(KnowledgeBase.shipped(), scope),
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


def decisions(known: int = 20_000, pages: int = 400) -> None:
    """Deciding at 20,000 known URLs of 40 kinds: pages of 300 words and 60 links, ten of them new."""
    strategy = LearnedStrategy(context_of("http://e.org"))
    list(strategy.start([Seed("http://e.org/")], Rows([])))
    for first in range(0, known, 100):
        list(strategy.offer([_address(n) for n in range(first, first + 100)]))
    asked = [Follow("http://e.org/", "seed", "seed", 1.0, 0)]
    spent, decided, waits = 0.0, 0, 0
    while decided < pages and waits < 2:
        waits = 0 if asked else waits + 1
        for why in asked:
            page = _page(why.url, known + 10 * decided)
            prepare(page)
            began = time.process_time()
            list(strategy.decide(Outcome(why.url, "page", page=page), why))
            spent += time.process_time() - began
            decided += 1
        began = time.process_time()
        asked = [one for one in strategy.refill(4) if isinstance(one, Follow)]
        spent += time.process_time() - began
    spent = 1000 * spent / max(1, decided)
    urls = len(strategy.learner.known)
    print(
        f"decisions at {known:,} to {urls:,} known URLs: {spent:.2f} ms a page over {decided} pages (wanted at most 3)"
    )


def _address(n: int) -> str:
    return f"http://e.org/{KINDS[n % 8]}{'abcde'[n % 5]}.php?id={n}&x={n % 7}"


def _page(url: str, first: int) -> Page:
    """A page with 300 words of its own, 50 links to what is known and ten to what is new."""
    random = Random(url)
    words = " ".join(f"w{random.randrange(10**6)}".translate(LETTERS) for _ in range(300))
    links = [*(random.randrange(20_000) for _ in range(50)), *range(first, first + 10)]
    body = (
        f"<title>t</title><div id=nav>{' '.join(f'<a href={_address(n)}>{n}</a>' for n in links)}</div><p>{words}</p>"
    )
    return Page(url, headers=(("Content-Type", "text/html"),), body=body.encode())


def main(captures: Names = THREE, parts: Names = ("curves", "decisions"), out: Path | None = None) -> None:
    if "decisions" in parts:
        decisions()
    if "curves" in parts:
        curves(captures, out)


if __name__ == "__main__":
    run(main)
