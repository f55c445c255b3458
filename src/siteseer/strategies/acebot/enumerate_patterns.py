"""Enumerates the navigation patterns of up to k steps in the site graph, each with the pages that it leads to.

Reference: thesis, section 5.2.2. Words over labels are followed from the entry points: T(w l) holds the pages that a
link labelled l on a page of T(w) leads to (rule 1). Where T(w l) links on to new pages under the same label, the levels
are merged into `w l+` (rule 2). Of pages with nearly the same 2-grams a cluster holds one. Differs: a page may belong
to several clusters, which is how redundant ones are noticed; words that lead to nothing new, or to the pages of another
word, end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from siteseer.strategies.acebot.site_graph import Edges

MAX_WORDS = 2_000
"""So many words are looked at on a step, those that extend the largest first: far more than any captured site has."""
Flags = NDArray[np.bool_]
"""A set of pages: one flag for each page."""
Word = tuple[tuple[str, bool], ...]
"""Labels, each with whether its step is repeated."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A navigation pattern with the pages in the clusters of all its non-empty prefixes, as the bits of a number."""

    word: Word
    pages: int


@dataclass(frozen=True, slots=True)
class _Reached:
    """A word while it is being extended."""

    word: Word
    last: Flags
    """The pages of the last step, redundant ones too: their links count."""
    seen: int
    """All pages on the way, redundant ones and entry points too."""
    pages: int


class Clusters:
    """The clusters of a site graph, and the patterns over them."""

    def __init__(self, edges: Edges, labels: Sequence[str], roots: Sequence[int], groups: NDArray[np.int64]) -> None:
        order = np.argsort(np.array(labels, object), kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))  # labels in alphabetical order, so that ties are broken by name
        self.labels = [labels[number] for number in order]
        self.groups = groups
        self._roots = np.zeros(len(groups), bool)
        self._roots[list(roots)] = True
        kept = np.flatnonzero(~self._roots[edges.target])
        kept = kept[np.argsort(rank[edges.label[kept]], kind="stable")]
        self._label, self._source, self._target = rank[edges.label[kept]], edges.source[kept], edges.target[kept]
        self._begin = np.searchsorted(self._label, np.arange(len(order) + 1))

    def candidates(self, steps: int, continuity: int | None) -> list[Candidate]:
        """Return the patterns of at most that many steps, shorter ones first, then in alphabetical order."""
        found: dict[int, Candidate] = {}
        extended: set[tuple[int, int]] = set()
        level = [_Reached((), self._roots, _bits(self._roots), 0)]
        for _ in range(steps):
            reached: list[_Reached] = []
            longer = (one for word in _largest_first(level) for one in self._extensions(word, continuity))
            for one in sorted(islice(longer, MAX_WORDS), key=lambda one: one.word):
                key = (one.seen, _bits(one.last))
                if key not in extended:
                    extended.add(key)
                    reached.append(one)
            for one in reached:
                found.setdefault(one.pages, Candidate(one.word, one.pages))
            level = reached
        return list(found.values())

    def _extensions(self, word: _Reached, continuity: int | None) -> Iterator[_Reached]:
        for label in np.unique(self._label[word.last[self._source]]).tolist():
            name = self.labels[label]
            if word.word and word.word[-1] == (name, True):
                continue
            first = self._along(label, word.last)
            last = self._repeated(label, first, continuity)
            bits = _bits(last)
            if bits & ~word.seen:
                step = (name, last is not first)
                pages = word.pages | _bits(self._without_redundant(last))
                yield _Reached((*word.word, step), last, word.seen | bits, pages)

    def _repeated(self, label: int, pages: Flags, continuity: int | None) -> Flags:
        """Return what following the label again and again leads to: the same flags where that is nothing new."""
        found, newest, times = pages, pages, 1
        while continuity is None or times < continuity:
            newest = self._along(label, newest) & ~found
            if not newest.any():
                break
            found, times = found | newest, times + 1
        return found

    def _along(self, label: int, pages: Flags) -> Flags:
        """Return where links of one label on these pages lead to, entry points left out."""
        links = slice(self._begin[label], self._begin[label + 1])
        found = np.zeros(len(pages), bool)
        found[self._target[links][pages[self._source[links]]]] = True
        return found

    def _without_redundant(self, pages: Flags) -> Flags:
        """Return the cluster of these pages: of pages with nearly the same 2-grams the first one."""
        places = np.flatnonzero(pages & (self.groups >= 0))[::-1]
        first = np.empty(len(pages), np.int64)
        first[self.groups[places]] = places
        found = np.zeros(len(pages), bool)
        found[first[self.groups[places]]] = True
        return found


def _largest_first(words: Sequence[_Reached]) -> list[_Reached]:
    return sorted(words, key=lambda word: -np.count_nonzero(word.last))


def _bits(pages: Flags) -> int:
    """Return a set of pages as the bits of one number."""
    return int.from_bytes(np.packbits(pages, bitorder="little").tobytes(), "little")
