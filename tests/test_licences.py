"""The core installs nothing under a licence that would bind those who build on it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / ".ci" / "licences.py"


def judge(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the script that `make check` runs."""
    return subprocess.run([sys.executable, "-P", SCRIPT, *map(str, arguments)], capture_output=True, text=True)


def project(folder: Path, *requirements: str) -> Path:
    file = folder / "pyproject.toml"
    file.write_text(f"[project]\ndependencies = {list(requirements)!r}\n")
    return file


def test_the_core_is_free_of_gpl() -> None:
    done = judge()
    assert done.returncode == 0, done.stderr
    table = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert table["aiohttp"].startswith("Apache-2.0")
    assert "idna" in table and "surt" not in table, "what dependencies depend on is listed too"


def test_a_core_with_agpl_fails(tmp_path: Path) -> None:
    try:
        licence = distribution("surt").metadata["License"]
    except PackageNotFoundError:
        pytest.skip("needs an AGPL package, such as surt, which pywb brings")
    done = judge("--project", project(tmp_path, "lxml>=5", "surt"))
    assert done.returncode == 1 and "surt" in done.stderr and "lxml" not in done.stderr, licence


def test_what_a_dependency_brings_counts(tmp_path: Path) -> None:
    try:
        distribution("cdxj-indexer"), distribution("surt")
    except PackageNotFoundError:
        pytest.skip("needs cdxj-indexer, which depends on surt")
    done = judge("--project", project(tmp_path, "cdxj-indexer"))
    assert done.returncode == 1 and done.stderr.startswith("surt: ")


def test_a_licence_that_nobody_can_tell_fails(tmp_path: Path) -> None:
    done = judge("--project", project(tmp_path, "no-such-package-at-all"))
    assert done.returncode == 1 and "no-such-package-at-all is not installed" in done.stderr


def test_which_licences_are_copyleft() -> None:
    done = subprocess.run([sys.executable, "-P", "-m", "doctest", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
