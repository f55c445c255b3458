"""Shows what a wrapper extracts from the page in the browser, and from which nodes.

Only the part of the wrapper after its last action is evaluated. So a text that was changed by hand shows its results at
once, and the page stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from siteseer.interfaces import Browser, WebNode
from siteseer.wrapper.oxpath.evaluation.evaluate import Run
from siteseer.wrapper.oxpath.language.purity import acts
from siteseer.wrapper.oxpath.language.syntax import Action, Expression, Move, Path, Star, Step
from siteseer.wrapper.oxpath.output.records import OpenRecord, Record, RecordCollector

MOST_NODES = 5_000
NO_ATTRIBUTE = "ancestor-or-self::*[1]"


@dataclass(frozen=True, slots=True)
class WrapperResults:
    """The results of a wrapper on a page: records, and for every label the elements in which it was found."""

    records: tuple[Record, ...]
    nodes: dict[str, tuple[WebNode, ...]]


class LocatedRecordCollector(RecordCollector):
    """Collects records, and remembers the node of each value."""

    def __init__(self, give: Callable[[Record], None]) -> None:
        super().__init__(give)
        self.noted: dict[str, list[WebNode]] = {}

    def emit(self, node: WebNode, text: str, made: OpenRecord) -> OpenRecord:
        """Take what a marker found."""
        row = self.noted.setdefault(made.label, [])
        if len(row) < MOST_NODES:
            row.append(node)
        return super().emit(node, text, made)


def try_last_part(wrapper: Expression) -> Path | None:
    """Return the part of a wrapper that runs on its last page; None where it cannot be separated from the rest.

    >>> from siteseer.wrapper.oxpath.language.parser import parse
    >>> print(try_last_part(parse("doc('e.org')//a/{click /}/(//a.next/{click /})*//li:<r>[b:<n=string(.)>]")))
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


def try_wrapper(browser: Browser, document: WebNode, wrapper: Expression) -> WrapperResults | None:
    """Return the results of a wrapper on the current page; None where its last part cannot be evaluated alone."""
    path = try_last_part(wrapper)
    if path is None:
        return None
    records: list[Record] = []
    run = Run(browser, records.append)
    noted = run.harvest = LocatedRecordCollector(records.append)
    run.run(path, document)
    return WrapperResults(tuple(records), {name: owners(browser, nodes) for name, nodes in noted.noted.items()})


def owners(browser: Browser, nodes: Sequence[WebNode]) -> tuple[WebNode, ...]:
    """Return the elements of these nodes: the nodes themselves, or the elements that hold them."""
    found = browser.evaluate(nodes, NO_ATTRIBUTE) if nodes else []
    return tuple(dict.fromkeys(one for row in found if isinstance(row, list) for one in row))
