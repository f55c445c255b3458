"""Assembles extracted records as a tree while a wrapper runs, and yields each record when it is complete."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from siteseer.errors import SiteseerError
from siteseer.interfaces import WebNode

MOST_WAITING = 1_000
"""So many records wait for one that was found before them and is not complete; then they overtake it."""
MOST_KNOWN = 5_000
"""So many things of one page are remembered at first, not to be extracted twice."""
LONGEST_VALUE = 1_000_000
"""One value of a record; what a page adds beyond this is cut."""


class ExtractionError(SiteseerError):
    """The values that a wrapper extracts do not form records."""


@dataclass(frozen=True, slots=True)
class Record:
    """One extracted record or value, with the records below it; `url` is the page on which it was found."""

    label: str
    value: str | None = None
    types: tuple[str, ...] = ()
    children: tuple[Record, ...] = ()
    url: str = ""


@dataclass(slots=True, eq=False)
class OpenRecord:
    """A record that may still get children; `owner` None is the top level."""

    label: str
    value: str | None
    types: tuple[str, ...]
    owner: OpenRecord | None
    url: str
    children: list[OpenRecord] = field(default_factory=list)
    is_complete: bool = False
    is_given: bool = False

    def finished(self) -> Record:
        """Return the record as it is now."""
        return Record(self.label, self.value, self.types, tuple(child.finished() for child in self.children), self.url)


Key = tuple[Hashable, str, OpenRecord | None, int]
"""The node's key, label, owner, and a digest of the node's text."""


class RecordCollector:
    """Collects the results of markers; gives every top-level record to `give` when it is complete."""

    def __init__(self, give: Callable[[Record], None]) -> None:
        self._give = give
        self._known: WeakKeyDictionary[object, dict[Key, OpenRecord]] = WeakKeyDictionary()
        self._most_known, self._met_again = MOST_KNOWN, 0
        self._waiting: deque[OpenRecord] = deque()
        self.records = 0
        self.values = 0
        self.late = 0
        """Things found below a record that had been given away already."""

    def emit(self, node: WebNode, text: str, made: OpenRecord) -> OpenRecord:
        """Add the result of a marker at a node with this text, and return it, or the earlier result for the same node.

        One node gives one result of a label below one owner, on one page visit, for as long as its text stays the same:
        pages that grow show the old rows again, pages that turn put new texts into the old nodes.
        """
        owner = made.owner
        if owner is not None and owner.value is not None:
            raise ExtractionError(f"{made.label} stands below {owner.label}, which has a value: leave '=...' out there")
        known = self._known.setdefault(node.page, {})
        key = (node.key, made.label, owner, hash(text))
        if key in known:
            self._met_again += 1
            return known[key]
        self._make_room(known)
        made.value = made.value if made.value is None else made.value[:LONGEST_VALUE]
        known[key] = made
        if owner is None:
            self._waiting.append(made)
        else:
            owner.children.append(made)
            self.late += owner.is_given
            made.is_given = owner.is_given
        self.values += made.value is not None
        return made

    def _make_room(self, known: dict[Key, OpenRecord]) -> None:
        """Forget the older half of a page that turns in place for ever; of one that grows, nothing can be forgotten."""
        if len(known) < self._most_known:
            return
        if self._met_again > len(known) // 2:
            self._most_known *= 2
        else:
            for old in list(known)[: len(known) // 2]:
                del known[old]
        self._met_again = 0

    def complete(self, made: OpenRecord) -> None:
        """Mark a record as complete: a top-level record is given away, after those found before it."""
        made.is_complete = True
        while self._waiting and (self._waiting[0].is_complete or len(self._waiting) > MOST_WAITING):
            first = next((one for one in self._waiting if one.is_complete), None)
            if first is None:
                break
            self._waiting.remove(first)
            self._hand_over(first)

    def _hand_over(self, made: OpenRecord) -> None:
        self.records += 1
        self._give(made.finished())
        waiting = [made]
        while waiting:
            one = waiting.pop()
            one.is_given = True
            waiting.extend(one.children)
            one.children = []
