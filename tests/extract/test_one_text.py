# ruff: noqa: E501 - tables read best one thing to a line
"""An element of a page has one text, and a string of it one day, for everything that reads the page: on mutated pages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache

import pytest
from lxml import etree, html

from siteseer.campaigns.relevance.time_and_language import first_date
from siteseer.change.diff.change_kinds import readable_text
from siteseer.demo import SiteRequest, make_site
from siteseer.extract.read_values import one_line, plain_text, read_dates
from siteseer.extract.records.fields.field_atoms import DateReader
from siteseer.extract.records.record_document import LEFT_OUT, document
from siteseer.extract.timestamps.text_with_offsets import CLOSED, HIDDEN, OPEN, lay, walked
from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import find_dates, read_stamp
from siteseer.page.links import links
from siteseer.page.text import MARKS, UNREAD, text, text_below, text_blocks, words
from siteseer.page.tree import tree

HTML = (("Content-Type", "text/html; charset=utf-8"),)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
SITES = ("blog", "forum", "wiki", "shop")
PAGES, MUTATIONS = 12, 2_000
INNER = ("b", "em", "span", "a", "i", "time")
OUTER = (
    "div",
    "p",
    "ul",
    "li",
    "td",
    "section",
    "blockquote",
    "table",
    "pre",
    "svg",
    "noscript",
    "textarea",
    "script",
    "template",
)
PIECES = (
    "<!-- a comment -->", "<script>var x = '<p>1/2/2019</p>';</script>", "<style>p{}</style>", "&nbsp;", "&#173;", "&lt;p&gt;", "<br>", "\ufdd0",
    "\x81", "3 May 2019", "03/04/2019", "25/04/2019", "Version 3.10.12", "<b>04</b>/<i>05</i>/2018", "مارس ٢٠١٩ ١١", "<p>", "</div>", "<td>", "<svg><text>4</text>",
    "<noscript>off", "<textarea>3 May 2011</textarea>", "<wbr>", "平成27年5月5日", "<select><option>2012-04-05</select>", "<a href=/x>2012-06-07</a>",
)  # fmt: skip
UNMARKED = dict.fromkeys(map(ord, (*MARKS, OPEN, CLOSED, HIDDEN, "\ufffd")))
FURTHER = frozenset(("iframe",))
"""Elements whose text one reader leaves out and another does not: none may be missing here."""


@cache
def bodies() -> tuple[bytes, ...]:
    """Return pages of the demo sites: the entry and what it links to."""
    found = []
    for kind in SITES:
        site = make_site(kind, seed=5)
        waiting, seen = ["/"], set()
        while waiting and len(seen) < PAGES:
            target = waiting.pop(0)
            if target in seen:
                continue
            seen.add(target)
            answer = site.respond(SiteRequest("GET", target, {"host": "e.org"}))
            if answer.status == 200 and b"<html" in answer.body:
                found.append(answer.body)
                page = Page(f"http://e.org{target}", 200, HTML, answer.body)
                waiting += [
                    link.url.removeprefix("http://e.org")
                    for link in links(page)
                    if link.url.startswith("http://e.org/")
                ]
    return tuple(found)


def mutated(body: bytes, chance: random.Random) -> bytes:
    """Cut a part out of a page and break it: tags wrapped, cut, doubled, pieces put in anywhere."""
    source = body.decode("utf-8", "replace")
    size = chance.randrange(200, 1_500)
    start = source.find("<", chance.randrange(max(1, len(source) - size)))
    part = source[start : start + size]
    for _ in range(chance.randrange(1, 7)):
        place = chance.randrange(len(part) + 1)
        if chance.random() < 0.3:
            place = max(0, part.rfind("<", 0, place))
        kind = chance.random()
        if kind < 0.45:
            part = part[:place] + chance.choice(PIECES) + part[place:]
        elif kind < 0.7:
            tag, end = chance.choice(OUTER + INNER), place + chance.randrange(120)
            part = f"{part[:place]}<{tag}>{part[place:end]}</{tag}>{part[end:]}"
        elif kind < 0.85:
            part = part[:place] + part[place + chance.randrange(40) :]
        else:
            part = part[: place + 60] + part[place:]
    language = chance.choice(("", "en", "de", "ja"))
    return f"<html lang='{language}'><title>A page</title><body>{part}".encode("utf-8", "replace")


def squeezed(shown: str) -> str:
    """Return a text without spaces and marks: readers join pieces by spaces, lines or nothing, and have marks of their own."""
    return "".join(shown.translate(UNMARKED).split())


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    chance = random.Random(26)
    made = [mutated(chance.choice(bodies()), chance) for _ in range(MUTATIONS)]
    return [Page(f"http://{chance.choice(('e.org', 'e.de', 'e.co.uk'))}/a", 200, HTML, body, NOW) for body in made]


def read_elements(page: Page, chance: random.Random) -> Iterator[html.HtmlElement]:
    """Yield some elements of a page that are read, from the whole body to single ones."""
    body = tree(page).find("body")
    known = [] if body is None else [body, *body.iter(etree.Element)]
    readable = [one for one in known if not any(up.tag in UNREAD | FURTHER for up in (one, *one.iterancestors()))]
    yield from readable[:1]
    yield from chance.sample(readable, min(5, len(readable)))


def test_the_text_of_an_element(pages: list[Page]) -> None:
    chance = random.Random(1)
    compared = differing = 0
    for page in pages:
        laid, records = lay(tree(page)), document(page)
        places = {element: number for number, element in enumerate(records.elements)}
        for element in read_elements(page, chance):
            if any(inner.tag in FURTHER for inner in element.iter(etree.Element)):
                continue
            shown = squeezed(text_below(element))
            compared += 1
            differing += bool(shown)
            assert squeezed(readable_text(element)) == shown, page.body
            assert squeezed(one_line(element)) == shown[:30_000], page.body
            assert squeezed(plain_text(element)) == shown, page.body
            extent = laid.extent(element)
            assert extent is not None, page.body
            assert squeezed(laid.text[slice(*extent)]) == shown, page.body
            is_whole = not any(inner.tag in LEFT_OUT - UNREAD for inner in element.iter(etree.Element))
            if element in places and is_whole:
                assert squeezed(records.string(places[element])) == shown, page.body
    assert compared > 8_000
    assert differing > 5_000


def test_the_text_of_a_page(pages: list[Page]) -> None:
    for page in pages:
        shown = squeezed(text(page))
        assert "".join(map(squeezed, text_blocks(page))) == shown, page.body
        assert [word for word in words(page) if word not in shown.lower()] == [], page.body
        assert lay(tree(page)).text == walked(tree(page))[0].translate({0xFDD0: None, 0xFDD1: None, 0xFDD2: None}), (
            page.body
        )


def test_the_day_of_a_string(pages: list[Page]) -> None:
    chance = random.Random(2)
    read = 0
    for page in pages:
        context = context_of(page)
        reader = DateReader(context)
        for element in read_elements(page, chance):
            shown = " ".join(text_below(element).split())
            if not 6 <= len(shown) <= 120:
                continue
            days = [found.day.isoformat() for found in find_dates(shown, context) if found.names_a_day]
            extracted, record, first = read_dates([shown], context), reader.read(shown), read_stamp(shown, context)
            assert extracted == (first.iso if first else None), page.body
            assert record == (first if first and first.names_a_day else None), page.body
            assert not days or first is not None, page.body
            if record is None or record.relative:
                continue
            read += 1
            assert record.day.isoformat() == days[0], page.body
            assert first_date(shown, context) == find_dates(shown, context)[0].day, page.body
    assert read > 300
