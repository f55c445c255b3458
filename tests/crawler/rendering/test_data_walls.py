"""A client-rendered site behind a wall: what its scripts ask for is refused, and that is what is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.crawler.run import crawl
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.settings import CrawlOptions, FetchLimits
from tests.crawler.hosts.walled_site import text_of
from tests.web.chromium import required

CHAPTERS = 24
NO_TRUTH = Truth("book", 0, "own", (), frozenset(), frozenset(), 0)
BOOK = """<!doctype html><title>The book</title><div id=app></div><script>
const links = [...Array(24).keys()].map(n => `<a href="#/${n}">Chapter ${n}</a> `).join('');
const show = () => fetch('/chapter/' + (location.hash.slice(2) || '0') + '.txt')
  .then(a => a.ok && a.headers.get('content-type').includes('plain') ? a.text() : Promise.reject())
  .catch(() => '<p>This chapter could not be found.</p>')
  .then(text => { document.getElementById('app').innerHTML = links + text; });
addEventListener('hashchange', show); show();
</script>"""
CHALLENGE = (
    b"<!doctype html><title>Just a moment...</title><noscript>Enable JavaScript and cookies to continue</noscript>"
    b"<script>window._cf_chl_opt={}</script>"
)


@pytest.fixture(scope="module", autouse=True)
def _chromium() -> None:
    required()


@pytest.mark.parametrize(
    ("wall", "said"),
    [
        (SiteResponse(403, (("Content-Type", "text/html"),), b"<h1>Forbidden</h1>"), "has refused every request"),
        (html(CHALLENGE.decode()), "with a challenge page"),
    ],
    ids=["refused", "challenged"],
)
def test_a_wall_before_the_data_is_named(
    tmp_path: Path, serve: Callable[..., Server], wall: SiteResponse, said: str
) -> None:
    count = [0]

    def respond(request: SiteRequest) -> SiteResponse:
        count[0] += 1
        if count[0] > 12:
            return wall
        if request.path == "/":
            return html(BOOK)
        number = request.path.removeprefix("/chapter/").removesuffix(".txt")
        if number.isdecimal() and int(number) < CHAPTERS:
            return SiteResponse(200, (("Content-Type", "text/plain"),), text_of(f"chapter {number}").encode())
        return SiteResponse(404, (), b"")

    server = serve(Site(NO_TRUTH, respond))
    limits = FetchLimits(retry_seconds=0.05)
    summary = crawl(CrawlOptions((server.url,), tmp_path, "blind", delay=0.0, assets="none", limits=limits))
    problem = next(one for one in summary["problems"] if one["reason"] == "wall")
    assert summary["stopped_by"] == "rate" and not summary["finished"]
    assert said in problem["sentence"] and "same page" not in problem["sentence"]
    since = int("".join(filter(str.isdigit, problem["sentence"].partition(" since the ")[2].partition(" (")[0])))
    assert abs(since - 13) <= 2  # two tabs may be under way
    assert [one["reason"] for one in summary["problems"]] == ["wall"]
