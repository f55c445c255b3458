"""Finds detection patterns that separate two groups of pages: ids and classes that one group has and others lack."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from siteseer.knowledge.types import Pattern
from siteseer.model import Page
from siteseer.page.tag_policies import UNREAD_IN
from siteseer.page.tree import cached, tree

PRESENT = 0.97
"""A mark of a site is on nearly all its pages."""
TELLING = 0.9
"""A mark of a group is on most of its pages: a few may belong elsewhere."""
MOST_PATTERNS = 3
MOST_MARKS = 3_000
SHARED_MARKS = (4, 10)
"""A template is told by at least so many marks together, and at most so many are written down."""
_NAME = re.compile(r"[A-Za-z][A-Za-z_-]{1,60}")
_ANYWHERE = UNREAD_IN["marks of templates"]


@cached
def marks(page: Page) -> frozenset[str]:
    """Return the ids and classes of a page as expressions; those with digits are names of one page, not of many.

    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b"<p id=a><b class='cd e1'>")
    >>> sorted(marks(page))
    ['b.cd']
    """
    found: set[str] = set()
    for element in tree(page).iter("*"):
        tag = element.tag
        if not isinstance(tag, str) or len(found) > MOST_MARKS:
            continue
        identifier, classes = element.get("id"), element.get("class")
        if identifier and _NAME.fullmatch(identifier):
            found.add(f"{tag}#{identifier}")
        for word in (classes or "").split()[:12]:
            if _NAME.fullmatch(word):
                found.add(f"{tag}.{word}")
    return frozenset(found)


@dataclass(slots=True)
class Groups:
    """How many pages of each group show each mark, and sets of marks that occur, with how often."""

    pages: Counter[str] = field(default_factory=Counter)
    shown: dict[str, Counter[frozenset[str]]] = field(default_factory=dict)

    def add(self, group: str, page: Page) -> None:
        """Take in a page of a group."""
        self.pages[group] += 1
        self.shown.setdefault(group, Counter())[marks(page)] += 1

    def common(self, group: str | None = None) -> list[str]:
        """Return the marks that most pages of a group show, or nearly all pages of the site, ids first."""
        names = [group] if group is not None else list(self.shown)
        counts = self._counts(names)
        least = (PRESENT if group is None else TELLING) * sum(self.pages[name] for name in names)
        return sorted((mark for mark, times in counts.items() if times >= least), key=lambda one: ("#" not in one, one))

    def telling(self, group: str) -> tuple[Pattern, ...]:
        """Return the patterns that together hold on a group's pages and on as few others as possible."""
        others = [
            (found, times) for name, shown in self.shown.items() if name != group for found, times in shown.items()
        ]
        left, chosen = others, list[Pattern]()
        counts = self._counts([group])
        own = sorted(self.common(group), key=lambda mark: -counts[mark])
        foreign = self._absent(group)
        while len(chosen) < MOST_PATTERNS:
            wrong = sum(times for _, times in left)
            here = min(own, key=lambda mark: sum(times for found, times in left if mark in found), default=None)
            away = max(foreign, key=lambda mark: sum(times for found, times in left if mark in found), default=None)
            with_here = [one for one in left if here in one[0]]
            with_away = [one for one in left if away not in one[0]]
            rest, pattern = with_here, Pattern(here) if here else None
            if pattern is None or (chosen and _total(with_away) < _total(with_here)):
                rest, pattern = with_away, Pattern(away, is_absence=True) if away else None
            if pattern is None or (chosen and _total(rest) >= wrong):
                break
            chosen.append(pattern)
            left = rest
        return tuple(chosen) if any(not one.is_absence for one in chosen) else ()

    def _counts(self, groups: Iterable[str]) -> Counter[str]:
        """Return how many pages of some groups show each mark."""
        counts: Counter[str] = Counter()
        for name in groups:
            for found, times in self.shown[name].items():
                for mark in found:
                    counts[mark] += times
        return counts

    def _absent(self, group: str) -> list[str]:
        """Return marks that many other pages show and hardly any of this group."""
        others = [name for name in self.shown if name != group]
        counts, theirs = self._counts([group]), self._counts(others)
        least = max(3.0, (1 - TELLING) * sum(self.pages[name] for name in others))
        few = (1 - TELLING) * self.pages[group]
        return sorted(mark for mark, times in theirs.items() if times >= least and counts[mark] <= few)


def _total(some: Iterable[tuple[frozenset[str], int]]) -> int:
    return sum(times for _, times in some)


def template_pattern(shared: list[str]) -> Pattern | None:
    """Return one pattern of all the marks that the pages of a site share: enough together to know its template by."""
    usable = [mark for mark in shared if re.split("[.#]", mark)[0] not in _ANYWHERE]
    fewest, most = SHARED_MARKS
    if len(usable) < fewest:
        return None
    return Pattern("body" + "".join(f"[.//{mark}]" for mark in usable[:most]), "markup", is_decisive=True)
