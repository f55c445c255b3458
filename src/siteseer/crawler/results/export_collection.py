"""Exports a collection as a WACZ package, or its objects as files."""

from __future__ import annotations

import errno
import gzip
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from siteseer.archive.repair_warc import damage_of
from siteseer.archive.storage import Storage, check_name
from siteseer.archive.warc_sources import warc_files
from siteseer.collection.collection import Collection
from siteseer.collection.derived import flaws, objects_are_missing
from siteseer.collection.description import Description
from siteseer.collection.layout import archive_of, has_objects
from siteseer.collection.objects.citation import citation
from siteseer.collection.objects.object_formats import write
from siteseer.collection.objects.object_search import Filter
from siteseer.collection.stores.upload import send
from siteseer.collection.wacz import Package, export_wacz
from siteseer.crawler.results.derived_files import write_derived_files
from siteseer.errors import NotFoundError, SiteseerError
from siteseer.plugins import object_format
from siteseer.version import __version__
from siteseer.work_progress import tracked


def export_package(collection: Path, target: Path) -> Path:
    """Write a collection as one WACZ file, its objects as N-Quads inside; return the file.

    A collection whose bytes or objects are damaged is refused: the package would leave out what nobody would miss.
    """
    with _opened(collection) as opened, tempfile.TemporaryDirectory() as folder:
        last = opened.state.last_crawl()
        if last is not None and opened.mode == "write":
            write_derived_files(opened.state, last[0])
        elif opened.mode == "read" and (flaw := next(flaws(collection, opened.state), None)):
            raise SiteseerError(
                f"{collection} is on a read-only disk, and {flaw.file} {flaw.what}: export a copy of it"
            )
        _refuse_damage(collection)
        objects: Path | None = None
        if opened.has_objects or objects_are_missing(collection):
            objects = Path(folder) / "objects.nq.gz"
            with Description.of(collection) as description, gzip.open(objects, "wb") as out:
                write(description, Filter(), "nq", out)  # type: ignore[arg-type]
        export_wacz(collection, target, Package(objects=objects, software=f"siteseer/{__version__}"))
    return target


def _opened(collection: Path) -> Collection:
    """Open a collection to bring what is derived up to date, or as it is where its disk is read-only."""
    try:
        return Collection.open(collection, "write")
    except OSError as error:
        if error.errno != errno.EROFS:
            raise
        return Collection.open(collection)


def _refuse_damage(collection: Path) -> None:
    """Raise SiteseerError where a WARC file cannot be read wholly, or objects are missing."""
    archive = archive_of(collection)
    files = warc_files(archive) if archive.is_dir() else []
    for file in tracked(files, "checking", len(files)):
        if damage := damage_of(file):
            offset, reason = damage[0]
            raise SiteseerError(
                f"{file.name} is damaged at offset {offset} ({reason}): `siteseer repair {collection}` sets aside what "
                "cannot be read; export again afterwards"
            )
    _refuse_missing_objects(collection)


def _refuse_missing_objects(collection: Path) -> None:
    """Raise SiteseerError where the description lacks objects."""
    if not has_objects(collection):
        return
    with Description.of(collection) as description:
        if missing := description.missing():
            raise SiteseerError(
                f"{missing:,} objects of {collection} are missing: `siteseer repair {collection}` makes them again; "
                "export again afterwards"
            )


def send_package(collection: Path, url: str) -> str:
    """Write a collection as one WACZ file to a shelf elsewhere, checked there; return its address."""
    return send_made(lambda target: export_package(collection, target), url)


def send_made(make: Callable[[Path], object], url: str) -> str:
    """Send the package that `make` writes to a shelf elsewhere, checked there; return its address."""
    address, mark, query = url.partition("?")
    place, _, name = address.rpartition("/")
    shelf, name = Storage(f"{place}{mark}{query}"), check_name(name)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "package.wacz"
        make(made)
        send(shelf, made, name)
    return f"{shelf}/{name}"


def export_objects(collection: Path, form: str, output: Path | None) -> None:
    """Write the objects of a collection in one of the formats of `plugins.OBJECT_FORMATS`."""
    object_format(form)
    _refuse_missing_objects(collection)
    with Description.of(collection) as description:
        if output is None:
            write(description, Filter(), form, sys.stdout.buffer)
            return
        made = output.with_name(f".{output.name}.new")
        try:
            with made.open("wb") as out:
                write(description, Filter(), form, out)
            made.replace(output)
        finally:
            made.unlink(missing_ok=True)


def export_object(collection: Path, identity: str, output: Path | None) -> None:
    """Write one object of a collection as a file that can be cited."""
    with Description.of(collection) as description:
        found = next(description.objects(Filter(ids=(identity,), limit=1)), None)
    if found is None:
        raise NotFoundError(f"there is no object {identity} in {collection}; `siteseer objects` lists their ids")
    made = citation(found, collection.resolve().name)
    if output is None:
        sys.stdout.write(made)
    else:
        output.write_text(made, encoding="utf-8")
