"""robots.txt is obeyed by wrappers, with and without a browser, and asked for once a host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from siteseer.demo import Server, SiteRequest, SiteResponse
from siteseer.demo.site import document, html, redirect
from siteseer.errors import FetchError
from siteseer.settings import BrowserLimits, ExtractionOptions, FetchLimits
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.run import extract
from tests.web.chromium import required

QUICK: dict[str, Any] = {
    "delay": 0,
    "limits": FetchLimits(retries=0),
    "browser_limits": BrowserLimits(quiet_seconds=0.1, settle_seconds=3),
}
PAGES: dict[str, Any] = {
    "/robots.txt": document("User-agent: *\nDisallow: /closed\n", "text/plain"),
    "/": "<a href=/open>1</a><a href=/closed/a>2</a><a href=/turn>3</a><form action=/closed/b><button>4</button>",
    "/open": "<p>open</p>",
    "/turn": lambda request: redirect("/closed/c"),
    "/closed/a": "<p>closed</p>",
    "/closed/b": "<p>closed</p>",
    "/closed/c": "<p>closed</p>",
}


@pytest.fixture(params=["never", "always"])
def browser(request: pytest.FixtureRequest) -> str:
    if request.param == "always":
        required()
    return str(request.param)


def run(wrapper: str, server: Server, browser: str, robots: str = "obey") -> tuple[list[str | None], list[str]]:
    found: list[Record] = []
    warnings: list[str] = []
    options = ExtractionOptions({"u": server.url}, browser, robots=robots, **QUICK)
    extract(parse(wrapper), found.append, options, warnings.append)
    return [one.value for one in found], warnings


def test_pages_that_a_host_closes_are_left_alone(serve_pages: Callable[..., Server], browser: str) -> None:
    server = serve_pages(PAGES)
    found, warnings = run("doc($u)//a/{click /}//p:<p=string(.)>", server, browser)
    assert found == ["open"]
    assert all("robots.txt asks crawlers to leave this URL alone; --robots ignore" in text for text in warnings)
    asked = [one.path for one in server.log]
    assert asked.count("/robots.txt") == 1 and "/closed/a" not in asked
    assert len(warnings) == 2
    with pytest.raises(FetchError, match="leave this URL alone"):
        run("doc($u)//button/{click /}//p:<p=string(.)>", server, browser)
    assert "/closed/b" not in [one.path for one in server.log]


def test_robots_may_be_ignored_or_only_told_of(serve_pages: Callable[..., Server]) -> None:
    server = serve_pages(PAGES)
    wrapper = "doc($u)//a/{click /}//p:<p=string(.)>"
    assert run(wrapper, server, "never", "ignore") == (["open", "closed", "closed"], [])
    assert "/robots.txt" not in [one.path for one in server.log]
    found, warnings = run(wrapper, server, "never", "log")
    assert found == ["open", "closed", "closed"] and len(warnings) == 2


def test_a_host_whose_robots_fails_is_left_alone(serve_pages: Callable[..., Server]) -> None:
    def answer(request: SiteRequest) -> SiteResponse:
        return html("down", 500)

    server = serve_pages({"/robots.txt": answer, "/": "<p>x</p>"})
    with pytest.raises(FetchError, match="could not be read"):
        run("doc($u)//p:<p=string(.)>", server, "never")
