"""The site graph in, all navigation patterns of up to k steps out, each with the pages that it leads to.

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

from siteseer.navigation.acebot.graph import Edges

MAX_WORDS = 2_000
"""So many words are looked at on a step, those that extend the largest first: far more than any captured site has."""
Places = NDArray[np.int64]
Word = tuple[tuple[str, bool], ...]
"""Labels, each with whether its step is repeated."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A navigation pattern with the clusters of its prefixes; pages are bit sets."""

    word: Word
    clusters: tuple[int, ...]
    """Numbers of the clusters of all non-empty prefixes: together the pages of the pattern."""
    pages: int


@dataclass(frozen=True, slots=True)
class _Reached:
    """A word while it is being extended."""

    word: Word
    last: Places
    """The pages of the last step, redundant ones too: their links count."""
    seen: int
    """All pages on the way, redundant ones and entry points too."""
    clusters: tuple[int, ...]
    pages: int


class Clusters:
    """The clusters of a site graph, and the patterns over them."""

    def __init__(self, edges: Edges, labels: Sequence[str], roots: Sequence[int], groups: NDArray[np.int64]) -> None:
        order = np.argsort(np.array(labels, object), kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))  # labels in alphabetical order, so that ties are broken by name
        self.labels = [labels[number] for number in order]
        self.count, self.roots, self.groups = len(groups), np.array(sorted(roots), np.int64), groups
        self._is_root = np.zeros(self.count, bool)
        self._is_root[self.roots] = True
        keys = rank[edges.label] * max(1, self.count) + edges.target
        by_key = np.argsort(keys, kind="stable")
        self._keys, self._source = keys[by_key], edges.source[by_key]
        self._begin = np.searchsorted(self._keys, np.arange(len(order) + 1) * max(1, self.count))
        self.members: list[Places] = []
        self._numbers: dict[bytes, int] = {}

    def candidates(self, steps: int, continuity: int | None) -> list[Candidate]:
        """Return the patterns of at most that many steps, shorter ones first, then in alphabetical order."""
        found: dict[int, Candidate] = {}
        extended: set[tuple[int, bytes]] = set()
        level = [_Reached((), self.roots, _bits(self.roots), (), 0)]
        for _ in range(steps):
            reached: list[_Reached] = []
            longer = (one for word in _largest_first(level) for one in self._extensions(word, continuity))
            for one in sorted(islice(longer, MAX_WORDS), key=lambda one: one.word):
                key = (one.seen, one.last.tobytes())
                if key not in extended:
                    extended.add(key)
                    reached.append(one)
            for one in reached:
                found.setdefault(one.pages, Candidate(one.word, one.clusters, one.pages))
            level = reached
        return list(found.values())

    def _extensions(self, word: _Reached, continuity: int | None) -> Iterator[_Reached]:
        for label, places in self._targets(word.last).items():
            name = self.labels[label]
            if word.word and word.word[-1] == (name, True):
                continue
            last = self._repeated(label, places, continuity)
            bits = _bits(last)
            if not bits & ~word.seen:
                continue
            cluster = self._cluster(last)
            pages = word.pages | _bits(self.members[cluster])
            step = (name, len(last) > len(places))
            yield _Reached((*word.word, step), last, word.seen | bits, (*word.clusters, cluster), pages)

    def _repeated(self, label: int, places: Places, continuity: int | None) -> Places:
        """Return what following the label again and again leads to."""
        found, newest, times = places, places, 1
        while len(newest) and (continuity is None or times < continuity):
            newest = np.setdiff1d(self._along(label, newest), found, assume_unique=True)
            found = np.union1d(found, newest) if len(newest) else found
            times += 1
        return found

    def _along(self, label: int, places: Places) -> Places:
        """Return where links of one label on these pages lead to, entry points left out."""
        links = slice(self._begin[label], self._begin[label + 1])
        targets: Places = np.unique(self._keys[links][self._flags(places)[self._source[links]]]) - label * max(
            1, self.count
        )
        outside: Places = targets[~self._is_root[targets]]
        return outside

    def _flags(self, places: Places) -> NDArray[np.bool_]:
        flags = np.zeros(self.count, bool)
        flags[places] = True
        return flags

    def _targets(self, places: Places) -> dict[int, Places]:
        """Return for each label where its links on these pages lead to, entry points left out."""
        hits = self._keys[self._flags(places)[self._source]]
        hits = hits[np.concatenate(([True], hits[1:] != hits[:-1]))] if len(hits) else hits
        label, target = np.divmod(hits, max(1, self.count))
        outside = ~self._is_root[target]
        label, target = label[outside], target[outside]
        cuts = np.flatnonzero(label[1:] != label[:-1]) + 1
        parts = np.split(target, cuts) if len(target) else []
        return {int(label[cut]): part for cut, part in zip((0, *cuts), parts, strict=False)}

    def _cluster(self, places: Places) -> int:
        """Return the number of the cluster of these pages without the redundant ones."""
        groups, first = np.unique(self.groups[places], return_index=True)
        members = np.sort(places[first[groups >= 0]])
        key = members.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self.members)
            self.members.append(members)
        return self._numbers[key]


def _largest_first(words: Sequence[_Reached]) -> list[_Reached]:
    return sorted(words, key=lambda word: -len(word.last))


def _bits(places: Places) -> int:
    """Return a set of places as the bits of one number."""
    if not len(places):
        return 0
    flags = np.zeros(int(places.max()) + 1, np.uint8)
    flags[places] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
