# ruff: noqa: E501 - a made page reads best in one line
"""Pages that name many days: events, teasers, wikis, graphs of JSON-LD, archives, addresses, midnight, several posts."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from siteseer.extract.timestamps import date_page
from siteseer.model import Page

NOW = datetime(2024, 6, 30, 12, tzinfo=UTC)
HTML = (("Content-Type", "text/html; charset=utf-8"),)
PROSE = (
    "<p>"
    + "The river rose again this week and the old bridge held, as people who live beside it had hoped. " * 6
    + "</p>"
)
NEWS, WIKI = "http://e.org/news/rivers", "http://w.org/wiki/River"
TEASERS = "".join(f"<div><a href=/{n}>Boats {n}</a><span>{n} June 2024</span></div>" for n in (29, 28, 27))


def head(title: str, language: str = "en") -> str:
    return f"<html lang={language}><title>{title}</title>"


def linked(**data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", **data})}</script>'


GRAPH = linked(**{
    "@graph": [
        {"@type": "WebSite", "datePublished": "2010-01-05"},
        {"@type": "ImageObject", "uploadDate": "2018-01-02", "datePublished": "2018-01-02"},
        {
            "@type": "NewsArticle", "datePublished": "2019-03-11T09:00:00+01:00", "dateModified": "2019-04-12",
            "comment": [{"@type": "Comment", "datePublished": "2019-03-12", "dateCreated": "2019-03-12"}],
        },
        {"@type": "NewsArticle", "url": "http://e.org/news/boats", "datePublished": "2024-06-29"},
    ]
})  # fmt: skip
GIG = linked(**{
    "@graph": [
        {"@type": "MusicEvent", "startDate": "2019-06-14T19:00", "datePublished": "2019-06-01"},
        {"@type": "WebPage", "datePublished": "2019-03-11T10:00:00+01:00"},
    ]
})  # fmt: skip
LAST_EDIT = "<div id=footer>This page was last edited on 5 May 2022, at 10:12.</div>"
PUBLISHED_UTC = "<meta property='article:published_time' content='{}'>"
POSTS = "".join(
    f"<div class=post><h2><a href=/{d}>Post {d}</a></h2><p class=date>{d} March 2019</p>{PROSE}</div>"
    for d in (20, 15, 11)
)
THREAD = "".join(f"<div class=post><p>Ada</p><p>{d} March 2019, 10:1{d % 9}</p>{PROSE}</div>" for d in (11, 12, 15))

PAGES = {
    "an event in the title": f"{head('Festival on 14 June 2019')}<h1>Festival on 14 June 2019</h1><p class=byline>By Ada, 11 March 2019</p>{PROSE}",
    "a table of an event": f"{head('Market')}<h1>Market</h1><table><tr><th>Date<td>14 June 2019<tr><th>Place<td>Town hall<tr><th>Doors<td>18:00"
    f"</table>{PROSE}<p>Posted on 11 March 2019 by Ada</p>",
    "a list of an event, in German": f"{head('Markt', 'de')}<h1>Markt</h1><dl><dt>Wann<dd>14.06.2019, 18:00 Uhr<dt>Wo<dd>Rathaus</dl>{PROSE}"
    "<p>Veröffentlicht am 11.03.2019</p>",
    "an event in JSON-LD": f"{head('Gig')}{GIG}<h1>Gig</h1><p>14 June 2019, 19:00, Town hall</p>{PROSE}",
    "an event in microdata": f"{head('Gig')}<h1>Gig</h1><p itemprop=startDate content=2019-06-14>14 June 2019</p>{PROSE}<p>Posted: 11 March 2019</p>",
    "teasers above": f"{head('Rivers rise')}<div>{TEASERS}</div><h1>Rivers rise</h1><div>11 March 2019</div>{PROSE}",
    "teasers beside": f"{head('Rivers rise')}<div><h1>Rivers rise</h1>{PROSE}<p>Ada Miller, 11 March 2019</p></div><div><h3>More</h3>{TEASERS}</div>",
    "articles to read next": f"{head('Rivers rise')}<article><h1>Rivers rise</h1><p><time datetime=2019-03-11>11 March</time></p>{PROSE}</article>"
    "<section><h2>Read next</h2><article><h3><a href=/a>Boats</a></h3><time datetime=2024-06-29>29 June</time></article>"
    "<article><h3><a href=/b>Boat</a></h3><time datetime=2024-06-28>28 June</time></article></section>",
    "a graph of many nodes": f"{head('Rivers')}{GRAPH}<h1>Rivers</h1>{PROSE}",
    "today's date above": f"{head('Rivers')}<div id=header>Sunday, 30 June 2024</div><h1>Rivers</h1><p>11 March 2019</p>{PROSE}",
    "today's date above, its own below": f"{head('Rivers')}<div id=header>Sunday, 30 June 2024</div><h1>Rivers</h1>{PROSE}<p>Ada / 11 March 2019</p>",
    "updated, then published": f"{head('Rivers')}<h1>Rivers</h1><p>Updated 5 May 2021 — Published 11 March 2019</p>{PROSE}",
    "newer comments": f"{head('Rivers')}<h1>Rivers</h1><p>11 March 2019</p>{PROSE}<ol class=commentlist><li>Bob, 12 March 2019 at 10:12<p>ok"
    "<li>Cy, 13 March 2019 at 10:12<p>ok</ol>",
    "UTC after midnight": f"{head('Rivers', 'en-US')}{PUBLISHED_UTC.format('2019-03-12T03:30:00Z')}<h1>Rivers</h1><p>March 11, 2019 10:30 pm</p>{PROSE}",
    "UTC before midnight": f"{head('川', 'ja')}{PUBLISHED_UTC.format('2019-03-10T22:30:00Z')}<h1>川</h1><p>2019年3月11日 7:30</p>{PROSE}",
    "midnight of the place": f"{head('Rivers')}{PUBLISHED_UTC.format('2019-03-11T00:00:00-08:00')}<h1>Rivers</h1>{PROSE}",
    "a thread: its first post": f"{head('Which lens?')}<h1>Which lens?</h1>{THREAD}",
    "digits of Arabic": f"{head('نهر', 'ar')}<h1>نهر</h1><p>١١ مارس ٢٠١٩</p>{PROSE}",
    "the Persian calendar": f"{head('رود', 'fa')}<h1>رود</h1><p>۲۰ اسفند ۱۳۹۷</p>{PROSE}",
    "the Thai year": f"{head('แม่น้ำ', 'th')}<h1>แม่น้ำ</h1><p>11 มีนาคม 2562</p>{PROSE}",
    "the Japanese era": f"{head('川', 'ja')}<h1>川</h1><p>平成31年3月11日</p>{PROSE}",
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_the_day_of_publication_among_others(name: str) -> None:
    found = date_page(Page(NEWS, 200, HTML, PAGES[name].encode()), NOW)
    assert found.published == "2019-03-11", found


@pytest.mark.parametrize(
    ("url", "body", "day"),
    [
        (WIKI, f"{head('River')}<h1>River</h1>{PROSE}{LAST_EDIT}", "2022-05-05"),
        (
            WIKI,
            head("River") + linked(**{"@type": "Article", "datePublished": "2004-02-03T10:00:00Z", "dateModified": "2022-05-05T10:12:00Z"})
            + f"<h1>River</h1>{PROSE}{LAST_EDIT}",
            "2004-02-03",
        ),
        (
            "http://web.archive.org/web/20120605101213/http://e.org/news/rivers",
            f"{head('Rivers')}<div id=wm-ipp><table><tr><td>May<td class=c>JUN 05 2012</table><a>12 captures</a><div>05 Jun 2012 - 29 Jun 2024</div>"
            f"</div><h1>Rivers</h1><p>Posted March 11, 2009</p>{PROSE}",
            "2009-03-11",
        ),
        (
            "https://archive.example/AbCdE",
            f"{head('Rivers')}<div id=HEADER><table><tr><td>Saved from<td>{NEWS}<td>5 Jun 2012 10:12:13 UTC</table></div><h1>Rivers</h1>"
            f"<p>March 11, 2009</p>{PROSE}",
            "2009-03-11",
        ),
        ("http://e.org/2019/03/11/rivers", f"{head('Rivers')}<h1>Rivers</h1>{PROSE}<footer>© 2024</footer>", "2019-03-11"),
        ("http://e.org/rivers-11-03-2019.html", f"{head('Rivers', 'de')}<h1>Rivers</h1>{PROSE}", "2019-03-11"),
        (
            "http://e.org/events/2019-06-14-market",
            f"{head('Market')}{PUBLISHED_UTC.format('2019-03-11T10:00:00+00:00')}<h1>Market 2019-06-14</h1><p>Posted 11 March 2019</p>{PROSE}",
            "2019-03-11",
        ),
        ("http://e.org/", f"{head('Blog of Ada')}<h1>Blog of Ada</h1>{POSTS}", "2019-03-20"),
    ],
)  # fmt: skip
def test_wikis_archives_addresses_and_lists(url: str, body: str, day: str) -> None:
    found = date_page(Page(url, 200, HTML, body.encode()), NOW)
    assert found.published == day, found


def test_the_last_edit_of_a_wiki_is_no_sure_day_of_publication() -> None:
    found = date_page(Page(WIKI, 200, HTML, f"{head('River')}<h1>River</h1>{PROSE}{LAST_EDIT}".encode()), NOW)
    assert found.confidence < 0.9
    assert found.modified == "2022-05-05"


def test_stamps_near_midnight_that_nobody_sees_are_less_sure() -> None:
    bodies = (
        f"{head('Rivers')}{PUBLISHED_UTC.format(stamp)}<h1>Rivers</h1>{PROSE}"
        for stamp in ("2019-03-11T02:00:00Z", "2019-03-11T12:00:00Z")
    )
    near, noon = (date_page(Page(NEWS, 200, HTML, body.encode()), NOW) for body in bodies)
    assert near.published == noon.published == "2019-03-11"
    assert near.confidence < noon.confidence
