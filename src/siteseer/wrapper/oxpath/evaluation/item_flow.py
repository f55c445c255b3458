"""What flows through a run: items of one page in batches, handed on before the next batch is made."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from siteseer.errors import FetchError
from siteseer.interfaces import WebNode
from siteseer.wrappers.records import Growing
from siteseer.wrappers.values import NodeSet, Value


class WrapperError(FetchError):
    """A wrapper could not go on; the text names the step."""


class Tried:
    """Something done with many nodes: those with which it fails are left out, with a warning; where all fail, it fails.

    >>> tried = Tried(print)
    >>> tried.failed(WrapperError("no page")), tried.went_well()
    left out: no page
    (None, None)
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn, self._is_well = warn, False
        self._failure: FetchError | None = None

    def went_well(self) -> None:
        """Hear that it was done once."""
        self._is_well = True
        self._say()

    def failed(self, failure: FetchError) -> None:
        """Hear that it could not be done."""
        self._say()
        self._failure = failure
        if self._is_well:
            self._say()

    def end(self) -> None:
        """Raise where it could be done with no node at all."""
        if self._failure is not None:
            raise self._failure

    def _say(self) -> None:
        if self._failure is not None:
            self._warn(f"left out: {self._failure}")
            self._failure = None


@dataclass(frozen=True, slots=True)
class Item:
    """A node, and where in the output it stands: below what it extracts (`parent`), and what it extracted (`last`)."""

    node: WebNode
    parent: Growing | None = None
    last: Growing | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Items of one page: `protected` while somebody needs it afterwards, `final` when no other batch follows."""

    items: list[Item]
    protected: bool = False
    final: bool = False


Flow = Generator[Batch, None, None]
"""Whoever takes from a flow closes it, also when an error passes: pages are let go of in order, not by chance."""


def only(batch: Batch) -> Flow:
    """Return a flow of one batch."""
    yield batch


def items_of(value: Value, item: Item) -> list[Item]:
    """Return the nodes of a value, with the place in the output that an item has."""
    return [replace(item, node=node) for node in value.nodes] if isinstance(value, NodeSet) else []
