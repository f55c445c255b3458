"""Opens the directory of a collection: every reader and writer of a collection opens it here.

A writer holds the lock before it touches anything; then `--overwrite` deletes, an older database is upgraded, and the
archive is cut back to what was committed. A reader takes no lock, writes nothing, and sees the database as it is at its
first question.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Literal, Self

from siteseer.archive.repair_warc import repair, serial
from siteseer.archive.warc_writer import OUR_NAME, WarcWriter
from siteseer.collection.derived import rewritten
from siteseer.collection.description import Description
from siteseer.collection.layout import REPORTS, STATE, archive_of, has_objects, state_path
from siteseer.collection.lock import hold_lock
from siteseer.collection.overwrite import check_is_ours, delete_contents
from siteseer.collection.state import State, check_exists, check_not_lost, refuse_campaign
from siteseer.collection.whole_file import write_text
from siteseer.errors import ArchiveError, UsageError

Mode = Literal["read", "write", "create", "adopt"]
"""`read` looks; `write` goes on with what is there; `create` also makes a collection where there is none, and `adopt`
takes over a directory with WARC files that have no database."""


class Collection:
    """One open collection: a context manager; closed, it gives its lock back. Used by one thread.

    >>> import tempfile
    >>> with Collection.open(Path(tempfile.mkdtemp()) / "board", "create") as collection:
    ...     number = collection.state.new_crawl("blind", {"seeds": ["http://f.example/"]})
    ...     collection.state.commit()
    >>> with Collection.open(collection.path, "read") as collection:
    ...     collection.state.last_crawl()
    (1, 'blind', False, Counter())
    """

    def __init__(self, path: Path, mode: Mode, opened: ExitStack, state: State) -> None:
        self.path, self.mode, self.state = path, mode, state
        self._opened = opened

    @classmethod
    def open(cls, path: Path, mode: Mode = "read", patience: float = 0.0, overwrite: bool = False) -> Self:
        """Open a collection; a writer waits for another one so many seconds.

        Raises UsageError where the directory is none, is half deleted or is a campaign's, BusyError where another
        process writes, and ArchiveError where the archive has lost what the database says it has.
        """
        with ExitStack() as opened:
            if mode != "read":
                _hold(path, mode, patience, overwrite, opened)
            if mode != "adopt":
                check_not_lost(path)
            state = State(path, create=mode in ("create", "adopt"), read_only=mode == "read")
            opened.callback(state.close)
            if mode != "read":
                _repair(state, mode == "adopt")
            return cls(path, mode, opened.pop_all(), state)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        is_gone = kind is None and self.mode != "read" and not state_path(self.path).exists()
        self.close()
        if is_gone:
            raise ArchiveError(f"{self.path} was deleted or moved while it was written: nothing is saved.")

    def close(self) -> None:
        """Let go of files and lock; what was not committed is taken back."""
        self._opened.close()

    # ── its parts ─────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def archive(self) -> Path:
        """The folder of its WARC files."""
        return archive_of(self.path)

    @property
    def has_objects(self) -> bool:
        """Say whether it has a description."""
        return has_objects(self.path)

    def warc_writer(self, info: Mapping[str, str]) -> WarcWriter:
        """Return what appends exchanges to its archive; `state.keep_position` and a commit make them its own."""
        self._check_writable()
        return WarcWriter(self.archive, info)

    def description(self) -> Description:
        """Open its objects: rows, word index and RDF. A reader is told where there are none."""
        return Description.of(self.path) if self.mode == "read" else Description(self.path)

    def write(self, name: str, text: str) -> Path:
        """Write one of its derived files, `reports/summary.json` say; readers see the old one or the new one."""
        self._check_writable()
        with rewritten(self.path, name) if name.startswith(f"{REPORTS}/") else nullcontext():
            write_text(self.path / name, text)
        return self.path / name

    def _check_writable(self) -> None:
        if self.mode == "read":
            raise ValueError(f"{self.path} was opened to be read")


def refuse_file(path: Path) -> None:
    """Complain where a collection's directory is asked for and a file is named."""
    if path.exists() and not path.is_dir():
        raise UsageError(f"{path} is a file; name a directory for the collection")


def _hold(path: Path, mode: Mode, patience: float, overwrite: bool, opened: ExitStack) -> None:
    """Take the lock, and delete what `--overwrite` gives up; complain before anything is made in a wrong place."""
    refuse_file(path)
    refuse_campaign(path)
    if overwrite:
        check_is_ours(path)
    elif mode == "write":
        check_exists(path)
    elif mode == "create":
        check_not_lost(path)
    path.mkdir(parents=True, exist_ok=True)
    opened.enter_context(hold_lock(path, patience))
    if overwrite:
        delete_contents(path)


def _repair(state: State, may_adopt: bool) -> None:
    """Cut the archive back to what was committed; never touch one whose database is missing.

    From here on a position is known: what a killed process wrote without committing goes at the next opening.
    """
    folder, position = state.archive, state.position()
    if position is None:
        files = [path for path in folder.glob("*") if path.is_file()]
        if files and not may_adopt:
            raise ArchiveError(
                f"{folder} holds files but {STATE} is missing: `siteseer repair {state.collection}` makes it again"
            )
        ours = max(
            (path for path in files if OUR_NAME.fullmatch(path.name)), key=lambda path: serial(path.name), default=None
        )
        state.keep_position(*((ours.name, ours.stat().st_size) if ours else ("", 0)))
        state.commit()
    else:
        repair(folder, *position)
