"""Coming back to a blog that grew: what is new or changed is fetched, and hardly anything else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from siteseer.change.change_rates import irregular_rate
from siteseer.change.link_context import continues, shape_of
from siteseer.change.revisit_choice import Evidence, RevisitChooser, visits_of
from siteseer.crawler.revisit_options import sources
from siteseer.crawler.run import crawl
from siteseer.demo import Server, make_site
from siteseer.demo.site import Site, SiteRequest, SiteResponse, local_path
from siteseer.interfaces import StrategyContext
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import JSON, Follow, Outcome, Page, Seed, WebObject
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions
from siteseer.strategies.revisit.listing_sources import Sources
from siteseer.strategies.revisit.revisit_strategy import RevisitStrategy
from siteseer.strategies.scope import SeedScope

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


FORUM_BEFORE = {
    "/": [("/board1", "Boats", "2 May 2020, 10:00", "Ann"), ("/board2", "Tea", "3 May 2020, 11:00", "Bo")],
    "/board1": [(f"/t{n}", f"Boat number {n}", f"{n} April 2020, 10:00", "Ann") for n in range(1, 6)],
    "/board2": [(f"/t{n}", f"Tea number {n}", f"{n} April 2020, 10:00", "Bo") for n in range(6, 11)],
}
FORUM_AFTER = {
    "/": [FORUM_BEFORE["/"][0], ("/board2", "Tea", "9 May 2020, 08:30", "Ann")],
    "/board1": FORUM_BEFORE["/board1"],
    "/board2": [
        ("/t11", "Tea at last", "9 May 2020, 08:30", "Ann"),
        ("/t7", "Tea number 7", "8 May 2020, 07:00", "Ann"),
        *(row for row in FORUM_BEFORE["/board2"] if row[0] != "/t7"),
    ],
}


def rows_site(lists: dict[str, list[tuple[str, str, str, str]]], menu: str = "") -> Site:
    """Return a site of lists in tables, whose rows count views anew each time that they are shown."""
    views = iter(range(10**6))

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path in lists:
            cells = "".join(
                f"<tr><td><a href={url}>{title}</a><td>{next(views)} views<td>{when} by <a href=/by/{who}>{who}</a>"
                for url, title, when, who in lists[request.path]
            )
            return SiteResponse(200, NEWS, f"<title>List</title>{menu}<table>{cells}</table>".encode())
        listed = [row for rows in lists.values() for row in rows if row[0] == request.path]
        if request.path.startswith("/by/"):
            return SiteResponse(200, NEWS, f"<title>{request.path[4:]}</title><p>A member.".encode())
        if not listed:
            return SiteResponse(404)
        words = "They talk of it for a long while, and then again, as people do. " * 9 + "Saved on 30 April 2020."
        return SiteResponse(200, NEWS, f"<title>{listed[0][1]}</title><h1>{listed[0][1]}</h1><p>{words}".encode())

    return replace(make_site("blog", seed=0, template="classic", size=1), answer=answer)


def asked_again(before: Site, after: Site, place: Path) -> list[str]:
    """Return what a revisit asks for after a blind crawl."""
    with Server(before) as server:
        crawl(CrawlOptions((server.url + "/",), place, "blind", delay=0.0, assets="none"))
        server.site = after
        server.log.clear()
        crawl(CrawlOptions(tuple(sources(place)), place, "revisit", recrawl=True, delay=0.0, assets="none"))
        return sorted(local_path(entry.path) for entry in server.log)


def test_a_board_whose_last_post_is_new_leads_to_what_was_answered(tmp_path: Path) -> None:
    found = asked_again(rows_site(FORUM_BEFORE), rows_site(FORUM_AFTER), tmp_path)
    assert found == ["/", "/board2", "/robots.txt", "/t11", "/t7"]


def test_the_page_of_recent_changes_is_asked_where_the_first_page_names_it(tmp_path: Path) -> None:
    menu = "<p><a href=/changes>Recent changes</a></p>"
    first = [(f"/p{n}", f"Page {n}", "", "Ann") for n in range(1, 9)]
    old = [(f"/p{n}", f"Page {n}", f"{n} April 2020", "Ann") for n in range(1, 6)]
    new = [("/p8", "Page 8", "2 May 2020", "Bo"), ("/p3", "Page 3", "1 May 2020", "Bo"), *old[:2], *old[3:]]
    before, after = ({"/": first, "/changes": rows} for rows in (old, new))
    found = asked_again(rows_site(before, menu), rows_site(after, menu), tmp_path)
    assert found == ["/", "/by/Bo", "/changes", "/p3", "/p8", "/robots.txt"]


class KeptPages:
    """Pages as an earlier crawl kept them."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.pages = {page.url: page for page in pages}

    def earlier_page(self, url: str) -> Page | None:
        return self.pages.get(url)

    def visits(self) -> list[tuple[str, str, str]]:
        return []


def test_a_second_change_on_the_day_of_the_last_one_is_seen_by_its_time() -> None:
    pages = [
        Page(f"http://e.org/p{n}", 200, NEWS, f"<p>Last changed on {n} May 2020 at 9:{n}5".encode()) for n in (1, 2, 3)
    ]
    times = {1: "9:15", 2: "17:40", 3: "09:35"}
    rows = "".join(f"<tr><td><a href=/p{n}>Page {n}</a><td>{n} May 2020, {at}" for n, at in times.items())
    recent = Page("http://e.org/recent", 200, NEWS, f"<table>{rows}</table>".encode())
    assert Sources({page.url for page in pages}, KeptPages(pages)).altered(recent) == ["http://e.org/p2"]


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


@pytest.mark.parametrize(("budget", "wanted"), [(None, []), (3, ["a", "busy"]), (9, ["a", "busy", "still"])])
def test_with_a_budget_pages_are_asked_for_when_they_are_due(budget: int | None, wanted: list[str]) -> None:
    scope = SeedScope(["http://e.org/"])
    context = StrategyContext(CrawlOptions(("http://e.org/",), Path("c")), scope, KnowledgeBase)
    strategy = RevisitStrategy(scope, strategy_factory("aware")(context), budget)
    assert list(strategy.start([Seed("http://e.org/")], Kept())) == []
    (home,) = strategy.refill(1)
    assert isinstance(home, Follow) and home.url == "http://e.org/"
    page = Page(home.url, 200, NEWS, b"<ul><li><a href=/a>About kites</a></ul>", datetime(2024, 5, 4, tzinfo=UTC))
    assert not [one for one in strategy.decide(Outcome(home.url, "page", page=page), home) if isinstance(one, Follow)]
    asked = [one.url for _ in range(3) for one in strategy.refill(1) if isinstance(one, Follow)]
    assert asked == [f"http://e.org/{path}" for path in wanted]


def test_visits_are_shared_by_rates_of_change() -> None:
    days = [datetime(2024, 5, day, tzinfo=UTC) for day in range(1, 9)]
    told = {name: list(zip(days, digests, strict=True)) for name, digests in {"a": "abcdefgh", "b": "aaaabbbb"}.items()}
    now = datetime(2024, 5, 9, tzinfo=UTC)
    assert irregular_rate(visits_of(told["a"])) > 2 > 0.3 > irregular_rate(visits_of(told["b"])) > 0.1
    assert RevisitChooser(told, now, Evidence({})).choose(9) == ["a", "b"]
    assert RevisitChooser(told | {"never": [(day, "x") for day in days]}, now, Evidence({})).choose(1) in (["a"], ["b"])
    assert RevisitChooser({}, now, Evidence({})).choose(5) == []


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
