"""Finds kinds of URL that are only other names of the same content, from pairs of pages with the same content.

Of two kinds of URL that show the same content, preferred is (1) the one that the other's pages call canonical, (2) the
one with the same path and fewer parameters, or with fewer segments, (3) the one that is no other name of a third kind,
(4) the one with less than half as many URLs that such pages themselves show, as a page links to each of its posts; how
many URLs are known says nothing, as lists show a hundred pages before one of them is fetched, (5) the one that was
found first. Which pairs are met first changes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from siteseer.strategies.learned.online_learner.rewards import Rewards
from siteseer.strategies.learned.online_learner.url_templates import Template

Of = Callable[[int], Template]
Group = tuple[str, str]
"""The names of two templates that were found to show the same, in the order of the alphabet."""
FEW_SHOWN = 4
"""So many URLs on pages of a kind say nothing of whether it has many names."""
FEWEST_REPEATED, REPEATED = 2, 0.1
"""Where so many pages of a kind, and this share of them, repeat others of it, its URLs are many names of few pages."""


class Aliases:
    """Which templates lost to which, and why."""

    def __init__(
        self,
        of: Of,
        shown_on: Callable[[str, str], int],
        rewards: Rewards,
        first: Callable[[str], int] = lambda name: 0,
    ) -> None:
        self._of, self._shown_on, self._rewards, self._first = of, shown_on, rewards, first
        self._pairs: list[tuple[int, int]] = []
        self._canonical: list[tuple[int, int]] = []
        self._votes: Counter[tuple[str, str]] = Counter()
        self._grouped: dict[Group, list[tuple[int, int]]] = defaultdict(list)
        self._groups_of: dict[str, dict[Group, None]] = defaultdict(dict)
        self._plain: dict[Group, str] = {}
        """Which of two templates is preferred, whatever others there are."""
        self._winners: dict[Group, str] = {}
        self._beaten_by: dict[str, set[str]] = defaultdict(set)
        """To each template those that are plainly preferred to it."""
        self._repeating: dict[str, set[int]] = defaultdict(set)
        self._names_of_own: dict[str, set[int]] = defaultdict(set)
        """Pages that repeat another one of their own template."""
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

    def is_certain(self, name: str) -> bool:
        """Say whether what pages say, or the forms of URLs, decide that another kind is preferred to this one."""
        preferred = self.demoted.get(name)
        return preferred is not None and self._certainly_preferred(name, preferred) == preferred

    def repeats_itself(self, name: str, pages: int) -> bool:
        """Say whether a page has many names of a kind, as links to each of its posts, of which so many were fetched."""
        return len(self._names_of_own.get(name, ())) >= max(FEWEST_REPEATED, REPEATED * pages)

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
        found = (
            self._votes,
            self._grouped,
            self._groups_of,
            self._plain,
            self._winners,
            self._beaten_by,
            self._repeating,
        )
        for one in (*found, self._names_of_own, self.demoted, self._rewards.shared, self._rewards.shared_records):
            one.clear()
        for page, canonical in self._canonical:
            self._count(page, canonical)
        groups = (self._group(page, earlier) for page, earlier in reversed(self._pairs))
        for group in reversed(dict.fromkeys(groups)):  # as each was settled last, whatever the hash of a name is
            self._settle(group)

    def _count(self, page: int, canonical: int) -> None:
        mine, named = self._of(page).name, self._of(canonical).name
        self._votes[mine, named] += 1
        if mine == named or self._votes[mine, mine]:
            self.demoted.pop(mine, None) if self.demoted.get(mine) == named else None
        elif not self._votes[named, mine]:
            self.demoted.setdefault(mine, named)

    def _group(self, page: int, earlier: int) -> Group:
        first, second = sorted((self._of(page).name, self._of(earlier).name))
        if first != second:
            self._grouped[first, second].append((page, earlier))
        else:
            self._names_of_own[first].add(page)
        return first, second

    def _settle(self, group: Group) -> list[int]:
        """Decide which kind of a pair is preferred; where that is new, decide again on all pairs with one of both."""
        if not self._grouped.get(group):
            return []
        plain = self._plainly_preferred(*group)
        affected = {group: None}
        if self._plain.get(group) != plain:
            self._plain[group] = plain
            winner, loser = _ordered(group, plain)
            self._beaten_by[loser].add(winner)
            self._beaten_by[winner].discard(loser)
            for name in group:
                self._groups_of[name][group] = None
                affected.update(self._groups_of[name])
        return [page for one in affected for page in self._decide(one, one == group)]

    def _decide(self, group: Group, has_new_pair: bool) -> list[int]:
        """Have the preferred kind of a pair hold the worth of both; return the pages whose worth changed."""
        preferred = self._preferred(group)
        if not has_new_pair and self._winners.get(group) == preferred:
            return []
        self._winners[group] = preferred
        winner, loser = _ordered(group, preferred)
        self.demoted[loser] = winner
        if self.demoted.get(winner) == loser:
            del self.demoted[winner]
        for page, earlier in self._grouped[group]:
            mine, other = (page, earlier) if self._of(page).name == winner else (earlier, page)
            self._rewards.share(mine, other)
            self._repeating[loser].add(other)
        return [page for pair in self._grouped[group] for page in pair]

    def _preferred(self, group: Group) -> str:
        """Return the kind that is no other name of a third one: a link to the last page shows pages of two kinds."""
        first, second = group
        plain = self._plain[group]
        lost = [bool(self._beaten_by[name] - {*group}) for name in group]
        if lost[0] == lost[1] or self._certainly_preferred(first, second):
            return plain
        return second if lost[0] else first

    def _plainly_preferred(self, first: str, second: str) -> str:
        """Return the preferred one of two kinds, whatever others there are."""
        if certain := self._certainly_preferred(first, second):
            return certain
        others = {first, second}.union(*self._groups_of[first], *self._groups_of[second])
        shown = [sum(self._shown_on(name, other) for other in others) for name in (first, second)]
        if FEW_SHOWN + 2 * shown[0] < shown[1]:
            return first
        if FEW_SHOWN + 2 * shown[1] < shown[0]:
            return second
        return first if self._first(first) < self._first(second) else second

    def _certainly_preferred(self, first: str, second: str) -> str | None:
        """Return the one of two kinds that is preferred by what pages say, or by the forms of both."""
        for_first, for_second = self._votes[second, first], self._votes[first, second]
        if for_first != for_second:
            return first if for_first > for_second else second
        pairs = self._grouped.get((min(first, second), max(first, second)))
        if not pairs:
            return None
        one, other = sorted(map(self._of, pairs[-1]), key=lambda template: template.name != first)
        if one.path == other.path and (fewer := _fewer_parameters(one, other)):
            return fewer
        return _fewer_segments(one, other)


def _ordered(group: Group, winner: str) -> Group:
    """Return the winner and the loser of a pair."""
    return winner, group[0] if winner == group[1] else group[1]


def _fewer_segments(one: Template, other: Template) -> str | None:
    """Return the template whose path is that of the other without some segments, as `/post/0` of `/m/post/0`."""
    mine, theirs = (t.path.split("/") for t in (one, other))
    if len(mine) < len(theirs):
        return one.name if _is_contained(mine, theirs) else None
    return other.name if len(theirs) < len(mine) and _is_contained(theirs, mine) else None


def _is_contained(some: list[str], segments: list[str]) -> bool:
    """Say whether segments stand in a path in this order, others between them or not."""
    rest = iter(segments)
    return all(segment in rest for segment in some)


def _fewer_parameters(one: Template, other: Template) -> str | None:
    mine, theirs = (set(filter(None, t.names.partition("?")[2].split("&"))) for t in (one, other))
    if mine < theirs:
        return one.name
    return other.name if theirs < mine else None
