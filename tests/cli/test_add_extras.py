"""Extras: an installed package names what to install; the launcher installs it and runs the command again."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from siteseer.cli import main
from siteseer.errors import MissingExtraError
from siteseer.optional_dependencies import needs

PROGRAM = """
import sys
from siteseer.cli import main
from siteseer.optional_dependencies import needs

class App:
    def __call__(self, *_, **__):
        with needs("ui", "the web interface needs NiceGUI"):
            import no_such_module_at_all

main.build = App
sys.exit(main.run(sys.argv[1:]))
"""


def test_an_installed_package_names_the_extra():
    done = run_program({})
    assert done.returncode == 2 and done.stderr.strip().endswith("pip install 'siteseer[ui]'")
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_launcher_adds_it_once_and_runs_again(tmp_path: Path):
    script(tmp_path / ".ci" / "environment", 'echo "$1" >> "$(dirname "$0")/installed"')
    script(tmp_path / "siteseer", f'exec {sys.executable} -c "$PROGRAM" "$@"')
    done = run_program({"SITESEER_LAUNCHER": str(tmp_path / "siteseer"), "PROGRAM": PROGRAM})
    assert (tmp_path / ".ci" / "installed").read_text() == "ui\n", "asked for once, not for ever"
    assert "adding the extra 'ui'" in done.stderr and done.returncode == 2


def test_defects_of_our_own_are_not_taken_for_extras():
    with pytest.raises(ModuleNotFoundError), needs("ui", "x"):
        import siteseer.no_such_part  # noqa: F401


def test_the_error_says_what_to_do():
    assert MissingExtraError("parquet", "tables need pyarrow").extra == "parquet"
    assert main.run(["--help"]) == 0


def script(path: Path, line: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def run_program(more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {**{k: v for k, v in os.environ.items() if not k.startswith("SITESEER_")}, **more}
    return subprocess.run([sys.executable, "-c", PROGRAM, "ui"], env=environment, capture_output=True, text=True)
