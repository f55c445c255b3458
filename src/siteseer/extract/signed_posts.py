"""Splits a talk page into signed posts: each ends with the name of its author and a time.

A wiki puts no box around a post. People write below each other, answer by indenting, and sign: a link that names
them, and behind it the time. So the lines of the page are read in order, and a signature ends a post. Lines before it
at the same indentation belong to it; a post answers the nearest one before it that is indented less. Text without a
signature is nobody's post.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from lxml import etree, html

from siteseer.extract.body_text import excluded
from siteseer.extract.read_values import one_line, read_dates, read_url
from siteseer.extract.record_fields import Facts
from siteseer.knowledge.alternatives import every_selection, first_selection
from siteseer.knowledge.types import Extraction, Field, regex
from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.links import base
from siteseer.page.text import BLOCKS, UNREAD

INDENTS = frozenset(("dd", "li", "blockquote"))
"""Elements that indent what stands in them."""
WRITTEN_IN = frozenset(("p", "dd", "dt", "li", "pre", "blockquote"))
"""Elements in which people write; tables and other boxes before a post are notices of the wiki."""
MOST_LINES = 40
"""Lines of one post; what is longer without a signature was not signed."""
FARTHEST = 60
"""Characters between the author's link and the time: what is longer is a sentence about somebody."""
MOST_POSTS = 5_000
_DASHES = " \t\n-–—~•·|(["


@dataclass(slots=True)
class _Line:
    """A line of the page: pieces of text, each with the link that it is."""

    indent: int
    block: html.HtmlElement
    """The innermost block in which it stands."""
    pieces: list[tuple[str, html.HtmlElement | None]] = field(default_factory=list)
    is_heading: bool = False

    @property
    def text(self) -> str:
        return " ".join("".join(text for text, _ in self.pieces).split())


@dataclass(frozen=True, slots=True)
class _Signature:
    """Where a signature stands among the pieces of its line, and what it says."""

    begins: int
    """The first piece that belongs to it."""
    ends: int
    """The piece in which the time stands."""
    after: str
    """What stands behind the time in that piece."""
    author: str
    author_url: str | None
    published: str
    permalink: str | None = None
    """Where the time is a link to a place on the page."""


@dataclass(slots=True)
class _Discussion:
    """The posts of a talk page so far."""

    title: str | None = None
    unsigned: list[_Line] = field(default_factory=list)
    """The lines since the last signature or heading."""
    posts: list[tuple[int, Facts]] = field(default_factory=list)
    """The posts that may still be answered, each indented more than the one before it."""


def signed_posts(page: Page, extraction: Extraction) -> list[Facts]:
    """Return the facts of the signed posts of a page, in page order."""
    found: list[Facts] = []
    for area in _areas(page, extraction):
        told = _Discussion()
        for line in _lines(page, area, extraction):
            if line.is_heading:
                told = _Discussion(line.text)
                continue
            found.extend(_posts(page, line, extraction, told))
            if len(found) >= MOST_POSTS:
                return found[:MOST_POSTS]
    return found


def _areas(page: Page, extraction: Extraction) -> list[html.HtmlElement]:
    scopes = [one for one in first_selection(extraction.scope, page) if not isinstance(one, str)][:1]
    bodies = [one for one in extraction.fields if one.type == "body"]
    inside = [node for scope in scopes for one in bodies for node in first_selection(one.text, page, scope)[:1]]
    return [node for node in inside[:1] if not isinstance(node, str)] or scopes


# ── lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _lines(page: Page, area: html.HtmlElement, extraction: Extraction) -> Iterator[_Line]:
    """Yield the lines of a talk page in order; blocks and `br` end a line, a heading is a line of its own."""
    left_out = {one for body in extraction.fields if body.type == "body" for one in excluded(page, body, area)}
    headings = _headings(page, area, extraction)
    indent, blocks, skipped = 0, [area], None
    line = _Line(indent, area)
    walk = etree.iterwalk(area, events=("start", "end", "comment"))
    for event, one in walk:
        if event == "start" and (one.tag in UNREAD or one.tag == "a" or one in left_out or one in headings):
            walk.skip_subtree()
            skipped = one  # its end comes next
            if one in headings:
                yield from (line, _Line(indent, one, [(one_line(one, left_out), None)], is_heading=True))
                line = _Line(indent, blocks[-1])
            elif one.tag == "a" and one not in left_out:
                line.pieces.append((one_line(one), one))
            continue
        if one.tag in BLOCKS and one is not skipped and one is not area:
            indent += {"start": 1, "end": -1}[event] if one.tag in INDENTS else 0
            if one.tag != "br":
                blocks = [*blocks, one] if event == "start" else blocks[:-1]
            yield line
            line = _Line(indent, blocks[-1])
        said = one.text if event == "start" else one.tail if one is not area else None
        if said:
            line.pieces.append((said, None))
    yield line


def _headings(page: Page, area: html.HtmlElement, extraction: Extraction) -> set[html.HtmlElement]:
    titles = (one for one in extraction.fields if one.type == "title")
    return {node for one in titles for node in every_selection(one.text, page, area) if not isinstance(node, str)}


# ── posts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _posts(page: Page, line: _Line, extraction: Extraction, told: _Discussion) -> Iterator[Facts]:
    """Yield the posts that end in a line; what stands behind the last signature begins another one."""
    begins = 0
    while (signature := _signature(page, line.pieces, begins, extraction)) is not None:
        own = _Line(line.indent, line.block, line.pieces[begins : signature.begins])
        before = told.unsigned if begins == 0 else []
        if facts := _facts(page, [*_same_post(before, line), own], signature, told):
            yield facts
        told.unsigned = []
        begins = signature.ends
        line.pieces[begins] = (signature.after, None)
    rest = _Line(line.indent, line.block, line.pieces[begins:])
    if any(letter.isalnum() for letter in rest.text):
        told.unsigned.append(rest)


def _same_post(lines: Sequence[_Line], last: _Line) -> Sequence[_Line]:
    """Return those of the lines before a signed one that belong to it: they begin where it does, indented no less."""
    begins = len(lines)
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        if line.indent < last.indent or not (line.block.tag in WRITTEN_IN or line.block is last.block):
            break
        if line.indent == last.indent:
            begins = place
    return lines[begins:] if len(lines) - begins <= MOST_LINES else ()


def _facts(page: Page, lines: Sequence[_Line], signature: _Signature, told: _Discussion) -> Facts | None:
    texts = [line.text for line in lines]
    texts[-1] = texts[-1].rstrip(_DASHES)
    text = "\n".join(filter(None, texts))
    if not text:
        return None
    indent = lines[-1].indent
    while told.posts and told.posts[-1][0] >= indent:
        told.posts.pop()
    values = {"author": signature.author, "published": signature.published, "body": text}
    others = {"author_url": signature.author_url, "title": told.title, "permalink": signature.permalink}
    values |= {name: value for name, value in others.items() if value}
    links = (read_url(link, base(page)) for line in lines for _, link in line.pieces if link is not None)
    facts = Facts(values, links=tuple(dict.fromkeys(url for url in links if url and url.startswith("http"))))
    facts.answers = told.posts[-1][1] if told.posts else None
    told.posts.append((indent, facts))
    return facts


# ── signatures ────────────────────────────────────────────────────────────────────────────────────────────────────


def _signature(
    page: Page, pieces: Sequence[tuple[str, html.HtmlElement | None]], begins: int, extraction: Extraction
) -> _Signature | None:
    """Return the first signature from a piece on: a link that names a person, and a time close behind it."""
    authors = [one for one in extraction.fields if one.type == "author"]
    times = [one for one in extraction.fields if one.type == "published"]
    signers: list[tuple[int, str, str]] = []
    distance = 0
    for place in range(begins, len(pieces)):
        text, link = pieces[place]
        stamp = next(filter(None, (regex(one.regex).search(text) for one in times)), None) if signers else None
        if stamp and distance + stamp.start() <= FARTHEST and (when := read_dates([stamp.group(0)], context_of(page))):
            first = _first_of(signers, pieces)
            pages = (url for number, _, url in signers if number >= first)
            addresses = [one.regex for one in extraction.fields if one.type == "author_url"]
            url = next((url for url in pages if any(regex(one).search(url) for one in addresses)), None)
            there = read_url(link, base(page)) if link is not None else None
            permalink = there if there and "#" in there else None
            return _Signature(first, place, text[stamp.end() :], signers[-1][1], url, when, permalink)
        if link is not None and (named := _named(page, link, authors)):
            signers.append((place, *named))
            distance = 0
        else:
            distance += len(text)
    return None


def _first_of(signers: Sequence[tuple[int, str, str]], pieces: Sequence[tuple[str, html.HtmlElement | None]]) -> int:
    """Return where a signature begins: with the first of the links before the time that name its author."""
    first, name = signers[-1][0], signers[-1][1]
    for place, other, _ in reversed(signers[:-1]):
        between = sum(len(text) for text, _ in pieces[place + 1 : first])
        if other != name or between > FARTHEST // 4:
            break
        first = place
    return first


def _named(page: Page, link: html.HtmlElement, authors: Sequence[Field]) -> tuple[str, str] | None:
    """Return the name of the person to whose page a link leads, and the link's URL."""
    url = read_url(link, base(page))
    if not url:
        return None
    address = unquote(url.partition("://")[2]).replace("_", " ")
    for one in authors:
        if found := regex(one.regex).search(address):
            return str(found.group(1)).strip(), url
    return None
