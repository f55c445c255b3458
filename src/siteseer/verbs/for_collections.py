"""Verbs about collections: `describe`, `open`, `objects`, `query`, `verify`, `repair`, `export`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from siteseer.collection.description import Description
from siteseer.collection.layout import is_collection
from siteseer.collection.objects.object_search import Filter
from siteseer.errors import UsageError
from siteseer.event_loops import outside_event_loops
from siteseer.model import JSON, Capture, WebObject
from siteseer.verbs.opened_collection import Collection

Place = str | Path
WACZ = "wacz"


@outside_event_loops
def describe(sources: Place | Sequence[Place], output: Place | None = None, knowledge: Sequence[str] = ()) -> JSON:
    """Recognise pages and extract objects from archives, or anew from a collection; return the counts."""
    from siteseer.batch.describe import describe_archives
    from siteseer.knowledge.knowledge_base import KnowledgeBase

    paths = [Path(sources)] if isinstance(sources, str | Path) else [Path(source) for source in sources]
    for path in paths:
        if not path.exists():
            advice = "; download the archive and name its file" if ":/" in str(path) else ""
            raise UsageError(f"{path} does not exist{advice}")
    return describe_archives(paths, Path(output) if output else None, KnowledgeBase.with_files(knowledge))


def open(collection: Place) -> Collection:
    """Open a collection to read it: figures, decisions, objects, queries, pages."""
    path = Path(collection)
    if not is_collection(path):
        raise UsageError(f"{path} is no collection")
    return Collection(path.resolve().name, path)


@outside_event_loops
def objects(collection: Place, **wanted: Any) -> list[JSON]:
    """Return the objects of a collection, each with its capture.

    `wanted` says which: `kind`, `author`, `since`, `until`, `text`, `site`, `thread`, `order`, `limit`, `offset`.
    """
    known = [name for name in Filter.__dataclass_fields__ if name != "ids"]
    for name in wanted:
        if name not in known:
            raise UsageError(f"objects cannot be chosen by {name!r}; choose among {', '.join(known)}")
    with Description.of(Path(collection)) as description:
        return list(description.objects(Filter(**wanted)))


@outside_event_loops
def query(collection: Place, sparql: str) -> JSON:
    """Ask the semantic store of a collection in SPARQL 1.1, read only.

    Returns SPARQL 1.1 Query Results JSON, with the captures of the objects named; of CONSTRUCT and DESCRIBE `turtle`.
    """
    with Description.of(Path(collection)) as description:
        return description.query(sparql).as_json()


@outside_event_loops
def verify(collection: Place) -> JSON:
    """Check a collection, a WACZ or a WARC file of any tool; return the report with `problems`.

    Every record's digests are computed anew; database, index, pages, reports, objects, word index and RDF are compared
    with what they were made from. Each problem has `file`, `offset`, `what`, and `next`: what to do.
    """
    from siteseer.collection.verify_collection import verify_collection

    return asdict(verify_collection(Path(collection)))


@outside_event_loops
def repair(collection: Place, knowledge: Sequence[str] = ()) -> JSON:
    """Make everything derived again, and a lost or damaged database from WARC files, index, logs and reports.

    Returns `done`, `lost` and `kept_aside`, each a list, and the `problems` that `verify` still finds.
    """
    from siteseer.batch.describe import ArchiveReader, describe_archives
    from siteseer.collection.repair import Makers
    from siteseer.collection.repair import repair as repair_collection
    from siteseer.crawler.results.derived_files import derive_again, observed
    from siteseer.knowledge.knowledge_base import KnowledgeBase

    folder = Path(collection)

    def find_objects(archives: Sequence[Path]) -> Iterator[tuple[WebObject, Capture]]:
        return ArchiveReader(archives, KnowledgeBase.with_files(knowledge), folder).found()

    def describe_again(lost: Path) -> JSON:
        return describe_archives([lost], None, KnowledgeBase.with_files(knowledge))

    return repair_collection(folder, Makers(derive_again, observed, find_objects, describe_again))


@outside_event_loops
def export(collection: Place, output: Place, format: str = WACZ) -> str:
    """Write a collection as one WACZ package, or its objects in a format of `siteseer export`; return where.

    A package may also go to `s3://bucket/name`.
    """
    from siteseer.crawler.results.export_collection import export_objects, export_package, send_package

    if format != WACZ:
        export_objects(Path(collection), format, Path(output))
        return str(output)
    if "://" in str(output):
        return send_package(Path(collection), str(output))
    return str(export_package(Path(collection), Path(output)))
