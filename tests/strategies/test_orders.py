"""The same site gives the same result, whatever order its answers arrive in."""

from __future__ import annotations

import random
from statistics import median

import pytest

from siteseer.demo import make_site
from siteseer.model import Page
from siteseer.page.text import text
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from siteseer.strategies.traps.content_traps import ENDLESS, TrapGuard
from tests.strategies.learned.learned_driver import Crawl, Drive, context_of, fetch_from, grams
from tests.strategies.learned.unknown_sites import HOST, Strange
from tests.strategies.made_forums import Features, made_forum


def crawled(site: Strange, at_once: int, order: int) -> Drive:
    """Crawl a site with a random time for each answer."""
    chance = random.Random(order)
    latency = lambda: chance.lognormvariate(0.0, 1.0)  # noqa: E731
    return Crawl(site.fetch, HOST, latency=latency).run(LearnedStrategy(context_of(HOST)), at_once)


def content_of(done: Drive, site: Strange) -> float:
    wanted = set().union(*map(grams, site.texts))
    seen = set().union(*(grams(text(page)) for page in done.pages if page.status == 200))
    return len(wanted & seen) / len(wanted)


@pytest.mark.parametrize(
    "offers",
    [
        Features(last="other", permalink="page", length="short"),
        Features(address="offset", last="other", permalink="other", length="short", jumps=False, long_threads=True),
        Features(address="offset", last="other", beside=True, orders=True, jumps=False),
    ],
    ids=["links to last posts", "threads of many pages", "threads beside threads"],
)
def test_no_order_of_answers_loses_content(offers: Features) -> None:
    """Pages with two names are worth what they bring under the name that came first, here either."""
    site = made_forum(3, boards=3, threads=16, offers=offers)
    for order, at_once in enumerate((1, 2, 4, 8)):
        assert content_of(crawled(site, at_once, order), site) >= 0.995, (order, at_once)


def run_in(site: Strange, number: int) -> Drive:
    """Crawl in one of the orders of `bench/arrival_orders.py`."""
    chance = random.Random(f"order {number}")
    spread = 1.5 if number // 4 % 2 else 0.6
    latency = lambda: chance.lognormvariate(0.0, spread)  # noqa: E731
    return Crawl(site.fetch, HOST, latency=latency).run(LearnedStrategy(context_of(HOST)), (1, 2, 4, 8)[number % 4])


@pytest.mark.parametrize(("seed", "orders"), [(9, (0, 6)), (3, (0, 6)), (5, (0, 5, 7))])
def test_the_better_name_is_asked_for_in_every_order(seed: int, orders: tuple[int, ...]) -> None:
    """Threads are also the ones before and after others, and those of last posts: those names are tried and left."""
    site = made_forum(seed)
    runs = [run_in(site, number) for number in orders]
    requests = [run.requests for run in runs]
    assert max(requests) <= 1.1 * min(requests), requests
    assert min(content_of(run, site) for run in runs) >= 0.995


def test_a_kind_that_seems_to_be_another_name_is_looked_at_again() -> None:
    """The first pages of it repeat what links to last posts showed: the pages between would be lost."""
    site = made_forum(10)
    assert min(content_of(run_in(site, number), site) for number in (1, 6)) >= 0.995


def test_links_to_last_posts_are_left_in_every_order() -> None:
    site = made_forum(6, boards=3, threads=24, offers=Features(last="other", permalink="page", length="short"))
    requests = [crawled(site, at_once, order).requests for order, at_once in enumerate((1, 2, 4, 8))]
    assert max(requests) <= 1.1 * median(requests)


@pytest.mark.parametrize("kind", ["trap", "forum"])
def test_requests_depend_little_on_the_order_of_answers(kind: str) -> None:
    """Session ids and links to last posts are not asked for many at once before it is known what they show."""
    site, requests = make_site(kind, 1, "classic"), []
    for number in range(12):
        chance = random.Random(f"order {number}")
        spread = 1.5 if number // 4 % 2 else 0.6
        latency = lambda chance=chance, spread=spread: chance.lognormvariate(0.0, spread)  # noqa: E731
        done = Crawl(fetch_from(site), latency=latency).run(LearnedStrategy(context_of()), (1, 2, 4, 8)[number % 4])
        requests.append(done.requests)
    assert all(abs(one - median(requests)) <= max(0.1 * median(requests), 4) for one in requests), requests


def test_pages_that_others_list_are_no_endless_list() -> None:
    guard = TrapGuard()
    html = (("Content-Type", "text/html"),)
    for number in range(ENDLESS + 1):
        body = b"<h1>Tea</h1><p>All of this was said under another name before, word by word"
        guard.learn(guard.glance(Page(f"{HOST}/thread/{number}", 200, html, body)))
    assert not guard.verdict(f"{HOST}/thread/99").allowed
    assert guard.verdict(f"{HOST}/thread/99", goes_on=False).allowed


def test_answers_that_take_as_long_come_in_the_order_of_asking() -> None:
    site = make_site("blog", 0, "modern")
    runs = [
        Crawl(fetch_from(site), latency=latency).run(LearnedStrategy(context_of()), 4)
        for latency in (lambda: 1.0, lambda: 5.0)
    ]
    assert [one.url for one in runs[0].pages] == [one.url for one in runs[1].pages]
