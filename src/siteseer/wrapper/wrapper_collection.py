"""What a wrapper visits and extracts, kept in a collection: exchanges in its WARC, records among its objects."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siteseer import __version__
from siteseer.archive.repair import repair
from siteseer.archive.warc import WarcWriter
from siteseer.crawl.derive import derive
from siteseer.crawl.keep import Keeper
from siteseer.crawl.lock import only_one
from siteseer.crawl.state import State
from siteseer.interfaces import Exchange
from siteseer.model import Follow, Keep, WebObject
from siteseer.page.iris import mint
from siteseer.settings import FetchLimits
from siteseer.wrappers.records import Record

JOINED = " | "
COMMIT_EVERY = 32


class Harvested:
    """Keeps pages and records of one run; every so many pages everything is committed together."""

    def __init__(self, keeper: Keeper, wrapper: str) -> None:
        self._keeper, self._wrapper = keeper, wrapper
        self._captures: dict[str, int] = {}
        self._last: int | None = None
        self._waiting = 0

    @classmethod
    @contextmanager
    def at(cls, collection: Path, wrapper: str) -> Iterator[Harvested]:
        """Open a collection, new or old, for one run of a wrapper."""
        collection.mkdir(parents=True, exist_ok=True)
        with only_one(collection):
            state = State(collection)
            try:
                position = state.about("archive")
                if position is not None:
                    repair(collection / "archive", *json.loads(position))
                number = state.new_crawl("wrapper", {"wrapper": wrapper})
                counts: Counter[str] = Counter()
                info = {"software": f"siteseer/{__version__}", "description": f"wrapper {wrapper[:1000]}"}
                stopped_by: str | None = "error"
                with WarcWriter(collection / "archive", info) as warc:
                    kept = cls(Keeper(state, number, warc, FetchLimits(), counts), wrapper)
                    try:
                        yield kept
                        stopped_by = None
                    finally:
                        state.end_crawl(number, stopped_by)
                        kept.commit()
                        derive(state, number)
            finally:
                state.close()

    def keep_exchange(self, exchange: Exchange) -> None:
        """Archive one exchange."""
        kept = self._keeper.keep(exchange, Follow(exchange.url, "visited by a wrapper"))
        self._keeper.counts["requests"] += 1
        self._last = self._captures[exchange.url] = self._keeper.record(kept, self._keeper.counts["requests"])
        self._keeper.counts["pages"] += kept.is_content
        self._waiting += 1
        if self._waiting >= COMMIT_EVERY:
            self.commit()

    def keep_record(self, record: Record) -> None:
        """Store one record as an object, with the capture of its page."""
        made = web_object(record, self._wrapper)
        capture = self._captures.get(record.url.partition("#")[0], self._last)
        self._keeper.keep_object(Keep(made, made.because), capture)

    def commit(self) -> None:
        """Make what was kept durable."""
        self._keeper.commit(self._keeper.counts)
        self._waiting = 0
        if len(self._captures) > 1000:  # records are of the page at hand, or of one not long ago
            for url in list(self._captures)[:-100]:
                del self._captures[url]


def web_object(record: Record, wrapper: str) -> WebObject:
    """Return a record as an object; its title is the value of a label that says so.

    >>> web_object(Record("Flat", children=(Record("title", "Two rooms"), Record("rent", "900"))), "").fields
    {'title': 'Two rooms', 'rent': '900'}
    """
    fields: dict[str, str] = {}
    _flatten(record, "", fields)
    title = next((fields[name] for name in ("title", "Title", "name", "Name") if fields.get(name)), None)
    text = " ".join(value for value in fields.values() if value)
    digest = hashlib.sha256(json.dumps([record.label, *sorted(fields.items())]).encode()).hexdigest()[:16]
    identity = mint("record", site=record.url, native_id=f"{record.label}-{digest}")
    because = f"wrapper {wrapper[:200]}"
    return WebObject("record", identity, record.url, title=title, text=text, fields=fields, because=because)


def _flatten(record: Record, before: str, fields: dict[str, str]) -> None:
    if record.value is not None and not before:
        fields[record.label] = record.value
    for child in record.children:
        name = before + child.label
        if child.value is not None:
            fields[name] = fields[name] + JOINED + child.value if name in fields else child.value
        _flatten(child, name + "/", fields)
