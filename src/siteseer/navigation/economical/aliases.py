"""Pairs of pages with the same content in, the kinds of URL that are only other names out.

Of two kinds of URL that show the same content, preferred is (1) the one that the other's pages call canonical, (2) the
one with the same path and fewer parameters, (3) the one with less than half as many URLs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from siteseer.navigation.economical.rewards import Rewards
from siteseer.navigation.economical.templates import Template

Of = Callable[[int], Template]


class Aliases:
    """Which templates lost to which, and why."""

    def __init__(self, of: Of, size: Callable[[str], int], rewards: Rewards) -> None:
        self._of, self._size, self._rewards = of, size, rewards
        self._pairs: list[tuple[int, int]] = []
        self._canonical: list[tuple[int, int]] = []
        self._votes: Counter[tuple[str, str]] = Counter()
        self._grouped: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self._repeating: dict[str, set[int]] = defaultdict(set)
        self.demoted: dict[str, str] = {}
        """Template to the template that is preferred to it."""

    def preferred_to(self, name: str, pages: int) -> str | None:
        """Return the template that is preferred to this one, of which so many pages were fetched.

        One page that repeats another says nothing about its kind, where most pages of that kind do not.
        """
        preferred = self.demoted.get(name)
        if preferred is None:
            return None
        repeating = max(self._votes[name, preferred], len(self._repeating[name]))
        return preferred if 2 * repeating > pages else None

    def vote(self, page: int, canonical: int) -> None:
        """Hear that a page calls another one, or itself, its canonical form."""
        self._canonical.append((page, canonical))
        self._count(page, canonical)

    def pair(self, page: int, earlier: int) -> list[int]:
        """Hear that two pages have the same content; return the pages whose worth changed."""
        self._pairs.append((page, earlier))
        return self._settle(self._group(page, earlier))

    def rebuild(self) -> None:
        """Settle everything again, as templates have changed."""
        self._votes.clear()
        self._grouped.clear()
        self._repeating.clear()
        self.demoted.clear()
        self._rewards.shared.clear()
        self._rewards.shared_records.clear()
        for page, canonical in self._canonical:
            self._count(page, canonical)
        for group in {self._group(page, earlier) for page, earlier in self._pairs}:
            self._settle(group)

    def _count(self, page: int, canonical: int) -> None:
        mine, named = self._of(page).name, self._of(canonical).name
        self._votes[mine, named] += 1
        if mine == named or self._votes[mine, mine]:
            self.demoted.pop(mine, None) if self.demoted.get(mine) == named else None
        elif not self._votes[named, mine]:
            self.demoted.setdefault(mine, named)

    def _group(self, page: int, earlier: int) -> tuple[str, str]:
        first, second = sorted((self._of(page).name, self._of(earlier).name))
        if first != second:
            self._grouped[first, second].append((page, earlier))
        return first, second

    def _settle(self, group: tuple[str, str]) -> list[int]:
        members = self._grouped.get(group)
        if not members:
            return []
        winner = self._preferred(*group, self._of(members[-1][0]), self._of(members[-1][1]))
        if winner is None:
            return []
        loser = group[0] if winner == group[1] else group[1]
        self.demoted[loser] = winner
        if self.demoted.get(winner) == loser:
            del self.demoted[winner]
        for page, earlier in members:
            preferred, other = (page, earlier) if self._of(page).name == winner else (earlier, page)
            self._rewards.share(preferred, other)
            self._repeating[loser].add(other)
        return [page for pair in members for page in pair]

    def _preferred(self, first: str, second: str, one: Template, other: Template) -> str | None:
        for_first, for_second = self._votes[second, first], self._votes[first, second]
        if for_first != for_second:
            return first if for_first > for_second else second
        if one.path == other.path and (fewer := _fewer_parameters(one, other)):
            return fewer
        sizes = self._size(first), self._size(second)
        if 2 * sizes[0] < sizes[1]:
            return first
        return second if 2 * sizes[1] < sizes[0] else None


def _fewer_parameters(one: Template, other: Template) -> str | None:
    mine, theirs = (set(filter(None, t.names.partition("?")[2].split("&"))) for t in (one, other))
    if mine < theirs:
        return one.name
    return other.name if theirs < mine else None
