"""An environment with Siteseer's core and nothing else, as `pip install siteseer` makes it; made once for all tests.

It lies below the environment that runs the tests, under a name that changes with pyproject.toml. Siteseer itself is
installed editable, so that the code of this checkout runs.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_IN_CORE = (
    "playwright fastapi uvicorn nicegui celery redis pyarrow fsspec s3fs apscheduler pywb scrapy spacy warcio rdflib "
    "trafilatura pytest hypothesis"
).split()
SECONDS = 300


@dataclass(frozen=True)
class CoreInstall:
    """The environment."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def run(self, *arguments: object, seconds: float = SECONDS, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `siteseer` with these arguments."""
        command = [str(self.folder / "bin" / "siteseer"), *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, env=clean(environment), stdin=subprocess.DEVNULL
        )

    def importable(self) -> list[str]:
        """Return which modules are there that do not belong to the core."""
        asked = f"import importlib.util as u; print(*[n for n in {NOT_IN_CORE!r} if u.find_spec(n)])"
        found = subprocess.run(
            [str(self.python), "-c", asked], capture_output=True, text=True, check=True, env=clean({})
        )
        return found.stdout.split()


@cache
def core_install() -> CoreInstall:
    """Return the environment; make it where it is not there yet."""
    key = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + f"{ROOT} {sys.version}".encode()).hexdigest()[:12]
    place = Path(sys.prefix) / "core-only"
    place.mkdir(exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several processes run tests
        folder = place / key
        if not (folder / "made").exists():
            for old in (one for one in place.iterdir() if one.is_dir()):
                shutil.rmtree(old)
            _make(folder)
            (folder / "made").touch()
    return CoreInstall(folder)


def _make(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, env=clean({}))
    uv, python = Path(sys.prefix) / "bin" / "uv", str(folder / "bin" / "python")
    pip = [str(uv), "pip", "install", "--python", python] if uv.exists() else []
    command = [*(pip or [sys.executable, "-m", "pip", "--python", python, "install"]), "--quiet", "-e", str(ROOT)]
    made = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert made.returncode == 0, f"the core cannot be installed by itself: {made.stderr}"


def clean(environment: dict[str, str]) -> dict[str, str]:
    """Return the variables of a person who has just installed Siteseer."""
    left = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SITESEER_", "VIRTUAL_"))
    }
    return {**left, "PYTHONNOUSERSITE": "1", "SITESEER_KNOWLEDGE": "no-such-folder", **environment}
