"""Stores the annotations that analysers make of a collection's objects; the RDF store is updated from them.

Which objects an analyser has read is written together with what it read: a kill loses at most the batch at hand, and
running again changes nothing. An object that says something new is read again, and all are when the analyser changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from siteseer.collection.objects.object_json import clean
from siteseer.collection.objects.object_store import ObjectStore, set_mark
from siteseer.collection.rdf.annotation_triples import annotation_quads, graph_of
from siteseer.model import JSON, Annotation, WebObject

BATCH = 200
RDF_BATCH = 2_000
ANALYSED = "analysed"


class GraphStore(Protocol):
    """What keeps statements."""

    def add(self, nquads: str) -> None:
        """Add statements."""
        ...

    def clear(self) -> None:
        """Remove everything."""
        ...


class Annotations:
    """The work of one analyser on one collection."""

    def __init__(self, ledger: ObjectStore, analyser: str, version: str) -> None:
        self.ledger, self.analyser, self.version = ledger, analyser, version
        self._mark = f"{ANALYSED} {analyser} {version}"

    @classmethod
    @contextmanager
    def at(cls, path: Path, analyser: str, version: str) -> Iterator[Annotations]:
        """Open the rows of a collection's description."""
        ledger = ObjectStore(path)
        try:
            yield cls(ledger, analyser, version)
        finally:
            ledger.close()

    def waiting(self, most: int = BATCH) -> list[tuple[int, int, WebObject]]:
        """Return the next objects that this version has not read: the number of the meeting, of the object, itself."""
        rows = self.ledger.read(
            "SELECT o.seq, o.object, t.json FROM observation o JOIN told t ON t.key = o.object "
            "WHERE o.seq > ? AND o.described ORDER BY o.seq LIMIT ?",
            (self.ledger.mark(self._mark), most),
        )
        return [(seq, key, self.ledger.object_of_row(told)) for seq, key, told in rows]

    def keep(self, read: Sequence[tuple[int, int, Sequence[Annotation]]]) -> None:
        """Keep what was read in objects that were waiting, all or nothing."""
        with self.ledger.transaction() as db:
            for _, key, found in read:
                told = json.dumps([_told(one, self.analyser) for one in found], ensure_ascii=False)
                db.execute(
                    "INSERT OR REPLACE INTO annotation (object, analyser, version, again, json) VALUES (?, ?, ?, "
                    "(SELECT count(*) FROM annotation WHERE object = ? AND analyser = ?), ?)",
                    (key, self.analyser, self.version, key, self.analyser, told),
                )
            db.execute(
                "DELETE FROM mark WHERE substr(name, 1, ?) = ? AND name <> ?",
                (len(self._mark) - len(self.version), self._mark.removesuffix(self.version), self._mark),
            )
            set_mark(db, self._mark, read[-1][0])


def kept_after(ledger: ObjectStore, after: int, most: int) -> list[tuple[int, str, str, str, bool, list[JSON]]]:
    """Return what was kept after a row: row, object, analyser, version, whether it replaces something, and itself."""
    rows = ledger.read(
        "SELECT a.row, o.id, a.analyser, a.version, a.again, a.json FROM annotation a "
        "JOIN object o ON o.key = a.object WHERE a.row > ? ORDER BY a.row LIMIT ?",
        (after, most),
    )
    return [
        (row, thing, name, version, bool(again), json.loads(told)) for row, thing, name, version, again, told in rows
    ]


def annotation_statements(ledger: ObjectStore, ids: Iterable[str]) -> Iterator[str]:
    """Return what was read in these objects as N-Quads."""
    rows = ledger.read(
        "SELECT o.id, a.analyser, a.version, a.json FROM annotation a JOIN object o ON o.key = a.object "
        "WHERE o.id IN (SELECT value FROM json_each(?)) ORDER BY a.row",
        (json.dumps(list(ids)),),
    )
    for thing, name, version, told in rows:
        yield annotation_quads(thing, name, version, json.loads(told))


def settle_annotations(ledger: ObjectStore, store: GraphStore, mark: str, is_new: bool) -> bool:
    """Bring a store up to date with what was kept, and say so; `is_new` says that it was empty.

    A store that has no graph for each object cannot forget what was read before: it is emptied, and must be filled
    again.
    """
    after = 0 if is_new else ledger.mark(mark)
    while rows := kept_after(ledger, after, RDF_BATCH):
        old = [graph_of(thing, name) for _, thing, name, _, again, _ in rows if again]
        remove: Any = getattr(store, "remove", None)
        if old and not is_new and remove is None:
            store.clear()
            return False
        if old and remove is not None:
            remove(old)
        store.add("".join(annotation_quads(thing, name, version, told) for _, thing, name, version, _, told in rows))
        after = rows[-1][0]
        with ledger.transaction() as db:
            set_mark(db, mark, after)
    return True


def _told(one: Annotation, analyser: str) -> Mapping[str, JSON]:
    """Return an annotation as JSON, without what it does not say, cleaned as everything that comes from pages is."""
    told = {name: clean(value) if isinstance(value, str) else value for name, value in asdict(one).items()}
    return {name: value for name, value in told.items() if value not in ("", None) or name == "label"} | {
        "analyser": analyser
    }
