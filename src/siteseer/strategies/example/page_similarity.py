"""Decides whether a page is of the same kind as the samples, by signatures and an adaptive threshold.

Similarity is the Jaccard coefficient of signatures (`page.similarity.page_signature`), to the closest sample. Pages
that certainly are of the kind become samples themselves, so that its varieties (with and without comments) are known.
The threshold lies in the largest gap of the similarities seen so far, just below the similarity of pages whose URLs are
like the samples' or, where URLs tell nothing about kinds, of the samples among themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from siteseer.page.similarity.set_measures import jaccard

Signature = frozenset[int]

ONE_SAMPLE = 0.75
"""The border while nothing else is known."""
ONE_SAMPLE_WINDOW = (0.65, 0.9)
BELOW_SAMPLES = 0.25
"""With several samples, the border is looked for so far below their own similarity."""
NO_GAP, WITHOUT_GAP = 0.02, 0.1
"""Where no gap is wider than the first, the border is the second below the samples' own similarity."""
SURE, RELATED = 0.88, 0.7
"""A page this similar becomes a sample; one whose URL is like theirs, where URLs tell kinds apart, a little sooner."""
ADDS_NOTHING = 0.97
MOST_SAMPLES = 8
CLEARLY_OTHER = 0.5
ENOUGH = 5
"""So many related pages show how far pages of the kind differ."""
FEW, OPAQUE = 3, 0.3
"""Where so many, and this share, of clearly other pages have URLs like the samples', URLs tell nothing about kinds."""


class PageSimilarity:
    """What is known about one kind of page.

    >>> kind = PageSimilarity([frozenset(range(20))])
    >>> kind.similarity(frozenset(range(19))), kind.is_alike(frozenset(range(19))), kind.is_alike(frozenset(range(5)))
    (0.95, True, False)
    """

    def __init__(self, samples: Iterable[Signature] = ()) -> None:
        self.samples: list[Signature] = []
        self._best: dict[Signature, float] = {}
        """The similarity of every distinct signature seen to its closest sample."""
        self._other_pages = self._other_alike = self._related_pages = 0
        self._related: set[Signature] = set()
        """Those of pages whose URLs are like the samples'."""
        self._border: float | None = None
        for sample in samples:
            self.add_sample(sample)

    def add_sample(self, sample: Signature) -> None:
        """Add a page of the kind."""
        self.samples.append(sample)
        self._border = None
        for seen, best in self._best.items():
            self._best[seen] = max(best, jaccard(seen, sample))
        self._best[sample] = 1.0

    def observe(self, signature: Signature, is_related: bool) -> None:
        """Add a page; `is_related` says whether its URL, or the position of its link, is like those of the samples."""
        similarity = self.similarity(signature)
        if similarity < CLEARLY_OTHER:
            self._other_pages += 1
            self._other_alike += is_related
        elif is_related:
            self._related.add(signature)
            self._related_pages += 1
            self._border = None
        if signature not in self._best:
            self._best[signature] = similarity
            self._border = None
        if len(self.samples) < MOST_SAMPLES and self._is_sure(similarity, is_related):
            self.add_sample(signature)

    def similarity(self, signature: Signature) -> float:
        """Return the similarity to the closest sample."""
        known = self._best.get(signature)
        if known is not None:
            return known
        return max((jaccard(signature, sample) for sample in self.samples), default=0.0)

    def is_alike(self, signature: Signature) -> bool:
        """Say whether a page is of the kind."""
        return bool(self.samples) and self.similarity(signature) >= self.border

    @property
    def border(self) -> float:
        """The threshold of similarity from which on pages are of the kind."""
        if self._border is None:
            self._border = self._find_border()
        return self._border

    def _is_sure(self, similarity: float, is_related: bool) -> bool:
        if similarity >= ADDS_NOTHING:
            return False
        return similarity >= SURE or (is_related and similarity >= RELATED and self.relations_tell())

    def forget_relations(self) -> None:
        """Forget which pages are related: the reason for it changes from now on."""
        self._related.clear()
        self._other_pages = self._other_alike = self._related_pages = 0
        self._border = None

    def relations_tell(self) -> bool:
        """Say whether pages that are clearly of other kinds are not related to the samples."""
        return self._other_alike < FEW or self._other_alike <= OPAQUE * self._other_pages

    def _find_border(self) -> float:
        own = self._own_similarity()
        if own is None:
            gap, middle = widest_gap(self._best.values(), *ONE_SAMPLE_WINDOW)
            return middle if gap > 2 * NO_GAP else ONE_SAMPLE
        gap, middle = widest_gap(self._best.values(), own - BELOW_SAMPLES, own)
        return middle if gap >= NO_GAP else own - WITHOUT_GAP

    def _own_similarity(self) -> float | None:
        """Return the least similarity that pages have which are of the kind for other reasons."""
        related = [self._best[one] for one in self._related if self._best[one] >= RELATED]
        if self._related_pages >= ENOUGH and related and self.relations_tell():
            return min(related)
        if len(self.samples) < 2:
            return None
        return min(
            max(jaccard(one, other) for place, other in enumerate(self.samples) if place != mine)
            for mine, one in enumerate(self.samples)
        )


def widest_gap(values: Iterable[float], low: float, high: float) -> tuple[float, float]:
    """Return width and middle of the widest gap between values inside a window.

    >>> widest_gap([0.2, 0.6, 0.75, 1.0], 0.5, 0.9)
    (0.15, 0.825)
    """
    inside = sorted({low, high, *(one for one in values if low < one < high)})
    width, middle = max((b - a, (a + b) / 2) for a, b in pairwise(inside))
    return round(width, 4), round(middle, 4)
