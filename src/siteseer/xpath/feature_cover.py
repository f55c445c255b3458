"""Computes a cover of an expression: features of which a page must have at least one for the expression to match.

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
from functools import lru_cache
from typing import Literal, NamedTuple

from siteseer.xpath.syntax import And, Compare, Condition, Exists, Expression, Not, Or, Path, Predicate, Step

Kind = Literal["tag", "attribute", "value", "inside", "class", "text"]


class Feature(NamedTuple):
    """A feature of a page.

    `tag`: an element; `attribute`: one with that attribute; `value`: whose attribute equals the literal; `inside`:
    whose attribute contains it; `class`: with that class; `text`: the page contains the literal. `*` is any name.
    """

    kind: Kind
    tag: str
    name: str = ""
    literal: str = ""


class Node(NamedTuple):
    """The tag of a node, or the name of its attribute and the tag of the element that carries it."""

    tag: str
    attribute: str = ""


ANYTHING = Node("*")
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
    return 0.95 if _EVERYWHERE.fullmatch(feature.tag) else 0.5


def cover(expression: Expression, cost: Cost = usual_frequency) -> Cover | None:
    """Return the cheapest cover found; None where any page may match.

    >>> from siteseer.xpath.parser import parse
    >>> sorted(tuple(feature) for feature in cover(parse("script[contains(@src,'vb.js')] | a#x")))
    [('inside', 'script', 'src', 'vb.js'), ('value', 'a', 'id', 'x')]
    """
    return _union([_best(_of_path(path), cost) for path in expression.alternatives])


def offered(expression: Expression) -> Iterator[Feature]:
    """Return every feature that some cover of the expression could use."""
    for path in expression.alternatives:
        for choice in _of_path(path):
            yield from choice


@lru_cache(maxsize=65536)
def required(expression: Expression) -> tuple[tuple[Cover, ...], ...]:
    """Return the covers of each alternative: a page must have a feature of every one for it to select anything."""
    return tuple(tuple(_of_path(path)) for path in expression.alternatives)


def specificity(expression: Expression) -> float:
    """Return how specific an expression is: the least of its alternatives."""
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


def _of_path(path: Path, here: Node = ANYTHING) -> Iterator[Cover]:
    """Offer the covers of a path that is asked of the node `here`: one for each thing that its steps ask for."""
    for number, step in enumerate(path.steps):
        node = _node(path, number, here)
        if node.attribute:
            if node != Node("*", "*"):
                yield _single("attribute", node.tag, node.attribute)
        elif node.tag != "*":
            yield _single("tag", node.tag)
        for name in step.ids:
            yield _single("value", node.tag, "id", name)
        for name in step.classes:
            yield _single("class", node.tag, "class", name)
        for predicate in step.predicates:
            if isinstance(predicate, Condition):
                yield from _of_condition(predicate, node)


def _node(path: Path, number: int, here: Node) -> Node:
    """Say what the step of that number selects: the tag of an attribute is that of the step before."""
    step = path.steps[number]
    if step.test == "text()":
        return ANYTHING
    if step.is_element:
        return Node(step.test)
    if step.axis != "child" or (number == 0 and (path.start == "/" or here.attribute)):
        return Node("*", step.test[1:])
    return Node(path.steps[number - 1].test if number else here.tag, step.test[1:])


def _single(kind: Kind, tag: str, name: str = "", literal: str = "") -> Cover:
    return frozenset({Feature(kind, tag, name, literal)})


def _of_condition(condition: Condition, here: Node) -> Iterator[Cover]:
    if isinstance(condition, Exists):
        yield from _of_path(condition.value, here)
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


def _of_comparison(condition: Compare, here: Node) -> Iterator[Cover]:
    value, literal = condition.value, condition.literal
    if not literal and condition.comparison not in ("=", "!="):
        return  # contains(x,'') holds even where there is no x
    yield from _of_path(value, here)
    if not literal or condition.comparison == "!=":
        return
    node = _node(value, len(value.steps) - 1, here) if value.steps else here
    if not node.attribute:
        yield _single("text", "*", "", literal)
    elif condition.comparison == "=":
        yield _single("value", node.tag, node.attribute, literal)
    else:
        yield _single("inside", node.tag, node.attribute, literal)
