"""Finds records with known values on a page whose template may have changed.

A value is searched for as it was; a record is the smallest element that holds most of its values, made as large as it
can be without touching the next record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from siteseer.errors import UsageError
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.marked_examples import Mark, MarkLocation, locate_mark

CLIMB = 20
ANCHORS = 30
"""Places of one value that are tried: a word that stands everywhere tells nothing."""
SHARE = 0.5
"""A record is known again by at least this share of its values."""


@dataclass(frozen=True, slots=True)
class Place:
    """One occurrence of a value: the element, and the XPath that marks it; `part` where it is a part of a text."""

    element: int
    xpath: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class LocatedRecords:
    """A record on the page: its element, and the occurrence of each value that is still there."""

    element: int
    places: Mapping[str, Place]


def find_known_records(view: ElementTables, records: Sequence[Mapping[str, str]], most: int) -> list[LocatedRecords]:
    """Return the records that are on a page, at most so many; records that are not there are left out.

    >>> from lxml import html
    >>> view = ElementTables(html.fromstring("<ul><li><b>A</b> 1</li><li><b>B</b> 2</li></ul>"))
    >>> found = find_known_records(view, [{"n": "A", "p": "1"}, {"n": "B", "p": "2"}], 5)
    >>> [(view.tags[one.element], one.places["n"].xpath) for one in found]
    [('li', '/html/body/ul/li[1]/b'), ('li', '/html/body/ul/li[2]/b')]
    """
    found: dict[int, LocatedRecords] = {}
    for values in records:
        one = _locate(view, values)
        if one is not None and not any(_touch(view, one.element, other) for other in found):
            found[one.element] = one
        if len(found) >= most:
            break
    elements = list(found)
    return [LocatedRecords(_widened(view, one.element, elements), one.places) for one in found.values()]


def places(view: ElementTables, name: str, value: str) -> list[Place]:
    """Return the occurrences of a value on a page; nothing where it does not occur, or occurs everywhere."""
    if not value.strip():
        return []
    try:
        found = locate_mark(Mark(0, name, value.strip()), view)
    except UsageError:
        return []
    return (
        [_place(view, found, number, value) for number in sorted(found.numbers)]
        if len(found.numbers) <= ANCHORS
        else []
    )


def _place(view: ElementTables, found: MarkLocation, number: int, value: str) -> Place:
    tree = view.root.getroottree()
    if found.kind == "attribute":
        return Place(number, f"{tree.getpath(view.nodes[number])}/@{found.attribute}")
    if found.kind == "element":
        return Place(number, tree.getpath(view.nodes[number]))
    owner = view.owners[number]
    path = tree.getpath(view.nodes[owner])
    if len(view.own[owner]) > 1 or view.children[owner]:
        path += f"/text()[normalize-space()][{view.own[owner].index(number) + 1}]"
    return Place(owner, path, value.strip() if found.part else "")


def _locate(view: ElementTables, values: Mapping[str, str]) -> LocatedRecords | None:
    """Return the smallest element around most values of a record, begun at the value that stands in fewest places."""
    found = {name: occurrences for name, value in values.items() if (occurrences := places(view, name, value))}
    asked = sum(1 for value in values.values() if value.strip())
    if not found or len(found) < SHARE * asked:
        return None
    rarest = min(found.values(), key=len)
    best: tuple[int, int, int] | None = None
    for anchor in rarest:
        around = [anchor.element, *view.ancestors(anchor.element)][:CLIMB]
        for up, element in enumerate(around):
            held = sum(
                any(_inside(view, occurrence.element, element) for occurrence in occurrences)
                for occurrences in found.values()
            )
            if best is None or (held, -up) > (best[0], -best[1]):
                best = (held, up, element)
            if held == len(found):
                break
    assert best is not None
    chosen = {
        name: next(occurrence for occurrence in occurrences if _inside(view, occurrence.element, best[2]))
        for name, occurrences in found.items()
        if any(_inside(view, occurrence.element, best[2]) for occurrence in occurrences)
    }
    return LocatedRecords(best[2], chosen) if len(chosen) >= SHARE * asked else None


def _inside(view: ElementTables, element: int, around: int) -> bool:
    return around <= element <= view.ends[around]


def _touch(view: ElementTables, one: int, other: int) -> bool:
    return _inside(view, one, other) or _inside(view, other, one)


def _widened(view: ElementTables, element: int, elements: Sequence[int]) -> int:
    """Return the largest element around a record that holds no other; itself where it is the only one."""
    others = [one for one in elements if one != element]
    if not others:
        return element
    for around in view.ancestors(element):
        if any(_inside(view, one, around) for one in others):
            return element
        element = around
    return element
