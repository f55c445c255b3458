"""Repairs a wrapper that broke: finds its last good values on the changed pages, and induces it anew from them.

The values serve as marks, as if a person had marked them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml.html import HtmlElement

from siteseer.errors import SiteseerError, UsageError
from siteseer.model import JSON, Page
from siteseer.wrapper.induction import Mark, Records, compose, induce, induce_records
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.induce_attributes import Attribute, view_of
from siteseer.wrapper.jobs.stored_records import load
from siteseer.wrapper.jobs.worker_processes import Report
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.result_schema import result_schema
from siteseer.wrapper.oxpath.language.syntax import Expression
from siteseer.wrapper.oxpath.language.syntax import Path as Wrapper
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.repair.find_known_records import LocatedRecords, find_known_records, places
from siteseer.wrapper.repair.patch_wrapper import patch_wrapper, require_attributes

MARKED = 4
"""Records of a page that are marked: more change nothing."""
MOST_PAGES = 6
NONE_LEFT = "none of the last good values stands on the pages now; mark new examples"


@dataclass(frozen=True, slots=True)
class Sample:
    """A changed page, and the records that its task extracted in the last good run."""

    url: str
    view: ElementTables
    records: tuple[Record, ...]


def repair(order: JSON, report: Report) -> None:
    """Search for a repair and report it with its quality; or why there is none."""
    samples = [_read(one) for one in order["samples"][: 3 * MOST_PAGES]]
    try:
        found, why = propose(parse(order["wrapper"]), samples)
    except SiteseerError as error:
        found, why = "", f"no repair was found: {error}"
    report(done=True, repair=found, why=why)


def _read(one: JSON) -> Sample:
    url, _, text = Path(one["page"]).read_text(encoding="utf-8").partition("\n")
    page = Page(url, headers=(("Content-Type", "text/html; charset=utf-8"),), body=text.encode())
    return Sample(url, view_of(page), tuple(map(load, one["records"])))


def propose(wrapper: Expression, samples: Sequence[Sample]) -> tuple[str, str]:
    """Return a wrapper for the changed pages, and its quality."""
    extracted = result_schema(wrapper).below
    if not extracted:
        raise UsageError("the wrapper extracts nothing")
    label = next((label for label, one in extracted.items() if one.below), next(iter(extracted)))
    if not extracted[label].below:
        return _values_again(wrapper, label, samples)
    known = [Sample(one.url, one.view, tuple(r for r in one.records if r.label == label)) for one in samples]
    found = (_from_lists if any(map(_is_list, known)) else _from_pages)(known)
    new = parse(compose(samples[0].url, found.what, record=label))
    if found.has_empty and isinstance(new, Wrapper):
        new = require_attributes(new)
    whole = patch_wrapper(wrapper, label, new)
    why = f"{found.seen} of the last good records stand on the pages now; {found.told}"
    if whole is None:
        return str(new), why + "; what led to the pages before has to be added by hand"
    return str(parse(str(whole))), why


def _values_again(wrapper: Expression, label: str, samples: Sequence[Sample]) -> tuple[str, str]:
    """Repair a wrapper that extracts values without records: all that stand on a page now are marked there."""
    marks: list[Mark] = []
    roots: list[HtmlElement] = []
    for sample in samples[:MOST_PAGES]:
        known = dict.fromkeys(one.value or "" for one in sample.records if one.label == label)
        occurrences = [occurrence for value in known for occurrence in places(sample.view, label, value)[:1]]
        marks += [Mark(len(roots), label, occurrence.xpath, occurrence.part) for occurrence in occurrences]
        roots += [sample.view.root] if occurrences else []
    if not marks:
        raise UsageError(NONE_LEFT)
    best = induce(roots, marks)[label].best
    whole = patch_wrapper(wrapper, label, parse(f"doc('http://page.invalid/'){best.parts[0]}:<{label}>"))
    why = f"{len(marks)} of the last good values stand on the pages now; the repair finds {sum(map(len, best.hits))}"
    if whole is None:
        return f"{best.parts[0]}:<{label}={best.value}>", why + "; what led to the pages before has to be added by hand"
    return str(parse(str(whole))), why


@dataclass(frozen=True, slots=True)
class Induced:
    """The induced expressions: for records, or for the attributes of a page."""

    what: Records | Mapping[str, Attribute]
    seen: int
    told: str
    has_empty: bool = False
    """Whether the expression for records also takes nodes without any attribute."""


def _values(record: Record) -> dict[str, str]:
    """Return the first value of each attribute."""
    found: dict[str, str] = {}
    for child in record.children:
        if child.value is not None and child.value.strip():
            found.setdefault(child.label, child.value)
    return found


def _is_list(sample: Sample) -> bool:
    """Say whether a page gave more than one record."""
    return len(sample.records) > len({one.url for one in sample.records})


def _from_lists(known: Sequence[Sample]) -> Induced:
    """Mark the records that are found again on each page, with their values."""
    located = [
        (one.view, find_known_records(one.view, [_values(record) for record in one.records], 40)) for one in known
    ]
    good = [(view, found) for view, found in located if found][:MOST_PAGES]
    if not good:
        raise UsageError(NONE_LEFT)
    records, attributes = [], []
    for page, (view, found) in enumerate(good):
        tree = view.root.getroottree()
        for one in sorted(found, key=lambda one: -len(one.places))[:MARKED]:
            records.append(Mark(page, "record", tree.getpath(view.nodes[one.element])))
            attributes += _marks(page, one)
    induced = induce_records([view.root for view, _ in good], records, attributes)
    rows = [row for view, _ in good for row in induced.rows(view.root)]
    told = f"the repair finds {sum(map(bool, rows))} on {len(good)} pages"
    return Induced(induced, sum(len(found) for _, found in good), told, not all(rows))


def _marks(page: int, one: LocatedRecords) -> list[Mark]:
    return [Mark(page, name, place.xpath, place.part) for name, place in one.places.items()]


def _from_pages(known: Sequence[Sample]) -> Induced:
    """Mark the values of the one record of each page."""
    marks: list[Mark] = []
    roots: list[HtmlElement] = []
    for sample in known[:MOST_PAGES]:
        own = [one for one in sample.records if one.url == sample.url] or sample.records
        found = [
            Mark(len(roots), name, occurrences[0].xpath, occurrences[0].part)
            for record in own[:1]
            for name, value in _values(record).items()
            if (occurrences := places(sample.view, name, value))
        ]
        if found:
            marks += found
            roots.append(sample.view.root)
    if not marks:
        raise UsageError(NONE_LEFT)
    return Induced(induce(roots, marks), len(roots), f"the repair was made on {len(roots)} pages")
