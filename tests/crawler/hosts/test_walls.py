"""Walls: a host that begins to refuse everything is recognised, left alone, and asked again by the next run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siteseer import verify as check
from siteseer.collection.exit_codes import exit_code
from siteseer.collection.state import State
from siteseer.crawler.run import crawl
from siteseer.model import JSON
from siteseer.settings import CrawlOptions, FetchLimits
from tests.crawler.hosts.walled_site import WalledForum, forbidden, page, text_of
from tests.crawler.small_site import Answer, SmallSite, pages

NO_BROWSER: dict[str, Any] = {"browser": "never", "concurrency": 2}


def just_a_moment(path: str, number: int) -> Answer:
    """A challenge of a well-known service, with a number of its own for each request."""
    body = (
        "<!DOCTYPE html><html lang='en-US'><head><title>Just a moment...</title></head><body><noscript>Enable "
        "JavaScript and cookies to continue</noscript><script>(function(){window._cf_chl_opt={cRay:"
        f"'8f{number:014x}'}};}})();</script></body></html>"
    )
    return 200, {}, body.encode()


def checking_in_german(path: str, number: int) -> Answer:
    """A challenge of nobody in particular."""
    body = (
        "<html lang=de><head><title>Einen Moment bitte …</title><meta http-equiv=refresh content=5></head><body>"
        "<h1>Überprüfung Ihres Browsers</h1><p>Ihr Browser wird überprüft. Bitte JavaScript aktivieren; Sie werden "
        f"automatisch weitergeleitet.</p><p>Vorgang {number:08d}</p><script>setTimeout(function(){{}}, 5)</script>"
    )
    return 200, {}, body.encode()


def consent_in_french(path: str, number: int) -> Answer:
    body = (
        "<html lang=fr><head><title>Avant de continuer</title></head><body><h1>Avant de continuer</h1><p>Nous "
        "utilisons des cookies pour fournir nos services.</p><form action=/ok><button>Tout accepter</button>"
        f"<button>Tout refuser</button><input type=hidden name=continue value='{path}'></form></body></html>"
    )
    return 200, {}, body.encode()


def nameless(path: str, number: int) -> Answer:
    """A page that no list of phrases knows: only that it is always the same gives it away."""
    body = (
        f"<html><head><title>Nightwatch</title></head><body><div class=b><h2>The lamp is out</h2><p>Come back when the "
        f"keeper is awake. You wanted {path}.</p><small>Slip {number:05d}-{number * 7919 % 99991:06x}, 2026-11-18 "
        f"06:{number % 60:02d}:11</small></div></body></html>"
    )
    return 200, {}, body.encode()


def login_page(path: str, number: int) -> Answer:
    body = (
        "<html><head><title>Log in</title></head><body><form method=post action=/login><p>Please log in to read on.</p>"
        f"<input name=user><input type=password name=pass><input type=hidden name=next value='{path}'>"
        "<button>Log in</button></form></body></html>"
    )
    return 200, {}, body.encode()


def login_redirect(path: str, number: int) -> Answer:
    if path.startswith("/login"):
        return login_page(path, number)
    return 302, {"Location": f"/login?next={path}"}, b""


def entrance_redirect(path: str, number: int) -> Answer:
    """A login page whose address does not say so."""
    if path.startswith("/session/new"):
        return login_page(path, number)
    return 302, {"Location": f"/session/new?back={path}"}, b""


def sorry_redirect(path: str, number: int) -> Answer:
    """A wall that every address leads to; it is shown to whoever asks for it."""
    if path == "/sorry":
        return 200, {}, b"<html><head><title>Sorry</title></head><body><p>There is too much traffic.</p></body></html>"
    return 302, {"Location": "/sorry"}, b""


def wall_of(summary: JSON) -> JSON:
    """Return the one problem of a crawl that met a wall."""
    (problem,) = (one for one in summary["problems"] if one["reason"] == "wall")
    assert summary["stopped_by"] == "rate" and not summary["finished"] and exit_code(summary) == 18
    assert problem["count"] > 0 and "same command later" in problem["next"]
    return dict(problem)


def page_urls(folder: Path) -> list[str]:
    lines = (folder / "pages" / "pages.jsonl").read_text().splitlines()[1:]
    return [json.loads(line)["url"] for line in lines]


def two_grams(site: Callable[[str], Answer], urls: list[str]) -> int:
    """Return how many different pairs of words pages have."""
    from siteseer.model import Page
    from siteseer.page.two_grams import DistinctGrams, grams

    seen = DistinctGrams()
    for url in urls:
        _, _, body = site("/" + url.split("/", 3)[3])
        seen.add(grams(Page(url, 200, (("Content-Type", "text/html"),), body)))
    return len(seen)


# ── walls ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("strategy", ["blind", "auto"])
def test_a_host_that_refuses_from_the_31st_request_on(run_crawl: Callable, tmp_path: Path, strategy: str) -> None:
    forum = WalledForum(forbidden)
    with forum.served() as site:
        summary = run_crawl(site.url, strategy=strategy, **NO_BROWSER)
    assert len(site.seen) - 30 <= 8
    assert summary["requests"] == len(site.seen)
    problem = wall_of(summary)
    assert re.search(r"has refused every request since the (30th|31st) \(403 Forbidden", problem["sentence"])
    assert f"{summary['pages']} pages were kept before that." in problem["sentence"]
    assert "--delay 5" in problem["next"]
    assert summary["pages"] == len(page_urls(tmp_path / "collection")) > 20
    assert check(tmp_path / "collection")["problems"] == ()


@pytest.mark.parametrize("strategy", ["blind", "auto"])
@pytest.mark.parametrize("wall", [just_a_moment, checking_in_german, consent_in_french, nameless, login_page])
def test_pages_behind_a_wall_are_no_content(
    run_crawl: Callable, tmp_path: Path, wall: Callable[..., Answer], strategy: str
) -> None:
    forum = WalledForum(wall)
    with forum.served() as site:
        summary = run_crawl(site.url, strategy=strategy, **NO_BROWSER)
    assert len(site.seen) - 30 <= 10
    problem = wall_of(summary)
    assert re.search("since the (29th|30th|31st|32nd)", problem["sentence"]), problem["sentence"]
    urls = page_urls(tmp_path / "collection")
    assert summary["pages"] == len(urls) == len(set(urls)) > 20
    assert {url.removeprefix(site.url) for url in urls} == forum.shown - {"/robots.txt", "/sitemap.xml"}
    assert summary["two_grams"] == two_grams(forum.ordinary, urls)
    state = State(tmp_path / "collection", create=False)
    try:
        held = "SELECT count(*) FROM captures WHERE key IS NULL"
        assert next(iter(state.rows(held)))[0] == len(forum.refused)  # they stay as evidence
        failed = [url for (url,) in state.rows("SELECT url FROM urls WHERE status IN (1, 3)")]
        assert not failed or failed == [f"{site.url}/sitemap.xml"]
    finally:
        state.close()
    assert check(tmp_path / "collection")["problems"] == ()


@pytest.mark.parametrize("strategy", ["blind", "auto"])
@pytest.mark.parametrize("wall", [forbidden, just_a_moment, nameless, login_page, login_redirect, sorry_redirect])
def test_after_a_pause_the_same_command_goes_on(
    run_crawl: Callable, tmp_path: Path, wall: Callable[..., Answer], strategy: str
) -> None:
    forum = WalledForum(wall)
    with forum.served() as site:
        first = run_crawl(site.url, strategy=strategy, **NO_BROWSER)
        wall_of(first)
        before = len(site.seen)
        again = run_crawl(site.url, strategy=strategy, **NO_BROWSER)
        wall_of(again)
        assert len(site.seen) - before <= 2  # one request to see whether it stands, one to be sure
        assert again["pages"] == first["pages"]
        forum.is_up = False
        last = run_crawl(site.url, strategy=strategy, **NO_BROWSER)
    assert exit_code(last) == 0 and last["finished"] and last["problems"] == []
    urls = page_urls(tmp_path / "collection")
    assert last["pages"] == len(urls) == len(set(urls)) == forum.urls
    assert last["two_grams"] == two_grams(forum.ordinary, urls)
    assert check(tmp_path / "collection")["problems"] == ()


def test_429_without_retry_after(run_crawl: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("siteseer.fetch.politeness.BACK_OFF_FIRST", 0.1)
    forum = WalledForum(lambda path, number: (429, {}, b"slow down"))
    with forum.served() as site:
        summary = run_crawl(site.url, **NO_BROWSER)
        assert len(site.seen) - 30 <= 6
        assert summary["stopped_by"] == "rate" and exit_code(summary) == 18
        assert "429" in summary["problems"][0]["sentence"] and summary["pages"] == 29
        forum.is_up = False
        assert run_crawl(site.url, **NO_BROWSER)["pages"] == forum.urls


@pytest.mark.parametrize("wall", [login_redirect, entrance_redirect])
def test_a_login_wall_of_redirects(run_crawl: Callable, tmp_path: Path, wall: Callable[[str, int], Answer]) -> None:
    forum = WalledForum(wall)
    with forum.served() as site:
        summary = run_crawl(site.url, **NO_BROWSER)
    assert len(site.seen) - 30 <= 10
    problem = wall_of(summary)
    assert "has asked for a login at every request since the" in problem["sentence"]
    assert "siteseer login" in problem["next"]
    assert not any("/login" in url or "/session" in url for url in page_urls(tmp_path / "collection"))


def refused_urls(folder: Path) -> dict[str, int]:
    """Return what `failed.jsonl` says of the URLs that wait for the next run."""
    lines = map(json.loads, (folder / "reports" / "failed.jsonl").read_text().splitlines())
    return {line["url"]: line["status"] for line in lines if line["because"].endswith("; the next run asks again")}


@pytest.mark.parametrize("status", [403, 429])
def test_what_was_refused_is_listed_until_it_comes(
    run_crawl: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr("siteseer.fetch.politeness.BACK_OFF_FIRST", 0.1)
    forum = WalledForum(lambda path, number: (status, {}, b"no entry"))
    with forum.served() as site:
        first = run_crawl(site.url, **NO_BROWSER)
        listed = refused_urls(tmp_path / "collection")
        forum.is_up = False
        second = run_crawl(site.url, **NO_BROWSER)
    assert exit_code(first) == 18
    assert listed
    assert set(listed.values()) == {status}
    assert (first["errors"], second["errors"], exit_code(second)) == (len(listed), 0, 0)
    assert refused_urls(tmp_path / "collection") == {}


@pytest.mark.parametrize("wall", [just_a_moment, consent_in_french])
def test_a_wall_from_the_first_request_on(run_crawl: Callable, wall: Callable[..., Answer]) -> None:
    with WalledForum(wall, after=0).served() as site:
        summary = run_crawl(site.url, **NO_BROWSER)
    assert summary["pages"] == 0 and len(site.seen) <= 3
    assert "No page was kept" in wall_of(summary)["sentence"]


def test_another_host_of_the_crawl_goes_on(tmp_path: Path) -> None:
    walled, open_one = WalledForum(nameless, after=12), WalledForum(forbidden, is_up=False)
    limits = FetchLimits(retry_seconds=0.05, retries=1)
    with walled.served() as first, open_one.served() as second:
        seeds = (first.url + "/", second.url + "/")
        options = CrawlOptions(
            seeds, tmp_path, strategy="blind", delay=0.0, assets="none", browser="never", limits=limits
        )
        summary = crawl(options)
    assert first.url in wall_of(summary)["sentence"]
    urls = page_urls(tmp_path)
    assert sum(url.startswith(second.url) for url in urls) == open_one.urls
    assert sum(url.startswith(first.url) for url in urls) == 11


# ── no walls ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def finished(summary: JSON, site: SmallSite, extra: int = 1) -> None:
    """Check that a crawl met no wall, and paid for its suspicion with few requests at most."""
    assert summary["stopped_by"] is None and "wall" not in [one["reason"] for one in summary["problems"]]
    asked = site.paths()
    assert len(asked) - len(set(asked)) <= extra, [path for path in asked if asked.count(path) > 1]


def links(*targets: str) -> str:
    return "".join(f'<a href="{target}">{target}</a> ' for target in targets)


@pytest.mark.parametrize("strategy", ["blind", "auto"])
@pytest.mark.parametrize("status", [401, 403])
def test_a_path_that_refuses_stops_nothing(run_crawl: Callable, status: int, strategy: str) -> None:
    forum, hidden = WalledForum(forbidden, is_up=False), [f"/members/{n}" for n in range(20)]

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path.startswith("/members/"):
            return status, {}, b"<title>Members only</title><p>Members only."
        found = forum.ordinary(path)
        return found if path != "/" else (200, {}, page("Harbour", text_of("home") + links(*hidden)))

    with SmallSite(answer) as site:
        summary = run_crawl(site.url, strategy=strategy, **NO_BROWSER)
    finished(summary, site, extra=3)
    assert summary["pages"] == forum.urls
    assert summary["responses"][str(status)] <= 20


def test_pages_that_are_alike_are_no_wall(run_crawl: Callable) -> None:
    """Empty lists, print views of empty pages, soft errors: the pages before are still shown."""
    forum, empty = WalledForum(forbidden, is_up=False), [f"/tag/{n}" for n in range(30)]

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path.startswith("/tag/"):
            return 200, {}, page("Tags", "<p>Nothing was found.</p>")
        found = forum.ordinary(path)
        return found if path != "/" else (200, {}, page("Harbour", text_of("home") + links(*empty)))

    with SmallSite(answer) as site:
        summary = run_crawl(site.url, **NO_BROWSER)
    finished(summary, site)
    assert summary["pages"] == forum.urls + 31  # with the answer to an address that cannot exist


def test_logins_and_reply_links_between_permalinks_are_no_wall(run_crawl: Callable) -> None:
    """A board's links to reply, quote and log in, more of them in a row than the pages that are looked back at."""
    forum, closed = WalledForum(forbidden, is_up=False), [f"/login?next=/thread/{n}" for n in range(14)]
    closed += [f"/{what}/{n}" for n in range(30) for what in ("post", "quote")]

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path.startswith("/login"):
            return login_page(path, 0)
        if path.startswith("/quote/"):
            return 403, {}, b"<title>Members only</title><p>Members only."
        if path.startswith("/post/"):
            return 301, {"Location": f"/thread/{int(path[6:]) // 10}"}, b""
        found = forum.ordinary(path)
        return found if path != "/thread/1" else (200, {}, page("Thread", text_of("thread") + links(*closed)))

    with SmallSite(answer) as site:
        summary = run_crawl(site.url, strategy="blind", **NO_BROWSER)
    finished(summary, site, extra=9)
    assert summary["pages"] == forum.urls + 14
    assert [problem["reason"] for problem in summary["problems"]] == ["closed-pages"]


def test_a_wall_behind_which_only_requisites_wait_is_said(run_crawl: Callable) -> None:
    gallery = f"<title>Gallery</title>{text_of('home')}" + "".join(f'<img src="/{number}.png">' for number in range(12))
    shown: list[str] = []

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path != "/" or shown:
            return (404, {}, b"") if path == "/robots.txt" else forbidden(path, 0)
        shown.append(path)
        return 200, {}, gallery.encode()

    with SmallSite(answer) as site:
        summary = run_crawl(site.url, assets="all", **NO_BROWSER)
    assert wall_of(summary)["sentence"].startswith(f"Stopped: {site.url}/ has refused every request")
    assert [problem["reason"] for problem in summary["problems"]] == ["wall"]


def test_missing_pages_that_are_all_alike_are_no_wall(run_crawl: Callable) -> None:
    gone = [f"/gone/{n}" for n in range(40)]
    with SmallSite(pages({"/": links("/a", *gone, "/b"), "/a": text_of("a"), "/b": text_of("b")})) as site:
        summary = run_crawl(site.url, **NO_BROWSER)
    finished(summary, site, extra=0)
    assert summary["pages"] == 3


def test_records_that_differ_in_numbers_only_are_no_wall(run_crawl: Callable) -> None:
    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path == "/":
            return 200, {}, page("Shop", links(*(f"/item/{n}" for n in range(60))))
        if path.removeprefix("/item/").isdigit():
            number = path.rpartition("/")[2]
            return 200, {}, f"<title>Bolt</title><h1>Bolt</h1><table><tr><td>Price<td>{number}.50</table>".encode()
        return 404, {}, b""

    with SmallSite(answer) as site:
        summary = run_crawl(site.url, **NO_BROWSER)
    finished(summary, site, extra=0)
    assert summary["pages"] == 61


def test_a_site_that_is_one_page_for_scripts_is_no_wall(run_crawl: Callable) -> None:
    shell = b"<title>App</title><div id=root></div><script src=/app.js></script>"

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path == "/app.js":
            return 200, {"Content-Type": "text/javascript"}, b""
        return 200, {}, shell + (links(*(f"/view/{n}" for n in range(12))).encode() if path == "/" else b"")

    with SmallSite(answer) as site:
        summary = run_crawl(site.url, **NO_BROWSER)
    finished(summary, site)
    assert summary["pages"] == 13
