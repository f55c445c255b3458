"""Requests and content of the learned strategy on captured sites, for several random seeds.

python bench/learned_seeds.py [--sites smf,fluxbb] [--seeds 10] [--concurrency 4]
"""

from __future__ import annotations

import argparse
import heapq
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "real"))

from captures import Capture, NoMemory, capture, score_module

from siteseer.decide.learned import Learned
from siteseer.decide.scope import SeedScope
from siteseer.interfaces import StrategyContext
from siteseer.model import Follow, Outcome, Page, Remember, Seed, Skip
from siteseer.page.urls import identity
from siteseer.settings import CrawlOptions

SITES = ("phpbb-prosilver", "smf", "fluxbb", "dokuwiki", "wordpress-2021", "serendipity-2k11", "textpattern")


@dataclass
class Drive:
    requests: int = 0
    asked: list[Follow] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    rows: list[tuple[str, Any]] = field(default_factory=list)
    decisions: float = 0.0


def context_of(origin: str, seed: int = 0, **options: Any) -> StrategyContext:
    return StrategyContext(
        CrawlOptions((origin + "/",), Path("unused"), random_seed=seed, **options), SeedScope([origin + "/"]), dict
    )


def drive(strategy: Any, site: Capture, concurrency: int = 1, limit: int = 3000, memory: Any = None) -> Drive:
    """Run a strategy over a capture as the crawl loop would."""
    result, known, waiting = Drive(), set(), []
    in_flight: list[Follow] = []
    origin = site.truth["origin"]
    count = 0

    def apply(actions: Any) -> None:
        nonlocal count
        started = time.process_time()
        actions = list(actions)
        result.decisions += time.process_time() - started
        for action in actions:
            if isinstance(action, Follow) and identity(action.url) not in known:
                known.add(identity(action.url))
                count += 1
                heapq.heappush(waiting, (-action.priority, count, action))
            elif isinstance(action, Remember):
                result.rows.append((action.kind, (action.key, action.value)))
            elif isinstance(action, Skip):
                result.skipped[action.rule] += 1

    def answer(why: Follow) -> Outcome:
        result.requests += 1
        result.asked.append(why)
        page = site.pages.get(identity(why.url))
        if page is None and why.url == origin + "/":
            page = site.pages.get(identity(why.url + "index.php"))
        if page is None:
            return Outcome(why.url, "page", page=Page(why.url, 404))
        if 300 <= page.status < 400:
            return Outcome(why.url, "redirect", target=urljoin(why.url, page.header("location")))
        result.pages.append(identity(page.url))
        if page.url != why.url:
            page = Page(why.url, page.status, page.headers, page.body, page.fetched_at)
        return Outcome(why.url, "page", page=page)

    apply(strategy.start([Seed(origin + site.truth["entry"])], memory or NoMemory()))
    robots = Follow(origin + "/robots.txt", "robots", "robots")
    known.add(identity(robots.url))
    outcome = answer(robots)
    if outcome.page is not None and outcome.page.status == 200:
        apply(strategy.decide(outcome, robots))
    while len(result.asked) < limit:
        while waiting and len(in_flight) < concurrency:
            in_flight.append(heapq.heappop(waiting)[2])
        if not in_flight:
            apply(strategy.refill(concurrency))
            if not waiting:
                break
            continue
        why = in_flight.pop(0)
        outcome = answer(why)
        if outcome.page is not None:
            prepare(outcome.page)
        apply(strategy.decide(outcome, why))
        if not waiting:
            apply(strategy.refill(concurrency))
    return result


def prepare(page: Page) -> None:
    """Read the page before the clock of the decisions runs."""
    from siteseer.navigation.economical.facts import found_links
    from siteseer.navigation.economical.prose import prose
    from siteseer.page.links import canonical

    found_links(page), prose(page), canonical(page)


_SEEN: dict[tuple[int, str], tuple[set[Any], set[str]]] = {}


def score(result: Drive, site: Capture) -> tuple[float, float, float]:
    """Return requests against the oracle, content and external links."""
    module, truth = score_module(), site.truth
    if "wanted" not in truth:
        truth["wanted"] = set()
        for text in truth["texts"]:
            truth["wanted"] |= module.grams(module.URL.sub(" ", text["text"]))
    wanted, external = truth["wanted"], set(truth["external_links"])
    seen: set[Any] = set()
    hrefs: set[str] = set()
    for key in result.pages:
        page = site.pages[key]
        memo = _SEEN.get((id(site), key))
        if memo is None:
            memo = set(), set()
            if page.status == 200 and "html" in page.header("content-type") and page.body.strip():
                tree = module.lhtml.document_fromstring(page.body, parser=module.lhtml.HTMLParser(encoding="utf-8"))
                links = {a.get("href") for a in tree.iter("a") if a.get("href")}
                memo = module.grams(module.visible(tree)) & wanted, links & external
            _SEEN[id(site), key] = memo
        seen |= memo[0]
        hrefs |= memo[1]
    return (
        result.requests / truth["oracle_requests"],
        len(seen) / max(1, len(wanted)),
        len(hrefs) / max(1, len(external)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", default=",".join(SITES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--families", action="store_true", help="say where the requests went")
    arguments = parser.parse_args()
    medians = []
    for name in arguments.sites.split(","):
        site = capture(name)
        rows = []
        for seed in range(arguments.seeds):
            strategy = Learned(context_of(site.truth["origin"], seed))
            result = drive(strategy, site, arguments.concurrency)
            rows.append((*score(result, site), 1000 * result.decisions / max(1, len(result.asked))))
            if arguments.families:
                for family, number in Counter(follow.family for follow in result.asked).most_common():
                    print(f"    {number:5} {family}")
        medians.append(statistics.median(row[0] for row in rows))
        print(
            f"{name:24} vs {medians[-1]:.2f} (worst {max(row[0] for row in rows):.2f})  content "
            f"{min(row[1] for row in rows):.4f}  external {min(row[2] for row in rows):.4f}  "
            f"{statistics.mean(row[3] for row in rows):.2f} ms a page",
            flush=True,
        )
    print(f"{'median':24} vs {statistics.median(medians):.2f}")


if __name__ == "__main__":
    main()
