"""A collection of Siteseer 0.1.0 stays readable as it is, and is upgraded by its first writer, in one step."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from siteseer.cli.main import run
from siteseer.collection import upgrade
from siteseer.collection.collection import Collection
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.errors import ArchiveError

KEPT = Path(__file__).parent / "data" / "first-version.tar.xz"
"""The crawl of a small blog as Siteseer 0.1.0 left it, without its RDF store."""
KILLED = """
import os, signal, sys
from pathlib import Path
from siteseer.collection import upgrade
from siteseer.collection.collection import Collection
from tests.collection.test_upgrade import name_hosts

def die(db):
    name_hosts(db)
    os.kill(os.getpid(), signal.SIGKILL)

upgrade.STEPS[:] = [die]
Collection.open(Path(sys.argv[1]), "write")
"""


def name_hosts(db: sqlite3.Connection) -> None:
    """A step of a kind that formats need: a new column, filled from what is there."""
    db.execute("ALTER TABLE crawls ADD COLUMN hosts TEXT")
    db.execute("UPDATE crawls SET hosts = (SELECT group_concat(DISTINCT host) FROM urls WHERE crawl = crawls.id)")


@pytest.fixture
def first(tmp_path: Path) -> Path:
    with tarfile.open(KEPT) as file:
        file.extractall(tmp_path, filter="data")
    return tmp_path / "first-version"


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(upgrade, "STEPS", [*upgrade.STEPS, name_hosts])
    yield


def stored_format(folder: Path) -> str:
    with closing(sqlite3.connect(f"file:{folder}/siteseer/state.db?mode=ro", uri=True)) as db:
        return str(db.execute("SELECT value FROM about WHERE name = 'version'").fetchone()[0])


def test_it_answers_every_reader_and_stays_as_it_is(first: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (first / "siteseer" / "state.db").read_bytes()
    assert run(["verify", str(first)]) == 0
    assert run(["objects", str(first), "--format", "jsonl"]) == 0
    assert run(["changes", str(first), str(first)]) == 0
    assert capsys.readouterr().out.count('"kind"') == 12
    assert ReadOnlyState(first).kinds() == {"comment": 8, "page": 4}
    assert (first / "siteseer" / "state.db").read_bytes() == before


def test_it_is_gone_on_with(first: Path, tmp_path: Path) -> None:
    assert run(["describe", str(first)]) == 0
    assert run(["export", str(first), "--wacz", str(tmp_path / "c.wacz")]) == 0
    assert run(["verify", str(first)]) == 0


@pytest.mark.usefixtures("step")
def test_a_reader_sees_an_older_one_as_it_would_be_and_changes_nothing(first: Path) -> None:
    before = (first / "siteseer" / "state.db").read_bytes()
    with Collection.open(first) as collection:
        ((hosts,),) = collection.state.rows("SELECT hosts FROM crawls")
    assert hosts and ReadOnlyState(first).rows("SELECT hosts FROM crawls") == [(hosts,)]
    assert (first / "siteseer" / "state.db").read_bytes() == before


@pytest.mark.usefixtures("step")
def test_the_first_writer_upgrades_it_once(first: Path) -> None:
    older = stored_format(first)
    for _ in range(2):
        with Collection.open(first, "write") as collection:
            assert [hosts for (hosts,) in collection.state.rows("SELECT hosts FROM crawls")] != [None]
        assert stored_format(first) == str(int(older) + 1) == str(upgrade.todays_format())


def test_a_kill_in_the_middle_of_an_upgrade_spoils_nothing(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(first)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert stored_format(first) == "1"
    assert run(["verify", str(first)]) == 0
    monkeypatch.setattr(upgrade, "STEPS", [name_hosts])
    with Collection.open(first, "write") as collection:
        assert [hosts for (hosts,) in collection.state.rows("SELECT hosts FROM crawls")] != [None]


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_later_format_is_refused_in_one_sentence(first: Path, mode: str) -> None:
    with closing(sqlite3.connect(first / "siteseer" / "state.db")) as db:
        db.execute("UPDATE about SET value = '99' WHERE name = 'version'")
        db.commit()
    with pytest.raises(ArchiveError, match="written by a newer version of Siteseer \\(format 99"):
        Collection.open(first, mode)  # type: ignore[arg-type]
