"""Coming back to a blog that grew: what is new or changed is fetched, and hardly anything else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from siteseer.changes.schedule import due_pages, rate_of
from siteseer.changes.ways import continues, shape_of
from siteseer.crawl.run import crawl
from siteseer.decide.revisit import Revisit
from siteseer.decide.scope import SeedScope
from siteseer.demo import Server, make_site
from siteseer.demo.site import Site, SiteRequest, SiteResponse, local_path
from siteseer.interfaces import StrategyContext
from siteseer.knowledge.base import KnowledgeBase
from siteseer.model import JSON, Follow, Outcome, Page, Seed, WebObject
from siteseer.plugins import strategy_factory
from siteseer.present.cli.revisit import sources
from siteseer.settings import CrawlOptions

SIZE, GROWN = 24, 5


def true_changes(before: Site, after: Site) -> set[str]:
    """Return the pages that are new, or on which a text was written since; and the first pages of their posts."""
    texts_before = {(text.page, text.text) for text in before.truth.texts}
    found = [text for text in after.truth.texts if (text.page, text.text) not in texts_before]
    return {text.page for text in found} | {text.thread for text in found}


@pytest.mark.parametrize(("strategy", "template"), [("blind", "classic"), ("auto", "modern")])
def test_revisit_of_a_grown_blog(strategy: str, template: str, tmp_path: Path) -> None:
    before = make_site("blog", seed=4, template=template, size=SIZE)
    after = make_site("blog", seed=4, template=template, size=SIZE, grown=GROWN)
    wanted = true_changes(before, after)
    assert len(wanted) > GROWN
    with Server(before) as server:
        first = CrawlOptions((server.url + "/",), tmp_path, strategy, delay=0.0, assets="none")
        crawl(first)
        server.site = after
        server.log.clear()
        again = CrawlOptions(tuple(sources(tmp_path)), tmp_path, "revisit", recrawl=True, delay=0.0, assets="none")
        summary = crawl(again)
        asked = [local_path(entry.path) for entry in server.log]
    assert summary["finished"]
    missed = wanted - set(asked)
    assert not missed
    assert len(asked) < 1.3 * len(wanted) + 1, sorted(set(asked) - wanted)
    assert summary["objects"]


def without_feeds(site: Site) -> Site:
    def answer(request: SiteRequest) -> SiteResponse:
        named = ("robots", "sitemap", "feed", "rss", "atom")
        return SiteResponse(404) if any(name in request.path for name in named) else site.answer(request)

    return replace(site, answer=answer)


def test_listings_alone_lead_to_all_new_posts_also_beyond_their_first_page(tmp_path: Path) -> None:
    before = make_site("blog", seed=4, template="modern", size=20)
    after = make_site("blog", seed=4, template="modern", size=20, grown=13)
    new = {text.thread for text in after.truth.texts} - {text.thread for text in before.truth.texts}
    with Server(without_feeds(before)) as server:
        crawl(CrawlOptions((server.url + "/",), tmp_path, "auto", delay=0.0, assets="none"))
        server.site = without_feeds(after)
        server.log.clear()
        crawl(CrawlOptions(tuple(sources(tmp_path)), tmp_path, "revisit", recrawl=True, delay=0.0, assets="none"))
        assert new <= {local_path(entry.path) for entry in server.log}


def test_nothing_changed_costs_a_few_conditional_requests(tmp_path: Path) -> None:
    site = make_site("blog", seed=4, template="modern", size=20)
    with Server(site) as server:
        crawl(CrawlOptions((server.url + "/",), tmp_path, "blind", delay=0.0, assets="none"))
        server.log.clear()
        crawl(CrawlOptions(tuple(sources(tmp_path)), tmp_path, "revisit", recrawl=True, delay=0.0, assets="none"))
        assert len(server.log) <= 8
        assert {entry.path for entry in server.log if entry.status == 200} <= {"/robots.txt", "/sitemap.xml"}


def test_addresses_that_continue_a_page() -> None:
    assert continues("http://e.org/a/?kseite=2", "http://e.org/a/")
    assert not continues("http://e.org/b/?kseite=2", "http://e.org/a/")
    assert shape_of("http://e.org/2015/05/one/") == shape_of("http://e.org/2016/11/two/")
    assert shape_of("http://e.org/a.php?t=1") != shape_of("http://e.org/b.php?t=1")


NEWS = (("Content-Type", "text/html"),)


def still(request: SiteRequest) -> SiteResponse:
    """Answer for a site that never changes and knows no conditional requests."""
    words = "They fly high over the green hill, and people look up at them. " * 9
    pages = {
        "/": "<h1>Home</h1><ul><li><a href=/a>About kites</a><li><a href=/b>About owls</a></ul>",
        "/a": f"<title>Kites</title><h1>Kites</h1><p>{words}</p>",
        "/b": f"<title>Owls</title><h1>Owls</h1><p>{words}</p>",
    }
    body = pages.get(request.path)
    return SiteResponse(200, headers=NEWS, body=body.encode()) if body else SiteResponse(404)


class Kept:
    """What three daily crawls of a small site kept: one page that no listing names changed every time, one never."""

    def recall(self, kind: str) -> list[tuple[str, JSON]]:
        return []

    def earlier_objects(self, url: str) -> list[WebObject]:
        return []

    def earlier_pages(self) -> list[tuple[str, str]]:
        return [(f"http://e.org/{path}", "") for path in ("", "a", "busy", "still")]

    def earlier_page(self, url: str) -> Page | None:
        return None

    def visits(self) -> list[tuple[str, str, str]]:
        paths = (("", "h"), ("a", "{}"), ("busy", "{}"), ("still", "s"))
        return [
            (f"http://e.org/{p}", f"2024-05-0{day}T10:00:00Z", d.format(day)) for day in (1, 2, 3) for p, d in paths
        ]


@pytest.mark.parametrize(("budget", "wanted"), [(None, []), (9, ["http://e.org/busy"])])
def test_with_a_budget_pages_are_asked_for_when_they_are_due(budget: int | None, wanted: list[str]) -> None:
    scope = SeedScope(["http://e.org/"])
    context = StrategyContext(CrawlOptions(("http://e.org/",), Path("c")), scope, KnowledgeBase)
    strategy = Revisit(scope, strategy_factory("aware")(context), budget)
    assert list(strategy.start([Seed("http://e.org/")], Kept())) == []
    (home,) = strategy.refill(1)
    assert isinstance(home, Follow) and home.url == "http://e.org/"
    page = Page(home.url, 200, NEWS, b"<ul><li><a href=/a>About kites</a></ul>", datetime(2024, 5, 4, tzinfo=UTC))
    assert not [one for one in strategy.decide(Outcome(home.url, "page", page=page), home) if isinstance(one, Follow)]
    assert [one.url for one in strategy.refill(1) if isinstance(one, Follow)] == wanted
    assert list(strategy.refill(1)) == []


def test_visits_are_shared_by_rates_of_change() -> None:
    days = [datetime(2024, 5, day, tzinfo=UTC) for day in range(1, 9)]
    told = {name: list(zip(days, digests, strict=True)) for name, digests in {"a": "abcdefgh", "b": "aaaabbbb"}.items()}
    now = datetime(2024, 5, 9, tzinfo=UTC)
    assert rate_of(told["a"]) > 2 > 0.3 > rate_of(told["b"]) > 0.1
    assert due_pages(told, now, 9) == ["a", "b"]
    assert due_pages(told | {"never": [(day, "x") for day in days]}, now, 1) in (["a"], ["b"])
    assert due_pages({}, now, 5) == []


def test_equal_payloads_become_revisit_records(tmp_path: Path) -> None:
    site = replace(make_site("blog", seed=4, size=3), answer=still)
    with Server(site) as server:
        first = CrawlOptions((server.url + "/",), tmp_path, "blind", delay=0.0, assets="none")
        crawl(first)
        crawl(replace(first, seeds=tuple(sources(tmp_path)), strategy="revisit", recrawl=True))
    records = [
        record
        for file in sorted((tmp_path / "archive").glob("*.warc.gz"))
        for record in ArchiveIterator(file.open("rb"), record_types=WarcRecordType.revisit)
    ]
    assert [record.headers["WARC-Target-URI"].rpartition("/")[2] for record in records].count("") == 1
