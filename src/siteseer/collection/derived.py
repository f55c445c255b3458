"""Records what the derived files of a collection were made from, to tell missing, outdated and damaged ones.

`siteseer/derived.json` stands for index, list of pages and reports, those of each crawl too;
`siteseer/objects/made_from.json` for the objects, their word index and RDF, which are swapped in as one folder. Both
are written last, when what they stand for is there; a report that is written later is added (`rewritten`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from siteseer.archive.warc_sources import warc_files
from siteseer.collection.layout import FAILED, INDEX, OBJECTS_STAMP, PAGES, REPORTS, SKIPPED, STAMP, SUMMARY
from siteseer.collection.lock import is_held
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.collection.state import State
from siteseer.collection.whole_file import write_text
from siteseer.errors import ArchiveError
from siteseer.model import JSON
from siteseer.version import __version__

FORMAT = 1
FILES = (INDEX, PAGES, SKIPPED, FAILED)
STAMPED = "stamped"
"""What the database says of itself once it has a stamp: earlier versions wrote none."""
BY_CRAWL, BY_DESCRIBE = "crawl", "describe"


class Readable(Protocol):
    """A database of a collection that can be read."""

    def about(self, name: str) -> str | None:
        """Return one fact about the collection."""
        ...

    def rows(self, sql: str, values: Sequence[Any] = (), /) -> Iterable[tuple[Any, ...]]:
        """Return the rows of a reading query."""
        ...


@dataclass(frozen=True, slots=True)
class Flaw:
    """A derived file that is not what it should be."""

    file: str
    what: str


def stamp_path(collection: Path) -> Path:
    """Return where a collection says what its derived files were made from."""
    return collection / STAMP


def objects_stamp_path(folder: Path) -> Path:
    """Return where a folder of objects says what they were made from."""
    return folder / OBJECTS_STAMP


def source_of(state: Readable) -> JSON:
    """Return how far the truth had come: the position in the archive, and the last capture and object."""
    position = json.loads(state.about("archive") or "null")
    ((captures, objects),) = state.rows(
        "SELECT (SELECT coalesce(max(id), 0) FROM captures), (SELECT coalesce(max(row), 0) FROM objects)"
    )
    return {"position": position, "captures": captures, "objects": objects}


def stamp(state: State) -> None:
    """Write down what the derived files that lie there now were made from."""
    folder = state.collection
    made = {name: _facts(folder / name) for name in (*FILES, *_other_reports(folder)) if (folder / name).is_file()}
    _write(stamp_path(folder), {"format": FORMAT, "made_from": source_of(state), "files": made})
    state.say(STAMPED, "yes")
    state.commit()


@contextmanager
def rewritten(collection: Path, *names: str) -> Iterator[None]:
    """Write reports beside the others that are stamped: while that lasts, nothing is said about them."""
    known = read_stamp(stamp_path(collection))
    files = {name: facts for name, facts in known.get("files", {}).items() if name not in names}
    if known:
        _write(stamp_path(collection), {**known, "files": files})
    yield
    if known:
        made = {name: _facts(collection / name) for name in names if (collection / name).is_file()}
        _write(stamp_path(collection), {**known, "files": {**files, **made}})


def _other_reports(collection: Path) -> list[str]:
    """Return the names of all reports but those of the whole that every crawl writes."""
    found = (path for path in (collection / REPORTS).rglob("*") if path.is_file() and not path.name.startswith("."))
    return sorted({path.relative_to(collection).as_posix() for path in found} - set(FILES))


def stamp_objects(folder: Path, by: str, counts: tuple[int, int], sources: Sequence[Path] = ()) -> None:
    """Write down what the objects in a folder were made from, and how many objects and meetings with them there are.

    Without `by` it stays as it was written before: by a crawl, where nothing was.
    """
    known = read_stamp(objects_stamp_path(folder))
    sizes = {str(file.path): file.path.stat().st_size for source in sources for file in warc_files(source)}
    made_from = {"made_by": by, "sources": sizes} if by else {"made_by": BY_CRAWL, "sources": {}, **known}
    numbers = {"objects": counts[0], "observations": counts[1]}
    _write(objects_stamp_path(folder), {**made_from, "format": FORMAT, "software": __version__, **numbers})


def count_undescribed(collection: Path) -> int:
    """Return how many meetings with objects are in the database and not in the description: a run was interrupted.

    None while a run goes on: it describes them when it ends.
    """
    if is_held(collection):
        return 0
    sql = "SELECT count(*) FROM objects WHERE row > coalesce((SELECT value FROM about WHERE name = 'described'), 0) + 0"
    rows = ReadOnlyState(collection).rows(sql)
    return int(rows[0][0]) if rows else 0


def objects_are_missing(collection: Path) -> bool:
    """Say whether the database of a collection has objects; its description, where it is not there, is lost then."""
    try:
        return bool(ReadOnlyState(collection).kinds())
    except ArchiveError:
        return False


def read_stamp(path: Path) -> JSON:
    """Return a stamp; an empty one where there is none, or one that cannot be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and found.get("format") == FORMAT else {}


def flaws(collection: Path, state: Readable | None = None) -> Iterator[Flaw]:
    """Yield the derived files that are missing, older than the database, or other than they were written."""
    found = read_stamp(stamp_path(collection))
    if not found and (stamp_path(collection).exists() or (state is not None and state.about(STAMPED))):
        yield Flaw(STAMP, "cannot be read" if stamp_path(collection).exists() else "is missing")
    is_old = bool(found) and state is not None and found["made_from"] != source_of(state)
    for name in FILES:
        path, known = collection / name, found.get("files", {}).get(name)
        if not path.is_file():
            if known or (state is not None and source_of(state)["captures"]):
                yield Flaw(name, "is missing")
        elif is_old:
            yield Flaw(name, "is older than the last crawl")
        elif known and known != _facts(path):
            yield Flaw(name, "is damaged: it is not what was written")
    others = {name: known for name, known in found.get("files", {}).items() if name not in FILES}
    for name, known in others.items():
        if not (collection / name).is_file():
            yield Flaw(name, "is missing")
        elif known != _facts(collection / name):
            yield Flaw(name, "is damaged: it is not what was written")
    if state is not None and SUMMARY not in others and not (collection / SUMMARY).is_file() and _has_ended(state):
        yield Flaw(SUMMARY, "is missing")


def _has_ended(state: Readable) -> bool:
    """Say whether a crawl has ended, so that a summary was written; of archives and wrappers there is none."""
    ((count,),) = state.rows(
        "SELECT count(*) FROM crawls WHERE (finished IS NOT NULL OR stopped_by IS NOT NULL) AND strategy <> 'focused' "
        "AND json_valid(options) AND json_extract(options, '$.collection') IS NOT NULL"
    )
    return bool(count) and bool(source_of(state)["captures"])


def _facts(path: Path) -> JSON:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}


def _write(path: Path, told: JSON) -> None:
    write_text(path, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
