"""Finds which of many detection patterns match a page; the cost hardly depends on the number of patterns.

Every pattern is filed under the features of one of its covers (`feature_cover.py`). A page is looked at once; the
patterns filed under a feature that it has are candidates, and XPath verifies each of them on the virtual document.
Since covers miss no match and XPath decides, the answer is that of a linear scan (`linear_scan.py`).

Reference: Y. Diao et al., Path sharing and predicate evaluation for high-performance XML filtering, TODS 2003, is what
the thesis uses (`yfilter.py`). Differs: real detection patterns hardly share prefixes but each has a rare literal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log2

from siteseer.model import Page
from siteseer.xpath.feature_cover import Cost, Feature, cover, offered, specificity, usual_frequency
from siteseer.xpath.inverted_index import InvertedIndex, PageFeatures
from siteseer.xpath.syntax import Expression
from siteseer.xpath.virtual_document import matches_virtual_document


@dataclass(frozen=True, slots=True)
class IndexedPattern:
    """A detection pattern for `id`; several patterns may share an id. A higher priority is better."""

    id: str
    expression: Expression
    priority: float = 0.0


def rank(pattern: IndexedPattern) -> tuple[float, float]:
    """Sort key that puts the better pattern first: explicit priority, then specificity."""
    return -pattern.priority, -specificity(pattern.expression)


class PatternIndex:
    """An index of many detection patterns, which finds those that match a page.

    >>> from siteseer.xpath.parser import parse
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
        self._postings = InvertedIndex()

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
            self._postings.file(feature, number)

    def hits(self, page: Page) -> Iterator[IndexedPattern]:
        """Return the patterns that match, best first, each verified when it is asked for."""
        for number in sorted(self.candidates(page), key=self._ranks.__getitem__):
            if matches_virtual_document(self._patterns[number].expression, page):
                yield self._patterns[number]

    def matches(self, page: Page) -> list[str]:
        """Return the ids of all patterns that match, best first, each once."""
        return list(dict.fromkeys(pattern.id for pattern in self.hits(page)))

    def first(self, page: Page) -> str | None:
        """Return the id of the best pattern that matches; None where none does."""
        return next((pattern.id for pattern in self.hits(page)), None)

    def candidates(self, page: Page) -> set[int]:
        """Return the numbers of the patterns that the page's features do not rule out."""
        look = PageFeatures(page)
        filed = self._postings.found(look)
        return {number for number in filed if look.may_match(self._patterns[number].expression)}.union(self._always)


def estimated_frequency(patterns: Iterable[IndexedPattern], sample: Sequence[Page]) -> Cost:
    """Estimate in what share of pages a feature occurs: the sample counts, and what many patterns ask for is common."""
    asked = Counter(feature for pattern in patterns for feature in offered(pattern.expression))
    seen: Counter[Feature] = Counter()
    if sample:
        features, postings = list(asked), InvertedIndex()
        for number, feature in enumerate(features):
            postings.file(feature, number)
        for page in sample:
            seen.update(features[number] for number in postings.found(PageFeatures(page)))

    def frequency(feature: Feature) -> float:
        usual = usual_frequency(feature) * (1 + log2(max(1, asked[feature])))
        return (seen[feature] + usual) / (len(sample) + 1)

    return frequency
