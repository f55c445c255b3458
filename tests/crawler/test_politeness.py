"""Politeness, measured on the server's own clock."""

import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median

import pytest

from tests.crawler.small_site import Answer, SmallSite, pages

LATE = 0.03
"""Seconds by which a thread of the server may note a request late on a busy machine."""
LINKS = "".join(f'<a href="/{n}">{n}</a>' for n in range(8))


def test_never_closer_than_the_delay(run_crawl: Callable) -> None:
    with SmallSite(pages({"/": LINKS, **{f"/{n}": f"page {n}" for n in range(8)}})) as site:
        run_crawl(site.url, delay=0.2, concurrency=4)
    starts = sorted(entry.start for entry in site.seen)
    assert len(starts) == 10
    gaps = [later - earlier for earlier, later in pairwise(starts)]
    assert median(gaps) >= 0.2
    # a request that the server notes late comes closer to the next by as much
    assert min(gap + max(0.0, before - 0.2) for before, gap in pairwise([0.2, *gaps])) >= 0.2 - LATE


@pytest.mark.parametrize("concurrency", [1, 3])
def test_never_more_at_once_than_the_concurrency(run_crawl: Callable, concurrency: int) -> None:
    def slow(path: str, headers: dict[str, str]) -> Answer:
        time.sleep(0.05)
        return 200, {}, LINKS.encode()

    with SmallSite(slow) as site:
        run_crawl(site.url, concurrency=concurrency)
    most = max(sum(a.start <= b.start < a.end for a in site.seen) for b in site.seen)
    assert most == concurrency


def test_robots_are_obeyed_by_default(run_crawl: Callable) -> None:
    answers = {"/": '<a href="/secret/x">x</a><a href="/open">o</a>', "/open": "o", "/secret/x": "s"}
    answers["/robots.txt"] = (
        200,
        {"Content-Type": "text/plain"},
        b"User-agent: *\nDisallow: /secret\nCrawl-delay: 0.1",
    )
    with SmallSite(pages(answers)) as site:
        summary = run_crawl(site.url)
    assert "/secret/x" not in site.paths() and "/open" in site.paths()
    assert summary["skipped"]["robots"] == 1
    starts = sorted(entry.start for entry in site.seen)[1:]
    assert all(later - earlier >= 0.1 for earlier, later in pairwise(starts))
    with SmallSite(pages(answers)) as site:
        run_crawl(site.url, "other", robots="ignore")
    assert "/secret/x" in site.paths()


def test_robots_that_cannot_be_read_ask_us_to_stay_away(run_crawl: Callable) -> None:
    with SmallSite(pages({"/": "home", "/robots.txt": (500, {}, b"")})) as site:
        summary = run_crawl(site.url)
    assert "/" not in site.paths()
    assert summary["skipped"] == {"robots": 1}


def test_a_page_in_the_place_of_robots_leads_nowhere(run_crawl: Callable) -> None:
    with SmallSite(pages({"/": "home", "/robots.txt": '<a href="/only-from-there">x</a>'})) as site:
        run_crawl(site.url)
    assert sorted(site.paths()) == ["/", "/robots.txt"]


def test_429_is_answered_with_waiting_and_never_kept(run_crawl: Callable, tmp_path) -> None:  # type: ignore[no-untyped-def]
    asked: list[float] = []

    def limited(path: str, headers: dict[str, str]) -> Answer:
        if path != "/":
            return 404, {}, b""
        asked.append(time.monotonic())
        return (429, {"Retry-After": "1"}, b"slow down please") if len(asked) == 1 else (200, {}, b"<p>welcome")

    with SmallSite(limited) as site:
        summary = run_crawl(site.url)
    assert asked[1] - asked[0] >= 1.0
    assert summary["responses"] == {"200": 1, "404": 1, "429": 1} and summary["finished"]
    import gzip

    files = (tmp_path / "collection" / "archive").iterdir()
    kept = b"".join(gzip.decompress(file.read_bytes()) for file in files)
    assert b"welcome" in kept and b"slow down please" not in kept


def test_a_pause_longer_than_we_wait_ends_the_crawl_as_rate_limited(run_crawl: Callable) -> None:
    from siteseer.collection.exit_codes import exit_code

    with SmallSite(pages({"/": (503, {"Retry-After": "86400"}, b"")})) as site:
        summary = run_crawl(site.url)
    assert exit_code(summary) == 18 and summary["stopped_by"] == "rate" and site.paths().count("/") == 1
    assert "a pause of 86,400 seconds" in summary["problems"][0]["sentence"]


@pytest.mark.parametrize("strategy", ["blind", "auto"])
def test_a_host_that_does_not_answer_is_no_finished_crawl(run_crawl: Callable, strategy: str) -> None:
    from siteseer.collection.exit_codes import exit_code

    with SmallSite(pages({})) as site:
        url = site.url
    for _ in range(2):
        summary = run_crawl(url, strategy=strategy)
        assert exit_code(summary) == 9 and not summary["finished"]
        assert (
            url in summary["problems"][0]["sentence"] and "the connection failed" in summary["problems"][0]["sentence"]
        )
    port = int(url.rstrip("/").rpartition(":")[2])
    with SmallSite(pages({"/": "<p>back again"}), port=port):
        assert run_crawl(url, strategy=strategy)["pages"] == 1


def test_what_may_pass_is_tried_again_and_what_will_not_is_not(run_crawl: Callable) -> None:
    tries: dict[str, int] = {}

    def shaky(path: str, headers: dict[str, str]) -> Answer:
        tries[path] = tries.get(path, 0) + 1
        if path == "/":
            return 200, {}, b'<a href="/heals">h</a><a href="/gone">g</a>'
        if path == "/heals" and tries[path] < 3:
            return 500, {}, b"oops"
        return (200, {}, b"better") if path == "/heals" else (404, {}, b"gone")

    with SmallSite(shaky) as site:
        summary = run_crawl(site.url)
    assert tries["/heals"] == 3 and tries["/gone"] == 1
    assert summary["requests"] == len(site.seen) and summary["errors"] == 1
