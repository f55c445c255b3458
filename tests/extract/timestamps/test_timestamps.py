"""When a page was published: each source alone, and together."""

import time
from datetime import UTC, date, datetime

import pytest

from siteseer.extract.timestamps import Outside, answer, date_page, sitemap_dates
from siteseer.extract.timestamps.day_model import agreed, candidates, choose, shipped_weights
from siteseer.extract.timestamps.structured_dates import find_structured, source_of, stated
from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import NOTHING_KNOWN, find_dates

HTML = (("Content-Type", "text/html; charset=utf-8"),)
NOW = datetime(2020, 6, 1, tzinfo=UTC)


def page(body: str, url: str = "http://e.org/article", headers: tuple[tuple[str, str], ...] = ()) -> Page:
    return Page(url, 200, HTML + headers, body.encode(), NOW)


def article(date_line: str = "", head: str = "", foot: str = "") -> Page:
    words = "<p>" + "Rivers carry water to the sea, and boats upon it. " * 30 + "</p>"
    return page(
        f"<html lang=en><head><title>Rivers of the north</title>{head}</head><body><h1>Rivers of the north</h1>"
        f"<div class=meta>{date_line}</div>{words}{foot}</body></html>"
    )


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("5 May 2015", "2015-05-05"),
        ("May 5th, 2015", "2015-05-05"),
        ("am 5. Mai 2015", "2015-05-05"),
        ("le 1er février 2015", "2015-02-01"),
        ("5 de mayo de 2015", "2015-05-05"),
        ("5 мая 2015 г.", "2015-05-05"),
        ("2015年5月6日", "2015-05-06"),
        ("2015. május 5.", "2015-05-05"),
        ("ngày 5 tháng 6 năm 2015", "2015-06-05"),
        ("31/12/2015", "2015-12-31"),
        ("12/31/2015", "2015-12-31"),
        ("5.6.2015", "2015-06-05"),
        ("2015/06/05", "2015-06-05"),
        ("Tue May 05 23:12:00 UTC 2015", "2015-05-05"),
        ("5-May-15", "2015-05-05"),
        ("May\n5\n2015", "2015-05-05"),
        ("20150505", "2015-05-05"),
    ],
)
def test_days_as_people_write_them(text: str, day: str) -> None:
    assert [found.day.isoformat() for found in find_dates(f"Posted {text} by Ann")] == [day]


def test_the_day_is_taken_as_written_and_never_shifted_to_another_zone() -> None:
    for stamp in (
        "2015-05-05T23:30:00-05:00",
        "Tue, 05 May 2015 23:30:00 -0500",
        "2015-05-05T23:15:0Z",
        "20150505T2330",
    ):
        found = stated(stamp, NOTHING_KNOWN)
        assert found is not None
        assert found.day == date(2015, 5, 5)


@pytest.mark.parametrize(
    "one",
    [
        article("Posted on 5 May 2015"),
        article("<time datetime=2015-05-05T10:00:00Z>yesterday</time>"),
        article("", "<meta property='article:published_time' content='2015-05-05T12:00:00Z'>"),
        article("", '<script type="application/ld+json">{"datePublished": "2015-05-05T12:00:00Z", broken</script>'),
        article("<span itemprop=datePublished content=2015-05-05>long ago</span>"),
        article("", "<script>var x = {'publishDate': '2015-05-05'};</script>"),
        article("<abbr class=published title='2015-05-05T12:00'>old</abbr>"),
        page("<h1>Rivers</h1><p>Water</p>", "http://e.org/2015/05/05/rivers"),
        article("Posted on 5 May 2015", foot="<div class=comments><p>6 May 2016 Bob</p><p>7 May 2017 Eve</p></div>"),
        article("Posted on 5 May 2015", foot="<div class=sidebar><ul><li>1 June 2019 Other</li></ul></div>© 2020"),
        article("5 May 2015", foot="<p>Last updated: 1 January 2020</p>"),
        article("٥ مايو ٢٠١٥"),
    ],
)
def test_one_source_is_enough_and_distractions_are_left_alone(one: Page) -> None:
    found = date_page(one, NOW)
    assert (found.published or "")[:10] == "2015-05-05", found
    assert found.confidence > 0.4


def test_modified_is_told_apart() -> None:
    head = (
        "<meta property='article:published_time' content='2015-05-05T12:00:00Z'>"
        "<meta property='article:modified_time' content='2016-01-02T12:00:00Z'>"
    )
    found = date_page(article("5 May 2015", head), NOW)
    assert (found.published, found.modified, found.source) == ("2015-05-05", "2016-01-02", "meta")


def test_nothing_from_the_future_nor_from_before_the_web() -> None:
    assert date_page(article("5 May 2035"), NOW).published is None
    assert date_page(article("5 May 1985"), NOW).published is None
    future = date_page(article("5 May 2015"), NOW, Outside(feed="2031-01-01T00:00:00Z"))
    assert future.published == "2015-05-05"


def test_feeds_win_sitemaps_beat_guesses_neighbours_come_last() -> None:
    dated, undated = article("5 May 2015"), article()
    fed = date_page(dated, NOW, Outside(feed="2015-05-04T22:00:00Z"))
    assert (fed.source, fed.published, fed.runner_up) == ("feed", "2015-05-04T22:00:00Z", "2015-05-05")
    assert date_page(dated, NOW, Outside(sitemap="2019-01-01")).published == "2015-05-05"
    assert date_page(dated, NOW, Outside(sitemap="2019-01-01")).modified == "2019-01-01"
    mapped = date_page(undated, NOW, Outside(sitemap="2019-01-01", neighbours=("2018-01-01",)))
    assert (mapped.source, mapped.published) == ("sitemap", "2019-01-01")
    beside = date_page(undated, NOW, Outside(neighbours=("2015-05-05", "2019-01-01", "2015-05-07")))
    assert (beside.source, beside.published, beside.confidence) == ("neighbours", "2015-05-07", 0.2)
    assert date_page(undated, NOW).source == "none"


def test_last_modified_counts_only_with_an_etag_and_not_at_the_moment_of_asking() -> None:
    asked, old = ("Date", "Mon, 01 Jun 2020 00:00:00 GMT"), ("Last-Modified", "Tue, 05 May 2015 10:00:00 GMT")
    with_tag = page("<p>x</p>", headers=(asked, old, ("ETag", '"1"')))
    assert (date_page(with_tag, NOW).source, date_page(with_tag, NOW).modified) == ("header", "2015-05-05T10:00:00Z")
    assert date_page(page("<p>x</p>", headers=(asked, old)), NOW).source == "none"
    fresh = page("<p>x</p>", headers=(asked, ("Last-Modified", asked[1]), ("ETag", '"1"')))
    assert date_page(fresh, NOW).source == "none"


def test_sitemap_of_one_moment_tells_nothing() -> None:
    entry = "<url><loc>http://e.org/{}</loc><lastmod>{}</lastmod></url>"
    same = "".join(entry.format(n, "2015-05-05") for n in range(5))
    assert sitemap_dates(Page("http://e.org/s.xml", body=f"<urlset>{same}</urlset>".encode())) == {}
    other = "".join(entry.format(n, f"2015-05-0{n + 1}") for n in range(5))
    assert len(sitemap_dates(Page("http://e.org/s.xml", body=f"<urlset>{other}</urlset>".encode()))) == 5


def test_the_quick_answer_is_the_slow_one() -> None:
    one = article("5 May 2015", "<meta property='article:published_time' content='2015-05-05T12:00:00+02:00'>")
    source = source_of(one)
    found = find_structured(one.url, source, context_of(one))
    slow = choose(candidates(one, source, found, date(2020, 1, 1)), shipped_weights())
    assert agreed(found, source, date(2020, 1, 1), context_of(one)) == slow.day == date(2015, 5, 5)


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 20_000 + "5 May 2015",
        "<meta " + "a=b " * 50_000,
        "5 May 2015 " * 20_000,
        "<script>" + '"datePublished":"' * 20_000,
        "<!--" * 50_000,
        "2015-" * 50_000,
        "<time datetime=" + "2" * 100_000 + ">",
    ],
)
def test_hostile_pages_cost_little(body: str) -> None:
    start = time.process_time()
    answer(page(body), date(2020, 1, 1))
    assert time.process_time() - start < 5


def graph(nodes: str) -> str:
    return f'<script type="application/ld+json">{nodes}</script>'


SITE = '{"@type": "WebSite", "datePublished": "2010-01-05"}'
COMMENT = '{"@type": "Comment", "datePublished": "2018-05-05"}'
NEXT = '{"@type": "NewsArticle", "url": "http://e.org/b", "datePublished": "2019-05-05"}'
OWN = '"@type": "NewsArticle", "url": "https://www.e.org/article/#x", "datePublished": "2015-05-05T10:00:00+02:00"'


@pytest.mark.parametrize(
    "one",
    [
        article("", graph(f'{{"@graph": [{SITE}, {NEXT}, {{{OWN}}}]}}')),
        article("", graph(f'{{"comment": [{COMMENT}], {OWN}}}')),
        article("", graph(f'{{"@type": "ItemList", "itemListElement": [{NEXT}]}}') + graph(f"{{{OWN}}}")),
        article("", graph('{"@type": "Article", "url": "http://e.org/old", "datePublished": "2015-05-05"}')),
        article("5 May 2015", graph('{"@type": "Event", "startDate": "2019-06-12", "datePublished": "2019-01-01"}')),
    ],
)
def test_of_many_nodes_the_one_of_the_article_counts(one: Page) -> None:
    assert (date_page(one, NOW).published or "")[:10] == "2015-05-05"


WORDS = "<p>" + "Rivers carry water to the sea, and boats upon it. " * 30 + "</p>"
FAIR = "<title>Fair of 12 June 2019</title><h1>Fair of 12 June 2019</h1>"
ROWS = "<table><tr><th>Date<th>Place<tr><td>12 June 2019<td>Bonn<tr><td>13 June 2019<td>Ulm</table>"
BANNER = "<div id=wm-ipp-base><div>2 captures 3 Mar 2016 - 12 Jun 2019 <b>12 June 2019</b></div></div>"


@pytest.mark.parametrize(
    "one",
    [
        page(f"{FAIR}<p>Posted on 5 May 2015 by Ann</p>{WORDS}"),
        page(f"{FAIR}{WORDS}<p class=byline>Published 5 May 2015</p>"),
        article("5 May 2015", foot=ROWS),
        page(
            f"<p>12 June 2019 Kites<p>11 June 2019 Tea</p><title>Rivers</title><h1>Rivers</h1><p>5 May 2015</p>{WORDS}"
        ),
        page(f"{BANNER}<title>Rivers</title><h1>Rivers</h1><p>5 May 2015</p>{WORDS}"),
        page(f"<h1>Rivers</h1>{WORDS}", "https://web.archive.org/web/20190612101213/http://e.org/2015/05/05/rivers"),
        page(f"<h1>Rivers</h1>{WORDS}", "https://archive.example/2019.06.12-101213/http://e.org/2015/05/05/rivers"),
    ],
)
def test_events_teasers_and_archives_are_not_when_it_was_published(one: Page) -> None:
    assert (date_page(one, NOW).published or "")[:10] == "2015-05-05"


def test_the_capture_of_an_archive_dates_no_page() -> None:
    for url in (
        "https://web.archive.org/web/20190612101213/http://e.org/a",
        "http://a.example/2019.06.12-1012/http://e.org/",
    ):
        assert date_page(page(f"<h1>Rivers</h1>{WORDS}", url), NOW).published is None
