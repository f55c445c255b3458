"""One owner of a collection's directory: modes, the lock and its holder, what is refused, the torn tail."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import siteseer
from siteseer.collection.collection import Collection
from siteseer.errors import ArchiveError, BusyError, SiteseerError, UsageError

HOLD = """
import sys, time
from pathlib import Path
from siteseer.collection.collection import Collection
with Collection.open(Path(sys.argv[1]), "create"):
    print("held", flush=True)
    time.sleep(60)
"""


READ = """
import os, sys
from pathlib import Path
from siteseer.collection.collection import Collection
if os.geteuid() == 0:
    os.setuid(65534)  # root may write anywhere
with Collection.open(Path(sys.argv[1])) as collection:
    print(collection.state.last_crawl())
"""


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Hold a collection in another process."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_writer_is_told_which_process_writes(tmp_path: Path) -> None:
    with holder(tmp_path / "c") as process:
        for mode in ("write", "create", "adopt"):
            with pytest.raises(BusyError, match=rf"^process {process.pid} is writing to .*c: wait for it"):
                Collection.open(tmp_path / "c", mode)
        assert (tmp_path / "c" / "siteseer" / "lock").read_text() == f"{process.pid}\n"


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    with holder(tmp_path / "c") as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        with Collection.open(tmp_path / "c", "write"):
            assert (tmp_path / "c" / "siteseer" / "lock").read_text() == f"{os.getpid()}\n"


def test_readers_do_not_wait_for_a_writer_and_see_one_state(tmp_path: Path) -> None:
    with Collection.open(tmp_path / "c", "create") as writer:
        writer.state.new_crawl("blind", {})
        writer.state.commit()
        with Collection.open(tmp_path / "c") as reader:
            assert reader.state.last_crawl() is not None
            writer.state.new_crawl("blind", {})
            writer.state.commit()
            assert reader.state.last_crawl() == (1, "blind", False, {})
        with Collection.open(tmp_path / "c") as reader:
            assert reader.state.last_crawl() == (2, "blind", False, {})


def test_a_reader_writes_nothing(tmp_path: Path) -> None:
    with Collection.open(tmp_path / "c", "create"):
        pass
    with Collection.open(tmp_path / "c") as reader:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.state.new_crawl("blind", {})
        with pytest.raises(ValueError, match="opened to be read"):
            reader.write("reports/summary.json", "{}")
        with pytest.raises(ValueError, match="opened to be read"):
            reader.warc_writer({})
        with pytest.raises(SiteseerError, match="has no objects yet"):
            reader.description()


def test_a_collection_is_read_where_nothing_can_be_written() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with Collection.open(Path(folder) / "c", "create") as made:
            made.state.new_crawl("blind", {})
            made.state.commit()
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        command = [sys.executable, "-c", READ, f"{folder}/c"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o755)
    assert (done.stdout, done.stderr) == ("(1, 'blind', False, Counter())\n", "")


@pytest.mark.parametrize("mode", ["read", "write"])
def test_what_is_no_collection_is_refused_and_left_alone(tmp_path: Path, mode: str) -> None:
    (tmp_path / "c").mkdir()
    with pytest.raises(UsageError, match=r"is no collection: it has no siteseer/state\.db"):
        Collection.open(tmp_path / "c", mode)  # type: ignore[arg-type]
    assert list((tmp_path / "c").iterdir()) == []


@pytest.mark.parametrize("mode", ["write", "create", "adopt"])
def test_a_file_is_no_place_for_a_collection(tmp_path: Path, mode: str) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"notes\.txt is a file; name a directory"):
        Collection.open(tmp_path / "notes.txt", mode)  # type: ignore[arg-type]
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("mode", ["read", "write", "create", "adopt"])
def test_the_directory_of_a_campaign_is_refused_and_left_alone(tmp_path: Path, mode: str) -> None:
    (tmp_path / "campaign.db").touch()
    with pytest.raises(UsageError, match=r"is a campaign: name one of its sites, .*/sites/HOST"):
        Collection.open(tmp_path, mode)  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.db"]


def test_every_writer_cuts_what_a_killed_one_had_not_committed(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    folder = tmp_path / "collection"
    run_crawl(serve("blog", seed=1, size=4).url, limit=5)
    (warc,) = (folder / "archive").iterdir()
    size = warc.stat().st_size
    with warc.open("ab") as file:
        file.write(b"\x1f\x8b torn")
    later = warc.with_name(warc.name.replace("-00001-", "-00002-"))
    later.write_bytes(b"\x1f\x8b torn")
    with Collection.open(folder):
        assert later.exists() and warc.stat().st_size > size
    with Collection.open(folder, "write"):
        assert not later.exists() and warc.stat().st_size == size


def test_what_was_never_committed_at_all_goes_too(tmp_path: Path) -> None:
    with Collection.open(tmp_path / "c", "create"):
        pass
    torn = tmp_path / "c" / "archive" / "siteseer-20200101000000-00001-host.warc.gz"
    torn.parent.mkdir()
    torn.write_bytes(b"\x1f\x8b torn")
    with Collection.open(tmp_path / "c", "create"):
        assert not torn.exists()


def test_an_archive_whose_database_is_gone_is_not_touched(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    folder = tmp_path / "collection"
    run_crawl(serve("blog", seed=1, size=4).url, limit=5)
    (warc,) = (folder / "archive").iterdir()
    before = warc.read_bytes()
    for path in (folder / "siteseer").glob("state.db*"):
        path.unlink()
    for _ in range(2):
        with pytest.raises(ArchiveError, match=r"siteseer/state\.db is lost: `siteseer repair"):
            Collection.open(folder, "create")
    with Collection.open(folder, "adopt") as adopted:
        assert adopted.state.position() == (warc.name, len(before))
    with Collection.open(folder, "write"):
        assert warc.read_bytes() == before


SOURCE = Path(siteseer.__file__).parent
MAY_LOCK = (
    "campaigns/engines/checkpoints.py", "campaigns/load_campaign.py", "campaigns/run_campaign.py",
    "web/service/campaign_run.py",
)  # fmt: skip
"""Hold the directory of a campaign, which is no collection but has such a lock; or put a database in its place."""


def callers(name: str) -> set[str]:
    """Return the files that import a name of `collection`, besides those of `collection` itself."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                found.add(path.relative_to(SOURCE).as_posix())
    return {path for path in found if not path.startswith("collection/")}


def test_nothing_else_takes_the_lock_or_opens_the_database_to_write() -> None:
    assert callers("hold_lock") == set(MAY_LOCK)
    assert {path for path in callers("State") if imports_state(path)} == set()


def imports_state(path: str) -> bool:
    return "from siteseer.collection.state import" in (SOURCE / path).read_text()


def test_a_directory_that_is_gone_at_the_end_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="was deleted or moved"), Collection.open(tmp_path / "c", "create"):
        shutil.rmtree(tmp_path / "c")
