"""An expression in, a cover out: features of which a page must have at least one for the expression to select anything.

A feature is something that a single look at a page decides: a tag, an attribute, an attribute's value, a class, a
piece of text. A *cover* of a condition is a set of features of which at least one is present wherever the condition
holds. A step, a comparison, a conjunction offer several covers and the cheapest is taken; a disjunction needs the
union of its parts' covers; a negation or a position offers none.

No match is missed: take nodes that witness a match. Each lies in the page, so its tag or attribute is a feature of the
page. An attribute that equals or contains a literal is one value of that attribute. The string value of an element is a
contiguous slice of the text of the page, since XPath concatenates text nodes in document order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from siteseer.xpath.syntax import And, Compare, Condition, Exists, Expression, Not, Or, Path, Predicate, Step

Kind = Literal["tag", "attribute", "value", "inside", "class", "text"]


class Feature(NamedTuple):
    """`value`: attribute `name` equals `literal`; `inside`: contains it (`*` any attribute); `text`: the page does."""

    kind: Kind
    name: str
    literal: str = ""


Cover = frozenset[Feature]
Cost = Callable[[Feature], float]
"""How many pages out of one have the feature, about."""

_EVERYWHERE = re.compile(
    "html|head|body|title|meta|link|script|style|div|span|p|a|img|[uo]l|li|h[1-3]|t[rd]|table|form|input|page|http-.*"
)


def usual_frequency(feature: Feature) -> float:
    """Guess the share of pages that have a feature, where no sample of pages says it."""
    length = len(feature.literal)
    if feature.kind == "value":
        return 0.02
    if feature.kind == "inside":
        return 0.01 + 0.8 / (1 + length)
    if feature.kind == "class":
        return 0.05
    if feature.kind == "text":
        return 0.05 + 0.9 / (1 + length)
    if feature.kind == "attribute":
        return 0.6
    return 0.95 if _EVERYWHERE.fullmatch(feature.name) else 0.5


def cover(expression: Expression, cost: Cost = usual_frequency) -> Cover | None:
    """Return the cheapest cover found; None where any page may match.

    >>> from siteseer.xpath.parse import parse
    >>> sorted(cover(parse("script[contains(@src,'vb.js')] | a#x")))
    [Feature(kind='inside', name='src', literal='vb.js'), Feature(kind='value', name='id', literal='x')]
    """
    return _union([_best(_of_path(path), cost) for path in expression.alternatives])


def offered(expression: Expression) -> Iterator[Feature]:
    """Return every feature that some cover of the expression could use."""
    for path in expression.alternatives:
        for choice in _of_path(path):
            yield from choice


def specificity(expression: Expression) -> float:
    """Say how much an expression asks for: the least of its alternatives."""
    return min(sum(map(_specificity, path.steps)) for path in expression.alternatives)


def _specificity(step: Step) -> float:
    named = 0 if step.test in ("*", "@*", "text()") else 1
    return named + 3 * (len(step.ids) + len(step.classes)) + sum(map(_weight, step.predicates))


def _weight(predicate: Predicate) -> float:
    if isinstance(predicate, Compare):
        return 3.0 if predicate.comparison == "=" else 2 + min(32, len(predicate.literal)) / 32
    if isinstance(predicate, And):
        return sum(map(_weight, predicate.parts))
    if isinstance(predicate, Or):
        return min(map(_weight, predicate.parts))
    return 1.0 if isinstance(predicate, Exists) else 0.0


def _best(choices: Iterator[Cover], cost: Cost) -> Cover | None:
    return min(choices, key=lambda choice: sum(map(cost, choice)), default=None)


def _union(covers: list[Cover | None]) -> Cover | None:
    known = [one for one in covers if one is not None]
    return frozenset().union(*known) if len(known) == len(covers) else None


def _of_path(path: Path) -> Iterator[Cover]:
    """Offer the covers of a path: one for each thing that its steps ask for."""
    for step in path.steps:
        yield from _of_test(step.test)
        for name in step.ids:
            yield frozenset({Feature("value", "id", name)})
        for name in step.classes:
            yield frozenset({Feature("class", "class", name)})
        for predicate in step.predicates:
            if isinstance(predicate, Condition):
                yield from _of_condition(predicate, step.test)


def _of_test(test: str) -> Iterator[Cover]:
    if test not in ("*", "@*", "text()"):
        yield frozenset({Feature("attribute", test[1:]) if test.startswith("@") else Feature("tag", test)})


def _of_condition(condition: Condition, here: str) -> Iterator[Cover]:
    if isinstance(condition, Exists):
        yield from _of_path(condition.value)
    elif isinstance(condition, Compare):
        yield from _of_comparison(condition, here)
    elif isinstance(condition, And):
        for part in condition.parts:
            yield from _of_condition(part, here)
    elif isinstance(condition, Or):
        # The parts are weighed without knowing the sample: a disjunction is rarely where the choice matters.
        either = _union([_best(_of_condition(part, here), usual_frequency) for part in condition.parts])
        if either is not None:
            yield either
    else:
        assert isinstance(condition, Not)  # it holds of pages that lack something: nothing to look up


def _of_comparison(condition: Compare, here: str) -> Iterator[Cover]:
    equal, literal = condition.comparison in ("=", "!="), condition.literal
    if not literal and not equal:
        return  # contains(x,'') holds even where there is no x
    yield from _of_path(condition.value)
    if not literal or condition.comparison == "!=":
        return
    last = condition.value.steps[-1].test if condition.value.steps else here
    if not last.startswith("@"):
        yield frozenset({Feature("text", "", literal)})
    elif last == "@*" or condition.comparison != "=":
        yield frozenset({Feature("inside", last[1:], literal)})
    else:
        yield frozenset({Feature("value", last[1:], literal)})
