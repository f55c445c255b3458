"""The engine `local` with several processes of this machine, which crawl the sites in the campaign's directory.

Only the campaign writes the ledger. When a process dies, its sites are as after any kill: what was committed is there
and is recorded in the ledger; another process crawls the rest.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import time
from collections import Counter
from collections.abc import Callable

from siteseer.campaigns.campaign_ledger import RUNNING, SET_ASIDE, WAITING, SiteRow
from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.engines.crawl_process import WorkerProcess
from siteseer.campaigns.engines.engine_celery import MOST_FAILURES
from siteseer.campaigns.engines.engine_in_process import InProcessEngine
from siteseer.campaigns.engines.messages import Order, Result, message_json, read_result
from siteseer.campaigns.engines.process_worker import GRACE, hosts_folder
from siteseer.campaigns.engines.shared_browser import check_browser
from siteseer.campaigns.engines.shared_orders import SLICE_SECONDS
from siteseer.campaigns.relevance.remote_term_learner import heaviest_terms, train_from_notes
from siteseer.campaigns.scheduler import SliceRunner
from siteseer.campaigns.slice_allocation import SliceTurn
from siteseer.errors import DiskFullError
from siteseer.workers.fencing_tokens import FencingTokens
from siteseer.workers.registry import WorkerRow

STUCK = 4 * SLICE_SECONDS
"""Seconds after which a slice will not end any more: a page that keeps its process busy for ever."""
REST = 1.0
CAUTIOUS = 2
"""Requests of a slice after one that failed: what comes before a page that ends every process is kept."""
FAIR = 1.25
"""A site stays with the process that has it open, unless that has so many times more to do than another."""


def local_engine(processes: int) -> Callable[[CampaignState], SliceRunner]:
    """Return the engine for so many processes of this machine, 0 for one per core; 1 is this process."""
    count = processes or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    return InProcessEngine if count == 1 else lambda campaign_state: ProcessEngine(campaign_state, count)


class ProcessEngine:
    """Gives slices to processes, which start as they are needed."""

    def __init__(self, campaign_state: CampaignState, count: int) -> None:
        self.campaign_state, self.ledger, self.count = campaign_state, campaign_state.ledger, count
        self._workers: list[WorkerProcess] = []
        self._last: dict[str, WorkerProcess] = {}
        self._failures: Counter[str] = Counter()
        self._starting = asyncio.Lock()
        self._is_stopping = False

    async def open(self) -> None:
        """Take over sites that another engine crawled before."""
        FencingTokens(self.ledger).leave()
        check_browser(self.campaign_state.definition)
        self._again = {row.host: self._rested() for row in self.ledger.sites("status = ?", (RUNNING,))}
        self._told = asyncio.create_task(self._tell())

    @property
    def places(self) -> int:
        """How many slices may be under way at a time."""
        return self.campaign_state.definition.sites.at_once

    @property
    def note(self) -> str:
        """Return no message: this engine never lacks anything."""
        return ""

    def left_over(self) -> list[tuple[SiteRow, SliceTurn]]:
        """Return no slices: none continues while the campaign is stopped."""
        return []

    async def perform(self, row: SiteRow, turn: SliceTurn) -> None:
        """Have a process crawl a slice of a site, and record the result in the ledger."""
        self.ledger.begin(row.host)
        worker = await self._worker_for(row.host)
        try:
            if self._is_stopping:
                self.ledger.give_back(row.host, WAITING)
            else:
                await self._carry_on(worker, row, turn)
        finally:
            worker.sites.discard(row.host)

    async def _carry_on(self, worker: WorkerProcess, row: SiteRow, turn: SliceTurn) -> None:
        place, (taken, letters) = self.campaign_state.place(row), self.ledger.letters(row.host)
        requests = min(turn.requests, CAUTIOUS) if self._failures[row.host] else turn.requests
        order = Order(
            place.host, place.first, place.origin, "", requests, turn.least, SLICE_SECONDS, SLICE_SECONDS, letters,
            row.delivered, "", [], self._again.get(row.host, 0.0), heaviest_terms(self.campaign_state.term_learner),
        )  # fmt: skip
        result = await self._result(worker, order)
        if result.failure:
            self._failed(row, result)
            return
        report = result.as_report()
        self.ledger.end(row.host, taken, report, [(int(number), content) for number, content in result.outbox])
        train_from_notes(self.campaign_state.term_learner, result.lessons)
        self._again[row.host] = result.again
        del self._failures[row.host]
        worker.slices += 1
        worker.pages += report.pages - row.pages
        worker.requests += report.requests - row.requests

    def stop(self, at_once: bool) -> None:
        """Let running slices end: pending requests finish, waiting URLs stay in the frontiers."""
        self._is_stopping = True
        line = b"stop at once" if at_once else b"stop"
        self._stopping = [asyncio.create_task(worker.ask(line)) for worker in self._workers]

    async def close(self) -> None:
        """End the processes."""
        self._told.cancel()
        await asyncio.gather(*(worker.close(GRACE) for worker in self._workers))
        self._note_workers()
        shutil.rmtree(hosts_folder(self.campaign_state.folder), ignore_errors=True)

    # ── processes ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _worker_for(self, host: str) -> WorkerProcess:
        """Return who crawls a site: who did so last, unless another has clearly less to do."""
        async with self._starting:
            self._workers = [one for one in self._workers if one.is_alive]
            if len(self._workers) < self.count and all(one.sites for one in self._workers):
                self._workers.append(await WorkerProcess.start(self.campaign_state, -(-self.places // self.count)))
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
        said = await worker.ask(b"order " + message_json(order))
        stuck.cancel()
        return read_result(said) if said is not None else Result("", {}, [], [], 0.0, {}, "its process ended")

    def _failed(self, row: SiteRow, result: Result) -> None:
        """Record in the ledger what a failed slice has left; a site that fails again and again is set aside."""
        if result.worker == DiskFullError.__name__:
            raise DiskFullError(result.failure)
        self._again[row.host] = self._rested()
        self._failures[row.host] += 1
        self.campaign_state.recover(row)
        if (count := self._failures[row.host]) >= MOST_FAILURES:
            reason = f"{count} slices in a row came to nothing: {result.failure}"
            self.ledger.give_back(row.host, SET_ASIDE, reason)

    def _rested(self) -> float:
        """Return when a site may be asked again whose process was lost: its last request may still be answered."""
        return time.time() + max(self.campaign_state.definition.politeness.delay, REST)

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
