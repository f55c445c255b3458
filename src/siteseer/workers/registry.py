"""The registry of workers: workers register every second, and expire when they fall silent."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

WORKERS = "siteseer:workers"
SILENT = 10
"""Seconds after which a worker that says nothing is not counted on."""
LARGEST_CARD = 20_000


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker as the campaign knows it; times are seconds since 1970."""

    name: str
    host: str
    """The machine that it runs on."""
    site: str
    """The sites that it crawls now, separated by blanks; empty where it waits."""
    since: float
    seen: float
    """When it was last heard of."""
    slices: int
    pages: int
    requests: int


@dataclass(frozen=True, slots=True)
class WorkerCard(WorkerRow):
    """A worker's registration: its row for the ledger, and its capacity."""

    places: int
    """How many sites it crawls at a time."""

    def row(self) -> WorkerRow:
        """Return it for the ledger."""
        return WorkerRow(*(getattr(self, name) for name in WorkerRow.__slots__))


def sign_in(client: Any, card: WorkerCard) -> None:
    """Register a worker."""
    with client.pipeline() as pipe:
        pipe.sadd(WORKERS, card.name)
        pipe.set(_key(card.name), json.dumps(asdict(card)), ex=SILENT)
        pipe.execute()


def sign_out(client: Any, name: str) -> None:
    """Remove a worker from the registry."""
    client.srem(WORKERS, name)
    client.delete(_key(name))


def registered_workers(client: Any) -> list[WorkerCard]:
    """Return the registered workers."""
    names = sorted(client.smembers(WORKERS))
    texts = client.mget([_key(name) for name in names]) if names else []
    return [card for text in texts if text and (card := _card(text)) is not None]


def _key(name: str) -> str:
    return f"siteseer:worker:{name}"


def _card(text: str) -> WorkerCard | None:
    """Read a card; what is none is left aside.

    >>> _card("[]") is _card('{"name": 1}') is None
    True
    """
    try:
        card = WorkerCard(**json.loads(text[:LARGEST_CARD]))
        numbers = (card.since, card.seen, card.slices, card.pages, card.requests, card.places)
        is_sound = all(isinstance(one, str) for one in (card.name, card.host, card.site)) and all(
            isinstance(one, int | float) for one in numbers
        )
    except (ValueError, TypeError, RecursionError):
        return None
    return card if is_sound else None
