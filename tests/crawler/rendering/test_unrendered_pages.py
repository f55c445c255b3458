"""Pages that need a browser where there is none: kept as they came, counted, said, and taken up when there is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.cli.demo_run import content_share
from siteseer.collection.exit_codes import exit_code
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth, make_site
from siteseer.demo.site import html
from siteseer.model import JSON
from tests.web.chromium import required

NO_TRUTH = Truth("small", 0, "own", (), frozenset(), frozenset(), 0)
APP = '<script src="/app.js"></script>'


@pytest.fixture
def no_chromium(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """There is no Chromium on this machine."""
    monkeypatch.setenv("SITESEER_CHROMIUM", "no-such-program")
    return monkeypatch


def site(pages: dict[str, str]) -> Site:
    """Return a site of these pages."""

    def answer(request: SiteRequest) -> SiteResponse:
        found = pages.get(request.path)
        return html("<p>no such page</p>", 404) if found is None else html(f"<html><body>{found}</body></html>")

    return Site(NO_TRUTH, answer)


def reasons(summary: JSON) -> dict[str, int]:
    """Return how many pages each problem is about."""
    return {problem["reason"]: problem["count"] for problem in summary["problems"]}


def test_a_scripted_site_without_a_browser_is_not_called_finished(
    serve: Callable[..., Server], run_crawl: Callable[..., JSON], no_chromium: pytest.MonkeyPatch
) -> None:
    summary = run_crawl(serve("scripted", seed=2, size=2).url)
    assert reasons(summary) == {"browser-missing": 1}
    assert (summary["finished"], summary["stopped_by"], exit_code(summary)) == (False, None, 9)
    (problem,) = summary["problems"]
    assert "Chromium" in problem["next"]
    assert "same command" in problem["next"]


def test_views_of_a_script_are_counted_too(
    serve: Callable[..., Server], run_crawl: Callable[..., JSON], no_chromium: pytest.MonkeyPatch
) -> None:
    pages = {"/": "<h1>Boats</h1><p>Boats and their ropes.</p>" + APP}
    server = serve(site(pages))
    pages["/"] += f'<a href="{server.url}/#/boat/1">One</a><a href="{server.url}/#/boat/2">Two</a>'
    assert reasons(run_crawl(server.url)) == {"browser-missing": 2}


def test_the_same_command_goes_on_when_there_is_a_browser(
    serve: Callable[..., Server], run_crawl: Callable[..., JSON], no_chromium: pytest.MonkeyPatch
) -> None:
    required()
    made = make_site("scripted", seed=2, size=2)
    server = serve(made)
    outside = ("*/member/*", "*/board/3", "*/board/4", "*/board/5")
    first = run_crawl(server.url, exclude=outside)
    assert run_crawl(server.url, exclude=outside)["requests"] == first["requests"], "nothing has changed"
    no_chromium.delenv("SITESEER_CHROMIUM")
    summary = run_crawl(server.url, exclude=outside)
    assert (summary["problems"], summary["finished"], exit_code(summary)) == ([], True, 0)
    assert summary["pages"] == 1 + 2 + 2
    assert content_share(Path(summary["collection"]), made.truth) == 1.0
    assert [entry.path for entry in server.log].count("/") == 1, "its document came from the archive"


def test_pages_with_their_content_never_count(
    serve: Callable[..., Server], run_crawl: Callable[..., JSON], no_chromium: pytest.MonkeyPatch
) -> None:
    links = "".join(f'<li><a href="/plant/{number}">Plant</a></li>' for number in range(20))
    extra = '<div id="cart"></div><div class="clear"></div><ul class="items"></ul>' + APP
    pages = {f"/plant/{number}": f"<h1>Plant {number}</h1><p>{number}.50 each</p>{extra}" for number in range(20)}
    summary = run_crawl(serve(site({"/": f"<h1>Plants</h1><ul>{links}</ul>{APP}", **pages})).url)
    assert summary["pages"] == 21
    assert "browser-missing" not in reasons(summary)
    assert (summary["finished"], exit_code(summary)) == (True, 0)


def test_equal_pages_of_few_words_are_frames(
    serve: Callable[..., Server], run_crawl: Callable[..., JSON], no_chromium: pytest.MonkeyPatch
) -> None:
    frame = '<h1>Our plants</h1><ul id="plants" class="items"></ul>' + APP
    links = '<p hidden><a href="/1">1</a><a href="/2">2</a></p>'
    summary = run_crawl(serve(site({"/": frame + links, "/1": frame, "/2": frame})).url)
    assert reasons(summary)["browser-missing"] >= 2
    assert reasons(run_crawl(serve(site({"/": frame})).url, "alone")) == {"browser-missing": 1}


def test_who_wants_no_browser_is_told(serve: Callable[..., Server], run_crawl: Callable[..., JSON]) -> None:
    summary = run_crawl(serve("scripted", seed=2, size=2).url, browser="never")
    assert reasons(summary) == {"browser-off": 1}
    assert (summary["finished"], exit_code(summary)) == (True, 0)


def test_a_chromium_that_does_not_start_is_no_browser(
    tmp_path: Path, serve: Callable[..., Server], run_crawl: Callable[..., JSON], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("SITESEER_CHROMIUM", str(broken))
    summary = run_crawl(serve("scripted", seed=2, size=2).url)
    assert reasons(summary) == {"browser-missing": 1}
    assert f"{broken} does not start" in summary["problems"][0]["next"]
