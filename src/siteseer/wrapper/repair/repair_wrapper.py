"""A wrapper that no longer fits, pages as they are now and what they gave before in; a wrapper that fits out.

The generator is given the last good values, where they still stand, as if a person had marked them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml.html import HtmlElement

from siteseer.errors import SiteseerError, UsageError
from siteseer.jobs.relocate import Located, places, relocate
from siteseer.jobs.splice import filled, splice
from siteseer.jobs.stored_records import load
from siteseer.jobs.worker import Tell
from siteseer.model import JSON, Page
from siteseer.wrappers.induce import Mark, Records, compose, induce, induce_records
from siteseer.wrappers.induce.attributes import Attribute, view_of
from siteseer.wrappers.induce.view import View
from siteseer.wrappers.parse import parse
from siteseer.wrappers.records import Record
from siteseer.wrappers.shape import shape
from siteseer.wrappers.syntax import Expression
from siteseer.wrappers.syntax import Path as Wrapper

MARKED = 4
"""Records of a page that are marked: more change nothing."""
MOST_PAGES = 6
NONE_LEFT = "none of the last good values stands on the pages now; mark new examples"


@dataclass(frozen=True, slots=True)
class Sample:
    """A page as it is now, and the records that its task gave in the last good run."""

    url: str
    view: View
    records: tuple[Record, ...]


def repair(order: JSON, tell: Tell) -> None:
    """Look for a repair and tell it, with what it is worth; or why there is none."""
    samples = [_read(one) for one in order["samples"][: 3 * MOST_PAGES]]
    try:
        found, why = propose(parse(order["wrapper"]), samples)
    except SiteseerError as error:
        found, why = "", f"no repair was found: {error}"
    tell(done=True, repair=found, why=why)


def _read(one: JSON) -> Sample:
    url, _, text = Path(one["page"]).read_text(encoding="utf-8").partition("\n")
    page = Page(url, headers=(("Content-Type", "text/html; charset=utf-8"),), body=text.encode())
    return Sample(url, view_of(page), tuple(map(load, one["records"])))


def propose(wrapper: Expression, samples: Sequence[Sample]) -> tuple[str, str]:
    """Return a wrapper for the pages as they are now, and what is known about it."""
    extracted = shape(wrapper).below
    if not extracted:
        raise UsageError("the wrapper extracts nothing")
    label = next((label for label, one in extracted.items() if one.below), next(iter(extracted)))
    if not extracted[label].below:
        return _values_again(wrapper, label, samples)
    known = [Sample(one.url, one.view, tuple(r for r in one.records if r.label == label)) for one in samples]
    found = (_from_lists if any(map(_is_list, known)) else _from_pages)(known)
    new = parse(compose(samples[0].url, found.what, record=label))
    if found.has_empty and isinstance(new, Wrapper):
        new = filled(new)
    whole = splice(wrapper, label, new)
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
        spots = [spot for value in known for spot in places(sample.view, label, value)[:1]]
        marks += [Mark(len(roots), label, spot.xpath, spot.part) for spot in spots]
        roots += [sample.view.root] if spots else []
    if not marks:
        raise UsageError(NONE_LEFT)
    best = induce(roots, marks)[label].best
    whole = splice(wrapper, label, parse(f"doc('http://page.invalid/'){best.parts[0]}:<{label}>"))
    why = f"{len(marks)} of the last good values stand on the pages now; the repair finds {sum(map(len, best.hits))}"
    if whole is None:
        return f"{best.parts[0]}:<{label}={best.value}>", why + "; what led to the pages before has to be added by hand"
    return str(parse(str(whole))), why


@dataclass(frozen=True, slots=True)
class Induced:
    """What the generator found: for records, or for the attributes of a page."""

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
    located = [(one.view, relocate(one.view, [_values(record) for record in one.records], 40)) for one in known]
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


def _marks(page: int, one: Located) -> list[Mark]:
    return [Mark(page, name, place.xpath, place.part) for name, place in one.places.items()]


def _from_pages(known: Sequence[Sample]) -> Induced:
    """Mark the values of the one record of each page."""
    marks: list[Mark] = []
    roots: list[HtmlElement] = []
    for sample in known[:MOST_PAGES]:
        own = [one for one in sample.records if one.url == sample.url] or sample.records
        found = [
            Mark(len(roots), name, spots[0].xpath, spots[0].part)
            for record in own[:1]
            for name, value in _values(record).items()
            if (spots := places(sample.view, name, value))
        ]
        if found:
            marks += found
            roots.append(sample.view.root)
    if not marks:
        raise UsageError(NONE_LEFT)
    return Induced(induce(roots, marks), len(roots), f"the repair was made on {len(roots)} pages")
