"""The engine `local` in several processes of this machine, which crawl the sites where they lie.

The campaign alone writes the ledger. A process that dies leaves its sites as a kill leaves any collection: what was
committed is there, and the ledger is told of it; the rest is crawled by another process.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import time
from collections import Counter
from collections.abc import Callable

from siteseer.errors import DiskFullError
from siteseer.jobs.campaign.browser import check_browser
from siteseer.jobs.campaign.dossier import Dossier
from siteseer.jobs.campaign.ledger import RUNNING, SET_ASIDE, WAITING, SiteRow
from siteseer.jobs.campaign.local import Local
from siteseer.jobs.campaign.run import Crawlers
from siteseer.jobs.campaign.schema import WorkerRow
from siteseer.jobs.campaign.tokens import Tokens
from siteseer.jobs.campaign.turns import Turn
from siteseer.jobs.cluster.crawlers import MOST_FAILURES
from siteseer.jobs.cluster.order import Order, Result, read_result, written
from siteseer.jobs.cluster.papers import SLICE_SECONDS
from siteseer.jobs.cluster.pupil import heaviest, teach
from siteseer.jobs.local.process import WorkerProcess
from siteseer.jobs.local.worker import GRACE

STUCK = 4 * SLICE_SECONDS
"""Seconds after which a slice will not end any more: a page that keeps its process busy for ever."""
REST = 1.0
CAUTIOUS = 2
"""Requests of a slice after one that failed: what comes before a page that ends every process is kept."""
FAIR = 1.25
"""A site stays with the process that has it open, unless that has so many times more to do than another."""


def local_engine(processes: int) -> Callable[[Dossier], Crawlers]:
    """Return what crawls with so many processes of this machine, 0 for as many as it has cores; 1 is this process."""
    count = processes or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    return Local if count == 1 else lambda dossier: Processes(dossier, count)


class Processes:
    """Gives slices to processes, started as they are needed."""

    def __init__(self, dossier: Dossier, count: int) -> None:
        self.dossier, self.ledger, self.count = dossier, dossier.ledger, count
        self._workers: list[WorkerProcess] = []
        self._last: dict[str, WorkerProcess] = {}
        self._failures: Counter[str] = Counter()
        self._starting = asyncio.Lock()
        self._is_stopping = False

    async def open(self) -> None:
        """Take the sites over from where they were crawled before."""
        Tokens(self.ledger).leave()
        check_browser(self.dossier.definition)
        self._again = {row.host: self._rested() for row in self.ledger.sites("status = ?", (RUNNING,))}
        self._told = asyncio.create_task(self._tell())

    @property
    def places(self) -> int:
        """How many slices may be under way at a time."""
        return self.dossier.definition.sites.at_once

    @property
    def note(self) -> str:
        """What there is to say about the engine: nothing."""
        return ""

    def left_over(self) -> list[tuple[SiteRow, Turn]]:
        """Return the slices that go on although the campaign stopped: none does."""
        return []

    async def perform(self, row: SiteRow, turn: Turn) -> None:
        """Have a site carried on, then tell the ledger."""
        self.ledger.begin(row.host)
        worker = await self._worker_for(row.host)
        try:
            if self._is_stopping:
                self.ledger.give_back(row.host, WAITING)
            else:
                await self._carry_on(worker, row, turn)
        finally:
            worker.sites.discard(row.host)

    async def _carry_on(self, worker: WorkerProcess, row: SiteRow, turn: Turn) -> None:
        place, (taken, letters) = self.dossier.place(row), self.ledger.letters(row.host)
        requests = min(turn.requests, CAUTIOUS) if self._failures[row.host] else turn.requests
        order = Order(
            place.host, place.first, place.origin, "", requests, turn.least, SLICE_SECONDS, SLICE_SECONDS, letters,
            row.delivered, "", [], self._again.get(row.host, 0.0), heaviest(self.dossier.apprentice),
        )  # fmt: skip
        result = await self._result(worker, order)
        if result.failure:
            self._failed(row, result)
            return
        report = result.as_report()
        self.ledger.end(row.host, taken, report, [(int(number), content) for number, content in result.outbox])
        teach(self.dossier.apprentice, result.lessons)
        self._again[row.host] = result.again
        del self._failures[row.host]
        worker.slices += 1
        worker.pages += report.pages - row.pages
        worker.requests += report.requests - row.requests

    def stop(self, at_once: bool) -> None:
        """Let running slices end: what was sent is finished, what waits stays in the frontiers."""
        self._is_stopping = True
        line = b"stop at once" if at_once else b"stop"
        self._stopping = [asyncio.create_task(worker.ask(line)) for worker in self._workers]

    async def close(self) -> None:
        """End the processes."""
        self._told.cancel()
        await asyncio.gather(*(worker.close(GRACE) for worker in self._workers))
        self._note_workers()
        shutil.rmtree(self.dossier.folder / "siteseer" / "hosts", ignore_errors=True)

    # ── processes ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _worker_for(self, host: str) -> WorkerProcess:
        """Return who crawls a site: who did so last, unless another has clearly less to do."""
        async with self._starting:
            self._workers = [one for one in self._workers if one.is_alive]
            if len(self._workers) < self.count and all(one.sites for one in self._workers):
                self._workers.append(await WorkerProcess.start(self.dossier, -(-self.places // self.count)))
            idlest = min(self._workers, key=lambda one: len(one.sites))
            last = self._last.get(host, idlest)
            is_kept = last.is_alive and len(last.sites) <= FAIR * len(idlest.sites)
            chosen = self._last[host] = last if is_kept else idlest
            chosen.sites.add(host)
        if chosen is not last:
            await last.ask(f"leave {host}".encode())
        return chosen

    async def _result(self, worker: WorkerProcess, order: Order) -> Result:
        """Return what a slice left; a failure where its process ended, or has to be ended."""
        stuck = asyncio.get_running_loop().call_later(STUCK, worker.kill)
        said = await worker.ask(b"order " + written(order))
        stuck.cancel()
        return read_result(said) if said is not None else Result("", {}, [], [], 0.0, {}, "its process ended")

    def _failed(self, row: SiteRow, result: Result) -> None:
        """Tell the ledger what there is of a slice that failed; a site that fails again and again is set aside."""
        if result.worker == DiskFullError.__name__:
            raise DiskFullError(result.failure)
        self._again[row.host] = self._rested()
        self._failures[row.host] += 1
        self.dossier.recover(row)
        if (count := self._failures[row.host]) >= MOST_FAILURES:
            reason = f"{count} slices in a row came to nothing: {result.failure}"
            self.ledger.give_back(row.host, SET_ASIDE, reason)

    def _rested(self) -> float:
        """Return when a site may be asked again whose process was lost: its last request may still be answered."""
        return time.time() + max(self.dossier.definition.politeness.delay, REST)

    async def _tell(self) -> None:
        """Write down now and then who crawls what."""
        while True:
            await asyncio.sleep(1.0)
            self._note_workers()

    def _note_workers(self) -> None:
        machine, now = socket.gethostname(), time.time()
        for number, one in enumerate(self._workers, 1):
            sites = " ".join(sorted(one.sites))
            name = f"{machine}, process {number}"
            self.ledger.saw(WorkerRow(name, machine, sites, one.since, now, one.slices, one.pages, one.requests))
