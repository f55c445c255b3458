"""Verifies a collection, a WACZ or a WARC file of any tool, and lists every problem.

Bytes against digests, database against bytes both ways, index, pages, reports, objects, word index and RDF against what
they were made from. Nothing is changed.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from siteseer.archive.repair_warc import serial
from siteseer.archive.warc_sources import WARC_ENDINGS, warc_files
from siteseer.collection.checks.object_checks import check_objects
from siteseer.collection.checks.state_checks import (
    GO_ON,
    NEVER_BEGUN,
    StateSnapshot,
    check_captures,
    check_ends,
    check_links,
    check_state,
    snapshot,
)
from siteseer.collection.checks.wacz_checks import check_json_lines, check_wacz
from siteseer.collection.derived import flaws
from siteseer.collection.layout import (
    DATABASE,
    INDEX,
    PAGE_LISTS,
    REPORTS,
    TRASH,
    archive_of,
    has_objects,
    may_be_collection,
    state_path,
)
from siteseer.collection.lock import is_held
from siteseer.collection.state import is_half_deleted, is_lost, refuse_campaign
from siteseer.collection.verify import Checks, FixityReport, check_file, check_index
from siteseer.errors import UsageError

RESTORE = "restore the file from a copy"


def verify_collection(path: Path) -> FixityReport:
    """Check a collection, a WACZ package, a WARC file, or a directory of these."""
    refuse_campaign(path)
    if path.is_file():
        checks = Checks(RESTORE)
        _check_archive_file(path, checks)
        return checks.report()
    if not path.is_dir():
        raise UsageError(f"{path} does not exist; name a collection, a WACZ file or a WARC file")
    refuse_campaign(path)
    if not may_be_collection(path):
        return _verify_folder(path)
    return _Judge(path).judge()


def _check_archive_file(path: Path, checks: Checks) -> None:
    if path.suffix.lower() == ".wacz":
        check_wacz(path, checks)
        return
    (file,) = warc_files(path)
    check_file(file, checks)
    if not checks.records and not checks.problems:
        checks.say(path.name, 0, "no WARC record stands in the file")


def _verify_folder(path: Path) -> FixityReport:
    """Check a directory of archives that is no collection."""
    checks = Checks(RESTORE)
    found = sorted(file for file in path.rglob("*") if file.name.lower().endswith((*WARC_ENDINGS, ".wacz")))
    if not found:
        raise UsageError(f"{path} holds neither a collection nor WARC or WACZ files")
    for file in found:
        _check_archive_file(file, checks)
    return checks.report()


class _Judge:
    """Checks one collection."""

    def __init__(self, collection: Path) -> None:
        self.collection = collection
        self.repair = f"siteseer repair {collection}"
        self.is_being_written = is_held(collection)
        self.checks = Checks(self.repair)

    def judge(self) -> FixityReport:
        """Return what does not hold."""
        path = state_path(self.collection)
        if is_half_deleted(self.collection):
            self.checks.say(TRASH, -1, "--overwrite was interrupted", "crawl with --overwrite once more")
        elif path.is_file() and path.stat().st_size:
            try:
                with snapshot(path) as state:
                    self._with_state(state)
            except sqlite3.Error as error:
                self.checks.say(DATABASE, -1, f"the database is damaged: {error}")
                self._without_state()
        else:
            if is_lost(self.collection):
                self.checks.say(DATABASE, -1, "is empty" if path.exists() else "is missing")
            elif self._is_bare():
                self.checks.say(DATABASE, -1, NEVER_BEGUN, GO_ON)
            self._without_state()
        return self.checks.report()

    def _is_bare(self) -> bool:
        """Say whether neither archives nor objects were ever there, and nobody is about to write any."""
        has_warcs = bool(warc_files(archive_of(self.collection))) if archive_of(self.collection).is_dir() else False
        return not (self.is_being_written or has_warcs or has_objects(self.collection))

    def _without_state(self) -> None:
        self._check_warcs(None)
        self._check_derived(None)

    def _with_state(self, state: StateSnapshot) -> None:
        is_whole = check_state(state, self.checks)
        check_links(state, self.checks)
        if not self.is_being_written:
            check_ends(state, self.checks)
        position = None
        try:
            position = state.position
        except Exception as error:  # a damaged database gives anything
            self.checks.say(DATABASE, -1, f"the position in the archive cannot be read: {error}")
            is_whole = False
        self._check_warcs(position)
        check_captures(state, self.checks)
        self._check_derived(state if is_whole else None)

    def _check_warcs(self, position: tuple[str, int] | None) -> None:
        """Check all records up to the last commit; what lies behind it belongs to a run that was interrupted."""
        last, offset = position or ("", 0)
        folder = archive_of(self.collection)
        for file in warc_files(folder) if folder.is_dir() else ():
            if position is not None and serial(file.name) > serial(last):
                self._say_uncommitted(file.name, 0, file.path.stat().st_size)
                continue
            self.checks.advice = f"{RESTORE}, or `{self.repair}`, which sets aside what cannot be read"
            check_file(file, self.checks, offset if file.name == last else None)
            self.checks.advice = self.repair
            if file.name == last and (size := file.path.stat().st_size) != offset:
                if size > offset:
                    self._say_uncommitted(file.name, offset, size - offset)
                else:
                    self.checks.say(file.name, size, f"the last {offset - size} bytes are missing")
        if last and not (folder / last).is_file():
            self.checks.say(last, -1, "the WARC file is missing", f"{RESTORE}, or `{self.repair}`")

    def _say_uncommitted(self, name: str, offset: int, size: int) -> None:
        if not self.is_being_written:
            what = f"the last {size} bytes were not committed: the run that wrote them was interrupted"
            self.checks.say(name, offset, what, f"run the same command again, or `{self.repair}`")

    def _check_derived(self, state: StateSnapshot | None) -> None:
        if self.is_being_written:
            return  # made when the run ends
        found = list(flaws(self.collection, state))
        for flaw in found:
            self.checks.say(flaw.file, -1, flaw.what)
        index = self.collection / INDEX
        if index.is_file() and all(flaw.file != INDEX for flaw in found):
            with index.open("rb") as lines:
                check_index(INDEX, lines, self.checks)
        self._check_reports({flaw.file for flaw in found})
        check_objects(self.collection, state, self.checks)

    def _check_reports(self, known: set[str]) -> None:
        for folder in (PAGE_LISTS, REPORTS):
            for path in sorted((self.collection / folder).glob("*.json*")):
                name = f"{folder}/{path.name}"
                if name in known:
                    continue
                if path.suffix == ".jsonl":
                    with path.open("rb") as lines:
                        check_json_lines(name, lines, self.checks)
                    continue
                try:
                    json.loads(path.read_bytes())
                except (OSError, ValueError, RecursionError) as error:
                    self.checks.say(name, -1, f"cannot be read as JSON: {error}")
