"""Plans how a path of the fragment is evaluated on the element index of a page (query plan).

Each step goes from a rising row of elements to another, so document order comes by itself and every step takes linear
time. Only what knowledge files rarely write has no plan: written axes, `text()`, names with a colon; XPath evaluates
that, and is the slow twin of all of it (`xpath/evaluation.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree

from siteseer.knowledge.element_index import ElementIndex, Numbers, class_words
from siteseer.xpath.syntax import WRITTEN_AXES, And, Compare, Exists, Last, Not, Or, Path, Position, Predicate, Step

Test = Callable[[ElementIndex, int], bool]
Said = Callable[[str], bool]
_string: Any = etree.XPath("string()", smart_strings=False)


class NoPlanError(ValueError):
    """The path has no plan: XPath must evaluate it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to find the nodes of a path; `attribute` is the attribute to read of the elements, empty for the elements."""

    start: str
    steps: tuple[PlannedStep, ...]
    attribute: str = ""
    reaches_down: bool = False
    """Whether the attribute is asked of all elements inside too."""
    says: tuple[Said, ...] = ()
    """What must hold of the attribute's value."""

    def numbers(self, places: ElementIndex, record: int | None) -> Numbers:
        """Return the elements found from a record, or from the document (None), in document order."""
        return self.reached(places, None if self.start == "/" else _origin(self.start, record))

    def reached(self, places: ElementIndex, found: Numbers | None) -> Numbers:
        """Return the elements found from some rising elements, or from the document (None), in document order."""
        for step in self.steps:
            found = step.reach(places, found)
            if not found:
                return ()
        if not self.attribute:
            return found or ()
        if self.reaches_down:
            found = _or_inside(places, found)
        return [number for number in found or () if self._value(places, number) is not None]

    def read(self, places: ElementIndex, numbers: Numbers) -> list[Any]:
        """Return the elements, or the values of their attribute."""
        if not self.attribute:
            return [places.elements[number] for number in numbers]
        return [places.elements[number].get(self.attribute) for number in numbers]

    def _value(self, places: ElementIndex, number: int) -> str | None:
        value = places.elements[number].get(self.attribute)
        return value if value is not None and all(said(value) for said in self.says) else None


def _origin(start: str, record: int | None) -> Numbers | None:
    if record is not None:
        return (record,)
    return (0,) if start == "." else None


def _or_inside(places: ElementIndex, origins: Numbers | None) -> Numbers:
    every = places.with_tag("*")
    if origins is None:
        return every
    return sorted({*origins, *places.inside(every, origins)})


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step from some elements to others; from None, the document, it leads to the root or to all elements."""

    is_child: bool
    tag: str
    words: tuple[str, ...]
    filters: tuple[Test | Position | Last, ...]

    def reach(self, places: ElementIndex, origins: Numbers | None) -> Numbers:
        """Return the elements that the step selects, in document order."""
        words = self.words
        if not words:
            some = places.with_tag(self.tag)
        else:
            some = places.with_word(words[0])
            for word in words[1:]:
                some = min(some, places.with_word(word), key=len)
        if not some:
            return some
        if origins is None:
            found = [0] if self.is_child and some[0] == 0 else () if self.is_child else some
        else:
            found = places.inside(some, origins)
            if self.is_child and found:
                holders = set(origins)
                found = [number for number in found if places.parents[number] in holders]
        return self._filtered(places, found)

    def _filtered(self, places: ElementIndex, found: Numbers) -> Numbers:
        if self.words:
            if self.tag != "*":
                found = [number for number in found if places.elements[number].tag == self.tag]
            if len(self.words) > 1:
                found = [number for number in found if self._has_words(places, number)]
        for one in self.filters:
            if not found:
                break
            if isinstance(one, Position | Last):
                found = _at(places, found, one)
            else:
                found = [number for number in found if one(places, number)]
        return found

    def _has_words(self, places: ElementIndex, number: int) -> bool:
        element = places.elements[number]
        own, classes = element.get("id"), class_words(element.get("class") or "")
        return all(word in classes if word[0] == "." else word[1:] == own for word in self.words)


def _at(places: ElementIndex, found: Numbers, place: Position | Last) -> list[int]:
    """Return those that are at the place among the siblings found."""
    siblings: dict[int, list[int]] = {}
    for number in found:
        siblings.setdefault(places.parents[number], []).append(number)
    if isinstance(place, Last):
        return sorted(row[-1] for row in siblings.values())
    return sorted(row[place.number - 1] for row in siblings.values() if 0 < place.number <= len(row))


# ── from syntax to plans ───────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=16384)
def plan_of(path: Path) -> Plan | None:
    """Return the plan of a path that is asked of a page or record; None where XPath must evaluate it."""
    try:
        return _plan(path, is_condition=False)
    except NoPlanError:
        return None


def _plan(path: Path, is_condition: bool) -> Plan:
    steps = path.steps
    attribute, reaches_down = "", False
    says: tuple[Said, ...] = ()
    is_anywhere = path.start == "" and not is_condition
    if steps and steps[-1].test[0] == "@":
        last, steps = steps[-1], steps[:-1]
        attribute, says = _name(last), tuple(_said(one) for one in last.predicates)
        reaches_down = last.axis == "descendant" or (is_anywhere and not steps)
        if path.start == "/" and not steps and not reaches_down:
            raise NoPlanError
    planned = tuple(_step(one, number == 0 and is_anywhere) for number, one in enumerate(steps))
    return Plan(path.start, planned, attribute, reaches_down, says)


def _name(step: Step) -> str:
    if step.axis in WRITTEN_AXES or step.test == "@*" or ":" in step.test or step.ids or step.classes:
        raise NoPlanError
    return step.test[1:]


def _step(step: Step, is_anywhere: bool) -> PlannedStep:
    if step.axis in WRITTEN_AXES or not step.is_element or ":" in step.test:
        raise NoPlanError
    words = (*(f"#{name}" for name in step.ids), *(f".{name}" for name in step.classes))
    if any(len(class_words(name)) != 1 for name in step.classes):
        raise NoPlanError
    return PlannedStep(step.axis == "child" and not is_anywhere, step.test, words, tuple(map(_filter, step.predicates)))


def _filter(predicate: Predicate) -> Test | Position | Last:
    return predicate if isinstance(predicate, Position | Last) else _test(predicate)


def _test(condition: Predicate) -> Test:
    if isinstance(condition, Exists):
        return _exists(condition.value)
    if isinstance(condition, Compare):
        return _compares(condition)
    if isinstance(condition, Not):
        part = _test(condition.part)
        return lambda places, number: not part(places, number)
    if not isinstance(condition, And | Or):
        raise NoPlanError
    parts = tuple(map(_test, condition.parts))
    if isinstance(condition, And):
        return lambda places, number: all(one(places, number) for one in parts)
    return lambda places, number: any(one(places, number) for one in parts)


def _exists(path: Path) -> Test:
    plan = _plan(path, is_condition=True)
    if _is_own_attribute(plan):
        name = plan.attribute
        return lambda places, number: places.elements[number].get(name) is not None
    return lambda places, number: bool(plan.numbers(places, number))


def _compares(condition: Compare) -> Test:
    plan, holds = _plan(condition.value, is_condition=True), _COMPARISONS[condition.comparison]
    literal, name = condition.literal, plan.attribute
    is_function = condition.comparison in ("contains", "starts-with")
    if _is_own_attribute(plan):
        if is_function:
            return lambda places, number: holds(places.elements[number].get(name) or "", literal)
        return lambda places, number: (value := places.elements[number].get(name)) is not None and holds(value, literal)

    def test(places: ElementIndex, number: int) -> bool:
        found = plan.read(places, plan.numbers(places, number))
        said = (one if isinstance(one, str) else _string(one) for one in found)
        # XPath's functions look at the first node, its comparisons at any.
        return holds(next(said, ""), literal) if is_function else any(holds(one, literal) for one in said)

    return test


def _is_own_attribute(plan: Plan) -> bool:
    is_own = plan.start != "/" and not plan.steps and not plan.reaches_down and not plan.says
    return bool(plan.attribute) and is_own


def _said(predicate: Predicate) -> Said:
    """Return the test of an attribute's value that a predicate after it makes."""
    if isinstance(predicate, Compare) and not predicate.value.steps:
        holds, literal = _COMPARISONS[predicate.comparison], predicate.literal
        return lambda value: holds(value, literal)
    if isinstance(predicate, Not):
        part = _said(predicate.part)
        return lambda value: not part(value)
    if not isinstance(predicate, And | Or):
        raise NoPlanError
    parts = tuple(map(_said, predicate.parts))
    if isinstance(predicate, And):
        return lambda value: all(one(value) for one in parts)
    return lambda value: any(one(value) for one in parts)


_COMPARISONS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda value, literal: value == literal,
    "!=": lambda value, literal: value != literal,
    "contains": lambda value, literal: literal in value,
    "starts-with": lambda value, literal: value.startswith(literal),
}
