"""The values that flow through a run: items of one page in batches, each handed on before the next is made."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from siteseer.errors import FetchError
from siteseer.interfaces import WebNode
from siteseer.wrapper.oxpath.evaluation.xpath_values import NodeSet, Value
from siteseer.wrapper.oxpath.output.records import OpenRecord


class WrapperError(FetchError):
    """A wrapper failed; the text names the step."""


class ActionOutcomes:
    """An action on many nodes: nodes on which it fails are left out with a warning; if it fails on all, the run fails.

    >>> tried = ActionOutcomes(print)
    >>> tried.failed(WrapperError("no page")), tried.went_well()
    left out: no page
    (None, None)
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn, self._is_well = warn, False
        self._failure: FetchError | None = None

    def went_well(self) -> None:
        """Count a success."""
        self._is_well = True
        self._say()

    def failed(self, failure: FetchError) -> None:
        """Count a failure."""
        self._say()
        self._failure = failure
        if self._is_well:
            self._say()

    def end(self) -> None:
        """Raise where the action succeeded on no node at all."""
        if self._failure is not None:
            raise self._failure

    def _say(self) -> None:
        if self._failure is not None:
            self._warn(f"left out: {self._failure}")
            self._failure = None


@dataclass(frozen=True, slots=True)
class Item:
    """A node and its position in the output: the record above its values (`parent`), and the last one extracted
    (`last`).
    """

    node: WebNode
    parent: OpenRecord | None = None
    last: OpenRecord | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Items of one page: `protected` while somebody needs it afterwards, `final` when no other batch follows."""

    items: list[Item]
    protected: bool = False
    final: bool = False


Flow = Generator[Batch, None, None]
"""Whoever takes from a flow closes it, also when an error passes: pages are let go of in order, not by chance."""


def single_batch(batch: Batch) -> Flow:
    """Return a flow of one batch."""
    yield batch


def items_of(value: Value, item: Item) -> list[Item]:
    """Return the nodes of a value, with the position in the output that an item has."""
    return [replace(item, node=node) for node in value.nodes] if isinstance(value, NodeSet) else []
