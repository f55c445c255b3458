"""Schedules the crawl of many sites for one topic: decides which site gets the next slice, for any engine.

A site is the unit of work. It is crawled in slices, by one worker at a time, each slice beginning with the links that
other sites found to it and ending with the links that it found to others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from siteseer.campaigns.campaign_ledger import RUNNING, WAITING, Letter, SiteRow
from siteseer.campaigns.campaign_process import CampaignProgress, Watch
from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.slice_allocation import SLICE, SliceTurn, allocate_slices
from siteseer.crawler.interrupts import interruptible
from siteseer.page.urls import host_of

DAY = 86_400.0
GLANCE = 0.25
"""Seconds between two looks at what nobody tells: the budget's days, workers that came."""


class SliceRunner(Protocol):
    """Executes slices: in this process, in several, or on other machines."""

    async def open(self) -> None:
        """Prepare for slices."""

    @property
    def places(self) -> int:
        """How many slices may run at a time, now."""

    @property
    def note(self) -> str:
        """A message for people who watch, if there is one."""

    def left_over(self) -> list[tuple[SiteRow, SliceTurn]]:
        """Return the slices that continued while the campaign was stopped."""

    async def perform(self, row: SiteRow, turn: SliceTurn) -> None:
        """Record in the ledger that a slice begins, have it crawled, and record its result."""

    def stop(self, at_once: bool) -> None:
        """Let running slices end."""

    async def close(self) -> None:
        """Release all resources."""


class Engine:
    """Gives slices to the sites of a campaign."""

    def __init__(
        self, campaign_state: CampaignState, crawlers: SliceRunner, watch: Watch, clock: Callable[[], float] = time.time
    ) -> None:
        self.campaign_state, self.crawlers, self.watch, self.clock = campaign_state, crawlers, watch, clock
        self.definition, self.ledger = campaign_state.definition, campaign_state.ledger
        self.stopped_by: str | None = None
        self._interrupts = 0
        self._running: dict[asyncio.Task[None], tuple[SiteRow, SliceTurn]] = {}
        self._fatal: Exception | None = None
        self._began = time.monotonic()

    async def run(self) -> str | None:
        """Crawl until nothing is left or a limit of the budget is reached; return what stopped it."""
        await self.crawlers.open()
        try:
            with interruptible(self._interrupt):
                self._enrol()
                while self._go_on():
                    self._begin_turns()
                    if not self._running and not self._waits_for_places():
                        break
                    await self._glance()
                await self._wind_up()
        finally:
            await self.crawlers.close()
        if self._fatal is not None:
            raise self._fatal
        return self.stopped_by

    def standing(self) -> CampaignProgress:
        """Return the progress of the campaign."""
        row = self.ledger.db.execute(
            "SELECT count(*), total(best > 0 AND status = ?), total(requests), total(pages), total(relevant) "
            "FROM sites",
            (WAITING,),
        ).fetchone()
        return CampaignProgress(
            int(row[0]), int(row[1]), len(self._running), int(row[2]), int(row[3]), int(row[4]),
            time.monotonic() - self._began, self.crawlers.note,
        )  # fmt: skip

    # ── sites ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _enrol(self) -> None:
        """Queue the seeds; sites whose slice was interrupted by a kill, or that were set aside, get another chance."""
        if self.ledger.about("started") is None:
            self.ledger.say("started", repr(self.clock()))
        known = {row.host for row in self.ledger.sites()}
        for url in self.definition.all_seeds:
            if self.ledger.about(f"seed {url}") is None:
                self.ledger.deliver(Letter(url, 1.0, "seed", "the definition", 1.0, ""))
                self.ledger.say(f"seed {url}", "delivered")
        going_on = self.crawlers.left_over()
        for row, turn in going_on:
            self._running[asyncio.create_task(self.crawlers.perform(row, turn))] = row, turn
        held = {row.host for row, _ in going_on}
        for row in self.ledger.sites("status <> ?", (WAITING,)):
            if row.host not in held:
                self.ledger.give_back(row.host, WAITING)
                if row.status == RUNNING and row.host in known:
                    self.campaign_state.recover(row)

    # ── slices ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _begin_turns(self) -> None:
        wanted = self.definition
        waiting = self._waiting()
        limit, left = wanted.budget.requests, None
        if limit is not None:
            left = limit - int(self.ledger.spent()[0]) - sum(turn.requests for _, turn in self._running.values())
        elif wanted.budget.bytes is not None:
            left = SLICE * wanted.sites.at_once  # what is spent is only known afterwards
        busy = [row.promise for row, _ in self._running.values()]
        rows = {row.host: row for row in waiting}
        for turn in allocate_slices(waiting, busy, max(0, self.crawlers.places - len(self._running)), left):
            row = rows[turn.host]
            self._running[asyncio.create_task(self.crawlers.perform(row, turn))] = row, turn

    def _waits_for_places(self) -> bool:
        return self.crawlers.places <= 0 and bool(self._waiting())

    def _waiting(self) -> list[SiteRow]:
        """Return the sites that wait for a turn; those that an earlier definition let in do so no more."""
        rows = self.ledger.sites("status = ? AND best > 0", (WAITING,))
        if self.definition.sites.follow == "linked":
            return rows
        named, moved = {host_of(seed) for seed in self.definition.all_seeds}, self.ledger.moved_to()
        for _ in moved:  # a site may move several times
            named |= {host for host, before in moved.items() if before in named}
        return [row for row in rows if row.host in named]

    async def _glance(self) -> None:
        """Wait until a slice ends, but not for long."""
        if not self._running:
            await asyncio.sleep(GLANCE)
        else:
            done, _ = await asyncio.wait(self._running, timeout=GLANCE, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                del self._running[task]
                self._fatal = self._fatal or task.exception()  # type: ignore[assignment]
        self.campaign_state.save()
        self.watch(self.standing())

    def _go_on(self) -> bool:
        budget, (requests, size) = self.definition.budget, self.ledger.spent()
        if self.stopped_by is None:
            if self._fatal is not None:
                self.stopped_by = "error"
            elif budget.requests is not None and requests >= budget.requests:
                self.stopped_by = "limit"
            elif budget.bytes is not None and size >= budget.bytes:
                self._stop("size")
            elif (
                budget.days is not None and self.clock() - float(self.ledger.about("started") or 0) > budget.days * DAY
            ):
                self._stop("time")
        return self.stopped_by is None

    def _stop(self, reason: str, at_once: bool = False) -> None:
        """Let running slices end: what was sent is finished, what waits stays in the frontiers."""
        self.stopped_by = self.stopped_by or reason
        self.crawlers.stop(at_once)

    async def _wind_up(self) -> None:
        """Wait for the running slices."""
        if self._running:
            for found in await asyncio.gather(*self._running, return_exceptions=True):
                self._fatal = self._fatal or (found if isinstance(found, Exception) else None)
        self._running.clear()
        if self.stopped_by is None and self._waiting():
            self.stopped_by = "limit"
        self.campaign_state.save(at_once=True)

    def _interrupt(self) -> None:
        """First Ctrl-C: finish what is in flight. Second: stop at once."""
        self._interrupts += 1
        self._stop("interrupt", at_once=self.is_cut_off)

    @property
    def is_cut_off(self) -> bool:
        """Say whether pending requests were dropped."""
        return self._interrupts > 1
