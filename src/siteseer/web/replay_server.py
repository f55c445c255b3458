"""Serves the full replay of a collection: pywb in a process and on a port of its own.

pywb is never imported: it is a program that is started when the first page is replayed, and ended with the interface.
The layout of a collection is that of pywb, so a link in a folder of ours is all that it needs. It listens on this
machine only, behind a door that wants a key (`replay_auth`); its pages may load nothing but archived pages.
"""

from __future__ import annotations

import importlib.util
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Lock
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from siteseer.errors import SiteseerError, UsageError
from siteseer.web.replay_auth import LINK

READY_SECONDS = 30.0
_UNSAFE = re.compile(r"[^0-9A-Za-z_-]")
_CONFIGURATION = """framed_replay: true
enable_memento: true
proxy: null
csp-header: "default-src 'unsafe-eval' 'unsafe-inline' 'self' data: blob: mediastream:; form-action 'self'"
"""
_KEY = "SITESEER_REPLAY_KEY"
"""How the process is told the key: what stands in a command line can be seen by everybody on the machine."""
_PROGRAM = f"""
import os
from pywb.apps.cli import WaybackCli
from siteseer.web.replay_auth import ReplayAuth
class Behind(WaybackCli):
    def load(self):
        return ReplayAuth(super().load(), os.environ.pop("{_KEY}"))
Behind().run()
"""


class Replay:
    """Starts pywb when it is first needed, and knows where it shows what.

    >>> Replay.is_installed() in (True, False)
    True
    """

    def __init__(self) -> None:
        self.port = 0
        self._key = secrets.token_urlsafe(24)
        self._folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    @staticmethod
    def is_installed() -> bool:
        """Say whether pywb can be started here."""
        return importlib.util.find_spec("pywb") is not None

    def address(self, name: str, collection: Path, url: str, time: str = "", host: str = "localhost") -> str:
        """Return where a capture is replayed, starting pywb where it does not run yet; `time` is ISO 8601."""
        with self._lock:
            folder = self._started()
            short = _UNSAFE.sub("-", name)[:80] or "collection"
            link = folder / "collections" / short
            if not link.exists():
                link.symlink_to(collection.resolve(), target_is_directory=True)
        stamp = re.sub(r"\D", "", time)[:14]
        return f"http://{host}:{self.port}{LINK}{self._key}/{short}/{stamp + '/' if stamp else ''}{url}"

    def close(self) -> None:
        """End the process and remove the folder of links; the collections stay."""
        with self._lock:
            if self._process is not None:
                self._process.terminate()
                try:
                    self._process.wait(10)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    self._process.wait()
                self._process = None
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None

    def _started(self) -> Path:
        if self._process is not None and self._process.poll() is None and self._folder is not None:
            return self._folder
        if not self.is_installed():
            raise UsageError("replay needs pywb; install it with: pip install 'siteseer[replay]'")
        self._folder = self._folder or Path(tempfile.mkdtemp(prefix="siteseer-replay-"))
        (self._folder / "collections").mkdir(exist_ok=True)
        (self._folder / "config.yaml").write_text(_CONFIGURATION, encoding="utf-8")
        self.port = _free_port()
        command = [sys.executable, "-P", "-c", _PROGRAM, "-b", "127.0.0.1"]
        with (self._folder / "pywb.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "-p", str(self.port), "-d", str(self._folder)],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env={**os.environ, _KEY: self._key},
            )
        self._wait()
        return self._folder

    def _wait(self) -> None:
        """Wait until pywb answers."""
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end and self._process is not None and self._process.poll() is None:
            try:
                urlopen(f"http://127.0.0.1:{self.port}/", timeout=2).close()
                return
            except HTTPError:  # the door answers
                return
            except (URLError, OSError):
                time.sleep(0.1)
        raise SiteseerError("the replay did not start; the built-in page view still works")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
