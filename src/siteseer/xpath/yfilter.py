"""YFilter: matches many detection patterns with one automaton whose states are shared prefixes of patterns.

Reference: Y. Diao et al., Path sharing and predicate evaluation for high-performance XML filtering, TODS 2003
(YFilter); M. Faheem, thesis, section 3.4. Differs: the automaton runs over a tree that is already in memory; tests of
attributes are part of its edges, everything else (positions, text, other axes, nested paths) is left out of the edges
and verified by XPath. Kept beside `pattern_index.py`, which is faster, to compare with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement

from siteseer.model import Page
from siteseer.xpath.evaluation import VIRTUAL_ROOT, matcher
from siteseer.xpath.pattern_index import IndexedPattern, rank
from siteseer.xpath.syntax import WRITTEN_AXES, Compare, Exists, Path, Step
from siteseer.xpath.virtual_document import virtual_document

AttributeTest = tuple[str, str, str]
"""Comparison, attribute, literal; `has` compares with nothing."""
Edge = frozenset[AttributeTest]


@dataclass(slots=True, eq=False)
class State:
    """A prefix of patterns: edges by tag and attribute tests, and the patterns that end here."""

    loops: bool = False
    """Stays active at every depth below: the state behind a `//`."""
    deeper: State | None = None
    edges: dict[str, dict[Edge, State]] = field(default_factory=dict)
    accepts: list[int] = field(default_factory=list)

    def below(self) -> State:
        """Return the state behind `//`, shared by all patterns that continue so."""
        if self.deeper is None:
            self.deeper = State(loops=True)
        return self.deeper

    def along(self, step: Step) -> State:
        """Return the state behind a step."""
        return self.edges.setdefault(step.test, {}).setdefault(frozenset(_tests(step)), State())


class YFilter:
    """Detection patterns as one automaton over the start and end of elements."""

    def __init__(self, patterns: Iterable[IndexedPattern]) -> None:
        self._patterns = sorted(patterns, key=rank)
        self._root = State()
        for number, pattern in enumerate(self._patterns):
            for path in pattern.expression.alternatives:
                self._add(path, number)

    def matches(self, page: Page) -> list[str]:
        """Return the ids of all patterns that match, best first, each once."""
        return list(dict.fromkeys(self._verified(page)))

    def first(self, page: Page) -> str | None:
        """Return the id of the best pattern that matches; None where none does."""
        return next(self._verified(page), None)

    def _verified(self, page: Page) -> Iterator[str]:
        document = virtual_document(page)
        for number in sorted(self.candidates(page)):
            pattern = self._patterns[number]
            if matcher(pattern.expression, "virtual")(document):
                yield pattern.id

    def candidates(self, page: Page) -> set[int]:
        """Run the automaton over a page and return the numbers of the patterns that it accepts."""
        accepted = set(self._root.accepts)
        active = [_closed([self._root])]
        for event, element in etree.iterwalk(virtual_document(page), events=("start", "end"), tag="*"):
            if event == "end":
                active.pop()
                continue
            reached = [state for state in active[-1] if state.loops]
            for state in active[-1]:
                reached.extend(_reached(state, element))
            for state in reached:
                accepted.update(state.accepts)
            active.append(_closed(reached))
        return accepted

    def _add(self, path: Path, number: int) -> None:
        state = self._root
        for step in _structural(path):
            if step.axis == "descendant":
                state = state.below()
            state = state.along(step)
        state.accepts.append(number)


def _structural(path: Path) -> Iterator[Step]:
    """Return the steps that the automaton can follow: elements down to the first other axis."""
    if path.start == ".":
        return
    for number, step in enumerate(path.steps):
        if step.axis in WRITTEN_AXES or not step.is_element:
            return
        if number == 0 and path.start == "":
            yield Step(step.test, "descendant", step.ids, step.classes, step.predicates)
            continue
        if number == 0 and step.axis == "child" and step.test != VIRTUAL_ROOT:
            yield Step(VIRTUAL_ROOT)
        yield step


def _tests(step: Step) -> Iterator[AttributeTest]:
    for name in step.ids:
        yield "=", "id", name
    for name in step.classes:
        yield "class", "class", name
    for predicate in step.predicates:
        if not isinstance(predicate, Compare | Exists) or predicate.value.start or len(predicate.value.steps) != 1:
            continue
        last = predicate.value.steps[0]
        if not last.test.startswith("@") or last.test == "@*" or last.predicates:
            continue
        if isinstance(predicate, Exists):
            yield "has", last.test[1:], ""
        elif predicate.comparison == "=" or predicate.literal:
            yield predicate.comparison, last.test[1:], predicate.literal


def _reached(state: State, element: HtmlElement) -> Iterator[State]:
    for test in (element.tag, "*"):
        for edge, target in state.edges.get(test, {}).items():
            if all(_holds(test, element) for test in edge):
                yield target


def _holds(test: AttributeTest, element: HtmlElement) -> bool:
    comparison, name, literal = test
    value: str | None = element.get(name)
    if value is None:
        return False
    if comparison == "=":
        return value == literal
    if comparison == "contains":
        return literal in value
    if comparison == "class":
        return literal in value.split()
    return value.startswith(literal) if comparison == "starts-with" else comparison == "has" or value != literal


def _closed(states: list[State]) -> list[State]:
    closed = dict.fromkeys(states)
    for state in states:
        if state.deeper is not None:
            closed[state.deeper] = None
    return list(closed)
