"""One site crawled again and again by the learned strategy, each time with another order in which answers arrive.

    python bench/learned_seeds.py --orders 12 [--sites smf,forum-classic]

A run has a random time for every answer, on a clock of its own, so that nothing sleeps, and 1, 2, 4 or 8 requests at
once. A site passes if every run finds nearly what the best one finds (content 0.995, texts 0.98), with requests within a
tenth of the median, or within four on sites of fewer than 40 requests.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import harness  # noqa: F401 - makes tests importable
from tests.real.captures import capture, score_module
from tests.strategies.learned import learned_driver, unknown_sites
from tests.strategies.learned.learned_driver import Crawl, Drive, context_of
from tests.strategies.made_archives import ARCHIVES
from tests.strategies.made_forums import made_forum

from siteseer.demo import TEMPLATES, make_site
from siteseer.model import Page
from siteseer.page.links import canonical
from siteseer.page.slot_values import slot_values
from siteseer.page.text import text
from siteseer.page.urls import identity
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from siteseer.strategies.learned.online_learner.link_facts import found_links
from siteseer.strategies.learned.online_learner.prose import prose

CAPTURES = (
    "phpbb-prosilver",
    "smf",
    "fluxbb",
    "dokuwiki",
    "wordpress-2021",
    "serendipity-2k11",
    "serendipity-bulletproof",
    "textpattern",
    "roundup",
    "mhonarc",
    "nikola",
    "mkdocs",
)
DEMOS = ("blog", "forum", "wiki", "shop", "trap")
MADE = 1000
AT_ONCE = (1, 2, 4, 8)
CONTENT, TEXTS, REQUESTS, FEW = 0.995, 0.98, 0.10, 4
"""What every run must find of what the best one finds, and how far from the median its requests may be.

On sites of fewer than 40 requests, so few requests are more than a tenth: they are allowed.
"""
COMPLETE = 0.98
"""A text is found if this share of its 2-grams is."""
Grams = frozenset[Any]


@dataclass(frozen=True)
class Sample:
    """A site that is crawled in memory: how to fetch from it, and the 2-grams of its true texts."""

    name: str
    origin: str
    entry: str
    fetch: Callable[[str], Page | None]
    texts: tuple[Grams, ...]
    shown: Callable[[Page], Grams]
    """The 2-grams that a page shows."""
    limit: int = 3000


@dataclass(frozen=True)
class Run:
    """What one crawl found, and for how many requests."""

    order: str
    requests: int
    content: float
    texts: float
    drive: Drive
    strategy: LearnedStrategy


def samples(names: Sequence[str] = ()) -> Iterator[Sample]:
    """Make the sites with these names; where none is given, all but the made forums (`made-0` to `made-999`)."""
    makers = _makers()
    for name in names or (name for name in makers if not name.startswith("made-")):
        yield makers[name](name)


def order_of(number: int) -> tuple[int, Callable[[], float]]:
    """Return how many requests go at once in a run, and how long each answer takes.

    Every second round of runs has a few answers that take very long.
    """
    at_once, chance = AT_ONCE[number % len(AT_ONCE)], random.Random(f"order {number}")
    spread = 1.5 if number // len(AT_ONCE) % 2 else 0.6
    return at_once, lambda: chance.lognormvariate(0.0, spread)


def crawl(sample: Sample, number: int, seed: int = 0) -> Run:
    """Crawl a site with one order of arrival."""
    at_once, latency = order_of(number)
    strategy = LearnedStrategy(context_of(sample.origin, seed))
    driver = Crawl(sample.fetch, sample.origin, _read, latency=latency)
    done = driver.run(strategy, at_once, sample.limit, sample.entry)
    wanted, seen = frozenset().union(*sample.texts), set()
    for page in done.pages:
        seen |= sample.shown(page)
    complete = sum(len(mine & seen) >= COMPLETE * len(mine) for mine in sample.texts)
    return Run(
        f"{number} ({at_once} at once)",
        done.requests,
        len(wanted & seen) / max(1, len(wanted)),
        complete / max(1, len(sample.texts)),
        done,
        strategy,
    )


def faults(runs: list[Run]) -> list[str]:
    """Say which runs found less than the best one, or needed more or fewer requests than the others."""
    content, texts = max(run.content for run in runs), max(run.texts for run in runs)
    usual = statistics.median(run.requests for run in runs)
    found = []
    for run in runs:
        if run.content < CONTENT * content:
            found.append(f"order {run.order}: content {run.content:.4f} of {content:.4f}")
        if run.texts < TEXTS * texts:
            found.append(f"order {run.order}: texts {run.texts:.4f} of {texts:.4f}")
        if abs(run.requests - usual) > max(REQUESTS * usual, FEW):
            found.append(f"order {run.order}: {run.requests} requests, {usual:.0f} in the median")
    return found


def compare_orders(orders: int, names: Sequence[str], families: bool = False) -> int:
    """Print a line for each site; return how many sites depend on the order of arrival."""
    failed = 0
    for sample in samples(names):
        started = time.monotonic()
        runs = [crawl(sample, number) for number in range(orders)]
        said = faults(runs)
        failed += bool(said)
        requests = sorted(run.requests for run in runs)
        print(
            f"{sample.name:24} requests {requests[0]} to {requests[-1]}, median {statistics.median(requests):.0f}  "
            f"content {min(run.content for run in runs):.4f} to {max(run.content for run in runs):.4f}  "
            f"texts {min(run.texts for run in runs):.4f} to {max(run.texts for run in runs):.4f}  "
            f"{'depends on the order' if said else 'same'}  {time.monotonic() - started:.0f} s",
            flush=True,
        )
        for line in said:
            print(f"    {line}")
        if families:
            print_families(runs)
    print(f"{failed} sites depend on the order of arrival" if failed else "no site depends on the order of arrival")
    return failed


def print_families(runs: list[Run]) -> None:
    """Say for each kind of URL how often it was asked for in each run, where that differs most."""
    counts = [Counter(follow.family for follow in run.drive.asked) for run in runs]
    names = set().union(*counts)
    for name in sorted(names, key=lambda one: min(c[one] for c in counts) - max(c[one] for c in counts))[:8]:
        print(f"    {name:50} {' '.join(f'{count[name]:4}' for count in counts)}")


def _makers() -> dict[str, Callable[[str], Sample]]:
    unknown = dict.fromkeys((f"unknown-{name}" for name in unknown_sites.SITES), _unknown)
    made = dict.fromkeys((f"made-{seed}" for seed in range(MADE)), _made)
    archives = dict.fromkeys((f"archive-{name}" for name in ARCHIVES), _archive)
    demos = dict.fromkeys((f"{kind}-{template}" for kind in DEMOS for template in TEMPLATES), _demo)
    return {**unknown, **archives, **made, **demos, **dict.fromkeys(CAPTURES, _captured)}


def _unknown(name: str) -> Sample:
    site = unknown_sites.SITES[name.partition("-")[2]](7)
    return _sample(name, unknown_sites.HOST, site.fetch, site.texts)


def _archive(name: str) -> Sample:
    site = ARCHIVES[name.partition("-")[2]](7)
    return _sample(name, unknown_sites.HOST, site.fetch, site.texts)


def _made(name: str) -> Sample:
    site = made_forum(int(name.partition("-")[2]))
    return _sample(name, unknown_sites.HOST, site.fetch, site.texts)


def _demo(name: str) -> Sample:
    kind, _, template = name.partition("-")
    site = make_site(kind, 1, template)
    texts = [true.text for true in site.truth.texts]
    return _sample(name, learned_driver.ORIGIN, learned_driver.fetch_from(site), texts)


def _sample(name: str, origin: str, fetch: Callable[[str], Page | None], texts: list[str]) -> Sample:
    pages: dict[str, Page | None] = {}

    def fetch_once(url: str) -> Page | None:
        if url not in pages:
            pages[url] = fetch(url)
        return pages[url]

    def shown(page: Page) -> Grams:
        return frozenset(learned_driver.grams(text(page))) if page.status == 200 else frozenset()

    return Sample(name, origin, "/", fetch_once, tuple(map(frozenset, map(learned_driver.grams, texts))), _memo(shown))


def _captured(name: str) -> Sample:
    from learned_seeds import fetch_from

    site, module = capture(name), score_module()
    capture.cache_clear()  # one at a time is kept
    texts = (frozenset(module.grams(module.URL.sub(" ", one["text"]))) for one in site.truth["texts"])
    texts = tuple(one for one in texts if one)
    wanted = frozenset().union(*texts)

    def shown(page: Page) -> Grams:
        if page.status != 200 or "html" not in page.header("content-type") or not page.body.strip():
            return frozenset()
        tree = module.lhtml.document_fromstring(page.body, parser=module.lhtml.HTMLParser(encoding="utf-8"))
        return frozenset(module.grams(module.visible(tree)) & wanted)

    return Sample(name, site.truth["origin"], site.truth["entry"], fetch_from(site), texts, _memo(shown))


def _memo(shown: Callable[[Page], Grams]) -> Callable[[Page], Grams]:
    known: dict[str, Grams] = {}

    def look(page: Page) -> Grams:
        key = identity(page.url)
        if key not in known:
            known[key] = shown(page)
        return known[key]

    return look


def _read(page: Page) -> None:
    """Read the page before the strategy does, once for all runs."""
    found_links(page), prose(page), slot_values(page), canonical(page)
