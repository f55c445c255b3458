"""Real spiders in their own process, against real servers, with and without the one line of settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy", reason="the extra `scrapy` is not installed")

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth, make_site
from tests.integrations.scrapy_run import ADDON, Crawled, knowing, run_spiders

MAPPED = Path(__file__).with_name("mapped.xml")
OWN_HOSTS = ["127.0.0.1", "localhost"]


@dataclass(frozen=True)
class Done:
    """A crawl that was run: what it yielded, what its server was asked for."""

    crawled: Crawled
    server: Server

    @property
    def truth(self) -> Truth:
        return self.server.site.truth


def crawl_all(folder: Path, crawls: dict[str, tuple[Site, dict[str, Any]]]) -> dict[str, Done]:
    """Run spiders side by side in one process, each on a server of its own."""
    with ExitStack() as stack:
        servers = [stack.enter_context(Server(site)) for site, _ in crawls.values()]
        given = [{**how, "url": server.url + "/"} for server, (_, how) in zip(servers, crawls.values(), strict=True)]
        found = run_spiders(folder, *given)
    return {name: Done(*pair) for name, pair in zip(crawls, zip(found, servers, strict=True), strict=True)}


def mapped(request: SiteRequest) -> SiteResponse:
    """Answer as a blog whose posts link nowhere."""
    if request.path == "/sitemap.xml":
        places = "".join(f"<url><loc>{request.origin}/{name}</loc></url>" for name in "abc")
        return SiteResponse(200, (("Content-Type", "application/xml"),), f"<urlset>{places}</urlset>".encode())
    body = f"<body id=mapped><article><h1>{request.path}</h1><p>Some words of {request.path}.</p></article>"
    return SiteResponse(200, (("Content-Type", "text/html"),), body.encode())


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Done]]:
    """Eleven crawls in one process: if spiders knew of each other, none of the figures below would hold."""
    forum, small, tiny = (make_site("forum", seed=4, size=size) for size in (12, 8, 2))
    crawls: dict[str, tuple[Site, dict[str, Any]]] = {
        "blind": (forum, {"spider": "everything", "settings": {}}),
        "aware": (forum, {"spider": "everything", "settings": knowing()}),
        "no items": (small, {"spider": "everything", "settings": knowing(SITESEER_ITEMS=False)}),
        "narrow": (small, {"spider": "narrow", "settings": knowing()}),
        "narrow, nothing added": (small, {"spider": "narrow", "settings": knowing(SITESEER_ADD=False)}),
        "failing": (small, {"spider": "failing", "settings": knowing()}),
        "own": (tiny, {"spider": "own", "settings": knowing(SITESEER_ADD=False), "allowed": OWN_HOSTS}),
        "tiny and blind": (tiny, {"spider": "everything", "settings": {}}),
        "mapped": (
            Site(tiny.truth, mapped),
            {"spider": "titles", "settings": {**ADDON, "SITESEER_KNOWLEDGE": ["none", str(MAPPED)]}},
        ),
        "wrong": (tiny, {"spider": "everything", "settings": knowing(SITESEER_POLICIES={"profile": "yes"})}),
        "unknown": (tiny, {"spider": "everything", "settings": {**ADDON, "SITESEER_KNOWLEDGE": "none"}}),
    }
    yield crawl_all(tmp_path_factory.mktemp("crawls"), crawls)


def found_texts(crawled: Crawled) -> set[tuple[str, str]]:
    return {(item["author"], " ".join(item["text"].split())) for item in crawled.of("kind")}


def true_texts(truth: Truth) -> set[tuple[str, str]]:
    return {(text.author, " ".join(text.text.split())) for text in truth.texts}


def test_four_times_fewer_requests(done: dict[str, Done]) -> None:
    blind, aware = done["blind"], done["aware"]
    assert len(blind.server.log) >= 4 * len(aware.server.log)
    assert len(aware.server.log) <= 1.1 * aware.truth.oracle_requests


def test_every_post_is_one_item(done: dict[str, Done]) -> None:
    aware = done["aware"]
    assert found_texts(aware.crawled) == true_texts(aware.truth)
    assert len(aware.crawled.of("kind")) == len(aware.truth.texts)
    assert aware.crawled.stats["siteseer/items/post"] == len(aware.truth.texts)
    assert done["no items"].crawled.of("kind") == []
    assert len(done["no items"].server.log) <= 1.1 * done["no items"].truth.oracle_requests


def test_dropped_requests_are_counted_under_their_rule(done: dict[str, Done]) -> None:
    assert done["aware"].crawled.stats["siteseer/dropped/one post of a thread"] > 50
    assert done["aware"].crawled.stats["siteseer/dropped/writing form"] > 50
    assert not any(key.startswith("siteseer") for key in done["blind"].crawled.stats)


def test_the_spiders_own_callback_hears_of_every_page_once(done: dict[str, Done]) -> None:
    visited = [item["visited"] for item in done["aware"].crawled.of("visited")]
    assert len(visited) == len(set(visited)) >= len(done["aware"].truth.content_paths)


def test_what_the_spider_did_not_yield_is_added_and_reaches_its_callback(done: dict[str, Done]) -> None:
    adds, only_filters = done["narrow"], done["narrow, nothing added"].crawled
    assert found_texts(adds.crawled) == true_texts(adds.truth)
    later = [item for item in adds.crawled.of("thread") if "/page-" in item["thread"]]
    assert later and all(item["tag"] == "t" for item in later)
    assert adds.crawled.stats["siteseer/added/demo-forum next"] >= len(later)
    assert len(only_filters.of("thread")) == 8
    assert [item for item in only_filters.of("thread") if "/page-" in item["thread"]] == []


def test_a_callback_that_fails_costs_its_own_results_only(done: dict[str, Done]) -> None:
    assert done["failing"].crawled.stats["spider_exceptions/ValueError"] > 0
    assert found_texts(done["failing"].crawled) == true_texts(done["failing"].truth)


def test_forms_forced_requests_other_hosts_and_unlinked_pages_are_the_spiders_own(done: dict[str, Done]) -> None:
    url = done["own"].server.url
    assert {item["own"] for item in done["own"].crawled.of("own")} == {
        f"GET {url}/members/?mine=1",
        f"GET {url}/members/",
        f"GET {url.replace('127.0.0.1', 'localhost')}/",
        f"POST {url}/login/",
    }


def test_a_sitemap_is_read_and_not_shown_to_callbacks(done: dict[str, Done]) -> None:
    crawled = done["mapped"].crawled
    assert {item["heading"] for item in crawled.of("heading")} == {"/", "/a", "/b", "/c"}
    assert {item["type"] for item in crawled.of("type")} == {"text/html"}
    assert {item["title"] for item in crawled.of("kind")} == {"/", "/a", "/b", "/c"}
    assert sorted(_plain(done["mapped"].server)) == ["/", "/a", "/b", "/c", "/sitemap.xml"]
    assert "spider_exceptions/count" not in crawled.stats


def test_unknown_software_is_left_to_the_spider(done: dict[str, Done]) -> None:
    blind, unknown = done["tiny and blind"].server, done["unknown"].server
    assert done["unknown"].crawled.stats["siteseer/pages/unknown"] > 10
    assert sorted(_plain(blind)) == sorted(_plain(unknown))


def _plain(server: Server) -> list[str]:
    return [request.path for request in server.log]


def test_coroutines_without_asyncio_and_a_stopped_job_that_goes_on(tmp_path: Path) -> None:
    process = {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor", "LOG_LEVEL": "DEBUG"}
    job = knowing(**process, JOBDIR=str(tmp_path / "job"), CONCURRENT_REQUESTS=2)
    small, site = make_site("forum", seed=5, size=4), make_site("forum", seed=9, size=10)
    with Server(small) as beside, Server(site) as server:
        crawl = {"spider": "everything", "url": server.url + "/", "process": process}
        coroutine, first = run_spiders(
            tmp_path,
            {"spider": "coroutine", "url": beside.url + "/", "settings": knowing(**process), "process": process},
            {**crawl, "settings": {**job, "CLOSESPIDER_PAGECOUNT": 10}},
        )
        (second,) = run_spiders(tmp_path, {**crawl, "settings": job})
    assert found_texts(coroutine) == true_texts(small.truth)
    assert len(beside.log) <= 1.1 * small.truth.oracle_requests
    assert f"DEBUG: Dropped {beside.url}/members/: profiles of members" in coroutine.log
    assert 0 < len(found_texts(first)) < len(true_texts(site.truth))
    assert found_texts(first) | found_texts(second) == true_texts(site.truth)
    ids = [item["id"] for item in first.of("kind") + second.of("kind")]
    assert len(ids) == len(set(ids))
    assert len(server.log) <= 1.1 * site.truth.oracle_requests


def test_wrong_settings_are_said_and_nothing_is_fetched(done: dict[str, Done]) -> None:
    assert "no application has a policy 'profile'; known are" in done["wrong"].crawled.log
    assert done["wrong"].server.log == []
