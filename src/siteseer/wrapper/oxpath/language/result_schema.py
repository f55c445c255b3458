"""Derives the schema of a wrapper's records without running it, and warns of likely mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field

from siteseer.wrapper.oxpath.language.purity import Node, children, walk
from siteseer.wrapper.oxpath.language.syntax import (
    Call,
    Document,
    Expression,
    Marker,
    Optional,
    Path,
    Predicate,
    Step,
    Variable,
)

BROWSER_FUNCTIONS = frozenset(("dom-property", "screenshot"))


@dataclass(slots=True)
class ResultSchema:
    """A label, whether it has a value, and the labels below it."""

    label: str
    has_value: bool = False
    below: dict[str, ResultSchema] = field(default_factory=dict)

    def columns(self, before: str = "") -> list[str]:
        """Return the names of all values below, those of inner records with their path.

        >>> from siteseer.wrapper.oxpath.language.parser import parse
        >>> result_schema(parse("//li:<r>[b:<n=string(.)>][? i:<s>[. :<t=string(.)>]]")).below["r"].columns()
        ['n', 's/t']
        """
        found: list[str] = []
        for name, one in self.below.items():
            found += one.columns(f"{before}{name}/") if one.below else [before + name]
        return found


def result_schema(wrapper: Expression) -> ResultSchema:
    """Return the schema of a wrapper's results; its label is empty, the records are below it."""
    top = ResultSchema("")
    _enter(wrapper, top, top)
    return top


def _enter(node: Node, parent: ResultSchema, last: ResultSchema) -> ResultSchema:
    """Walk as the evaluation does: a predicate's markers stand below the last marker before it."""
    for one in children(node):
        if isinstance(one, Marker):
            last = parent.below.setdefault(one.label, ResultSchema(one.label))
            last.has_value |= one.value is not None
        elif isinstance(one, Predicate | Optional):
            _enter(one, last, last)
        elif isinstance(node, Path) or not isinstance(one, Path):
            last = _enter(one, parent, last)
        else:
            _enter(one, parent, last)
    return last


def likely_mistakes(wrapper: Expression) -> list[str]:
    """Return likely mistakes, a sentence each."""
    found = _mixed(result_schema(wrapper))
    nodes = list(walk(wrapper))
    if not any(isinstance(one, Marker) for one in nodes):
        found.append("nothing is extracted: mark nodes with :<name> or :<name=string(.)>")
    if not any(isinstance(one, Document) for one in nodes):
        found.append("no page is loaded: begin with doc('http://...'), or name a page when the wrapper is run")
    return found


def _mixed(one: ResultSchema) -> list[str]:
    found = (
        [f"{one.label} has a value and further markers below it: leave '=...' out there"]
        if (one.has_value and one.below)
        else []
    )
    return found + [text for below in one.below.values() for text in _mixed(below)]


def variables(wrapper: Expression) -> list[str]:
    """Return the names of the variables that a wrapper needs, sorted."""
    return sorted({one.name for one in walk(wrapper) if isinstance(one, Variable)})


def needs_browser(wrapper: Expression) -> bool:
    """Say whether a wrapper needs properties that only a real browser knows, such as computed styles."""
    return any(
        (isinstance(one, Step) and one.axis == "style") or (isinstance(one, Call) and one.name in BROWSER_FUNCTIONS)
        for one in walk(wrapper)
    )
