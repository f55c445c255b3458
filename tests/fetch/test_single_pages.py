"""Single pages are asked for as politely as the options say: on small sites over real HTTP."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from siteseer.cli.main import run
from siteseer.errors import FetchError, TemporaryFetchError
from siteseer.fetch.fetch_one import PageFetcher, fetch_page
from siteseer.settings import HostOptions, Politeness
from tests.crawler.small_site import SmallSite, pages

PAGE = (
    "<html><head><title>Kites</title></head><body><p>Kites are flown over the hill.</p>"
    "<form action='/find'><input name='q' type='search'><button>Search</button></form></body></html>"
)
ROBOTS = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private\n")
SITE = {"/robots.txt": ROBOTS, "/": PAGE, "/a": PAGE, "/private": PAGE, "/old": (302, {"Location": "/private"}, b"")}


def test_requests_to_a_host_keep_the_delay_and_say_who_asks() -> None:
    with SmallSite(pages({**SITE, "/old": (302, {"Location": "/a"}, b"")})) as site:
        fetcher = PageFetcher(Politeness(delay=0.3, contact="me@example.org"))
        assert [fetcher.fetch(f"{site.url}{path}").url for path in ("/", "/old")] == [f"{site.url}/", f"{site.url}/a"]
    assert site.paths() == ["/robots.txt", "/", "/old", "/a"]
    starts = [one.start for one in site.seen]
    assert min(later - before for before, later in pairwise(starts)) >= 0.3
    for one in site.seen:
        assert one.headers["user-agent"].endswith("(+me@example.org)") and one.headers["from"] == "me@example.org"


def test_robots_are_followed_noted_or_ignored(caplog: pytest.LogCaptureFixture) -> None:
    with SmallSite(pages(SITE)) as site:
        for path in ("/private", "/old"):
            with pytest.raises(FetchError, match=r"/private: robots.txt asks .* --robots ignore"):
                PageFetcher(Politeness(delay=0.0)).fetch(f"{site.url}{path}")
        assert site.paths().count("/private") == 0
        assert PageFetcher(Politeness(delay=0.0, robots="log")).fetch(f"{site.url}/private").status == 200
        assert "/private: robots.txt asks" in caplog.text
        site.seen.clear()
        assert PageFetcher(Politeness(delay=0.0, robots="ignore")).fetch(f"{site.url}/private").status == 200
        own = Politeness(delay=0.0, hosts=(HostOptions("127.0.0.1", robots="ignore"),))
        assert PageFetcher(own).fetch(f"{site.url}/private").status == 200
        assert fetch_page(f"{site.url}/private").status == 200
        assert site.paths() == ["/private"] * 3


def test_a_robots_file_that_cannot_be_read_keeps_us_away_for_now() -> None:
    with SmallSite(pages({**SITE, "/robots.txt": (503, {}, b"")})) as site:
        with pytest.raises(TemporaryFetchError, match="status 503"):
            PageFetcher(Politeness(delay=0.0)).fetch(f"{site.url}/")
        assert site.paths() == ["/robots.txt"]


FEED = (
    "<rss version='2.0'><channel><title>N</title><item><title>A</title><link>http://e.org/a</link>"
    "<pubDate>Mon, 04 May 2015 10:00:00 GMT</pubDate></item></channel></rss>"
)
COMMANDS = (
    "detect {u}", "article {u}", "timestamp {u}", "changes {u} {u}", "form {u}", "feed {u}",
    "wrapper induce {u} --example title=Kites",
)  # fmt: skip


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_that_fetches_pages_asks_as_it_is_told(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = FEED if line.startswith("feed") else PAGE
    with SmallSite(pages({**SITE, "/private": page})) as site:
        words = line.replace("{u}", f"{site.url}/private").split()
        polite = ["--delay", "0", "--user-agent", "Library/1.0"]
        assert run([*words, *polite]) == 1
        said = capsys.readouterr()
        assert said.out == "" and "--robots ignore" in said.err and "/private" not in site.paths()
        assert {one.headers["user-agent"] for one in site.seen} == {"Library/1.0"}
        site.seen.clear()
        assert run([*words, *polite, "--robots", "ignore"]) == 0
        assert set(site.paths()) == {"/private"} and capsys.readouterr().out
        assert {one.headers["user-agent"] for one in site.seen} == {"Library/1.0"}


def test_the_user_agent_is_who_robots_speak_of(capsys: pytest.CaptureFixture[str]) -> None:
    mine = (200, {"Content-Type": "text/plain"}, b"User-agent: Library\nDisallow:\n\nUser-agent: *\nDisallow: /\n")
    with SmallSite(pages({**SITE, "/robots.txt": mine})) as site:
        assert run(["detect", f"{site.url}/", "--json", "--delay", "0"]) == 1
        assert run(["detect", f"{site.url}/", "--json", "--delay", "0", "--user-agent", "Library/1.0"]) == 0
        assert json.loads(capsys.readouterr().out)["application"] is None
