"""Relaxes an expression with the vocabulary of a page: yields variants, the fewest relaxations first.

Reference: M. Faheem, thesis, sections 3.1 and 3.5.2, Algorithm 3.2. A step may lose or change a predicate, a class or
an id, change its tag, reach deeper, or be dropped; the attribute at the end may be another or none. Best-case
expressions, with at most one change in every step, come before worst-case ones; then fewer changes; then cheaper ones.
Only tags, attributes and values that occur in the page are used, and a prefix that selects nothing is not extended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, islice, product
from typing import NamedTuple

from siteseer.xpath.page_vocabulary import MAX_VALUE, Vocabulary
from siteseer.xpath.syntax import Compare, Expression, Path, Predicate, Step

MAX_CANDIDATES = 1000
MAX_VARIANTS = 300
"""Of one step: beyond that, nothing of the original is left."""
RELATED_TAGS = (
    "h1 h2 h3 h4 h5 h6",
    "div section article main td li p",
    "span div p b strong em small a",
    "ul ol dl table div",
)
"""Tags that templates use for the same purpose."""
SAME_MEANING = ("datetime title content data-time data-timestamp", "href src data-href data-src", "content value title")
"""Attributes in which templates keep the same thing."""


@dataclass(frozen=True, slots=True)
class Relaxed:
    """A relaxed expression, its cost and its changes, in words."""

    expression: Expression
    cost: float
    changes: tuple[str, ...]


class Choice(NamedTuple):
    """One way to write a part of a step, what it costs, and the change in words (empty: left as it was)."""

    cost: float
    change: str
    part: object


class Variant(NamedTuple):
    """One way to write a step; None where it is dropped. Sorted by number of changes, then cost."""

    changed: int
    cost: float
    changes: tuple[str, ...]
    step: Step | None


class Prefix(NamedTuple):
    """Steps chosen so far. Compared by worst case, number of changes, cost, then age."""

    worst: bool
    changed: int
    cost: float
    age: int
    path: int
    steps: tuple[Variant, ...]
    last: int
    """Which variant of its step the last one is."""
    parent: Prefix | None


def relaxations(
    expression: Expression,
    page_vocabulary: Vocabulary,
    detection_prefix: int = 0,
    alive: Callable[[Path], bool] = lambda prefix: True,
    limit: int = MAX_CANDIDATES,
) -> Iterator[Relaxed]:
    """Return relaxed forms of an expression, at most `limit`, leaving its first `detection_prefix` steps alone.

    `alive` says whether a prefix selects something; dead prefixes are not extended.

    >>> from lxml import html
    >>> from siteseer.xpath.parser import parse
    >>> words = Vocabulary.of([html.fromstring("<div class=post><h2 class=storytitle>x</h2></div>")])
    >>> str(next(relaxations(parse("div[@class='post']/h2[@class='post-title']"), words, 1)).expression)
    "div[@class='post']/h2[@class='storytitle']"
    """
    paths = [path for path in expression.alternatives if path.steps]
    rows = [
        [
            [Variant(0, 0.0, (), step)] if number < detection_prefix else _variants(step, page_vocabulary)
            for number, step in enumerate(path.steps)
        ]
        for path in paths
    ]
    complete = (one for one in _best_first(paths, rows, alive) if len(one.steps) == len(rows[one.path]))
    yield from islice(_relaxed(complete, paths, detection_prefix), limit)


def _best_first(paths: list[Path], rows: list[list[list[Variant]]], alive: Callable[[Path], bool]) -> Iterator[Prefix]:
    """Return living prefixes, the best first; the next step and the next variant are looked at only then."""
    ages = count()
    living: dict[Path, bool] = {}
    waiting: list[Prefix] = []

    def put(parent: Prefix, last: int) -> None:
        if len(parent.steps) < len(rows[parent.path]) and last < len(rows[parent.path][len(parent.steps)]):
            new = rows[parent.path][len(parent.steps)][last]
            worst, changed, cost = parent.worst or new.changed > 1, parent.changed + new.changed, parent.cost + new.cost
            steps = (*parent.steps, new)
            heappush(waiting, Prefix(worst, changed, cost, next(ages), parent.path, steps, last, parent))

    for number in range(len(paths)):
        put(Prefix(False, 0, 0.0, next(ages), number, (), 0, None), 0)
    while waiting:
        prefix = heappop(waiting)
        if prefix.parent is not None:
            put(prefix.parent, prefix.last + 1)
        path = _joined(paths[prefix.path].start, prefix.steps)
        if path is not None and path not in living:
            living[path] = alive(path)
        if path is None or living[path]:
            yield prefix
            put(prefix, 0)


def _relaxed(prefixes: Iterator[Prefix], paths: list[Path], untouched: int) -> Iterator[Relaxed]:
    seen = set(paths)
    for prefix in prefixes:
        original = paths[prefix.path]
        path = _joined(original.start, prefix.steps)
        # Where only the untouched steps are left, nothing of the expression's own is.
        least = min(untouched + 1, sum(step.is_element for step in original.steps))
        if path is not None and path not in seen and sum(step.is_element for step in path.steps) >= least:
            seen.add(path)
            changes = tuple(change for variant in prefix.steps for change in variant.changes)
            yield Relaxed(Expression((path,)), prefix.cost, changes)


def _joined(start: str, variants: tuple[Variant, ...]) -> Path | None:
    """Put the steps together; what follows a dropped step is looked for anywhere below."""
    steps: list[Step] = []
    dropped = False
    for variant in variants:
        if variant.step is None:
            dropped = True
            continue
        deeper = dropped and variant.step.axis == "child" and (steps or start != "")
        steps.append(replace(variant.step, axis="descendant") if deeper else variant.step)
        dropped = False
    if not steps or not any(step.is_element for step in steps):
        return None
    if start == "" and steps[0].axis == "descendant":
        steps[0] = replace(steps[0], axis="child")
    return Path(start, tuple(steps))  # type: ignore[arg-type]


def _variants(step: Step, words: Vocabulary) -> list[Variant]:
    if not step.is_element:
        return _last_variants(step, words)
    axes = [Choice(0.0, "", step.axis)]
    if step.axis == "child":
        axes.append(Choice(1.0, "/ became //", "descendant"))
    names = [list(_name_choices(kind, name, words)) for kind, row in _names(step) for name in row]
    predicates = [list(_predicate_choices(predicate, words)) for predicate in step.predicates]
    found = [Variant(1, 3.0, (f"{step} dropped",), None)]
    for axis, tag, *rest in islice(product(axes, _tag_choices(step.test, words), *names, *predicates), 20_000):
        choices = (axis, tag, *rest)
        changes = tuple(choice.change for choice in choices if choice.change)
        made = _made(step, axis, tag, rest)
        if not changes or _occurs(made, words):
            found.append(Variant(len(changes), sum(choice.cost for choice in choices), changes, made))
    return sorted(found, key=lambda one: one[:2])[:MAX_VARIANTS]


def _names(step: Step) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ("id", step.ids), ("class", step.classes)


def _made(step: Step, axis: Choice, tag: Choice, rest: list[Choice]) -> Step:
    parts = [choice.part for choice in rest]
    names = [part for part in parts[: len(step.ids) + len(step.classes)] if isinstance(part, tuple)]
    predicates = [part for part in parts[len(step.ids) + len(step.classes) :] if part is not None]
    ids = tuple(name for kind, name in names if kind == "id")
    classes = tuple(name for kind, name in names if kind == "class")
    return Step(str(tag.part), axis.part, ids, classes, tuple(predicates))  # type: ignore[arg-type]


def _tag_choices(tag: str, words: Vocabulary) -> Iterator[Choice]:
    yield Choice(0.0, "", tag)
    if tag == "*":
        return
    related = {other for row in RELATED_TAGS if tag in row.split() for other in row.split()}
    for other in sorted(related & words.tags - {tag}):
        yield Choice(1.5, f"{tag} became {other}", other)
    yield Choice(2.0, f"{tag} became *", "*")


def _name_choices(kind: str, name: str, words: Vocabulary) -> Iterator[Choice]:
    sign = "#" if kind == "id" else "."
    yield Choice(0.0, "", (kind, name))
    for attribute in ("id", "class"):
        near = 0.0 if attribute == kind else 0.5
        if near and words.has("*", attribute, name):
            yield Choice(1.0, f"{sign}{name} became @{attribute}", (attribute, name))
        for word, like in words.similar(name, attribute):
            if _is_name(word):
                yield Choice(2 + near - like, f"{sign}{name} became {attribute} {word}", (attribute, word))
    yield Choice(2.5, f"{sign}{name} removed", None)


def _is_name(word: str) -> bool:
    return all(letter.isalnum() or letter in "-_" for letter in word)


def _predicate_choices(predicate: Predicate, words: Vocabulary) -> Iterator[Choice]:
    yield Choice(0.0, "", predicate)
    if isinstance(predicate, Compare) and len(predicate.value.steps) == 1 and predicate.literal:
        own = predicate.value.steps[0].test
        for attribute in ("class", "id") if own in ("@class", "@id") else (own[1:],) if own[0] == "@" else ():
            near = 0.0 if f"@{attribute}" == own else 0.5
            value = replace(predicate.value, steps=(replace(predicate.value.steps[0], test=f"@{attribute}"),))
            for word, like in words.similar(predicate.literal, attribute):
                other = replace(predicate, value=value, literal=word)
                yield Choice(2 + near - like, f"{predicate} became {other}", other)
    yield Choice(2.5, f"[{predicate}] removed", None)


def _occurs(step: Step, words: Vocabulary) -> bool:
    """Whether the vocabulary has an element for each thing that the step asks of attributes."""
    asked = [("id", name) for name in step.ids] + [("class", name) for name in step.classes]
    for one in step.predicates:
        if isinstance(one, Compare) and one.comparison == "=" and len(one.value.steps) == 1:
            test = one.value.steps[0].test
            if test.startswith("@") and test != "@*" and len(one.literal) <= MAX_VALUE:
                literals = one.literal.split() if test == "@class" else [one.literal]
                asked += [(test[1:], literal) for literal in literals]
    known = step.test == "*" or step.test in words.tags
    return known and all(words.has(step.test, name, value) for name, value in asked)


def _last_variants(step: Step, words: Vocabulary) -> list[Variant]:
    found = [Variant(0, 0.0, (), step), Variant(1, 2.0, (f"{step.test} dropped",), None)]
    if step.test.startswith("@"):
        name = step.test[1:]
        related = dict.fromkeys(other for row in SAME_MEANING if name in row.split() for other in row.split())
        for other in related:
            if other != name and words.has("*", other):
                found.append(Variant(1, 1.5, (f"@{name} became @{other}",), replace(step, test=f"@{other}")))
    return sorted(found, key=lambda one: one[:2])
