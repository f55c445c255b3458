"""The faults besides SIGKILL: each yields its cases, a command and what is done to it.

A disturbed command must end with an exit code and a sentence, never with a traceback; what is left is judged and healed as after a kill.
"""

from __future__ import annotations

import gc
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import damage
from chaos_commands import COMMANDS, learned_wiki
from chaos_processes import Running

from siteseer.collection.lock import is_held

if TYPE_CHECKING:
    from chaos import Case

Disturb = Callable[["Case"], None]
SHARES = (0.05, 0.35, 0.7, 0.95)
"""How much of the room that a command needs it gets."""
DISK_FULL = 3
AMPLE = "1g"
DESCRIPTORS = 64
A_DAY_AGO = "-1d"
FAKETIME = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/local/lib/faketime/libfaketime.so.1")
READERS: dict[str, tuple[str, ...]] = {
    "verify": (),
    "objects": ("--format", "jsonl"),
    "query": ("SELECT ?s { ?s ?p ?o } LIMIT 3",),
    "changes": (),
}


class Absent(Exception):
    """What a fault needs is not on this machine."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault."""

    cases: Callable[[], Iterator[tuple[str, Disturb]]]


def _on_all(disturb: Callable[..., None], *shares: float) -> Callable[[], Iterator[tuple[str, Disturb]]]:
    """Return what yields a case for each command, the shares by turns."""

    def cases() -> Iterator[tuple[str, Disturb]]:
        for number, name in enumerate(COMMANDS):
            yield name, partial(disturb, share=shares[number % len(shares)]) if shares else disturb

    return cases


def _said(case: Case, code: int, said: str, wanted: tuple[int, ...] = ()) -> None:
    """See that a disturbed command ended as it should."""
    last = (said.strip() or "nothing").splitlines()[-1]
    if "Traceback" in said or code < 0 or "(no end)" in said:
        case.wrong(f"ended with {code}: {last}")
    elif wanted and code not in wanted:
        case.wrong(f"exit code {code} instead of {wanted}: {last}")


def _mount(*arguments: str | Path) -> None:
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise Absent(done.stderr.strip() or "mount failed")


@contextmanager
def _mounted(path: Path) -> Iterator[None]:
    try:
        yield
    finally:
        for _ in range(20):
            gc.collect()  # nothing of ours holds the disk
            if subprocess.run(["umount", path], capture_output=True).returncode == 0:
                break
            time.sleep(0.2)


# ── room ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def full_disk(case: Case, share: float) -> None:
    """Give the case a disk of its own, in which a share of what the command writes finds room."""
    effort, work = case.truth.effort, case.work
    _mount("-t", "tmpfs", "-o", f"size={AMPLE}", "none", work)
    with _mounted(work):
        case.prepare()
        room = effort.bytes_before + int(share * (effort.bytes_after - effort.bytes_before)) + (1 << 16)
        _mount("-o", f"remount,size={room}", work)
        code, said = _run(case)
        _said(case, code, said, (case.truth.effort.exit_code, DISK_FULL))
        case.judge()
        _mount("-o", f"remount,size={AMPLE}", work)
        case.heal()


def file_size(case: Case, share: float) -> None:
    """Let no file become larger than a share of the largest one."""
    case.prepare()
    limit = int(share * case.truth.effort.largest_file)
    code, said = _run(case, limits={resource.RLIMIT_FSIZE: limit})
    _said(case, code, said, (case.truth.effort.exit_code, DISK_FULL))
    case.judge()
    case.heal()


def few_descriptors(case: Case) -> None:
    """Let the command have 64 file descriptors: it does with them, or says in a sentence that it cannot."""
    case.prepare()
    limits = {resource.RLIMIT_NOFILE: DESCRIPTORS}
    code, said = _run(case, limits=limits)
    _said(case, code, said)
    if code == case.truth.effort.exit_code and case.command.contents(case.work) != case.truth.contents:
        case.wrong(f"something is missing, and the exit code is {code}")
    case.judge()
    case.heal()


def _run(case: Case, env: dict[str, str] | None = None, limits: dict[int, int] | None = None) -> tuple[int, str]:
    with Running(case.world, case.arguments, env, limits) as running:
        return running.end()


# ── the directory ─────────────────────────────────────────────────────────────────────────────────────────────────────


def deleted(case: Case, share: float) -> None:
    """Delete the directory under the command; what it left is put away, and it begins again."""
    case.prepare()
    effort = case.truth.effort
    with Running(case.world, case.arguments) as running:
        running.wait_for_share((effort.begins + (1 - effort.begins) * share) * effort.cpu, case.command.is_campaign)
        is_in_flight = is_held(case.work / "c")  # what has let go of its lock is done, and need not hear of it
        for _ in range(3):
            shutil.rmtree(case.work / "c", ignore_errors=True)
        code, said = running.end()
    _said(case, code, said)
    if code == 0 and is_in_flight and case.command.contents(case.work) != case.truth.contents:
        case.wrong("the directory is gone, and the exit code is 0")
    case.judge()
    shutil.rmtree(case.work)
    case.work.mkdir()
    case.prepare()
    case.heal()


def read_only(case: Case) -> None:
    """Make the directory read-only: the command is refused in one sentence, and nothing changes."""
    case.prepare()
    (case.work / "c").mkdir(exist_ok=True)
    _mount("--bind", case.work, case.work)
    with _mounted(case.work):
        _mount("-o", "remount,ro,bind", case.work)
        code, said = _run(case)
        _said(case, code, said)
        if code == 0:
            case.wrong("nothing could be written, and the exit code is 0")
        if case.command.contents(case.work) not in (
            case.before,
            {"c": {"captures": set(), "archived": set(), "objects": {}}},
        ):
            case.wrong("a directory that is read-only has changed")
    case.heal()


def read_read_only(case: Case) -> None:
    """Read a whole collection that lies on a read-only disk with all reading commands."""
    shutil.copytree(learned_wiki(case.world), case.work / "c")
    case.before = case.command.contents(case.work)
    folder = case.work / "c"
    _mount("--bind", case.work, case.work)
    with _mounted(case.work):
        _mount("-o", "remount,ro,bind", case.work)
        for name, more in READERS.items():
            arguments = [name, folder, *([learned_wiki(case.world)] if name == "changes" else []), *more]
            done = case.world.run(*arguments)
            _said(case, done.returncode, f"{name}: {done.stderr}", (0,))
        package = case.world.root / f"{case.work.name}.wacz"
        done = case.world.run("export", folder, "--wacz", package)
        _said(case, done.returncode, f"export: {done.stderr}", (0,))
        package.unlink(missing_ok=True)
    case.heal()


def _read_only_cases() -> Iterator[tuple[str, Disturb]]:
    yield from _on_all(read_only)()
    yield "crawl learned", read_read_only


# ── bytes ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def damaged(case: Case, kind: str, way: str, share: float) -> None:
    """Damage a file of a whole collection."""
    shutil.copytree(learned_wiki(case.world), case.work / "c")
    case.before, case.is_learned_again = case.command.contents(case.work), kind == "WARC"
    found = damage.files(case.work / "c", kind)
    if not found:
        raise Absent(f"the collection has no {kind}")
    _ways(share)[way](found[0])
    case.outcome.notes.append(f"({kind}, {way} {share:.2f})")
    case.judge()
    case.heal(repair_first=True)


def damaged_package(case: Case, way: str, share: float) -> None:
    """Damage a WACZ package: `verify` sees it, and `export` makes it again."""
    case.prepare()
    case.again()
    package = case.work / "c.wacz"
    _ways(share)[way](package)
    case.outcome.notes.append(f"(WACZ, {way} {share:.2f})")
    if not case.judge():
        case.wrong("verify does not see the damage of a package")
    case.heal()


def _ways(share: float) -> dict[str, Callable[[Path], None]]:
    """Return the ways of damage, those that have a place at a share of the file."""
    placed = {"flip": partial(damage.flip, share=share), "cut": partial(damage.cut, share=share)}
    return {**damage.WAYS, **damage.OF_TEXTS, **placed}


def _damages() -> Iterator[tuple[str, Disturb]]:
    for number, (kind, way) in enumerate(damage.damages()):
        for share in (0.5, (0.1, 0.3, 0.7, 0.9)[number % 4]) if way in ("flip", "cut") else (0.5,):
            yield "crawl learned", partial(damaged, kind=kind, way=way, share=share)
    for way, share in (
        ("flip", 0.1),
        ("flip", 0.6),
        ("flip", 0.99),
        ("cut", 0.3),
        ("cut", 0.97),
        ("empty", 0),
        ("delete", 0),
    ):
        yield "export", partial(damaged_package, way=way, share=share)


# ── others ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def two_writers(case: Case) -> None:
    """Start a second writer beside the first: one of them is told who writes."""
    case.prepare()
    second = [case.arguments, ["repair", str(case.work / "c")]][case.draw.random() < 0.3]
    if case.command.name.startswith("crawl") and case.draw.random() < 0.5:
        second = [*case.arguments, "--overwrite"]
    effort = case.truth.effort
    with Running(case.world, case.arguments) as first:
        first.wait_for_share(effort.cpu * (effort.begins + (1 - effort.begins) * 0.5 * case.draw.random()))
        with Running(case.world, second) as other:
            ends = [first.end(), other.end()]
    for code, said in ends:
        _said(case, code, said)
    if all(code for code, _ in ends) and not effort.exit_code:
        case.wrong(f"neither of two writers came through: {ends}")
    refused = [said for code, said in ends if code not in (0, effort.exit_code)]
    if refused and "is writing to" not in refused[0] and "is no collection" not in refused[0]:
        case.wrong(f"the second writer is not told who writes: {refused[0].strip()[-200:]}")
    case.judge()
    case.heal()


def clock_back(case: Case, share: float) -> None:
    """Kill a command, and go on with it on a machine whose clock is a day behind."""
    library = next((path for pattern in FAKETIME for path in Path("/").glob(pattern.lstrip("/"))), None)
    if library is None:
        raise Absent("libfaketime is not installed")
    case.prepare()
    case.outcome.kills += case.kill_once(share)
    case.env = {
        "LD_PRELOAD": str(library),
        "FAKETIME": A_DAY_AGO,
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_NO_CACHE": "1",
    }
    case.judge()
    case.heal()


FAULTS = {
    "full disk": Fault(_on_all(full_disk, *SHARES)),
    "file size limit": Fault(_on_all(file_size, *SHARES)),
    "deleted directory": Fault(_on_all(deleted, *SHARES)),
    "read-only directory": Fault(_read_only_cases),
    "torn and flipped bytes": Fault(_damages),
    "two writers": Fault(_on_all(two_writers)),
    "clock set back": Fault(_on_all(clock_back, 0.5, 0.8, 0.95)),
    "64 descriptors": Fault(_on_all(few_descriptors)),
}
