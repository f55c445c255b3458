"""Starts siteseer as a process that can be killed at a share of its processor time, and watches what it does.

A moment is a share of the processor time that an undisturbed run took: other load on the machine does not move it.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chaos_commands import LONGEST, SITESEER, World

TICK = os.sysconf("SC_CLK_TCK")
GLANCE = 0.005


@dataclass(frozen=True, slots=True)
class Effort:
    """What an undisturbed run took."""

    cpu: float
    """Seconds of processor time, of all its processes."""
    begins: float
    """The share of it after which something of the case's folder was changed."""
    exit_code: int
    bytes_before: int
    bytes_after: int
    largest_file: int


class Running:
    """A command that runs; the end of the `with` block is its end."""

    def __init__(
        self,
        world: World,
        arguments: Sequence[str | Path],
        env: dict[str, str] | None = None,
        limits: dict[int, int] | None = None,
    ) -> None:
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - no pipe: what nobody reads would hold the command up
        self.process = subprocess.Popen(
            [*SITESEER, *map(str, arguments)],
            stdout=subprocess.DEVNULL,
            stderr=self.said,
            env={**world.environment, **(env or {})},
            cwd=world.root,
            start_new_session=True,
        )
        for limit, value in (limits or {}).items():
            resource.prlimit(self.process.pid, limit, (value, value))

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def members(self) -> list[int]:
        """Return the living processes of the command: itself and what it started."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] not in "ZX" and int(fields[3]) == self.process.pid:
                found.append(int(entry.name))
        return sorted(found)

    def cpu(self, has_children: bool) -> float:
        """Return the processor time so far, in seconds."""
        return sum(map(_cpu_of, self.members() if has_children else [self.process.pid]))

    def wait_for_share(self, seconds: float, has_children: bool = False) -> bool:
        """Wait until so much processor time is spent; return whether the command still runs."""
        until = time.monotonic() + LONGEST
        while self.process.poll() is None and time.monotonic() < until:
            if self.cpu(has_children) >= seconds:
                return True
            time.sleep(GLANCE)
        return False

    def kill(self, victim: int | None = None) -> None:
        """Kill one process of the command; the rest must end by itself."""
        if victim is not None and victim != self.process.pid:
            _kill(victim)
            return
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        until = time.monotonic() + 30
        while left := self.members():
            if time.monotonic() > until:
                for one in left:
                    _kill(one)
                raise TimeoutError("processes went on 30 seconds after what had started them was killed")
            time.sleep(0.02)

    def end(self) -> tuple[int, str]:
        """Wait for the end; return exit code and messages."""
        try:
            self.process.wait(LONGEST)
            ending = ""
        except subprocess.TimeoutExpired:
            ending = "\n(no end)"
        self.kill()
        self.said.seek(0)
        return self.process.returncode, self.said.read().decode("utf-8", "replace") + ending


def measure(world: World, arguments: Sequence[str | Path], work: Path, has_children: bool) -> Effort:
    """Run a command undisturbed, and return what it took."""
    before, newest, begins, spent = _size(work), _newest(work), 0.0, 0.0
    with Running(world, arguments) as running:
        while running.process.poll() is None:
            spent = max(spent, running.cpu(has_children))
            if not begins and _newest(work) != newest:
                begins = spent
            time.sleep(2 * GLANCE)
        code, said = running.end()
        assert "Traceback" not in said, said
    files = [path.stat().st_size for path in work.rglob("*") if path.is_file()]
    return Effort(spent, begins / max(spent, 0.01), code, before, _size(work), max(files, default=0))


def _size(work: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in work.rglob("*") if path.is_file())


def _newest(work: Path) -> int:
    def stamp(path: Path) -> int:
        try:
            return path.stat().st_mtime_ns
        except OSError:
            return 0

    return max(map(stamp, [work, *work.rglob("*")]))


def _cpu_of(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
