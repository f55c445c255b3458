"""Where nothing can be written any more, errors say so, and what is committed is still read."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import siteseer
from siteseer.collection.checks.state_checks import snapshot
from siteseer.collection.description import Description
from siteseer.collection.layout import state_path
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.errors import DiskFullError
from siteseer.model import Capture, WebObject

KILLED = """
import os, signal, sys
from pathlib import Path
from siteseer.collection.collection import Collection
opened = Collection.open(Path(sys.argv[1]), "create")
opened.state.new_crawl("blind", {"seeds": ["http://f.example/"]})
opened.state.commit()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_full_disk_is_said_where_the_database_has_taken_the_transaction_back_itself(tmp_path: Path) -> None:
    capture = Capture("a.warc.gz", 0, 99, datetime(2014, 3, 2, tzinfo=UTC), "sha256:00", "urn:uuid:1")
    posts = [
        (WebObject("post", f"http://f.example/{number}", "http://f.example/", text="word " * 400), capture)
        for number in range(500)
    ]
    with Description(tmp_path) as description:
        description.add(posts[:1])
        (pages,) = next(description._ledger.read("PRAGMA page_count"))
        description._ledger._connection.execute(f"PRAGMA max_page_count = {int(str(pages)) + 5}")
        with pytest.raises(DiskFullError):
            description.add(posts)
        assert description.count() == 1


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A collection whose database has its rows in the log only, and where no reader can make the log's index."""
    done = subprocess.run([sys.executable, "-P", "-c", KILLED, str(tmp_path / "c")], check=False)
    assert done.returncode == -signal.SIGKILL
    path = state_path(tmp_path / "c")
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as db:
        assert not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0], "the log has been taken in already"
    shared = path.with_name(f"{path.name}-shm")
    shared.unlink()
    shared.mkdir()  # as on a disk without room
    return tmp_path / "c"


def test_what_stands_in_the_log_of_a_killed_process_is_read_where_nothing_can_be_written(killed: Path) -> None:
    before = sorted(one.name for one in (killed / "siteseer").iterdir())
    (crawl,) = ReadOnlyState(killed).crawls()
    assert crawl.strategy == "blind"
    with snapshot(state_path(killed)) as state:
        assert state.rows("SELECT count(*) FROM crawls").fetchone() == (1,)
    (problem,) = siteseer.verify(killed)["problems"]
    assert "did not come to its end" in problem["what"]
    assert sorted(one.name for one in (killed / "siteseer").iterdir()) == before
