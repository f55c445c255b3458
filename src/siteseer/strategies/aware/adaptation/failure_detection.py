"""Detects the known actions that fail on the pages of a level.

An action fails where its level requires it and it yields nothing or nonsense, or where it found something on the last
crawl that is still in the page but is not found any more. An object that is missing with all its metadata was deleted:
that is a change of content, not of the template.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from siteseer.extract.read_values import plain_text
from siteseer.extract.records.word_pairs import grams
from siteseer.knowledge.types import Level
from siteseer.model import Page, WebObject
from siteseer.page.tree import cached, tree
from siteseer.strategies.aware.adaptation.extraction.expected_records import MAIN, main_kind
from siteseer.strategies.aware.adaptation.extraction.value_checks import Context, are_plausible
from siteseer.strategies.aware.adaptation.extraction.value_similarity import same_text

FEWEST_PAGES = 6
FEWEST_OBJECTS = 8
MISSING = 0.5
RARE = 0.2
STILL_THERE = 0.8
JUDGED = ("author", "published", "title")
Found = Sequence[tuple[Page, Sequence[WebObject]]]


@dataclass(frozen=True, slots=True)
class Failure:
    """A failing action: its level, kind of object and field, and the page on which it was seen."""

    level: str
    kind: str
    field: str
    because: str
    example: str


def failures(level: Level, found: Found, context: Context) -> list[Failure]:
    """Return the actions that fail on the pages of a level."""
    if len(found) < FEWEST_PAGES:
        return []
    failing = []
    kinds = {extraction.of for extraction in level.extractions}
    main = main_kind(level)
    for kind in sorted(kinds & {*MAIN, "comment", "thread"}):
        objects = [(page, one) for page, ones in found for one in ones if one.kind == kind]
        without = [page for page, ones in found if not any(one.kind == kind for one in ones)]
        is_missing = len(without) > MISSING * len(found) if kind == main else not objects
        if is_missing and kind != "thread":
            because = f"found on {len(found) - len(without)} of {len(found)} pages"
            failing.append(Failure(level.id, kind, "record", because, without[0].url))
        elif len(objects) >= FEWEST_OBJECTS:
            failing.extend(_fields(level, kind, objects, context))
    return failing


def _fields(level: Level, kind: str, objects: Sequence[tuple[Page, WebObject]], context: Context) -> Iterable[Failure]:
    texts = [one.text or "" for _, one in objects]
    if kind != "thread" and not are_plausible("body", texts, context):
        yield Failure(level.id, kind, "body", "the text is not plausible", objects[0][0].url)
    declared = {field.type for extraction in level.extractions if extraction.of == kind for field in extraction.fields}
    for name in JUDGED:
        if name not in declared and not (name == "published" and "modified" in declared):
            continue
        values = [(page, value) for page, one in objects if (value := _said(one, name))]
        if len(values) < RARE * len(objects):
            because = f"found for {len(values)} of {len(objects)} objects"
            yield Failure(level.id, kind, name, because, objects[0][0].url)
        elif not are_plausible(name, [value for _, value in values], context):
            yield Failure(level.id, kind, name, f"not plausible: {values[0][1][:60]!r}", values[0][0].url)


def _said(one: WebObject, name: str) -> str | None:
    """Return what an object says; of a page that is edited again and again either date will do."""
    if name == "published" and one.kind == "page":
        return one.published or one.modified
    value: str | None = getattr(one, name)
    return value


def missed_objects(stored: Mapping[str, Sequence[WebObject]], found: Found) -> list[tuple[Page, WebObject]]:
    """Return the objects of the last crawl that are still in their page but were not found in it, or not completely."""
    missing = []
    for page, ones in found:
        for known in stored.get(page.url, ()):
            if known.text and not any(_is_again(known, one) for one in ones) and is_in(known, page):
                missing.append((page, known))
    return missing


def _is_again(known: WebObject, one: WebObject) -> bool:
    """Say whether an object is one of the last crawl, with most of the text that it had."""
    text = known.text or ""
    if one.text == text:
        return True
    if one.id == known.id:
        wanted = grams(text)
        return len(wanted) < 3 or len(wanted & grams(one.text or "")) >= STILL_THERE * len(wanted)
    return bool(one.text) and same_text(text, one.text or "")


def is_in(known: WebObject, page: Page) -> bool:
    """Say whether an object of the last crawl is still in a page: most of its words in their order."""
    wanted = grams(known.text or "")
    if len(wanted) < 3:
        return bool(known.text) and " ".join((known.text or "").split()) in " ".join(_text(page).split())
    return len(wanted & _grams(page)) >= STILL_THERE * len(wanted)


def is_gone(known: WebObject, page: Page) -> bool:
    """Say whether an object is gone from a page with all its metadata: neither text nor author and title are there."""
    if not known.text or is_in(known, page):
        return False
    text = _text(page)
    said = [value for value in (known.author, known.title) if value]
    return not (said and all(value in text for value in said) and len(grams(known.text) & _grams(page)) > 2)


@cached
def _text(page: Page) -> str:
    return plain_text(tree(page))


@cached
def _grams(page: Page) -> frozenset[tuple[str, str]]:
    return grams(_text(page))
