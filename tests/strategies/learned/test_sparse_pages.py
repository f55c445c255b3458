"""Pages of few words are content: catalogues of headings and a few values are found whole, and noise is left."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import siteseer
from siteseer.page.urls import identity
from siteseer.strategies.example.example_strategy import ExampleStrategy
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from tests.strategies.learned.learned_driver import Crawl, Drive, context_of
from tests.strategies.learned.sparse_sites import HOST, SITES, Catalogue, museum, stamps

MOST = {"spares": 1.8}
"""Requests for each one that is needed: filters in three dimensions are a class of their own for each value."""


def address(url: str) -> str:
    """Return the address of a page without its session id."""
    return identity(url).split("?sid=")[0].split("&sid=")[0]


def kept(done: Drive) -> set[str]:
    return {address(page.url) for page in done.pages if page.status == 200}


@cache
def learned(name: str, concurrency: int) -> tuple[Catalogue, Drive]:
    site = SITES[name](1)
    return site, Crawl(site.fetch, HOST).run(LearnedStrategy(context_of(HOST)), concurrency, 1500)


@cache
def by_example(name: str) -> tuple[Catalogue, Drive, set[str]]:
    site = SITES[name](2)
    strategy = ExampleStrategy(context_of(HOST, strategy="example", examples=(sorted(site.records)[7],)))
    done = Crawl(site.fetch, HOST).run(strategy, 4, 1500)
    levels = zip(strategy.judge.pages, strategy.judge.levels(), strict=True)
    return site, done, {address(page.target.url) for page, level in levels if level == "target"}


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("name", list(SITES))
def test_every_record_page_is_fetched(name: str, concurrency: int) -> None:
    site, done = learned(name, concurrency)
    assert site.records <= kept(done)
    assert done.requests <= MOST.get(name, 1.3) * site.needed


@pytest.mark.parametrize("name", list(SITES))
def test_one_sample_leads_to_every_record_page_and_to_nothing_else(name: str) -> None:
    site, done, targets = by_example(name)
    assert targets == site.records
    assert done.requests <= 1.6 * site.needed


@pytest.mark.parametrize("stories", [40, 150])
def test_records_are_content_beside_any_number_of_stories(stories: int) -> None:
    site = museum(3, stories=stories)
    done = Crawl(site.fetch, HOST).run(LearnedStrategy(context_of(HOST)), 4)
    assert site.records <= kept(done)
    assert done.requests <= 1.1 * site.needed


@pytest.mark.parametrize(
    ("name", "part", "most"),
    [("papers", "look=", 12), ("papers", "by=", 12), ("stamps", "/auctions/", 16), ("departures", "/planner", 32)],
)
def test_other_views_orders_and_calendars_are_left_after_a_few(name: str, part: str, most: int) -> None:
    _, done = learned(name, 1)
    assert sum(part in one.url for one in done.asked) <= most


def test_session_ids_do_not_make_new_records() -> None:
    site, done = learned("spares", 4)
    parts = [address(one.url) for one in done.asked if "/part/" in one.url]
    assert len(parts) <= 1.1 * len(site.records)
    assert "parameter sid does not change the page" in [note.because for note in done.notes]


@pytest.mark.parametrize("stop", [5, 30, 80])
@pytest.mark.parametrize("name", ["departures", "spares"])
def test_an_interrupted_crawl_of_sparse_pages_goes_on_as_if_nothing_had_happened(name: str, stop: int) -> None:
    whole = Crawl(SITES[name](1).fetch, HOST).run(LearnedStrategy(context_of(HOST)))
    crawl = Crawl(SITES[name](1).fetch, HOST)
    crawl.run(LearnedStrategy(context_of(HOST)), limit=stop)
    assert [one.url for one in crawl.run(LearnedStrategy(context_of(HOST))).asked] == [one.url for one in whole.asked]


def test_a_row_of_pages_that_bring_nothing_but_numbers_ends() -> None:
    """Each page leads to the next and shows two numbers that no page before it showed."""

    def answer(path: str, query: dict[str, str]) -> str:
        number = int(query.get("n", "0"))
        return f"<h1>Reading</h1><p>{number * 7919}<p>{number * 104729 + 11}<a href='/?n={number + 1}'>on</a>"

    done = Crawl(Catalogue(answer, frozenset(), 0).fetch, HOST).run(LearnedStrategy(context_of(HOST)))
    assert 100 <= done.requests <= 160
    assert [rule.rpartition(": ")[2] for rule in done.rules] == ["nothing new"]


@contextmanager
def served(site: Catalogue) -> Iterator[str]:
    """Serve a catalogue on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = site.fetch(HOST + self.path)
            self.send_response(page.status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page.body)))
            self.end_headers()
            self.wfile.write(page.body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=partial(server.serve_forever, 0.05))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_plain_crawl_keeps_every_record_page(tmp_path: Path) -> None:
    site = stamps(4, 40)
    with served(site) as url:
        siteseer.crawl(f"{url}/", tmp_path / "stamps", delay=0.0, assets="none")
    lines = (tmp_path / "stamps" / "pages" / "pages.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    parts = [urlsplit(json.loads(line)["url"]) for line in lines]
    assert site.records <= {f"{HOST}{one.path}?{one.query}" for one in parts}
