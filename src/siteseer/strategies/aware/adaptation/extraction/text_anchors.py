"""Finds the elements that hold the text of known records whose body expression fails.

Where the scope of records still selects them and one of their fields is still read, the records are certain, and the
guesses of the record learner must lie in them. Their text is what is unique in them, in elements of one kind that hold
none of the fields that work (P = U/T and R = U/max U as in the record learner, inside known records only).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lxml import html

from siteseer.extract.read_values import plain_text
from siteseer.extract.record_fields import facts_of
from siteseer.knowledge.alternatives import first_selection
from siteseer.knowledge.types import Extraction, Field, Level
from siteseer.model import Page
from siteseer.strategies.aware.adaptation.extraction.element_expressions import steps_of
from siteseer.strategies.aware.adaptation.extraction.expected_records import (
    CONTAINERS,
    MAIN_SHARE,
    ExpectedRecord,
    ExpectedRecords,
)
from siteseer.strategies.aware.adaptation.extraction.record_scope import LOWEST_FIT, pairs_of, selected
from siteseer.strategies.aware.adaptation.extraction.value_checks import Context
from siteseer.strategies.aware.adaptation.extraction.working_fields import still_works

PROVING = ("author", "published", "title", "permalink")
READ = (*PROVING, "modified")
OWN = ("title", "permalink")
"""Fields that say something else of nearly every record."""
DISTINCT = 0.5
FEWEST_WORDS = 3
FEWEST_RECORDS = 4
PRESENT = 0.6
"""Records in which the element of the text is found at least."""
TIE = 0.004
MOST_RECORDS = 400
MOST_ELEMENTS = 2_000
PURE = 0.85
FEWEST_CHARACTERS = 80
"""Unique characters of what goes on beside a text."""


@dataclass(frozen=True, slots=True)
class KnownRecord:
    """A record that a known scope selects, the values of its fields, and the elements that cannot be in its text."""

    page: Page
    element: html.HtmlElement
    values: Mapping[str, str]
    taken: frozenset[html.HtmlElement]


def expect_known(
    expected: ExpectedRecords, level: Level, failing: Mapping[str, frozenset[str]], context: Context
) -> None:
    """Expect the records that known scopes and fields prove, where the guessed ones are not inside these scopes."""
    for kind, fields in failing.items():
        if kind in CONTAINERS or not fields & {"record", "body"}:
            continue
        guessed = expected.by_kind.get(kind, [])
        lone = kind in expected.lone
        scopes = [str(path) for one in level.extractions if one.of == kind for path in one.expression.alternatives]
        if guessed and any(pairs_of(scope, guessed, lone)[1] >= LOWEST_FIT for scope in scopes):
            continue
        if found := anchor_records(expected.pages, level, kind, context):
            expected.by_kind[kind] = [replace(one, values=_joined(one, guessed)) for one in found]


def _joined(one: ExpectedRecord, guessed: Sequence[ExpectedRecord]) -> dict[str, str]:
    """Return what a record says, and what was guessed of it where its own fields say nothing."""
    around = {one.element, *one.element.iterancestors()}
    same = [other for other in guessed if other.page is one.page and other.element in around]
    values = dict(same[0].values) if len(same) == 1 else {}
    return {**values, **one.values}


def anchor_records(pages: Sequence[Page], level: Level, kind: str, context: Context) -> list[ExpectedRecord]:
    """Return the records of a kind with their texts, where known scopes and fields prove them; else nothing."""
    others = [one for one in level.extractions if one.of != kind and one.of not in CONTAINERS]
    for extraction in (one for one in level.extractions if one.of == kind):
        for path in extraction.expression.alternatives:
            known = _known(pages, extraction, str(path), others)
            if len({id(one.page) for one in known}) < MAIN_SHARE * len(pages) or len(known) < FEWEST_RECORDS:
                continue
            if _are_proven(known, extraction, context) and (found := _with_texts(known)):
                return found
    return []


def _known(
    pages: Sequence[Page], extraction: Extraction, scope: str, others: Sequence[Extraction]
) -> list[KnownRecord]:
    found: list[KnownRecord] = []
    fields = [one for one in extraction.fields if one.type in READ]
    probe = Extraction(extraction.of, ".", tuple(fields))
    for page in pages:
        elements = selected(scope, page)
        elements = elements[:1] if extraction.take == "first" else elements
        nested = {one for other in others for one in selected(other.scope, page)} - set(elements)
        for element in elements:
            values = facts_of(page, element, probe, (nested | set(elements)) - {element}).values
            taken = frozenset(nested | (set(elements) - {element}) | set(_marks(page, element, fields)))
            found.append(KnownRecord(page, element, values, taken))
    return found[:MOST_RECORDS]


def _marks(page: Page, element: html.HtmlElement, fields: Sequence[Field]) -> Iterator[html.HtmlElement]:
    """Yield the elements in which fields are read: the text of a record holds none of them."""
    for one in fields:
        for path in one.expression.alternatives:
            found = first_selection(str(path).rpartition("/@")[0] or str(path), page, element)
            nodes = [node for node in found[:1] if not isinstance(node, str)]
            if nodes:
                yield from nodes
                break


def _are_proven(known: Sequence[KnownRecord], extraction: Extraction, context: Context) -> bool:
    def is_read(type: str) -> bool:
        fields = [one for one in extraction.fields if one.type == type]
        values = [one.values.get(type) for one in known]
        if type in OWN and len(set(values)) < DISTINCT * len(values):
            return False
        return still_works(fields, values, [None] * len(known), context)

    return any(map(is_read, PROVING))


def _with_texts(known: Sequence[KnownRecord]) -> list[ExpectedRecord]:
    """Choose the kind of element that holds the texts: the best F1 of U/T and U/max U, of equals the largest."""
    lines = Counter(line for one in known for line in _lines(one.element))
    unique: Counter[str] = Counter()
    total: Counter[str] = Counter()
    records: Counter[str] = Counter()
    places: list[dict[str, html.HtmlElement]] = []
    for one in known:
        own = dict(_free(one))
        places.append(own)
        for key, element in own.items():
            said = _lines(element)
            unique[key] += sum(len(line) for line in said if _is_unique(line, lines))
            total[key] += sum(map(len, said))
            records[key] += 1
    often = [key for key, count in records.items() if count >= PRESENT * len(known) and unique[key]]
    if not often:
        return []
    most = max(unique[key] for key in often)
    fit = {key: 2 * unique[key] / (total[key] + most) for key in often}
    close = [key for key in often if fit[key] >= max(fit.values()) - TIE]
    best = max(close, key=lambda key: (total[key], -key.count("/")))
    found = []
    for one, own in zip(known, places, strict=True):
        if best in own:
            parts = tuple(_going_on(own[best], one.taken, lines))
            text = "\n".join(plain_text(element) for element in (own[best], *parts))
            found.append(ExpectedRecord(one.page, own[best], {**one.values, "body": text}, parts=parts))
    return found


def _free(one: KnownRecord) -> Iterator[tuple[str, html.HtmlElement]]:
    """Yield the elements of a record that neither hold nor lie in what is taken, by their place; the first of each."""
    above = {up for mark in one.taken for up in mark.iterancestors()}
    waiting = [(one.element, "")]
    seen: set[str] = set()
    number = 0
    while waiting and number < MOST_ELEMENTS:
        element, place = waiting.pop()
        number += 1
        if element in one.taken:
            continue
        key = f"{place}/{steps_of(element)[0]}" if place or element is not one.element else "."
        if element is not one.element and element not in above and key not in seen:
            seen.add(key)
            yield key, element
        children = [child for child in element if isinstance(child.tag, str)]
        waiting += [(child, key) for child in reversed(children)]


def _going_on(
    body: html.HtmlElement, taken: frozenset[html.HtmlElement], lines: Counter[str]
) -> Iterator[html.HtmlElement]:
    """Yield the elements right beside a text that go on with it: nearly all of what they say is unique."""
    for beside in body.itersiblings():
        if not isinstance(beside.tag, str) or any(one in taken for one in beside.iter()):
            return
        said = _lines(beside)
        own = sum(len(line) for line in said if _is_unique(line, lines))
        if own < FEWEST_CHARACTERS or own < PURE * sum(map(len, said)):
            return
        yield beside


def _lines(element: html.HtmlElement) -> list[str]:
    return plain_text(element).split("\n")


def _is_unique(line: str, lines: Counter[str]) -> bool:
    return lines[line] == 1 and line.count(" ") >= FEWEST_WORDS - 1
