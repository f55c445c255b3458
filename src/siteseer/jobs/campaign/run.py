"""A definition and a directory in, collections of many sites out: the engine `local`, all in one process.

A site is the unit of work. It is crawled in slices, by one worker at a time, each slice beginning with the links that
other sites found to it and ending with the links that it found to others.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from siteseer.crawl.interrupts import interruptible
from siteseer.crawl.pace import Pace
from siteseer.crawl.run import user_agent
from siteseer.crawl.sitting import Sitting
from siteseer.crawl.visit import RateLimitedError, Visits
from siteseer.decide.focused.apprentice import Apprentice
from siteseer.decide.focused.definition import Definition
from siteseer.decide.focused.gazetteer import Gazetteer
from siteseer.decide.focused.strategy import OUTBOX, Focused
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.http import HttpFetcher
from siteseer.interfaces import StrategyContext
from siteseer.jobs.campaign.ledger import (
    LAST,
    RUNNING,
    SET_ASIDE,
    SMALLEST,
    WAITING,
    Ledger,
    Report,
    SiteRow,
    folder_name,
    trust,
)
from siteseer.jobs.campaign.process import Standing, Watch
from siteseer.jobs.campaign.turns import SLICE, Turn, turns
from siteseer.model import Vote
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions, FetchLimits

RELEVANT = 0.5
"""From this degree on a page is counted as relevant in progress and summary."""
UNASKED = 0.1
"""What a site promises whose strategy was stopped before it was asked for more."""
DAY = 86_400.0


class LocalEngine:
    """Crawls the sites of a campaign in one event loop."""

    def __init__(
        self, definition: Definition, text: str, folder: Path, watch: Watch, clock: Callable[[], float] = time.time
    ) -> None:
        self.definition, self.text, self.folder, self.watch, self.clock = definition, text, folder, watch, clock
        self.ledger = Ledger(folder, definition.sites.most, definition.social)
        self.stopped_by: str | None = None
        self._open: OrderedDict[str, Sitting] = OrderedDict()
        self._running: dict[asyncio.Task[None], tuple[SiteRow, Turn]] = {}
        self._fatal: Exception | None = None
        self._began = time.monotonic()
        self.apprentice = Apprentice(Gazetteer.of(definition).words())
        """Learns from the pages of all sites."""
        if (stored := self.ledger.about("apprentice")) is not None:
            self.apprentice.recall(json.loads(stored))
        self._options = CrawlOptions(
            seeds=(), collection=folder, user_agent=definition.politeness.user_agent,
            contact=definition.politeness.contact,
        )  # fmt: skip

    async def run(self) -> str | None:
        """Crawl until nothing is left or a limit of the budget is reached; return what stopped it."""
        fetcher = HttpFetcher(
            user_agent(self._options),
            AddressPolicy(self.definition.all_seeds, self.definition.politeness.allow_private),
            headers=[("From", self._options.contact)] if self._options.contact else [],
            tells_when_sent=self.definition.politeness.delay > 0,
        )
        polite = self.definition.politeness
        self.visits = Visits(fetcher, Pace(polite.delay, polite.concurrency), FetchLimits())
        try:
            with interruptible(self._interrupt):
                self._enrol()
                while self._go_on():
                    self._begin_turns()
                    if not self._running:
                        break
                    done, _ = await asyncio.wait(self._running, timeout=0.25, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        del self._running[task]
                        self._fatal = self._fatal or task.exception()  # type: ignore[assignment]
                    self.watch(self.standing())
                await self._wind_up()
        finally:
            await fetcher.close()
        if self._fatal is not None:
            raise self._fatal
        return self.stopped_by

    def standing(self) -> Standing:
        """Return how far the campaign is."""
        row = self.ledger.db.execute(
            "SELECT count(*), total(best > 0 AND status = ?), total(requests), total(pages), total(relevant) "
            "FROM sites",
            (WAITING,),
        ).fetchone()
        return Standing(
            int(row[0]), int(row[1]), len(self._running), int(row[2]), int(row[3]), int(row[4]),
            time.monotonic() - self._began,
        )  # fmt: skip

    # ── sites ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _enrol(self) -> None:
        """Let the seeds wait; sites whose slice was cut off by a kill, or that were set aside, get another chance."""
        if self.ledger.about("started") is None:
            self.ledger.say("started", repr(self.clock()))
        known = {row.host for row in self.ledger.sites()}
        for url in self.definition.all_seeds:
            if self.ledger.about(f"seed {url}") is None:
                self.ledger.deliver(url, 1.0, "seed", "the definition", 1.0, "")
                self.ledger.say(f"seed {url}", "delivered")
        for row in self.ledger.sites("status <> ?", (WAITING,)):
            self.ledger.db.execute("UPDATE sites SET status = ?, reason = '' WHERE host = ?", (WAITING, row.host))
            if row.status == RUNNING and row.host in known:
                sitting = self._sitting(row)
                self.ledger.end(row.host, 0, self._report(sitting), sitting.remembered(OUTBOX, row.delivered))

    def _sitting(self, row: SiteRow) -> Sitting:
        """Return the open crawl of a site; where too many are open, the one used longest ago is closed."""
        if row.host in self._open:
            self._open.move_to_end(row.host)
            return self._open[row.host]
        busy = {site.host for site, _ in self._running.values()}
        for host in [host for host in self._open if host not in busy]:
            if len(self._open) < self.definition.sites.at_once:
                break
            self._open.pop(host).close()
        self._open[row.host] = self.open(row)
        return self._open[row.host]

    def open(self, row: SiteRow) -> Sitting:
        """Open the crawl of a site."""

        origin = self.ledger.origin(row.first)

        def make(context: StrategyContext) -> Focused:
            inside = strategy_factory(self.definition.strategy)(context)
            return Focused(inside, self.definition, row.host, self.apprentice, origin)

        return Sitting(self.options_of(row), self.visits, make, self.definition.social)

    def options_of(self, row: SiteRow) -> CrawlOptions:
        """Return the options of the crawl of a site."""
        polite, wanted = self.definition.politeness, self.definition
        return CrawlOptions(
            seeds=(row.first,), collection=self.folder / "sites" / folder_name(row.host), strategy="focused",
            definition=self.text, policies=wanted.policies, assets=wanted.assets, browser="never", delay=polite.delay,
            concurrency=polite.concurrency, robots=polite.robots, user_agent=polite.user_agent, contact=polite.contact,
        )  # fmt: skip

    # ── slices ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _begin_turns(self) -> None:
        wanted = self.definition
        waiting = self.ledger.sites("status = ? AND best > 0", (WAITING,))
        limit, left = wanted.budget.requests, None
        if limit is not None:
            left = limit - int(self.ledger.spent()[0]) - sum(turn.requests for _, turn in self._running.values())
        elif wanted.budget.bytes is not None:
            left = SLICE * wanted.sites.at_once  # what is spent is only known afterwards
        busy = [row.promise for row, _ in self._running.values()]
        rows = {row.host: row for row in waiting}
        for turn in turns(waiting, busy, wanted.sites.at_once - len(self._running), left):
            row = rows[turn.host]
            self.ledger.begin(row.host)
            self._running[asyncio.create_task(self._slice(row, turn))] = row, turn

    async def _slice(self, row: SiteRow, turn: Turn) -> None:
        """Carry one site on, then tell the ledger."""
        sitting = self._sitting(row)
        taken, arrivals = self.ledger.arrivals(row.host)
        count = sitting.promising(turn.least)[1] + sum(
            isinstance(one, Vote) and one.score >= turn.least for one in arrivals
        )
        size = min(turn.requests, max(count, 1) + (row.slices == 0))  # robots.txt first
        status, reason, least = WAITING, "", 0.0
        try:
            if await sitting.carry_on(arrivals, size) is not None:
                least = UNASKED  # the strategy may have more to ask for, even where nothing waits
        except RateLimitedError as error:
            status, reason = SET_ASIDE, str(error)
        self.ledger.end(
            row.host, taken, self._report(sitting, status, reason, least), sitting.remembered(OUTBOX, row.delivered)
        )

    @staticmethod
    def _report(sitting: Sitting, status: str = WAITING, reason: str = "", least: float = UNASKED) -> Report:
        best, waits = sitting.promising(0.0)
        counts = sitting.counts
        relevant, last = sitting.weighed(RELEVANT, LAST)
        return Report(
            max(best, SMALLEST) if waits else least, counts["requests"], counts["bytes"], counts["pages"],
            relevant, trust(last), counts["errors"], status, reason,
        )  # fmt: skip

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
        for row, _ in self._running.values():
            sitting = self._open.get(row.host)
            if sitting is not None and sitting.loop is not None:
                sitting.loop.stop_at_once() if at_once else sitting.loop.stop("interrupt")

    async def _wind_up(self) -> None:
        """Wait for the running slices, and close the sites."""
        if self._running:
            for found in await asyncio.gather(*self._running, return_exceptions=True):
                self._fatal = self._fatal or (found if isinstance(found, Exception) else None)
        self._running.clear()
        if self.stopped_by is None and self.ledger.sites("best > 0 AND status = ?", (WAITING,)):
            self.stopped_by = "limit"
        self.ledger.say("apprentice", json.dumps(self.apprentice.to_json()))
        for sitting in self._open.values():
            sitting.close()
        self._open.clear()

    def _interrupt(self) -> None:
        """First Ctrl-C: finish what is in flight. Second: stop at once."""
        self._stop("interrupt", at_once=self.stopped_by == "interrupt")
