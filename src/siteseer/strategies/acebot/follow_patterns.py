"""Follows the selected navigation patterns online: which URLs they lead to, as pages are fetched (automaton).

All patterns together are one automaton; each page is matched once against all its states. A page that is reached at a
new state after it was fetched is expanded again without being fetched again. Differs from the thesis: a further page
of a list is reached at the states of the page before it, whatever the patterns are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from siteseer.strategies.acebot.oxpath_patterns import Node, Pattern, Step, parse_label
from siteseer.strategies.acebot.site_graph import FURTHER, SiteGraph


@dataclass(slots=True)
class _State:
    rank: int
    moves: list[tuple[tuple[Node, ...], int]] = field(default_factory=list)
    """Paths of links, each with the state that following it leads to."""


class Automaton:
    """The patterns merged: equal beginnings are one state. State 0 is an entry point."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.states = [_State(0)]
        self._moves: dict[tuple[int, str], tuple[int, ...]] = {}
        numbers: dict[tuple[Step, ...] | tuple[object, ...], int] = {(): 0}
        for rank, pattern in enumerate(patterns, 1):
            self._add(pattern, rank, numbers)

    def _add(self, pattern: Pattern, rank: int, numbers: dict[tuple[object, ...], int]) -> None:
        places = [place for step in pattern.steps for place in _places(step)]
        route = [0]
        for end in range(1, len(places) + 1):
            number = numbers.setdefault(tuple(places[:end]), len(self.states))
            if number == len(self.states):
                self.states.append(_State(rank))
            route.append(number)
        for place, number in enumerate(route):
            moves = self.states[number].moves
            if place and places[place - 1].repeats:
                _join(moves, (places[place - 1].path, number))
            for following in range(place, len(places)):
                _join(moves, (places[following].path, route[following + 1]))
                if not places[following].optional:
                    break

    def moves(self, state: int, label: str) -> tuple[int, ...]:
        """Return the states that a link with this label leads to."""
        key = (state, label)
        if key not in self._moves:
            path = parse_label(label)
            found = (target for wanted, target in self.states[state].moves if selects(wanted, path))
            self._moves[key] = tuple(dict.fromkeys(found))
        return self._moves[key]

    def is_used(self, label: str) -> bool:
        """Say whether any pattern follows links with this label."""
        return label == FURTHER or any(self.moves(state, label) for state in range(len(self.states)))


@dataclass(frozen=True, slots=True)
class _Place:
    """One position of a pattern's language."""

    path: tuple[Node, ...]
    optional: bool
    repeats: bool
    copy: int


def _places(step: Step) -> Iterator[_Place]:
    """Write a repeated step out: {1,3} is one place and two optional ones."""
    count = max(1, step.least) if step.most is None else step.most
    for copy in range(count):
        yield _Place(step.path, copy >= step.least, step.most is None and copy == count - 1, copy)


def _join(moves: list[tuple[tuple[Node, ...], int]], move: tuple[tuple[Node, ...], int]) -> None:
    if move not in moves:
        moves.append(move)


def selects(wanted: Sequence[Node], path: Sequence[Node]) -> bool:
    """Say whether the XPath expression of a step selects a link at this path; of ids, what labels show is compared.

    >>> selects(parse_label('/html/div/a'), parse_label('/html/div[contains(@id,"post-")]/a'))
    True
    >>> selects(parse_label('/html/div[contains(@id,"post-")]/a'), parse_label('/html/div/a'))
    False
    """
    return len(wanted) == len(path) and all(map(_fits, wanted, path))


def _fits(wanted: Node, node: Node) -> bool:
    if wanted.tag not in ("*", node.tag):
        return False
    shown = dict(node.attributes)
    return all(name in shown and part in shown[name] for name, part in wanted.attributes)


class Reach:
    """What the patterns have reached in a growing site graph."""

    def __init__(self, graph: SiteGraph, automaton: Automaton) -> None:
        self.graph, self.automaton = graph, automaton
        self.states: dict[int, set[int]] = {}
        """The states at which each URL, by number, was reached."""

    def start(self, numbers: Iterable[int]) -> list[int]:
        """Reach the entry points; return the URLs that are reached for the first time, with their consequences."""
        return self._spread([(self.graph.resolved(number), 0) for number in numbers])

    def page(self, number: int) -> list[int]:
        """Take a page that was added to the graph; return the URLs that are reached for the first time."""
        return self._spread(list(self._onward(number, self.states.get(number, ()))))

    def alias(self, number: int) -> list[int]:
        """Take a redirect; return the URLs that are reached for the first time."""
        target = self.graph.resolved(number)
        return self._spread([(target, state) for state in sorted(self.states.get(number, ()))])

    def leads_on(self) -> bool:
        """Say whether the patterns lead anywhere beyond the entry points."""
        return any(states != {0} for states in self.states.values())

    def rank(self, number: int) -> int:
        """Return the best rank of the patterns that lead to a URL; 1 was selected first."""
        return min((self.automaton.states[state].rank for state in self.states.get(number, ())), default=0)

    def followed(self) -> Iterator[tuple[str, int]]:
        """Return label and target of every link that the patterns follow from where they are."""
        for number, states in self.states.items():
            for label, targets in self.graph.links.get(number, ()):
                name = self.graph.labels[label]
                if name != FURTHER and any(self.automaton.moves(state, name) for state in states):
                    yield from ((name, target) for target in targets)

    def onward(self, number: int) -> set[int]:
        """Return where the links that the patterns follow from a page lead to."""
        return {target for target, _ in self._onward(number, self.states.get(number, ()))}

    def _spread(self, waiting: list[tuple[int, int]]) -> list[int]:
        found: dict[int, None] = {}
        place = 0
        while place < len(waiting):
            number, state = waiting[place]
            place += 1
            known = self.states.get(number)
            if known is None:
                known = self.states[number] = set()
                found[number] = None
            if state not in known:
                known.add(state)
                waiting.extend(self._onward(number, (state,)))
        return list(found)

    def _onward(self, number: int, states: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Return where the links of a fetched page lead to from these states.

        Further pages of a list come along where the patterns select anything on the page, or end with it.
        """
        links, labels = self.graph.links.get(number, ()), self.graph.labels
        for state in sorted(states):
            is_part = not self.automaton.states[state].moves
            for label, targets in links:
                for move in self.automaton.moves(state, labels[label]) if labels[label] != FURTHER else ():
                    is_part = True
                    yield from ((self.graph.resolved(target), move) for target in targets)
            for label, targets in links if is_part else ():
                if labels[label] == FURTHER:
                    yield from ((self.graph.resolved(target), state) for target in targets)
