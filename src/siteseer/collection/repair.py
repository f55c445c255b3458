"""Repairs a damaged collection so that it can be read and continued, and reports what could not be restored.

WARC files are only ever shortened by what is no whole, committed record, and that is kept beside. A damaged database is
kept, too. Whatever is derived is made again. A kill at any moment leaves something that `repair` goes on with.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from siteseer.collection.checks.object_checks import GRAPHS, MADE_FROM, NAME, WORDS, check_objects
from siteseer.collection.checks.state_checks import check_state, snapshot
from siteseer.collection.database_errors import translate_error
from siteseer.collection.derived import BY_CRAWL, BY_DESCRIBE, flaws, objects_stamp_path, read_stamp
from siteseer.collection.description import Description
from siteseer.collection.layout import (
    FAILED,
    INDEX,
    INDEXES,
    OBJECTS,
    OWN,
    PAGE_LISTS,
    PAGES,
    REPORTS,
    ROWS,
    SET_ASIDE,
    SKIPPED,
    STAMP,
    STATE,
    SUMMARY,
    archive_of,
    may_be_collection,
    objects_folder,
    state_path,
)
from siteseer.collection.lock import hold_lock
from siteseer.collection.objects.object_store import Pair
from siteseer.collection.recovery.rebuilt_state import RebuiltState, rebuild, write_objects
from siteseer.collection.recovery.reconcile import Reconciliation, reconcile
from siteseer.collection.recovery.torn_warcs import (
    Position,
    SetAside,
    last_position,
    replace_damaged,
    set_aside_torn,
    set_aside_uncommitted,
    warcs_of,
)
from siteseer.collection.state import State, refuse_campaign
from siteseer.collection.verify import Checks
from siteseer.collection.verify_collection import verify_collection
from siteseer.collection.whole_file import new_name, old_name, swap_back
from siteseer.errors import UsageError
from siteseer.model import JSON

MADE_AGAIN = [Path(name).name for name in (INDEX, PAGES, SKIPPED, FAILED, SUMMARY, STAMP)]
"""The derived files that the database alone gives."""
WITHOUT_OBJECTS = ("blind", "wrapper")
"""Strategies whose objects pages alone do not give."""


@dataclass(frozen=True, slots=True)
class Makers:
    """What makes things again that are made above this package."""

    derive: Callable[[State, int, Collection[str]], None]
    """Writes index, pages, reports and summary of a crawl, and of the reports of other crawls those that are flawed."""
    observed: Callable[[State], Iterator[Pair]]
    """Returns the objects of the database with their captures."""
    find_objects: Callable[[Sequence[Path]], Iterator[Pair]]
    """Finds the objects of archives."""
    describe: Callable[[Path], object]
    """Describes archives of other tools that lie in a collection; takes its lock."""


@dataclass(slots=True)
class RepairReport:
    """What was done, and what could not be had."""

    collection: str
    done: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    kept_aside: list[str] = field(default_factory=list)


def repair(collection: Path, makers: Makers) -> JSON:
    """Repair a collection; return what was done, what is lost, and the problems that `verify` still finds."""
    refuse_campaign(collection)
    if not may_be_collection(collection):
        raise UsageError(f"{collection} is no collection: there is neither archive/ nor siteseer/ in it")
    report = RepairReport(str(collection))
    with hold_lock(collection):
        is_foreign = _Repair(collection, makers, report).run()
    if is_foreign:
        makers.describe(collection)
        report.done.append("the archives of other tools were described again")
    return {**asdict(report), "problems": [asdict(problem) for problem in verify_collection(collection).problems]}


class _Repair:
    """Repairs one collection."""

    def __init__(self, collection: Path, makers: Makers, report: RepairReport) -> None:
        self.collection, self.makers, self.report = collection, makers, report
        self.torn: tuple[str, ...] = ()
        """Tables of the database of which rows were lost."""

    def run(self) -> bool:
        """Repair it; return whether its archives come from other tools, and have to be described again."""
        swap_back(objects_folder(self.collection))
        self._clean()
        if self._has_lost_foreign():
            return True
        if state_path(self.collection).exists() or warcs_of(self.collection):
            self._repair_state()
            state = State(self.collection, create=False)
            try:
                self._repair_objects(state)
                self._derive(state)
            finally:
                state.close()
        else:
            self._repair_description()
        return False

    def _has_lost_foreign(self) -> bool:
        """Say whether a collection of archives of other tools has no database that can be read; a damaged one goes."""
        path = state_path(self.collection)
        if not warcs_of(self.collection) or last_position(self.collection)[0] or self._is_whole(path):
            return False
        if path.exists():
            self._keep_damaged(path)
            for ending in ("", "-wal", "-shm"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
        return True

    def _clean(self) -> None:
        """Remove what interrupted writers left beside."""
        folder = objects_folder(self.collection)
        for path in (new_name(folder), old_name(folder), *(self.collection / INDEXES).glob(".index-*")):
            shutil.rmtree(path, ignore_errors=True)
        for name in (INDEXES, PAGE_LISTS, REPORTS, OWN, OBJECTS, SET_ASIDE):
            for path in (self.collection / name).glob(".*.new"):
                path.unlink()

    # ── the database ──────────────────────────────────────────────────────────────────────────────────────────────

    def _repair_state(self) -> None:
        path = state_path(self.collection)
        if not self._is_whole(path):
            self._repair_warcs()
            self._rebuild(path if path.exists() and path.stat().st_size else None)
            return
        state = State(self.collection, create=False)
        try:
            with snapshot(path) as known:
                position = known.position
            if position is not None:
                self._set_aside(
                    set_aside_uncommitted(self.collection, position),
                    "{bytes} bytes of {file} were not committed: the run that wrote them was interrupted",
                )
            self._repair_warcs()
            self._say_agreed(reconcile(state.db, self.collection))
            if position is not None:
                self._keep_position(state, position)
            state.commit()
        except sqlite3.Error as error:
            raise translate_error(error, path) from error
        finally:
            state.close()

    def _repair_warcs(self) -> None:
        self._set_aside(set_aside_torn(self.collection), "the end of {file} could not be read")
        self._set_aside(
            replace_damaged(self.collection),
            "{bytes} bytes of {file} could not be read: a record that says so stands there now",
        )

    def _is_whole(self, path: Path) -> bool:
        checks = Checks()
        if not path.exists() or not path.stat().st_size:
            return False
        try:
            with snapshot(path) as known:
                has_crawls = next(known.rows("SELECT count(*) FROM crawls"))[0] or not warcs_of(self.collection)
                return check_state(known, checks) and not checks.problems and bool(has_crawls)
        except sqlite3.Error:
            return False

    def _keep_position(self, state: State, position: Position) -> None:
        """Write down up to where the archive is good, where that is less than was committed."""
        last = last_position(self.collection)
        if position[0] and last != position:
            state.say("archive", f'["{last[0]}", {last[1]}]')

    def _rebuild(self, damaged: Path | None) -> None:
        path = state_path(self.collection)
        made = path.with_name(f".{path.name}.new")
        path.parent.mkdir(exist_ok=True)
        try:
            done = rebuild(self.collection, damaged, made, last_position(self.collection))
        except sqlite3.Error as error:
            raise translate_error(error, path) from error
        if path.exists():
            self._keep_damaged(path)
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        made.replace(path)
        self._say_rebuilt(done)

    def _keep_damaged(self, path: Path) -> None:
        """Give the damaged database another name besides; it stays in its place until the new one takes that."""
        stamp = f"damaged-{datetime.now(UTC):%Y%m%d%H%M%S}"
        for ending in ("", "-wal"):
            old = path.with_name(path.name + ending)
            kept = path.with_name(f"state.{stamp}.db{ending}")
            if old.exists() and not kept.exists():
                os.link(old, kept)
                self.report.kept_aside.append(str(kept))

    def _say_rebuilt(self, done: RebuiltState) -> None:
        self.torn = done.torn
        rows = sum(done.rows.values())
        saved = f"{rows:,} rows of the old one, {done.agreed.added:,} captures of the WARC files"
        self.report.done.append(f"{STATE} was made again from {saved}")
        if done.is_frontier_lost:
            self.report.lost.append(
                "which URLs still waited is unknown: the same crawl command looks at the site again, and asks for "
                "what changed only"
            )
        if lost := [name for name in ("memory", "notes") if name in done.torn]:
            self.report.lost.append(f"what the strategy had written down ({', '.join(lost)}), wholly or in part")
        self._say_agreed(done.agreed, is_new=True)

    def _say_agreed(self, agreed: Reconciliation, is_new: bool = False) -> None:
        if agreed.added and not is_new:
            self.report.done.append(f"{agreed.added:,} captures of the WARC files were written into the database")
        if agreed.corrected:
            self.report.done.append(f"{agreed.corrected:,} captures of the database were corrected by their records")
        if agreed.lost:
            examples = ", ".join(agreed.lost[:3])
            again = f"; {agreed.waiting_again:,} of their URLs wait again" if agreed.waiting_again else ""
            self.report.lost.append(f"{len(agreed.lost):,} captures are in no WARC file any more ({examples}){again}")
        if agreed.objects_lost:
            self.report.lost.append(f"{agreed.objects_lost:,} meetings with objects had no other capture")

    def _set_aside(self, cut: Iterator[SetAside], why: str) -> None:
        for found in cut:
            self.report.done.append(why.format(file=found.file, bytes=f"{found.bytes:,}"))
            self.report.kept_aside.append(str(found.kept))

    # ── the objects ───────────────────────────────────────────────────────────────────────────────────────────────

    def _repair_objects(self, state: State) -> None:
        flawed = self._flawed()
        made_by = read_stamp(objects_stamp_path(objects_folder(self.collection))).get("made_by", BY_CRAWL)
        if "objects" in self.torn:
            self._fill_objects(state, NAME in flawed)
            flawed = self._flawed()
        if NAME in flawed:
            by_crawl = made_by != BY_DESCRIBE and _count(state) > 0
            pairs = self.makers.observed(state) if by_crawl else self.makers.find_objects([archive_of(self.collection)])
            sources = () if by_crawl else (archive_of(self.collection),)
            self._make_description(pairs, BY_CRAWL if by_crawl else BY_DESCRIBE, sources)
        else:
            self._mend_parts(flawed)
        state.say("described", str(_count(state, "max(row)")) if objects_folder(self.collection).exists() else "0")
        state.commit()

    def _flawed(self) -> set[str]:
        """Return which parts of the description have problems."""
        checks = Checks()
        path = state_path(self.collection)
        if path.is_file():
            with snapshot(path) as known:
                check_objects(self.collection, known, checks)
        else:
            check_objects(self.collection, None, checks)
        return {problem.file for problem in checks.problems}

    def _fill_objects(self, state: State, is_description_damaged: bool) -> None:
        """Write objects into a database that has lost some: those described, else those that the pages show."""
        folder = objects_folder(self.collection)
        if ((folder / ROWS).is_file() and not is_description_damaged) or not folder.exists():
            if not folder.exists():
                return
            with Description(self.collection) as description:
                count = write_objects(state.db, description.pairs())
            state.say("described", str(_count(state, "max(row)")))
        elif self._strategy(state) in WITHOUT_OBJECTS:
            self.report.lost.append("the objects: they cannot be found in the pages alone; run the wrapper again")
            return
        else:
            count = write_objects(state.db, self.makers.find_objects([archive_of(self.collection)]))
        self.report.done.append(f"{count:,} meetings with objects were written into the database")
        state.commit()

    def _strategy(self, state: State) -> str:
        last = state.last_crawl()
        return last[1] if last else ""

    def _mend_parts(self, flawed: set[str]) -> None:
        if not flawed & {WORDS, GRAPHS, MADE_FROM}:
            return
        with Description(self.collection) as description:
            if WORDS in flawed:
                description.forget_words()
            if GRAPHS in flawed:
                description.forget_rdf()
            description.settle()
            description.stamp()
        self.report.done.append("word index and RDF were made again from the objects")

    def _make_description(self, pairs: Iterator[Pair], by: str, sources: Sequence[Path]) -> None:
        folder = objects_folder(self.collection)
        if (folder / ROWS).exists():
            kept = folder.with_name(f"objects.damaged-{datetime.now(UTC):%Y%m%d%H%M%S}.db")
            if not kept.exists():
                os.link(folder / ROWS, kept)
                self.report.kept_aside.append(str(kept))
        with Description.made(self.collection, pairs, by, sources) as description:
            count = description.count()
        self.report.done.append(f"the description was made again: {count:,} objects")

    def _repair_description(self) -> None:
        """Repair objects without a crawl: they were described from archives elsewhere."""
        flawed = self._flawed()
        if NAME not in flawed:
            self._mend_parts(flawed)
            return
        named = read_stamp(objects_stamp_path(objects_folder(self.collection))).get("sources", {})
        there = [Path(name) for name in named if Path(name).is_file()]
        if not there or len(there) < len(named):
            self.report.lost.append("the objects: the archives that they were described from are not where they were")
            return
        self._make_description(self.makers.find_objects(there), BY_DESCRIBE, there)

    # ── what is derived ───────────────────────────────────────────────────────────────────────────────────────────

    def _derive(self, state: State) -> None:
        sql = "SELECT coalesce((SELECT max(crawl) FROM captures), (SELECT max(id) FROM crawls), 0)"
        ((number,),) = state.rows(sql)
        if not number:
            return
        found = [flaw.file for flaw in flaws(self.collection, state)]
        lost = [name for name in found if Path(name).name not in MADE_AGAIN]
        for name in lost:
            self._give_up(name)
        self.makers.derive(state, int(number), found)
        if made := [name for name in found if name not in lost]:
            self.report.done.append(f"{', '.join(made)}: made again")

    def _give_up(self, name: str) -> None:
        """Put a damaged report aside that nothing here can make again."""
        self.report.lost.append(f"{name}: run again what wrote it")
        path = self.collection / name
        if path.is_file():
            kept = self.collection / SET_ASIDE / f"{path.name}.{datetime.now(UTC):%Y%m%d%H%M%S}"
            kept.parent.mkdir(parents=True, exist_ok=True)
            path.replace(kept)
            self.report.kept_aside.append(str(kept))


def _count(state: State, what: str = "count(*)") -> int:
    return int(next(iter(state.rows(f"SELECT coalesce({what}, 0) FROM objects")))[0])
