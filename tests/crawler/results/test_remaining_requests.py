"""What is left of a crawl while it runs: what waits, what the strategy holds back, what lists announce."""

from __future__ import annotations

import pytest

from siteseer.crawler.results.remaining_requests import LIST_GOES_ON, Remaining, RemainingRequests
from siteseer.crawler.run import crawl
from siteseer.demo.site import Site, SiteRequest, SiteResponse, html
from siteseer.demo.truth import Truth
from siteseer.interfaces import Expectation
from siteseer.measure.crawl_figures import figures
from siteseer.model import Page
from siteseer.settings import CrawlOptions
from siteseer.strategies.blind_strategy import BlindStrategy
from siteseer.strategies.learned.lists_ahead import ListsAhead
from tests.measure.certificate.watched_crawl import snapshots
from tests.strategies.learned.unknown_sites import Writer

LENGTH, PER_PAGE = 16, 15


def listed(numbered: bool) -> Site:
    """Return a list of entries on many pages, which says how many there are, or only what comes next."""
    writer = Writer(5)
    texts = [(writer.title(), " ".join(writer.text(30, 60) for _ in range(2))) for _ in range(LENGTH * PER_PAGE)]

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path.startswith("/entry/"):
            title, text = texts[int(request.path.split("/")[2])]
            return html(f"<title>{title}</title><a href=/>Home</a><h1>{title}</h1><p>{text}</p>")
        if request.path != "/":
            return html("none", 404)
        here = int(request.query.get("page", "1"))
        entries = range((here - 1) * PER_PAGE, here * PER_PAGE)
        rows = "".join(f'<li><a href="/entry/{number}/">{texts[number][0]}</a></li>' for number in entries)
        return html(f"<title>List</title><ul>{rows}</ul><p>{pages(here)}</p>")

    def pages(here: int) -> str:
        if not numbered:
            return f'<a href="/?page={here + 1}">Next</a>' if here < LENGTH else ""
        numbers = sorted({1, 2, 3, here - 1, here + 1, LENGTH} & set(range(1, LENGTH + 1)) - {here})
        return " ".join(f'<a href="/?page={number}">{number}</a>' for number in numbers)

    return Site(Truth("list", 5, "", (), frozenset(), frozenset(), 0), answer)


@pytest.mark.parametrize("strategy", ["learned", "blind"])
def test_a_list_that_shows_its_pages_says_how_much_is_left(serve, tmp_path, strategy):
    seen = snapshots(serve(listed(numbered=True)).url + "/", tmp_path / "c", strategy)
    total = seen[-1].requests
    assert total >= LENGTH * (PER_PAGE + 1)
    at = next(one for one in seen if one.requests >= 0.1 * total)
    assert at.waiting < 0.5 * (total - at.requests), "most of it is not known by name yet"
    told = [one for one in seen if one.left.high is not None and one.requests < 0.9 * total]
    assert len(told) > 0.3 * len(seen)
    right = sum(one.left.low <= total - one.requests <= (one.left.high or 0) for one in told)
    assert right >= 0.9 * len(told)


@pytest.mark.parametrize("strategy", ["learned", "blind"])
def test_nobody_can_tell_how_far_a_list_goes_on_that_only_links_to_its_next_page(serve, tmp_path, strategy):
    seen = snapshots(serve(listed(numbered=False)).url + "/", tmp_path / "c", strategy)
    total = seen[-1].requests
    assert total >= LENGTH * (PER_PAGE + 1)
    early = [one for one in seen if one.requests < 0.5 * total]
    assert all(one.left.low <= total - one.requests for one in early)
    wrong = [one for one in early if one.left.high is not None and one.left.high < 0.5 * (total - one.requests)]
    assert len(wrong) <= 0.02 * len(early)
    assert any(one.left.because == LIST_GOES_ON for one in early)


def test_a_learned_crawl_never_says_that_nothing_is_left_while_more_comes(serve, tmp_path):
    seen = snapshots(serve("blog", seed=2).url + "/", tmp_path / "c", "learned")
    assert all(one.left.high is None or one.left.high > 0 for one in seen[:-1])
    half = seen[len(seen) // 2]
    assert half.waiting <= 4 < half.left.low, "the strategy holds the rest back"


def test_a_crawl_that_was_stopped_remembers_what_is_left(serve, run_crawl, tmp_path):
    url = serve("forum", seed=3).url + "/"
    whole = run_crawl(url, "whole", strategy="learned")["requests"]
    run_crawl(url, "part", strategy="learned", limit=whole // 2)
    told = figures(tmp_path / "part")["forecast"]
    assert told["estimated"] and 0 < told["requests"]["low"] <= whole - whole // 2 + 5
    over = figures(tmp_path / "whole")["forecast"]
    assert over["requests"] == {"low": 0, "high": 0} and over["complete"] == {"low": 1.0, "high": 1.0}


def test_what_is_announced_counts_and_what_nobody_can_tell_has_no_end():
    remaining = Remaining()
    for requests in range(0, 50, 5):
        left = remaining.left(requests, requests, 20, Expectation(announced=500 - requests))
    assert left.low < 20 < 400 < (left.high or 0)
    assert remaining.left(50, 50, 20, Expectation(announced=None)) == RemainingRequests(17, None, LIST_GOES_ON)


def test_the_beginning_tells_nothing():
    assert Remaining().left(3, 2, 40, Expectation()).high is None


class Unsure(BlindStrategy):
    """A strategy that fails when it is asked what is to come."""

    def expected(self) -> Expectation:
        raise KeyError("expected")

    def count_on(self) -> bool:
        raise KeyError("counted")

    def objects_so_far(self) -> int:
        return 0


def test_an_estimate_that_fails_costs_a_crawl_nothing(serve, tmp_path):
    url, told = serve(listed(numbered=True)).url + "/", list[RemainingRequests]()
    options = CrawlOptions((url,), tmp_path / "c", strategy="blind", delay=0.0, assets="none")
    summary = crawl(options, lambda now: told.append(now.left), factory=lambda context: Unsure(context.scope))
    assert summary["pages"] >= LENGTH * (PER_PAGE + 1) and summary["finished"]
    assert told[-1] == RemainingRequests() and all(one.high is None for one in told[:-1])


def test_links_to_pages_of_a_list_are_no_entries():
    body = " ".join(f'<a href="?page={number}">{number}</a>' for number in (2, 3, 4, 40)).encode()
    page, lists = Page("http://e.org/topic", headers=(("Content-Type", "text/html"),), body=body), ListsAhead()
    lists.hear(page, [f"http://e.org/topic?page={number}" for number in (2, 3, 4, 40)])
    assert lists.announced(int) == 35  # pages 5 to 39


def test_what_a_list_announces_for_a_moment_does_not_hide_that_new_addresses_keep_coming():
    remaining = Remaining()
    for requests in range(200):
        announced = 25 if requests % 20 == 0 else 0  # half a new address for each request, and now and then a list
        left = remaining.left(requests, requests, 100 - requests // 2, Expectation(announced=announced))
        if requests > 60:
            assert left.high is not None and 200 - requests <= left.high <= 5 * (200 - requests) + 150
