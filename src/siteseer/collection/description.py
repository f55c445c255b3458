"""The description of a collection: adds objects with their captures, and answers searches and queries.

Rows first (cheap, during the crawl); the full-text index and the RDF store follow when they are first asked, in
bulk. All of it is derived from the WARC files and can be made again. The RDF store is the collection's own, or a SPARQL
endpoint that the user chose: one that does not answer gets its statements the next time.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from siteseer.collection.annotations import annotation_statements, settle_annotations
from siteseer.collection.derived import (
    BY_DESCRIBE,
    count_undescribed,
    objects_are_missing,
    objects_stamp_path,
    read_stamp,
    stamp_objects,
)
from siteseer.collection.layout import ARCHIVE, OWN, RDF, ROWS, has_objects, may_be_collection, objects_folder
from siteseer.collection.objects.object_search import Filter, Search
from siteseer.collection.objects.object_store import RETOLD, WORDS, ObjectStore, Pair, set_mark
from siteseer.collection.rdf import object_triples
from siteseer.collection.rdf.observation_triples import observed_quads
from siteseer.collection.rdf.sparql import Limits, Result, Term, check
from siteseer.collection.state import refuse_campaign
from siteseer.collection.stores.store_config import load_stores
from siteseer.collection.whole_file import new_name, swap_back, swap_in
from siteseer.errors import ArchiveError, SiteseerError, StoreError, UsageError
from siteseer.model import JSON, WebObject
from siteseer.page.object_iris import legal

if TYPE_CHECKING:
    from siteseer.collection.rdf.rdf_store import RdfStore
    from siteseer.collection.rdf.sparql_endpoint import SparqlEndpointStore

RDF_BATCH = 5_000
"""Meetings written to the RDF store at once: about 15 MB of N-Quads."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query, with the captures of the objects that it names."""

    result: Result
    captures: Mapping[str, Mapping[str, JSON]]

    def capture_of(self, row: tuple[Term | None, ...]) -> Mapping[str, JSON] | None:
        """Return the capture of the object that the row is about: the first that it names."""
        return next((self.captures[term.value] for term in row if term and term.value in self.captures), None)

    def as_json(self) -> JSON:
        """Return the answer as SPARQL 1.1 Query Results JSON with the captures beside it; statements under `turtle`."""
        result = self.result
        if result.kind == "graph":
            return {"turtle": result.turtle}
        if result.kind == "ask":
            return {"head": {}, "boolean": result.truth}
        bindings = [
            {name: term.as_json() for name, term in zip(result.variables, row, strict=True) if term}
            for row in result.rows
        ]
        head = {"vars": list(result.variables)}
        return {"head": head, "results": {"bindings": bindings}, "captures": dict(self.captures)}


def _without_objects(collection: Path) -> SiteseerError:
    """Return the sentence about a collection without objects: they are lost, or were never looked for."""
    if objects_are_missing(collection):
        return ArchiveError(f"the objects of {collection} are missing: `siteseer repair {collection}` makes them again")
    return SiteseerError(f"{collection} has no objects yet; run `siteseer describe {collection}` to find them")


class Description:
    """The objects of one collection, to be added to, listed, searched and queried.

    >>> import tempfile
    >>> from datetime import UTC, datetime
    >>> from siteseer.model import Capture
    >>> post = WebObject("post", "http://f.example/t/9#p1", "http://f.example/t/9", author="ann", text="Which lens?")
    >>> capture = Capture("a.warc.gz", 0, 99, datetime(2014, 3, 2, tzinfo=UTC), "sha256:00", "urn:uuid:1")
    >>> with Description(Path(tempfile.mkdtemp())) as description:
    ...     description.add([(post, capture)])
    ...     [found["author"] for found in description.objects(Filter(text="lens"))]
    ['ann']
    """

    def __init__(self, collection: Path, folder: Path | None = None) -> None:
        """Open the description, or make an empty one; `folder` is where one is made before it takes its place."""
        self.collection, self.folder = collection, folder or objects_folder(collection)
        swap_back(self.folder)
        self._open()

    def _open(self) -> None:
        self._ledger = ObjectStore(self.folder / ROWS)
        self._search = Search(self._ledger)
        self._engine: RdfStore | SparqlEndpointStore | None = None

    @classmethod
    def of(cls, collection: Path) -> Description:
        """Open the description of a collection that exists already."""
        refuse_campaign(collection)
        if not may_be_collection(collection):
            raise UsageError(f"{collection} is no collection: there is neither {ARCHIVE}/ nor {OWN}/ in it")
        swap_back(objects_folder(collection))
        if not has_objects(collection):
            raise _without_objects(collection)
        return cls(collection)

    def __enter__(self) -> Description:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._ledger.close()

    def add(self, pairs: Iterable[Pair]) -> None:
        """Add objects with the captures in which they were met; adding the same again changes nothing."""
        self._ledger.add(pairs)

    def describe(self, pairs: Iterable[Pair]) -> None:
        """Add any number of objects, and bring everything derived up to date, a batch after the other.

        Where a store elsewhere fails, all objects are added nevertheless; its error is raised at the end.
        """
        waiting, failure = iter(pairs), None
        while batch := list(islice(waiting, RDF_BATCH)):
            self.add(batch)
            try:
                if failure is None:
                    self.settle()
            except StoreError as error:
                failure = error
        if failure is not None:
            raise failure

    def note_site(self, site: object_triples.Site) -> None:
        """Keep a site's title and the category of its software; call it before the site's objects are queried."""
        self._ledger.note_site(site)

    def rebuild(self, pairs: Iterable[Pair]) -> None:
        """Forget everything and have these instead; until all of them are there, what was known stays.

        The caller holds the collection's lock.
        """
        self.close()
        self.made(self.collection, pairs).close()
        self._open()

    @classmethod
    def made(
        cls, collection: Path, pairs: Iterable[Pair], by: str = BY_DESCRIBE, sources: Sequence[Path] = ()
    ) -> Description:
        """Make the description of a collection anew, beside the one that is there, and put it in its place as a whole.

        `by` and `sources` say what it was made from. The caller holds the collection's lock.
        """
        folder = objects_folder(collection)
        new = new_name(folder)
        shutil.rmtree(new, ignore_errors=True)  # of an earlier time that was interrupted
        with cls(collection, new) as description:
            description._fill(pairs)
            description.stamp(by, sources)
        with rdf_readers_gone(folder):
            swap_in(new, folder)
        whole = cls(collection)
        if whole.is_elsewhere:
            whole._store.clear()
            whole.settle()
        return whole

    def _fill(self, pairs: Iterable[Pair]) -> None:
        if not self.is_elsewhere:
            self.describe(pairs)
            return
        waiting = iter(pairs)
        while batch := list(islice(waiting, RDF_BATCH)):
            self.add(batch)

    def stamp(self, by: str = "", sources: Sequence[Path] = ()) -> None:
        """Write down how many objects there are, and what they were made from; by itself only the numbers change."""
        counts = next(self._ledger.read("SELECT (SELECT count(*) FROM object), (SELECT count(*) FROM observation)"))
        stamp_objects(self.folder, by, (counts[0], counts[1]), sources)

    def pairs(self) -> Iterator[Pair]:
        """Return every meeting with an object, as it was told then."""
        seen = 0
        while found := self._ledger.observations(seen, RDF_BATCH):
            yield from ((each.thing, each.capture) for each in found)
            seen = found[-1].seq

    def forget_words(self) -> None:
        """Empty the word index; `settle` fills it again."""
        with self._ledger.transaction() as db:
            db.execute("DROP TABLE words")
            db.execute(WORDS)
            set_mark(db, "words", 0)

    def forget_rdf(self) -> None:
        """Empty the RDF store; `settle` fills it again."""
        self._store.clear()

    def rewrite_objects(self, change: Callable[[WebObject], WebObject]) -> None:
        """Change the fields of all objects; where and when they were met, and what was read in them, stays."""
        self._ledger.rewrite_objects(change)

    def forget(self, record: str) -> None:
        """Remove everything that only this capture shows: its graph, and the objects met nowhere else."""
        from siteseer.collection.rdf.rdf_store import RdfStore

        heirs = self._ledger.forget(record)
        if isinstance(self._store, RdfStore):
            self._store.remove([legal(record)])
            self._store.add("".join(observed_quads(heirs, self._ledger.sites())))
        else:  # elsewhere captures have no graphs of their own: empty, it is filled again when it is next asked
            self._store.clear()

    def objects(self, wanted: Filter = Filter()) -> Iterator[dict[str, JSON]]:  # noqa: B008
        """Return the objects that pass the filter, as JSON with their capture, one by one."""
        return self._search.objects(wanted)

    def numbered(self, wanted: Filter = Filter()) -> Iterator[tuple[int, dict[str, JSON]]]:  # noqa: B008
        """Return the objects that pass the filter, each with its number: short ids are made of it."""
        return self._search.numbered(wanted)

    def search(self, typed: str, wanted: Filter = Filter()) -> Iterator[dict[str, JSON]]:  # noqa: B008
        """Return the objects in which the words stand, the best first."""
        return self._search.objects(replace(wanted, text=typed))

    def count(self, wanted: Filter = Filter()) -> int:  # noqa: B008
        """Return how many objects pass the filter."""
        return self._search.count(wanted)

    def kinds(self) -> dict[str, int]:
        """Return how many objects of each kind there are."""
        return self._search.kinds()

    def kinds_by_page(self) -> Iterator[tuple[str, str, int]]:
        """Yield page, kind and number of the objects that were first met there."""
        return self._search.kinds_by_page()

    def on_page(self, url: str) -> list[WebObject]:
        """Return what was met on the latest described capture of that page, in page order."""
        return [found.thing for found in self._ledger.on_page(url)]

    def captures(self, ids: list[str]) -> dict[str, dict[str, JSON]]:
        """Return where the first capture of each of these objects lies; what is no object is left out."""
        return self._search.captures(ids)

    def query(self, sparql: str, limits: Limits = Limits()) -> Answer:  # noqa: B008
        """Answer SPARQL 1.1, read only, over everything that was added."""
        check(sparql)
        self.settle()
        result = self._store.query(sparql, limits)
        named = {term.value for row in result.rows for term in row if term and term.kind == "uri"}
        return Answer(result, self.captures(sorted(named)))

    def export(self, form: str, out: IO[bytes]) -> None:
        """Write all statements as `nq` (N-Quads, a graph for each capture) or `ttl` (Turtle)."""
        from siteseer.collection.rdf.rdf_store import RdfStore, turtle

        if isinstance(self._store, RdfStore):
            self.settle()
            self._store.export(form, out)
        elif form == "ttl":
            turtle(self._all_quads(), out)
        else:
            out.writelines(text.encode() for text in self._all_quads())

    def statements(self, ids: Iterable[str]) -> Iterator[str]:
        """Return the statements of the first meetings with these objects, as N-Quads, for exports of a selection."""
        sites = self._ledger.sites()
        named = iter(ids)
        while batch := list(islice(named, 500)):
            yield from observed_quads(self._ledger.first_observations(batch), sites)
            yield from annotation_statements(self._ledger, batch)

    def settle(self) -> None:
        """Bring the full-text index and the RDF store up to date with what was added."""
        self._search.settle()
        if self._ledger.mark(RETOLD):
            self._store.clear()
            with self._ledger.transaction() as db:
                set_mark(db, RETOLD, 0)
        is_new = not self._store.exists()
        seen = 0 if is_new else self._ledger.mark(self._mark)
        while found := self._ledger.observations(seen, RDF_BATCH):
            self._store.add("".join(observed_quads(found, self._ledger.sites())))
            seen = found[-1].seq
            with self._ledger.transaction() as db:
                set_mark(db, self._mark, seen)
        if not settle_annotations(self._ledger, self._store, f"annotations {self._mark}", is_new):
            self.settle()
        elif is_new and seen and self.is_elsewhere and not self._store.exists():
            raise StoreError("the SPARQL endpoint does not show its graphs: it has to know default-graph-uri")

    def missing(self) -> int:
        """Return how many objects there are fewer than were written down, and how many a crawl found meanwhile."""
        ((count,),) = self._ledger.read("SELECT count(*) FROM object")
        stamp = read_stamp(objects_stamp_path(self.folder))
        return max(0, int(stamp.get("objects", 0)) - int(count)) + count_undescribed(self.collection)

    @property
    def has_rdf_mark(self) -> bool:
        """Say whether the RDF store was ever written: it is made when it is first asked."""
        return self._ledger.mark(self._mark) > 0

    def not_in_rdf(self) -> int:
        """Return how many meetings with objects the RDF store has not heard of yet."""
        waiting = "SELECT count(*) FROM observation WHERE seq > ?"
        return int(next(self._ledger.read(waiting, (self._ledger.mark(self._mark),)))[0])

    def statements_expected(self) -> Iterator[str]:
        """Return all statements that the RDF store has to have, as N-Quads, one piece for each meeting."""
        return self._all_quads()

    def _all_quads(self) -> Iterator[str]:
        """Everything that was met, from the rows."""
        seen, sites = 0, self._ledger.sites()
        while found := self._ledger.observations(seen, RDF_BATCH):
            yield from observed_quads(found, sites)
            yield from annotation_statements(self._ledger, [one.thing.id for one in found])
            seen = found[-1].seq

    @property
    def _mark(self) -> str:
        """Each store has its own: one that was left for a while has missed something."""
        return f"rdf {load_stores(self.collection).objects}".rstrip()

    @property
    def is_elsewhere(self) -> bool:
        """Say whether the statements go to a SPARQL endpoint."""
        return bool(load_stores(self.collection).objects)

    @property
    def _store(self) -> RdfStore | SparqlEndpointStore:
        if self._engine is None:
            stores = load_stores(self.collection)
            if stores.objects:
                from siteseer.collection.rdf.sparql_endpoint import SparqlEndpointStore

                self._engine = SparqlEndpointStore(stores)
            else:
                from siteseer.collection.rdf.rdf_store import RdfStore  # loaded when first needed: a crawl only adds

                self._engine = RdfStore(self.folder / RDF)
        return self._engine


@contextmanager
def rdf_readers_gone(folder: Path) -> Iterator[None]:
    """Wait until no query reads the RDF of a folder of objects, and keep others from beginning."""
    if not (folder / RDF).exists():
        yield
        return
    from siteseer.collection.rdf.rdf_store import RdfStore

    with RdfStore(folder / RDF).held():
        yield
