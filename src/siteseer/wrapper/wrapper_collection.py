"""Keeps what a wrapper visits and extracts in a collection: exchanges in its WARC, records among its objects."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siteseer.collection.collection import Collection
from siteseer.crawler.capture_writer import CaptureWriter
from siteseer.crawler.results.derived_files import write_derived_files
from siteseer.interfaces import Exchange
from siteseer.model import Follow, Keep, WebObject
from siteseer.page.object_iris import object_iri
from siteseer.settings import FetchLimits
from siteseer.version import __version__
from siteseer.wrapper.oxpath.output.records import Record

JOINED = " | "
COMMIT_EVERY = 32


class WrapperCollection:
    """Keeps pages and records of one run; every so many pages everything is committed together."""

    def __init__(self, keeper: CaptureWriter, wrapper: str) -> None:
        self._keeper, self._wrapper = keeper, wrapper
        self._captures: dict[str, int] = {}
        self._last: int | None = None
        self._waiting = 0

    @classmethod
    @contextmanager
    def at(cls, collection: Path, wrapper: str) -> Iterator[WrapperCollection]:
        """Open a collection, new or old, for one run of a wrapper."""
        with Collection.open(collection, "create") as opened:
            state = opened.state
            number = state.new_crawl("wrapper", {"wrapper": wrapper})
            state.commit()  # a run that is killed before it kept anything is known to have begun
            counts: Counter[str] = Counter()
            info = {"software": f"siteseer/{__version__}", "description": f"wrapper {wrapper[:1000]}"}
            stopped_by: str | None = "error"
            with opened.warc_writer(info) as warc:
                kept = cls(CaptureWriter(state, number, warc, FetchLimits(), counts), wrapper)
                try:
                    yield kept
                    stopped_by = None
                finally:
                    state.end_crawl(number, stopped_by)
                    kept.commit()
                    write_derived_files(state, number)

    def keep_exchange(self, exchange: Exchange) -> None:
        """Archive one exchange."""
        kept = self._keeper.keep(exchange, Follow(exchange.url, "visited by a wrapper"))
        self._keeper.counts["requests"] += 1
        self._last = self._captures[exchange.url] = self._keeper.record(kept, self._keeper.counts["requests"])
        if kept.is_content and not self._keeper.counts["pages"]:
            self._keeper.state.add_seeds(self._keeper.crawl, [exchange.url])
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
    """Return a record as an object; its title is the value of a label such as `title`.

    >>> web_object(Record("Flat", children=(Record("title", "Two rooms"), Record("rent", "900"))), "").fields
    {'title': 'Two rooms', 'rent': '900'}
    """
    fields: dict[str, str] = {}
    _flatten(record, "", fields)
    title = next((fields[name] for name in ("title", "Title", "name", "Name") if fields.get(name)), None)
    text = " ".join(value for value in fields.values() if value)
    digest = hashlib.sha256(json.dumps([record.label, *sorted(fields.items())]).encode()).hexdigest()[:16]
    identity = object_iri("record", site=record.url, native_id=f"{record.label}-{digest}")
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
