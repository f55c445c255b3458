"""URLs, paths and hosts that fail: retried apart, left, rested; never the end of a crawl that could go on."""

import random
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from siteseer.collection.exit_codes import exit_code
from siteseer.crawler.run import crawl
from siteseer.model import JSON
from tests.crawler.small_site import Answer, SmallSite, quick_options

BUSY: Answer = (503, {}, b"busy")


def linked(*paths: str) -> bytes:
    return "".join(f'<p>to <a href="{path}">{path}</a>' for path in paths).encode()


def prose(path: str) -> bytes:
    """Return a page that is like no other."""
    drawn = random.Random(path)
    words = ["".join(drawn.choices("abcdefghij", k=6)) for _ in range(60)]
    return f"<h1>{path}</h1><p>{' '.join(words)}".encode()


def site_of(paths: list[str], fails: Callable[[str, int], bool], failure: Answer = BUSY) -> tuple[Callable, Counter]:
    """Return a site whose home links to pages that fail where `fails(path, times asked)` says so."""
    asked: Counter[str] = Counter()

    def answer(path: str, headers: dict[str, str]) -> Answer:
        asked[path] += 1
        if path == "/robots.txt":
            return 404, {}, b""
        if fails(path, asked[path]):
            return failure
        return 200, {}, linked(*paths) if path == "/" else prose(path)

    return answer, asked


def reasons(summary: JSON) -> list[str]:
    return [problem["reason"] for problem in summary["problems"]]


def test_one_url_that_always_fails_does_not_end_a_crawl(run_crawl: Callable) -> None:
    paths = [f"/{number}" for number in range(30)]
    answer, asked = site_of(paths, lambda path, times: path == "/3")
    with SmallSite(answer) as site:
        summary = run_crawl(site.url)
    assert summary["pages"] == 30 and summary["stopped_by"] is None
    assert asked["/3"] == 3 and sum(asked.values()) == 1 + 31 + 2 == summary["requests"]
    assert summary["responses"] == {"200": 30, "404": 1, "503": 3}


def test_the_others_do_not_wait_for_one_that_fails(run_crawl: Callable) -> None:
    paths = [f"/{number}" for number in range(20)]
    answer, _ = site_of(paths, lambda path, times: path == "/0" and times == 1, (503, {"Retry-After": "2"}, b""))
    later: list[float] = []

    def timed(path: str, headers: dict[str, str]) -> Answer:
        if path == "/0":
            later.append(time.monotonic())
        return answer(path, headers)

    with SmallSite(timed) as site:
        summary = run_crawl(site.url, concurrency=1)
    assert later[1] - later[0] >= 2.0 and summary["pages"] == 21


def test_a_pause_for_one_url_is_no_pause_for_the_host(run_crawl: Callable) -> None:
    paths = [f"/{number}" for number in range(20)]
    answer, _ = site_of(paths, lambda path, times: path in ("/0", "/9"), (503, {"Retry-After": "1"}, b""))
    with SmallSite(answer) as site:
        summary = run_crawl(site.url, concurrency=1)
    starts = [entry.start for entry in site.seen if entry.path not in ("/0", "/9")]
    assert summary["pages"] == 19 and summary["stopped_by"] is None
    # the host rests once: after that it is known that it means the URL alone
    assert sum(later - earlier >= 0.95 for earlier, later in pairwise(starts)) == 1


def test_a_path_that_fails_is_left_after_a_few_tries(run_crawl: Callable) -> None:
    paths = [f"/{part}/{number}" for number in range(40) for part in ("good", "broken")]
    answer, asked = site_of(paths, lambda path, times: path.startswith("/broken/"))
    with SmallSite(answer) as site:
        summary = run_crawl(site.url)
    broken = sum(count for path, count in asked.items() if path.startswith("/broken/"))
    assert summary["pages"] == 41 and summary["stopped_by"] is None
    assert broken <= 20 and sum(path.startswith("/broken/") for path in asked) < 12


def test_a_path_that_heals_is_crawled_whole(run_crawl: Callable) -> None:
    paths = [f"/slow/{number}" for number in range(40)]
    answer, asked = site_of(paths, lambda path, times: path != "/" and sum(asked.values()) < 11)
    with SmallSite(answer) as site:
        summary = run_crawl(site.url)
    assert summary["pages"] == 41 and summary["stopped_by"] is None and exit_code(summary) == 0


def test_a_host_that_fails_is_stopped_and_gone_on_with_later(run_crawl: Callable) -> None:
    paths = [f"/{number}" for number in range(60)]
    is_down = True
    answer, asked = site_of(paths, lambda path, times: is_down and sum(asked.values()) > 20)
    with SmallSite(answer) as site:
        first = run_crawl(site.url)
        asked_first = sum(asked.values())
        is_down = False
        second = run_crawl(site.url)
    assert (first["stopped_by"], exit_code(first), reasons(first)) == ("rate", 18, ["rate-limited"])
    assert asked_first < 45 and "503" in first["problems"][0]["sentence"] and not first["finished"]
    assert second["pages"] == 61 and second["problems"] == [] and second["finished"]


def test_pages_that_fail_by_themselves_do_not_stop_a_host(run_crawl: Callable) -> None:
    """All pages of the second half fail: that is no reason to believe that the host is down."""
    paths = [f"/{number}" for number in range(40)]
    answer, asked = site_of(paths, lambda path, times: path != "/" and int(path[1:]) >= 20, (500, {}, b"oops"))
    with SmallSite(answer) as site:
        summary = run_crawl(site.url)
    assert summary["pages"] == 21 and summary["stopped_by"] is None
    assert set(asked) >= set(paths) and sum(asked.values()) < 90


def test_other_hosts_go_on(tmp_path: Path) -> None:
    good, _ = site_of([f"/{number}" for number in range(10)], lambda path, times: False)
    bad, _ = site_of([], lambda path, times: True, (429, {"Retry-After": "5000"}, b""))
    with SmallSite(good) as one, SmallSite(bad) as other:
        summary = crawl(quick_options(tmp_path / "c", one.url, other.url))
    assert summary["pages"] == 11 and summary["stopped_by"] == "rate" and exit_code(summary) == 18
