"""Requests and content of the learned strategy on captured sites, for several random seeds.

python bench/learned_seeds.py [--sites smf,fluxbb] [--seeds 10] [--concurrency 4]
python bench/learned_seeds.py --orders 12      the same site, answers arriving in other orders: exits 1 where that matters
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any

from harness import Names, run
from tests.real.captures import Capture, capture, score_module
from tests.strategies.learned.learned_driver import Crawl, Drive, context_of

from siteseer.model import Page
from siteseer.page.links import canonical
from siteseer.page.slot_values import slot_values
from siteseer.page.urls import identity
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from siteseer.strategies.learned.online_learner.link_facts import found_links
from siteseer.strategies.learned.online_learner.prose import prose

SITES = ("phpbb-prosilver", "smf", "fluxbb", "dokuwiki", "wordpress-2021", "serendipity-2k11", "textpattern")


def fetch_from(site: Capture) -> Callable[[str], Page | None]:
    """Fetch from a capture; a page is parsed once, however often it is asked for."""

    def fetch(url: str) -> Page | None:
        page = site.pages.get(identity(url))
        if page is None and url == site.truth["origin"] + "/":
            page = site.pages.get(identity(url + "index.php"))
        if page is None or page.url == url:
            return page
        return Page(url, page.status, page.headers, page.body, page.fetched_at)

    return fetch


def crawl(strategy: Any, site: Capture, concurrency: int = 1, limit: int = 3000) -> Drive:
    """Run a strategy over a capture."""
    return Crawl(fetch_from(site), site.truth["origin"], prepare).run(strategy, concurrency, limit, site.truth["entry"])


def prepare(page: Page) -> None:
    """Read the page before the clock of the decisions runs."""
    found_links(page), prose(page), slot_values(page), canonical(page)


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
    for page in result.pages:
        key = identity(page.url)
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


def main(
    sites: Names = (),
    seeds: int = 3,
    concurrency: int = 1,
    families: Annotated[bool, "say where the requests went"] = False,
    orders: Annotated[
        int,
        "so many orders of arrival instead of random seeds: content of every run 0.995 and texts 0.98 of the best one, "
        "requests within a tenth of the median (on sites of fewer than 40 requests, within four)",
    ] = 0,
) -> int:
    if orders:
        from arrival_orders import compare_orders

        return int(bool(compare_orders(orders, list(sites), families)))
    medians = []
    for name in sites or SITES:
        site = capture(name)
        rows = []
        for seed in range(seeds):
            strategy = LearnedStrategy(context_of(site.truth["origin"], seed))
            result = crawl(strategy, site, concurrency)
            rows.append((*score(result, site), 1000 * result.decisions / max(1, len(result.asked))))
            if families:
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
    return 0


if __name__ == "__main__":
    run(main)
