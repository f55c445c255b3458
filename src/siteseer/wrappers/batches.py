"""What flows through a run: items of one page in batches, handed on before the next batch is made."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

from siteseer.errors import FetchError
from siteseer.interfaces import WebNode
from siteseer.wrappers.records import Growing
from siteseer.wrappers.values import NodeSet, Value


class WrapperError(FetchError):
    """A wrapper could not go on; the text names the step."""


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
