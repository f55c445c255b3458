"""A collection as others want it: a WACZ package, files of objects, a fixity report."""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import IO

from siteseer import __version__
from siteseer.archive.shelf import Shelf, checked
from siteseer.archive.verify import verify
from siteseer.archive.wacz import Package, export_wacz
from siteseer.crawl.deliver import send
from siteseer.crawl.derive import capture_rows, derive
from siteseer.crawl.lock import only_one
from siteseer.crawl.state import State
from siteseer.describe.describe import Description, folder_of
from siteseer.describe.exports import WRITERS, write
from siteseer.describe.search import Filter
from siteseer.errors import NotFoundError, UsageError
from siteseer.model import JSON
from siteseer.present.citation import citation
from siteseer.present.tables import write_parquet

FORMS = (*WRITERS, "parquet")


def export_package(collection: Path, target: Path) -> Path:
    """Write a collection as one WACZ file, its objects as N-Quads inside; return the file."""
    State(collection, create=False).close()  # complains where there is no collection, before a lock is made there
    with only_one(collection), tempfile.TemporaryDirectory() as folder:
        _derive(collection)
        objects: Path | None = None
        if folder_of(collection).is_dir():
            objects = Path(folder) / "objects.nq.gz"
            with Description.of(collection) as description, gzip.open(objects, "wb") as out:
                write(description, Filter(), "nq", out)  # type: ignore[arg-type]
        export_wacz(collection, target, Package(objects=objects, software=f"siteseer/{__version__}"))
    return target


def _derive(collection: Path) -> None:
    state = State(collection, create=False)
    try:
        last = state.last_crawl()
        if last is not None:
            derive(state, last[0])
    finally:
        state.close()


def send_package(collection: Path, url: str) -> str:
    """Write a collection as one WACZ file to a shelf elsewhere, checked there; return its address."""
    return send_made(lambda target: export_package(collection, target), url)


def send_made(make: Callable[[Path], object], url: str) -> str:
    """Send the package that `make` writes to a shelf elsewhere, checked there; return its address."""
    address, mark, query = url.partition("?")
    place, _, name = address.rpartition("/")
    shelf, name = Shelf(f"{place}{mark}{query}"), checked(name)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "package.wacz"
        make(made)
        send(shelf, made, name)
    return f"{shelf}/{name}"


def export_objects(collection: Path, form: str, output: Path | None) -> None:
    """Write the objects of a collection in one of the forms that `describe.exports` knows."""
    if form not in FORMS:
        raise UsageError(f"--format {form} is unknown; use one of {', '.join(FORMS)}")
    with Description.of(collection) as description:
        if output is None:
            _write(description, form, sys.stdout.buffer)
            return
        with output.open("wb") as out:
            _write(description, form, out)


def _write(description: Description, form: str, out: IO[bytes]) -> None:
    if form == "parquet":
        write_parquet(description.objects(), out)
    else:
        write(description, Filter(), form, out)


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


def check(collection: Path) -> JSON:
    """Return the fixity report of a collection as JSON."""
    state = State(collection, create=False)
    try:
        return asdict(verify(collection, capture_rows(state)))
    finally:
        state.close()
