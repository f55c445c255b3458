"""Runs a campaign in a process of its own: starts, watches and stops it as the command line does."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from siteseer.campaigns.run_campaign import COPY
from siteseer.collection.layout import OWN, SUMMARY
from siteseer.collection.lock import hold_lock
from siteseer.errors import BusyError, UsageError
from siteseer.model import JSON

Phase = Literal[
    "new", "learning", "running", "analysing", "selecting", "stopping", "stopped", "finished", "failed", "learned",
    "elsewhere",
]  # fmt: skip
AT_WORK: dict[str, Phase] = {
    "run": "running", "learn": "learning", "analyse": "analysing", "select": "selecting",
}  # fmt: skip
"""The phase of a campaign while a command works on it."""
LOG = f"{OWN}/campaign.log"
LARGEST = 2**20


@dataclass(frozen=True, slots=True)
class Ended:
    """How the last run of a campaign ended."""

    phase: Phase
    summary: JSON


class CampaignRun:
    """A process that runs a campaign, its reference crawl, its analysis, or makes the WACZ of its selection."""

    def __init__(self, folder: Path, verb: str, options: tuple[str, ...] = ()) -> None:
        self.folder, self.verb = folder, verb
        self._is_asked_to_stop = False
        (folder / LOG).parent.mkdir(exist_ok=True)
        about = [str(folder / COPY), "-o", str(folder)] if verb in ("run", "learn") else [str(folder)]
        command = [sys.executable, "-P", "-m", "siteseer", "campaign", verb, *about, *options]
        with (folder / LOG).open("wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    @property
    def is_alive(self) -> bool:
        """Say whether it still runs."""
        return self._process.poll() is None

    @property
    def phase(self) -> Phase:
        """How far it is."""
        if self.is_alive:
            return "stopping" if self._is_asked_to_stop else AT_WORK[self.verb]
        if self.error:
            return "failed"
        if self.verb == "learn":
            return "learned" if self._process.returncode == 0 else "stopped"
        return how_it_ended(self.folder).phase

    @property
    def error(self) -> str:
        """What went wrong, in one sentence; empty where nothing did."""
        if self.is_alive or self._is_asked_to_stop or self._process.returncode == 0:
            return ""
        with suppress(OSError):
            lines = (self.folder / LOG).read_bytes()[-8_000:].decode("utf-8", "replace").splitlines()
            said = next((line.strip()[:500] for line in reversed(lines) if line.strip()), "it ended without a word")
            return said.removeprefix("siteseer: ")
        return "it ended without a word"

    def stop(self) -> None:
        """Let it end what is in flight; asked twice, it stops at once."""
        self._is_asked_to_stop = True
        self._process.send_signal(signal.SIGINT)

    def wait(self, seconds: float) -> None:
        """Wait for its end; what takes longer is ended."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def how_it_ended(folder: Path) -> Ended:
    """Return how the last run of a campaign ended, by its summary."""
    try:
        with (folder / SUMMARY).open("rb") as file:
            summary = json.loads(file.read(LARGEST))
    except (OSError, ValueError):
        return Ended("new", None)
    is_finished = isinstance(summary, dict) and summary.get("finished")
    return Ended("finished" if is_finished else "stopped", summary)


def remove(folder: Path) -> None:
    """Remove a campaign with its sites: out of sight in one step, then file by file."""
    gone = folder.with_name(f".{folder.name}.deleted")
    shutil.rmtree(gone, ignore_errors=True)  # of an earlier time that was interrupted
    with ExitStack() as held:
        for path in (folder, *(folder / "sites").glob("*")):
            try:
                held.enter_context(hold_lock(path))
            except BusyError:
                raise BusyError(f"{path.name} is being crawled: stop that first, or wait for its end") from None
        try:
            folder.rename(gone)
        except OSError as error:
            raise UsageError(f"{folder.name} cannot be deleted: {error.strerror}") from error
    shutil.rmtree(gone, ignore_errors=True)
