"""Classifies pages as targets, parts of a target, or other views of one; again when more is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siteseer.strategies.example.page_similarity import PageSimilarity, Signature
from siteseer.strategies.example.same_target import Target, Targets

TARGET, PART = "target", "part"
FEW_SENTENCES = 2
LIST_ENTRIES, MANY_ENTRIES = 8, 1_000
"""Where pages are sparse, one with so many rows of links more than the samples, and another kind of URL, is a list."""


@dataclass(frozen=True, slots=True)
class GroupedPage:
    """What is kept of a page: its signature, its texts, and whether its URL is like those of the samples."""

    signature: Signature
    target: Target
    is_related: bool = True

    @property
    def is_sparse(self) -> bool:
        """Whether the page has hardly a sentence."""
        return sum(map(len, self.target.texts[:-1])) <= FEW_SENTENCES


class PageGroups:
    """The wanted kind of page, and every page seen so far.

    >>> judge = PageGroups()
    >>> judge.take(GroupedPage(frozenset(range(9)), Target("/1", ((1, 2),))), is_sample=True)
    >>> judge.take(GroupedPage(frozenset(range(9)), Target("/2", ((3, 4),))))
    >>> judge.take(GroupedPage(frozenset(range(3)), Target("/", ((5,),))))
    >>> judge.level(1), judge.levels()
    ('target', ['target', 'target', None])
    """

    def __init__(self, samples: Sequence[Signature] = ()) -> None:
        self.kind = PageSimilarity(samples)
        self._most_entries: int | None = None
        """How many rows of links a sample has at most; unknown where samples have sentences."""
        self._list_paths: set[str] = set()
        self.pages: list[GroupedPage] = []
        self._targets = Targets()

    def take(self, page: GroupedPage, is_sample: bool = False, is_related: bool = False) -> None:
        """Add a page."""
        self.pages.append(page)
        if is_sample:
            self.kind.add_sample(page.signature)
            entries = len(page.target.values.entries) if page.is_sparse else MANY_ENTRIES
            self._most_entries = max(self._most_entries or 0, entries)
        else:
            self.kind.observe(page.signature, is_related)
        if self._is_list(page):
            self._list_paths.add(page.target.url.partition("?")[0])
        if self.is_wanted(-1):
            self._targets.add(page.target)

    def is_wanted(self, number: int) -> bool:
        """Say whether a page is of the wanted kind."""
        page = self.pages[number]
        return self.kind.is_alike(page.signature) and not self._is_list(page)

    def _is_list(self, page: GroupedPage) -> bool:
        """Say whether a page is no record but lists them, be it built of the same few tags.

        Where a path has shown a long list, one more row of links than the samples have is enough.
        """
        if self._most_entries is None or page.is_related or not page.is_sparse:
            return False
        more = len(page.target.values.entries) - self._most_entries
        return more >= LIST_ENTRIES or (more > 0 and page.target.url.partition("?")[0] in self._list_paths)

    def level(self, number: int) -> str | None:
        """Return the class of the page that came last, as far as is known now."""
        return self._targets.level(len(self._targets.pages) - 1) if self.is_wanted(number) else None

    def levels(self) -> list[str | None]:
        """Return the classes of all pages, with everything that is known."""
        targets = Targets()
        for number, page in enumerate(self.pages):
            if self.is_wanted(number):
                targets.add(page.target)
        levels = iter(targets.levels())
        return [next(levels) if self.is_wanted(number) else None for number in range(len(self.pages))]
