"""Patterns in once, then pages in, matching patterns out: the cost hardly depends on the number of patterns.

Every pattern is filed under the features of one of its covers (`features.py`). A page is looked at once; the patterns
filed under a feature that it has are candidates, and XPath verifies each of them on the virtual document. Since covers
miss no match and XPath decides, the answer is that of a linear scan (`linear.py`).

Reference: Y. Diao et al., Path sharing and predicate evaluation for high-performance XML filtering, TODS 2003, is what
the thesis uses (`automaton.py`). Differs: real detection patterns hardly share prefixes but each has a rare literal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.xpath.evaluate import matcher
from siteseer.xpath.features import Cost, Feature, cover, offered, specificity, usual_frequency
from siteseer.xpath.literals import Literals
from siteseer.xpath.syntax import Expression
from siteseer.xpath.virtual import metadata, virtual

SEPARATOR = "\x01"
"""Joins attribute values; no literal of the fragment can contain it."""
_string_value = cast(Callable[[HtmlElement], str], etree.XPath("string()", smart_strings=False))


@dataclass(frozen=True, slots=True)
class IndexedPattern:
    """A detection pattern of what `id` names; several patterns may share an id. A higher priority is better."""

    id: str
    expression: Expression
    priority: float = 0.0


def rank(pattern: IndexedPattern) -> tuple[float, float]:
    """Sort key that puts the better pattern first: explicit priority, then how much it asks for."""
    return -pattern.priority, -specificity(pattern.expression)


class PatternIndex:
    """Many detection patterns, ready to be asked which of them match a page.

    >>> from siteseer.xpath.parse import parse
    >>> index = PatternIndex.build([IndexedPattern("phpbb", parse("body#phpbb")), IndexedPattern("any", parse("p"))])
    >>> html = (("Content-Type", "text/html"),)
    >>> index.matches(Page("http://e.org/", headers=html, body=b"<body id=phpbb><p>hi"))
    ['phpbb', 'any']
    """

    def __init__(self, cost: Cost = usual_frequency) -> None:
        self._cost = cost
        self._patterns: list[IndexedPattern] = []
        self._ranks: list[tuple[float, float, int]] = []
        self._always: list[int] = []
        self._tags: dict[str, list[int]] = defaultdict(list)
        self._attributes: dict[str, list[int]] = defaultdict(list)
        self._values: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._classes: dict[str, list[int]] = defaultdict(list)
        self._inside: dict[str, Literals] = defaultdict(Literals)
        self._text = Literals()
        self._file: dict[str, Callable[[Feature, int], None]] = {
            "tag": lambda feature, number: self._tags[feature.name].append(number),
            "attribute": lambda feature, number: self._attributes[feature.name].append(number),
            "value": lambda feature, number: self._values[feature.name][feature.literal].append(number),
            "class": lambda feature, number: self._classes[feature.literal].append(number),
            "inside": lambda feature, number: self._inside[feature.name].add(feature.literal, number),
            "text": lambda feature, number: self._text.add(feature.literal, number),
        }

    @classmethod
    def build(cls, patterns: Iterable[IndexedPattern], sample: Sequence[Page] = ()) -> PatternIndex:
        """Index the patterns; a sample of ordinary pages tells which features are rare."""
        known = list(patterns)
        index = cls(estimated_frequency(known, sample))
        for pattern in known:
            index.add(pattern)
        return index

    def __len__(self) -> int:
        return len(self._patterns)

    def add(self, pattern: IndexedPattern) -> None:
        """Add one pattern; it is found from the next page on."""
        number = len(self._patterns)
        self._patterns.append(pattern)
        self._ranks.append((*rank(pattern), number))
        features = cover(pattern.expression, self._cost)
        if features is None:
            self._always.append(number)
        for feature in features or ():
            self._file[feature.kind](feature, number)

    def hits(self, page: Page) -> Iterator[IndexedPattern]:
        """Return the patterns that match, best first, each verified when it is asked for."""
        for number in sorted(self.candidates(page), key=self._ranks.__getitem__):
            pattern = self._patterns[number]
            if matcher(pattern.expression, "virtual")(virtual(page)):
                yield pattern

    def matches(self, page: Page) -> list[str]:
        """Return the ids of all patterns that match, best first, each once."""
        return list(dict.fromkeys(pattern.id for pattern in self.hits(page)))

    def first(self, page: Page) -> str | None:
        """Return the id of the best pattern that matches; None where none does."""
        return next((pattern.id for pattern in self.hits(page)), None)

    def candidates(self, page: Page) -> set[int]:
        """Return the numbers of the patterns that the page's features do not rule out."""
        tags, values = look_at(page)
        found = set(self._always)
        for tag in self._tags.keys() & tags:
            found.update(self._tags[tag])
        for name in self._attributes.keys() & values.keys():
            found.update(self._attributes[name])
        for name in self._values.keys() & values.keys():
            filed = self._values[name]
            for value in filed.keys() & values[name]:
                found.update(filed[value])
        if self._classes and "class" in values:
            for token in self._classes.keys() & set(" ".join(values["class"]).split()):
                found.update(self._classes[token])
        for name, literals in self._inside.items():
            every = set().union(*values.values()) if name == "*" else values.get(name)
            if every:
                found.update(literals.found(SEPARATOR.join(every)))
        if len(self._text):
            found.update(self._text.found("".join(map(_string_value, (metadata(page), tree(page))))))
        return found


def look_at(page: Page) -> tuple[set[str], dict[str, set[str]]]:
    """Return the tags of the virtual document, and the values of each attribute."""
    tags: set[str] = set()
    values: dict[str, set[str]] = defaultdict(set)
    for root in (metadata(page), tree(page)):
        for element in root.iter("*"):
            tags.add(element.tag)
            for name, value in element.items():
                values[name].add(value)
    return tags, values


def estimated_frequency(patterns: Iterable[IndexedPattern], sample: Sequence[Page]) -> Cost:
    """Estimate in what share of pages a feature occurs: the sample counts, and what many patterns ask for is common."""
    asked = Counter(feature for pattern in patterns for feature in offered(pattern.expression))
    seen: Counter[Feature] = Counter()
    if sample:
        present = PatternIndex()
        features = list(asked)
        for number, feature in enumerate(features):
            present._file[feature.kind](feature, number)
        for page in sample:
            seen.update(features[number] for number in present.candidates(page))

    def frequency(feature: Feature) -> float:
        usual = usual_frequency(feature) * (1 + log2(max(1, asked[feature])))
        return (seen[feature] + usual) / (len(sample) + 1)

    return frequency
