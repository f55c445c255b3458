"""Keeps the history of pages in a real browser: which document, in which state, and how it was reached.

A document keeps its key for as long as its nodes are used, also when the page had to be loaded again: its nodes are
then found anew by where they stood.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

LONGEST_WAIT = 600
Locator = tuple[str | None, str, str, str, str]
"""Where a node stands: XPath, name, what it is known by, the beginning of its text, and the attribute's name."""


@dataclass(frozen=True, slots=True)
class PageAction:
    """Something that was done with a node, so that it can be done again."""

    deed: str
    value: str
    wait: float
    place: Locator | None
    """Where the node stood; None for the document."""

    @property
    def pause(self) -> float:
        """The seconds to wait afterwards: those asked for with it, and those that it is all about."""
        return self.wait + (min(int(self.value), LONGEST_WAIT) if self.deed == "wait" else 0)


@dataclass(frozen=True, slots=True)
class State:
    """A state of a document: how it was reached from the one before, its address and what it looked like."""

    before: State | None
    deed: PageAction | None
    """None where the address was opened."""
    url: str
    mark: str
    in_frame: bool = False
    wait: float = 0.0

    def way(self) -> Iterator[State]:
        """Return the states from the address that was opened to this one."""
        states: list[State] = [self]
        while states[-1].deed is not None and states[-1].before is not None:
            states.append(states[-1].before)
        return reversed(states)


@dataclass(eq=False)
class ShownDocument:
    """One loaded document; `token` is by what the page itself tells whether it is still there."""

    tab: Any
    frame: Any
    token: str
    count: int = 1
    marks: WeakValueDictionary[int, Mark] = field(default_factory=WeakValueDictionary)
    """The nodes that somebody still knows; they are found again when the page is loaded again."""


class Mark:
    """The number of a node in its document, and where it stood when it was last seen."""

    __slots__ = ("__weakref__", "number", "place")

    def __init__(self, number: int, place: Locator | None) -> None:
        self.number, self.place = number, place


class ShownNode:
    """A node of a shown document, with the state in which it was found."""

    __slots__ = ("key", "page", "state")

    def __init__(self, page: ShownDocument, number: int, place: Locator | None, state: State) -> None:
        self.page, self.state = page, state
        mark = page.marks.get(number)
        if mark is None:
            mark = page.marks[number] = Mark(number, place)
        elif place is not None:
            mark.place = place
        self.key = mark

    @property
    def number(self) -> int:
        """Its number in the document; 0 is the document itself."""
        return self.key.number

    @property
    def place(self) -> Locator | None:
        """Where it stood when it was last seen."""
        return self.key.place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShownNode) and self.page is other.page and self.number == other.number

    def __hash__(self) -> int:
        return hash((id(self.page), self.number))


class LostNodeError(Exception):
    """A node is not on its page any more."""
