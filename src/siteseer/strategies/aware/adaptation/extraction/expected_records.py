"""Determines the expected records of a level's pages with a record model: their elements, authors and dates.

The model comes from aligning stored objects with the pages (recrawl) or from the record learner (a template that nobody
described); either way it says where each body is and who wrote it when. Actions are then repaired until they say the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree, html

from siteseer.extract.read_values import plain_text
from siteseer.knowledge.types import Level
from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.strategies.aware.adaptation.extraction.element_expressions import steps_of

if TYPE_CHECKING:
    from siteseer.extract.records import Record, RecordModel

MAIN = ("post", "article", "page", "record")
CONTAINERS = ("thread", "board", "user")
"""Kinds without a text of their own."""
LONGEST_BYLINE = 400
MAIN_SHARE = 0.6
"""Pages of a level that must have a record of its main kind, for the level to be one of such records."""
MOST_LINKED = 0.6
"""A body most of whose text is links is a list of links."""


@dataclass(frozen=True, slots=True)
class ExpectedRecord:
    """One expected record: the element of its body, and its values by field type."""

    page: Page
    element: html.HtmlElement
    values: dict[str, str]
    bylines: tuple[str, ...] = ()
    """Steps of what stands inside the body and says who wrote it."""
    parts: tuple[html.HtmlElement, ...] = ()
    """Elements beside the body with which its text goes on."""
    citations: tuple[html.HtmlElement, ...] = ()
    """Elements inside the body that are not its text: what quotes others, and boxes that only tell about the record."""


@dataclass(slots=True)
class ExpectedRecords:
    """The expected records of a level's pages, by kind of object."""

    pages: list[Page]
    by_kind: dict[str, list[ExpectedRecord]] = field(default_factory=dict)
    lone: set[str] = field(default_factory=set)
    """Kinds of which a page has one."""
    is_stored: bool = False
    """Whether the last crawl stored these records: then nothing about them is guessed."""

    def share(self, kind: str) -> float:
        """Return on what share of the pages records of a kind are expected."""
        return len({id(one.page) for one in self.by_kind.get(kind, ())}) / max(1, len(self.pages))


def main_kind(level: Level) -> str:
    """Return the kind of object that a level is about."""
    return next((one.of for one in level.extractions if one.of in MAIN), "post")


def expect_records(pages: Sequence[Page], level: Level, model: RecordModel) -> ExpectedRecords:
    """Apply a model to the pages of a level, naming the kinds as the level does."""
    found = ExpectedRecords(list(pages))
    main = main_kind(level)
    has_comments = any(one.of == "comment" for one in level.extractions)
    names_threads = any(one.of == "thread" for one in level.extractions)
    for page in pages:
        records = model.apply(page)
        title = next((record.title for record in records if record.title), None)
        if names_threads and title and (body := tree(page).find("body")) is not None:
            found.by_kind.setdefault("thread", []).append(ExpectedRecord(page, body, {"title": title}))
            found.lone.add("thread")
        for record, element, parts in _located(page, records):
            kind = main if record.kind == "single" or not has_comments else "comment"
            if _is_prose(record, element):
                text, bylines = _without_bylines(record, element)
                beside = _elements(page, (*record.citations, *record.heads))
                one = ExpectedRecord(page, element, _values(record, text), bylines, parts, beside)
                found.by_kind.setdefault(kind, []).append(one)
                if record.kind == "single":
                    found.lone.add(kind)
    return found


def _located(
    page: Page, records: Sequence[Record]
) -> Iterator[tuple[Record, html.HtmlElement, tuple[html.HtmlElement, ...]]]:
    """Yield the records whose elements are found in the page, with these."""
    for record in records:
        if found := _elements(page, (record.path, *record.continuations)):
            yield record, found[0], found[1:]


def _elements(page: Page, paths: Sequence[str]) -> tuple[html.HtmlElement, ...]:
    """Return the elements that paths name; nothing where one of them is not there."""
    root = tree(page).getroottree()
    try:
        return tuple(root.xpath(path)[0] for path in paths)
    except (etree.XPathError, IndexError):
        return ()


def _is_prose(record: Record, element: html.HtmlElement) -> bool:
    linked = sum(len(" ".join(one.itertext())) for one in element.iter("a"))
    return linked <= MOST_LINKED * max(1, len(" ".join(element.itertext())))


def _values(record: Record, text: str) -> dict[str, str]:
    said = {
        "body": text,
        "author": record.author,
        "published": record.published if not record.modified else None,
        "modified": record.modified,
        "title": record.title if record.kind == "single" else None,
        "permalink": record.permalink if record.kind == "list" else None,
    }
    return {name: value for name, value in said.items() if value}


def _without_bylines(record: Record, element: html.HtmlElement) -> tuple[str, tuple[str, ...]]:
    """Return the text without the lines inside the body that say who wrote it, and the steps of these lines."""
    if not record.author or record.author not in record.text:
        return record.text, ()
    lines: set[str] = set()
    steps: dict[str, None] = {}
    for one in islice(element.iter("*"), 2_000):
        if (one.text or "").strip() == record.author and (block := _byline(one, element)) is not None:
            lines.update(plain_text(block).split("\n"))
            named = [step for step in steps_of(block) if step != block.tag]
            steps.update(dict.fromkeys(named[:1]))
    kept = [line for line in record.text.split("\n") if line not in lines]
    return "\n".join(kept) or record.text, tuple(steps)


def _byline(one: html.HtmlElement, body: html.HtmlElement) -> html.HtmlElement | None:
    """Return the largest short element around a name, inside the body."""
    found, at = None, one
    while at is not None and at is not body and len(" ".join("".join(at.itertext()).split())) <= LONGEST_BYLINE:
        found, at = at, at.getparent()
    return found
