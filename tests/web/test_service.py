"""The Python layer below service and web interface: a library, its collections, crawls that are steered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from siteseer.collection.objects.object_search import Filter
from siteseer.collection.read_only_state import Decisions
from siteseer.demo import Server, make_site
from siteseer.errors import ConfigurationError, UsageError
from siteseer.web.service.crawl_library import CrawlLibrary
from siteseer.web.service.library import Library
from siteseer.web.service.page_view import page_view
from siteseer.web.service.running_crawl import RunningCrawl

QUICK = {"delay": 0.0, "concurrency": 4, "robots": "ignore", "assets": "none"}


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with Server(make_site("forum", 1)) as server:
        yield server.url


@pytest.fixture(scope="module")
def crawled(site, tmp_path_factory) -> Library:
    library = Library(tmp_path_factory.mktemp("library"))
    crawls = CrawlLibrary(library)
    running = crawls.start(crawls.options("forum", [site], strategy="auto", **QUICK))
    until(lambda: running.is_over)
    assert running.phase == "finished", running.error
    return library


def until(claim, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def begun(crawls: CrawlLibrary, site: str, name: str, **options) -> RunningCrawl:
    running = crawls.start(crawls.options(name, [site], **{**QUICK, "strategy": "blind", **options}))
    until(lambda: running.snapshot is not None and running.snapshot.requests > 2)
    return running


def test_a_finished_crawl_can_be_looked_at(crawled, site):
    (card,) = crawled.collections()
    assert (card.name, card.seed, card.strategy, card.finished) == ("forum", site, "auto", True)
    assert card.requests > 10 and card.objects > 10
    collection = crawled.open("forum")
    figures = collection.figures()
    assert figures["requests"] == card.requests == collection.summary()["requests"]
    assert figures["waiting"] == 0 and figures["forecast"]["complete"] == {"low": 1.0, "high": 1.0}
    assert collection.curve()[-1] == (figures["requests"], figures["two_grams"])
    rules = {one["rule"]: one["count"] for one in collection.skipped()}
    assert rules and rules == figures["skipped"]
    count, urls = collection.decisions(Decisions(status="skipped", limit=5))
    assert count == sum(rules.values()) and len(urls) == min(5, count) and all(one["because"] for one in urls)


def test_objects_are_filtered_counted_and_read_as_threads(crawled):
    collection = crawled.open("forum")
    posts = collection.objects(Filter(kind="post", limit=1000))
    author = posts[0]["author"]
    by_author = collection.objects(Filter(kind="post", author=author, limit=1000))
    assert by_author == [one for one in posts if one["author"] == author]
    assert collection.count(Filter(kind="post", author=author, limit=1)) == len(by_author)
    thread = collection.thread(posts[0]["id"])
    assert posts[0]["id"] in [one["id"] for one in thread]
    dates = [one["published"] for one in thread if one["kind"] == "post"]
    assert dates == sorted(dates)
    assert collection.search(" ".join(posts[0]["text"].split()[:3]))
    with pytest.raises(UsageError):
        collection.object("urn:x:nothing")


def test_queries_read_and_nothing_else(crawled):
    collection = crawled.open("forum")
    answer = collection.query("SELECT ?p { ?p a sioc:Post } LIMIT 3")
    assert len(answer.result.rows) == 3 and answer.capture_of(answer.result.rows[0])
    for refused in ("SELECT * { SERVICE <http://e.org/> { ?s ?p ?o } }", "LOAD <http://e.org/>", "DROP ALL"):
        with pytest.raises(UsageError):
            collection.query(refused)


def test_an_object_is_shown_on_its_archived_page_without_scripts(crawled):
    collection = crawled.open("forum")
    post = collection.objects(Filter(kind="post", limit=5))[3]
    shown = page_view(collection.page(post["url"]), lambda kind, url: f"/{kind}/{url}", collection.object(post["id"]))
    assert "siteseer-here" in shown.partition("</style>")[2]
    assert "<script" not in shown and "javascript:" not in shown
    with pytest.raises(UsageError):
        collection.page("http://elsewhere.example/")


def test_names_never_leave_the_library(crawled, tmp_path):
    for name in ("../forum", "..", ".", "", "/etc", "forum/../forum", "nothing", "a\x00b"):
        with pytest.raises(UsageError):
            crawled.open(name)
    for name in ("../x", ".hidden", "a/b", "", "x" * 200, "a\n"):
        with pytest.raises(UsageError):
            crawled.place(name)
    (tmp_path / "link").symlink_to(crawled.root / "forum")
    assert Library(tmp_path).collections() == []
    with pytest.raises(UsageError):
        Library(tmp_path).place("link")


def test_a_collection_is_a_library_of_one(crawled):
    single = Library(crawled.root / "forum")
    assert single.names() == ["forum"] and single.open("forum").count() > 0
    with pytest.raises(UsageError):
        single.place("another")


def test_a_crawl_is_paused_limited_resumed_and_stopped(site, tmp_path):
    crawls = CrawlLibrary(Library(tmp_path))
    running = begun(crawls, site, "steered", delay=0.02, concurrency=1)
    crawls.pause("steered")
    until(lambda: running.snapshot.in_flight == 0)
    held = running.snapshot.requests
    time.sleep(0.6)
    assert running.snapshot.requests == held and running.as_json()["phase"] == "paused"
    crawls.change("steered", limit=held + 5)
    crawls.resume("steered")
    until(lambda: running.is_over)
    assert running.phase == "stopped" and running.summary["stopped_by"] == "limit"
    assert running.summary["requests"] == held + 5
    again = crawls.resume("steered", limit=None, delay=0.0)
    until(lambda: again.is_over)
    assert again.phase == "finished" and again.summary["requests"] > held + 5
    assert [point[0] for point in again.curve] == sorted(point[0] for point in again.curve)


def test_an_exclusion_hits_what_its_preview_said(site, tmp_path):
    crawls = CrawlLibrary(Library(tmp_path))
    begun(crawls, site, "left", delay=0.05, concurrency=1)
    crawls.pause("left")
    until(lambda: crawls.get("left").snapshot.in_flight == 0)
    time.sleep(1.0)  # the database is written in groups
    some = crawls.library.open("left").decisions(Decisions(status="waiting", limit=1))[1][0]["url"]
    expression = f"{some.rpartition('/')[0]}*"
    seen = crawls.preview("left", expression)
    assert some in seen["examples"] and 0 < seen["hits"] <= seen["waiting"]
    crawls.exclude("left", expression)
    until(lambda: dict(crawls.get("left").snapshot.skipped_by).get(f"--exclude {expression}", 0) > 0)
    assert dict(crawls.get("left").snapshot.skipped_by)[f"--exclude {expression}"] == seen["hits"]
    with pytest.raises(ConfigurationError):
        crawls.exclude("left", "re:(")
    crawls.close()
    assert expression in crawls.library.open("left").look.last().options["exclude"]


def test_a_lifted_rule_is_fetched_when_the_crawl_goes_on(site, tmp_path):
    library = Library(tmp_path)
    crawls = CrawlLibrary(library)
    first = crawls.start(crawls.options("lifted", [site], strategy="auto", **QUICK))
    until(lambda: first.is_over)
    rule = max(
        (one for one in library.open("lifted").skipped() if one["rule"] != "scope"), key=lambda one: one["count"]
    )
    assert crawls.lift("lifted", rule["rule"], rule["examples"][:1]) == 1
    again = crawls.resume("lifted")
    until(lambda: again.is_over)
    assert again.phase == "finished"
    assert again.summary["requests"] > first.summary["requests"]
    page = library.open("lifted").page(rule["examples"][0])
    assert page.url == rule["examples"][0]
    with pytest.raises(UsageError):
        crawls.lift("lifted", "no such rule")


def test_events_tell_of_progress_until_the_end(site, tmp_path):
    crawls = CrawlLibrary(Library(tmp_path))
    crawls.start(crawls.options("told", [site], strategy="blind", **QUICK))

    async def listen() -> list:
        return [event async for event in crawls.events("told")]

    told = asyncio.run(listen())
    assert told[-1]["phase"] == "finished" and told[-1]["summary"]["requests"] == told[-1]["requests"]
    assert [one["requests"] for one in told if "requests" in one] == sorted(
        one["requests"] for one in told if "requests" in one
    )


def test_polite_crawls_of_one_host_take_turns(site, tmp_path):
    crawls = CrawlLibrary(Library(tmp_path))
    first = begun(crawls, site, "one", delay=0.01, limit=30)
    second = crawls.start(crawls.options("two", [site], **{**QUICK, "delay": 0.01, "strategy": "blind", "limit": 5}))
    assert second.phase == "waiting"
    until(lambda: second.is_over)
    assert first.is_over and second.phase == "stopped"


def test_wrong_options_are_refused_in_one_sentence(tmp_path):
    crawls = CrawlLibrary(Library(tmp_path))
    for wrong in ({"robots": "never"}, {"limit": -1}, {"delay": -1.0}, {"concurrency": 0}, {"strategy": "x"},
                  {"cookies": "/etc/passwd"}, {"offline": "/etc"}, {"nothing": 1}):  # fmt: skip
        with pytest.raises(UsageError):
            crawls.options("wrong", ["http://e.org/"], **wrong)
