"""A wrapper and the page that a browser shows in, what it extracts from that page out, with the nodes it is taken from.

Only the end of the wrapper is looked at: what follows its last action. So a text that was changed by hand shows at once
what it finds, and nothing is done in the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from siteseer.interfaces import Browser, WebNode
from siteseer.wrappers.effects import acts
from siteseer.wrappers.evaluate import Run
from siteseer.wrappers.records import Growing, Harvest, Record
from siteseer.wrappers.syntax import Action, Expression, Move, Path, Star, Step

MOST_NODES = 5_000
NO_ATTRIBUTE = "ancestor-or-self::*[1]"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a wrapper finds on a page: records, and for every label the elements it was found in."""

    records: tuple[Record, ...]
    nodes: dict[str, tuple[WebNode, ...]]


class NotedHarvest(Harvest):
    """Remembers at which node each thing was found, until it is asked."""

    def __init__(self, give: Callable[[Record], None]) -> None:
        super().__init__(give)
        self.noted: dict[str, list[WebNode]] = {}

    def emit(self, node: WebNode, text: str, made: Growing) -> Growing:
        """Take what a marker found."""
        row = self.noted.setdefault(made.label, [])
        if len(row) < MOST_NODES:
            row.append(node)
        return super().emit(node, text, made)


def last_look(wrapper: Expression) -> Path | None:
    """Return what a wrapper does on its last page; None where that cannot be told from the rest.

    >>> from siteseer.wrappers.parse import parse
    >>> print(last_look(parse("doc('e.org')//a/{click /}/(//a.next/{click /})*//li:<r>[b:<n=string(.)>]")))
    //li:<r>[b:<n=string(.)>]
    """
    if not isinstance(wrapper, Path):
        return None
    moves = wrapper.moves
    last = max((at for at, one in enumerate(moves) if isinstance(one, Action) or acts(one)), default=-1)
    rest: tuple[Move, ...] = moves[last + 1 :]
    if last >= 0 and not _returns_to_root(moves[last]):
        return None
    return Path("/", rest) if rest and isinstance(rest[0], Step) else None


def _returns_to_root(move: Move) -> bool:
    if isinstance(move, Star):
        return bool(move.body) and _returns_to_root(move.body[-1])
    return isinstance(move, Action) and move.absolute and not move.qualifiers


def look(browser: Browser, document: WebNode, wrapper: Expression) -> Seen | None:
    """Return what a wrapper finds on the page that is shown; None where its end cannot be looked at alone."""
    path = last_look(wrapper)
    if path is None:
        return None
    records: list[Record] = []
    run = Run(browser, records.append)
    noted = run.harvest = NotedHarvest(records.append)
    run.run(path, document)
    return Seen(tuple(records), {name: owners(browser, nodes) for name, nodes in noted.noted.items()})


def owners(browser: Browser, nodes: Sequence[WebNode]) -> tuple[WebNode, ...]:
    """Return the elements that nodes are, or stand in."""
    found = browser.evaluate(nodes, NO_ATTRIBUTE) if nodes else []
    return tuple(dict.fromkeys(one for row in found if isinstance(row, list) for one in row))
