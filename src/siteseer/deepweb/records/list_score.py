"""Scores how likely a candidate is the list of records in the answers to searches.

The right list covers most of the text that changes from answer to answer, in several items of the same structure with
more than one value each, one of each kind. FOREST, with the words of the queries as signifiers, has a vote: the element
that it finds should lie in the list, or hold it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lxml import html

from siteseer.deepweb.records.record_leaves import leaves
from siteseer.extract.article.forest import forest
from siteseer.extract.article.forest.signifiers import of_query
from siteseer.model import Page
from siteseer.page.similarity.set_measures import jaccard

AGREED = 1.3
"""What FOREST's consent is worth."""
_MIDDLE = re.compile(r":\d+(?=/)")
Item = tuple[html.HtmlElement, ...]


@dataclass(frozen=True, slots=True)
class AnsweredQuery:
    """The answer page of a query, and the words of the query."""

    page: Page
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Shape:
    """The shape of an item, as far as it has text of its own."""

    paths: frozenset[str]
    facts: int
    repetition: float
    """How often it says the same kind of thing: an item that holds several records does so often."""


def _shape(item: Item, asked: frozenset[str], telling: set[str]) -> tuple[_Shape, set[str]] | None:
    all_leaves = leaves(item, asked)
    inside = [leaf for leaf in all_leaves if leaf.text in telling]
    if not inside:
        return None
    kinds = Counter(_MIDDLE.sub("", leaf.path) for leaf in inside)
    made = _Shape(frozenset(leaf.path for leaf in all_leaves), len(inside), len(inside) / len(kinds))
    return made, {leaf.text for leaf in inside}


def score(
    found: Mapping[int, Sequence[Item]],
    sample: Sequence[AnsweredQuery],
    telling: Sequence[set[str]],
    held: Sequence[html.HtmlElement | None],
) -> float:
    """Return how well a list explains the text that changes from answer to answer: how much it covers, in how many
    items.
    """
    total = sum(map(len, telling))
    covered = agreed = filled = 0
    shapes: list[_Shape] = []
    said: list[set[str]] = []
    for number, items in found.items():
        met = [made for item in items[:60] if (made := _shape(item, sample[number].words, telling[number]))]
        shapes += [shape for shape, _ in met]
        own = set[str]().union(*(texts for _, texts in met))
        covered += len(own)
        filled += bool(met)
        said += [own] if own else []
        agreed += _agrees(held[number], items)
    if not total or not shapes or max(len(items) for items in found.values()) < 2:
        return 0.0
    if len(said) > 2 and all(own == said[0] for own in said):
        return 0.0  # headings, which stand wherever there are records
    core = Counter(path for shape in shapes for path in shape.paths)
    usual = frozenset(path for path, count in core.items() if 2 * count >= len(shapes))
    alike = sum(jaccard(shape.paths, usual) for shape in shapes) / len(shapes)
    repetition = sum(shape.repetition for shape in shapes) / len(shapes)
    facts = sum(shape.facts for shape in shapes) / len(shapes)
    many = min(1.0, max(0.1, (len(shapes) / filled - 1) / 2))
    consent = AGREED if 2 * agreed >= len(found) else 1.0
    return float(covered / total * alike * (min(1.0, facts / 2) * many / repetition) ** 0.5 * consent)


def by_forest(sample: Sequence[AnsweredQuery]) -> list[html.HtmlElement | None]:
    """Return the element of each answer that FOREST finds with the query's words as signifiers."""
    asked = [at for at, one in enumerate(sample) if one.words]
    found: list[html.HtmlElement | None] = [None] * len(sample)
    signifiers = [of_query(" ".join(sorted(sample[at].words))) for at in asked]
    if not any(signifiers):
        return found
    for at, one in zip(asked, forest([sample[at].page for at in asked], signifiers), strict=True):
        found[at] = one.element if one is not None else None
    return found


def _agrees(element: html.HtmlElement | None, items: Iterable[Item]) -> bool:
    """Say whether an element is one of the items, lies in one, or is the list itself."""
    if element is None:
        return False
    line = {id(one) for one in (element, *element.iterancestors())}
    return any(id(one) in line or one.getparent() is element for item in items for one in item)
