"""Nothing is imported from the directory in which the user stands: it may hold files that somebody else put there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import siteseer
from siteseer.demo import Server, make_site

ROOT = Path(__file__).resolve().parents[2]
PLANTED = "siteseer json lxml re email ssl typing celery venv compileall sitecustomize usercustomize".split()


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A directory with modules that leave a mark where they are imported."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    for name in PLANTED:
        (folder / f"{name}.py").write_text(f"from pathlib import Path\nPath({str(folder)!r}, 'MARK-{name}').touch()\n")
    return folder


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    """The launcher of this checkout, with an environment that is the one of the tests."""
    home = tmp_path / "checkout"
    (home / ".ci").mkdir(parents=True)
    (home / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(ROOT / "siteseer", home / "siteseer")
    shutil.copy(ROOT / ".ci" / "environment", home / ".ci" / "environment")
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", home / ".venv")
    (home / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (home / ".venv" / "lib").symlink_to(Path(sys.prefix) / "lib")
    (home / ".venv" / ".made-core").touch()
    return home / "siteseer"


def run(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a directory, as a user does who has set nothing."""
    left = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    source = str(Path(siteseer.__file__).parents[1])
    return subprocess.run(
        list(map(str, command)), cwd=folder, env={**left, "PYTHONPATH": source}, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip


def marks(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("MARK-*"))


def test_the_launcher_imports_nothing_from_the_current_directory(trap: Path, launcher: Path) -> None:
    done = run(trap, launcher, "--version")
    assert (done.returncode, done.stdout.strip(), marks(trap)) == (0, siteseer.__version__, []), done.stderr


def test_what_a_command_starts_does_not_either(trap: Path, launcher: Path) -> None:
    with Server(make_site("forum", seed=1, size=2)) as site:
        done = run(trap, launcher, "crawl", site.url, "-o", "c", "--delay", "0", "--limit", "200", "--browser", "never")
    assert done.returncode == 0, done.stderr
    asked = run(trap, launcher, "query", "c", "SELECT * WHERE { ?s ?p ?o } LIMIT 1")
    assert asked.returncode == 0, asked.stderr
    assert marks(trap) == []


def test_the_environment_of_the_launcher_tells_sub_processes(trap: Path, launcher: Path) -> None:
    (launcher.parent / ".venv" / "bin" / "python").unlink()
    (launcher.parent / ".venv" / "bin" / "python").write_text('#!/bin/sh\necho "safe=$PYTHONSAFEPATH $*"\n')
    (launcher.parent / ".venv" / "bin" / "python").chmod(0o755)
    assert run(trap, launcher, "objects", "x").stdout.split() == ["safe=1", "-P", "-m", "siteseer", "objects", "x"]


def test_every_process_that_we_start_is_told_so() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}
    found = [(path, one) for path, text in sources.items() for one in re.findall(r"sys\.executable,.{6}", text)]
    assert len(found) >= 6
    assert [path.name for path, one in found if not one.endswith('"-P",')] == []
