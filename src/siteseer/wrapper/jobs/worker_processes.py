"""Finds and kills all processes of a worker: a worker and its browser carry its name in their environment."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from siteseer.fetch.browser.process import memory

Report = Callable[..., None]
"""Reports the progress of an order to whoever gave it, as names and values."""
VARIABLE = "SITESEER_WORKER"
"""The environment variable by which the processes of a worker, and those of its browser, are known."""


def new_name() -> str:
    """Return the name of a new worker."""
    return secrets.token_hex(8)


def scratch_folder(name: str) -> Path:
    """Return the folder in which a worker and its browser may write; a short path, as it holds sockets."""
    base, own = Path(tempfile.gettempdir()), f"siteseer-work-{name}"
    return base if base.name == own else base / own  # the worker itself has it as its place for such files


def kill_and_clean(name: str) -> None:
    """Kill all processes of a worker except the calling one, and delete its files."""
    for process in processes_of(name):
        with suppress(ProcessLookupError, PermissionError):
            if os.getpgid(process) == process and process != os.getpgid(0):
                os.killpg(process, signal.SIGKILL)
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
    shutil.rmtree(scratch_folder(name), ignore_errors=True)


def end_worker() -> None:
    """End this worker at once, with its browser: whoever gave orders has gone, or asks for it."""
    kill_and_clean(os.environ.get(VARIABLE, "none"))
    os._exit(0)


def processes_of(name: str) -> Iterator[int]:
    """Return the processes that carry the name of a worker; none where the system does not say."""
    wanted = f"{VARIABLE}={name}".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError, ValueError):
            if int(entry.parent.name) != os.getpid() and wanted in entry.read_bytes().split(b"\0"):
                yield int(entry.parent.name)


def resident() -> int:
    """Return the bytes of memory that this process uses; 0 where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def memory_used() -> int:
    """Return the bytes of memory that this worker and all its processes use; its browser has a session of its own."""
    sessions = set()
    for process in processes_of(os.environ.get(VARIABLE, "none")):
        with suppress(OSError):
            sessions.add(os.getsid(process))
    return resident() + sum(memory(session) for session in sessions - {os.getsid(0)})
