"""Runs Chromium as a child process: starts it with its own profile, watches it, and ends it with all its children."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from siteseer.errors import FetchError, MissingExtraError, UsageError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run --no-default-browser-check "
    "--disable-background-networking --disable-component-update --disable-sync --disable-extensions --mute-audio "
    "--disable-default-apps --deny-permission-prompts --disable-features=HttpsUpgrades,OptimizationHints,MediaRouter "
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp --hide-scrollbars "
    "--disable-back-forward-cache --remote-debugging-port=0 --window-size=1280,900"
).split()
START_SECONDS = 60.0
_WATCH_SECONDS = 0.25
GUARD = 'cat > /dev/null; for round in 1 2 3 4 5; do kill -s KILL -- "-$1"; sleep 0.2; rm -rf -- "$2"; done'
"""Reads from us until we are gone, however we went, and then ends the browser; what dies may write a last file."""
END_SECONDS = 10.0


class BrowserStartError(FetchError):
    """Chromium is there, but does not start."""


class MissingChromiumError(MissingExtraError):
    """There is no Chromium; `also` names the extra that is missing beside it, if one is.

    Installing the extra alone would not help, so `extra`, which the launcher would install, is empty.
    """

    def __init__(self, who: str, also: str = "") -> None:
        self.extra = ""
        how = "install your system's package `chromium`, or name another one in SITESEER_CHROMIUM"
        if also:
            how += f"; then install playwright with: pip install 'siteseer[{also}]'"
        UsageError.__init__(self, f"{who} Chromium: {how}")


def find_chromium() -> str | None:
    """Return the system's Chromium, or the one that `SITESEER_CHROMIUM` names; None where there is none."""
    named = os.environ.get("SITESEER_CHROMIUM")
    return next((found for name in ((named,) if named else NAMES) if (found := shutil.which(name))), None)


def executable(who: str) -> str:
    """Return Chromium; `who` begins the complaint if there is none."""
    found = find_chromium()
    if found is None:
        raise MissingChromiumError(who)
    return found


class Chromium:
    """A running Chromium; `address` is where it is spoken to, `why` the reason for which it was ended, if it was."""

    def __init__(
        self, proxy_port: int, memory_bytes: int, page_bytes: int, who: str, flags: Sequence[str] = ()
    ) -> None:
        self._program = executable(who)
        self._memory, self._page_memory = memory_bytes, page_bytes
        self.why = ""
        self._deadline: tuple[float, str] | None = None
        self._answered = 0.0
        self._profile = tempfile.mkdtemp(prefix=f"siteseer-browser-{os.getpid()}-")
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        proxy = [f"--proxy-server=http://127.0.0.1:{proxy_port}", "--proxy-bypass-list=<-loopback>"]
        command = [self._program, *FLAGS, *flags, *root, *proxy, f"--user-data-dir={self._profile}", "about:blank"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        self.pid = self._process.pid
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", GUARD, "guard", str(self.pid), self._profile], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            self.address = self._wait_for_address()
        except BaseException:
            self.end()
            raise
        threading.Thread(target=self._watch, name="browser watch", daemon=True).start()

    def _wait_for_address(self) -> str:
        file, until = Path(self._profile) / "DevToolsActivePort", time.monotonic() + START_SECONDS
        while time.monotonic() < until and self.is_alive():
            lines = file.read_text().split() if file.exists() else []
            if len(lines) == 2:
                return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            time.sleep(0.05)
        raise BrowserStartError(f"{self._program} does not start; try it on a page by hand")

    def is_alive(self) -> bool:
        """Say whether the process runs."""
        return self._process.poll() is None

    @contextmanager
    def deadline(self, seconds: float, why: str) -> Iterator[None]:
        """End the browser if it answers nothing for so long: nothing else frees us from a page that hangs."""
        before, self._deadline = self._deadline, (seconds, why)
        self.answered()
        try:
            yield
        finally:
            self._deadline = before

    def answered(self) -> None:
        """Hear that the browser does answer: a deadline begins anew."""
        self._answered = time.monotonic()

    def condemn(self, why: str) -> None:
        """End the browser for a reason that whoever speaks to it will be told."""
        self.why = self.why or why
        self._kill()

    def end(self) -> None:
        """End the browser with all its children, and remove its profile."""
        self._guard.kill()
        self._guard.communicate()
        until = time.monotonic() + END_SECONDS
        self._kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        while _group(self.pid) and time.monotonic() < until:  # what dies may write a last file into the profile
            self._kill()
            time.sleep(0.02)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _kill(self) -> None:
        for process in (*_group(self.pid), self.pid):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)

    def _watch(self) -> None:
        rounds = 0
        while self.is_alive():
            time.sleep(_WATCH_SECONDS)
            deadline = self._deadline
            if deadline is not None and time.monotonic() > self._answered + deadline[0]:
                self.condemn(deadline[1])
            rounds += 1
            if rounds % 4 == 0:
                self._look_at_memory()

    def _look_at_memory(self) -> None:
        taken = memories(self.pid)
        for what, have, most in (
            ("a page needs", max(taken, default=0), self._page_memory),
            ("the browser needs", sum(taken), self._memory),
        ):
            if have > most:
                self.condemn(f"{what} more than the {most / 2**30:.1f} GB of memory that it may have")


def _group(leader: int) -> list[int]:
    """Return the living processes of a process group; none where the system does not tell."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            fields = entry.read_text().rpartition(")")[2].split()
            if fields[0] != "Z" and leader in (int(fields[2]), int(fields[3])):
                found.append(int(entry.parent.name))
    return found


def memories(leader: int) -> list[int]:
    """Return the bytes of memory that each process of a group has for itself; none where the system is silent."""
    found = []
    for process in _group(leader):
        with suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{process}/statm").read_text().split()
            found.append((int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE"))
    return found


def memory(leader: int) -> int:
    """Return the bytes of memory that the processes of a group have for themselves, together."""
    return sum(memories(leader))
