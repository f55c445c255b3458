"""Runs the crawl loop for any strategy in one asyncio event loop.

For each host a few workers take URLs from the frontier, fetch them politely, archive what came back, ask the strategy
what to do next and write its answer down. Pages are committed in groups: first the WARC to disk, then the database.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from siteseer.collection.database_errors import translate_error
from siteseer.collection.events import HOST_STOPPED, RUN_EVENTS
from siteseer.crawler.apply_actions import ActionApplier
from siteseer.crawler.capture_writer import CaptureWriter
from siteseer.crawler.frontier import Entry, Frontier
from siteseer.crawler.hosts.challenge_browser import ChallengeBrowser
from siteseer.crawler.hosts.host_check import HostCheck
from siteseer.crawler.hosts.missing_seeds import MissingSeeds
from siteseer.crawler.hosts.seed_limits import SeedLimits
from siteseer.crawler.hosts.wall_handling import Walls
from siteseer.crawler.hosts.wall_stop import HostStops
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.process_answer import AnswerProcessor
from siteseer.crawler.process_url import UrlProcessor
from siteseer.crawler.progress import Progress, Snapshot
from siteseer.crawler.rendering.render_requests import RenderRequests
from siteseer.crawler.rendering.rendered_pages import PageRenderer
from siteseer.crawler.results.crawl_log import CrawlLog
from siteseer.crawler.results.object_count import ObjectCount
from siteseer.crawler.results.remaining_requests import Remaining, RemainingRequests, expected_of
from siteseer.crawler.retries import Retries
from siteseer.crawler.robots_and_sitemaps import RobotsAndSitemaps
from siteseer.errors import ArchiveError, DiskFullError, FetchError, SiteseerError
from siteseer.fetch.browser.render import PageBrowser
from siteseer.interfaces import Harvester, Scope, Strategy
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import Action, Follow, Note, Outcome, Submit
from siteseer.settings import COMMIT_PAGES, COMMIT_SECONDS, CrawlOptions

MOST_REFILLS = 100
"""How often a strategy is asked again that only asks for what it cannot have."""


Wanted = TypeVar("Wanted")


class Loop:
    """Drives one crawl to its end, or until something stops it."""

    def __init__(
        self,
        options: CrawlOptions,
        frontier: Frontier,
        strategy: Strategy,
        scope: Scope,
        visits: PoliteFetcher,
        keeper: CaptureWriter,
        log: CrawlLog,
        counts: Counter[str],
        browser: PageBrowser | None = None,
        knowledge: Callable[[], KnowledgeBase] = KnowledgeBase.shipped,
    ) -> None:
        self.options, self.frontier, self.strategy = options, frontier, strategy
        self.visits, self.keeper, self.log, self.counts = visits, keeper, log, counts
        self.progress = Progress(counts)
        self.remaining, self.object_count = Remaining(), ObjectCount(strategy)
        self.carrier = ActionApplier(strategy, scope, frontier, keeper, log, self.progress)
        self.rules = rules = RobotsAndSitemaps(options, visits, self.carrier, self.progress)
        showing = None
        if browser is not None or options.browser == "never":
            asked = RenderRequests(options, visits, rules, self.carrier, self.progress)
            showing = PageRenderer(options, browser, asked, self.carrier, self.progress, knowledge)
        self.retries = Retries(frontier, visits)
        challenges = ChallengeBrowser(showing) if browser is not None and showing is not None else None
        self.walls = Walls(options, visits, HostStops(visits, self.carrier, self.progress), challenges)
        missing_seeds = MissingSeeds(options, self.walls.known, rules)
        self.decisions = AnswerProcessor(options, self.carrier, self.progress, self.walls, showing, missing_seeds)
        self.turns = UrlProcessor(
            options,
            visits,
            rules,
            self.carrier,
            self.progress,
            self.retries,
            self.decisions,
            SeedLimits(scope, frontier),
            showing,
        )
        self.host_check = HostCheck(visits, self.progress)
        self.stopped_by: str | None = None
        self.is_cut_off = False
        """Whether what was in flight was dropped because the user would not wait."""
        self.is_interrupted = False
        self.refusal = ""
        """Why a host was stopped that has more to give."""
        self.fatal: Exception | None = None
        self._workers: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle = asyncio.Event()
        self._is_over = False
        self._end: asyncio.TimerHandle | None = None

    @property
    def failure(self) -> FetchError | None:
        """The first URL that could not be had."""
        return self.progress.failure

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def run(self, first: Iterable[Action], watch: Callable[[Snapshot], None] = lambda snapshot: None) -> None:
        """Crawl until nothing is left, a limit is reached or `stop` is called."""
        self.keeper.state.forget_notes(self.keeper.crawl, RUN_EVENTS)
        self.carrier.apply(first, "", None)
        self.commit()
        watch(self.snapshot())
        ticker = asyncio.create_task(self._tick(watch))
        try:
            while self._go_on():
                self._hire()
                self._idle.clear()
                if not self._tasks and not self.progress.is_paused:
                    if self.walls.holds():
                        self._start(self._settle())
                    elif not self._refill():
                        if not self.retries:
                            self._is_over = not any(self.visits.health[host].stopped for host in self.frontier.hosts())
                            break
                        self.retries.release_stuck()
                if self._tasks or self.progress.is_paused or (self.retries and not self._has_work()):
                    await self._idle.wait()
            await self._finish_tasks()
        finally:
            ticker.cancel()
            watch(self.snapshot())
        self._end_retries()
        self.commit()
        if self.fatal is not None:
            raise self.fatal

    def harvest(self) -> None:
        """Let the strategy look at the kept pages once more, and keep what it finds."""
        if not isinstance(self.strategy, Harvester):
            return
        for page, action in self._guarded("harvest", self.strategy.harvest(self.keeper.kept_pages)):
            capture = self.keeper.capture_of(page.url)
            self.carrier.apply([action], page.url, capture)
            if isinstance(action, Note) and action.recognition is not None and capture is not None:
                self.keeper.state.relabel(capture, action.recognition.level)
        self.commit()

    def _guarded(self, doing: str, wanted: Iterable[Wanted]) -> Iterator[Wanted]:
        """Yield what a strategy wants; an error of ours ends that, and costs nothing that is kept already."""
        try:
            yield from wanted
        except (SiteseerError, sqlite3.Error):
            raise
        except Exception as error:
            self.carrier.note_own_error(doing, self.options.seeds[0], error)

    def stop(self, reason: str) -> None:
        """Take nothing new; what waits for its turn goes back to the frontier, and what was sent may end soon.

        What has not ended after `FetchLimits.last_seconds` goes back, too, however many bytes a slow host still sends.
        """
        self.stopped_by = self.stopped_by or reason
        self.is_interrupted |= reason == "interrupt"
        self.wake()
        if reason == "limit":
            return  # what waits for its turn is counted already
        for task in self._tasks:
            if not self.visits.has_sent(task):
                task.cancel()
        if self._end is None:
            self._end = asyncio.get_running_loop().call_later(self.options.limits.last_seconds, self._drop_tasks)

    def stop_at_once(self) -> None:
        """Drop what is in flight; it will be fetched when the crawl is resumed."""
        self.stop("interrupt")
        self.is_cut_off = True
        self._drop_tasks()

    def _drop_tasks(self) -> None:
        """Put what is in flight back to the frontier."""
        for task in self._tasks:
            task.cancel()

    def wake(self) -> None:
        """Look at once whether there is something to do."""
        self._idle.set()

    def change(self, **limits: Any) -> None:
        """Use other limits from now on: `limit`, `size_limit`, `time_limit` or `delay`."""
        self.options = replace(self.options, **limits)
        if "delay" in limits:
            self.visits.pace.change_delay(limits["delay"])
        self.wake()

    def _go_on(self) -> bool:
        options = self.options
        is_late = options.time_limit is not None and self.progress.seconds >= options.time_limit
        if self.stopped_by is not None:
            if is_late and self._end is None:
                self.stop("time")
        else:
            if options.size_limit is not None and self.counts["bytes"] >= options.size_limit:
                self.stop("size")
            elif is_late:
                self.stop("time")
            elif (
                options.limit is not None
                and self.progress.sent >= options.limit
                and (self.frontier.waiting or self._tasks or self.retries)
            ):
                self.stop("limit")
        return self.stopped_by is None

    def _hire(self) -> None:
        """See that every host with waiting URLs has workers."""
        if self.progress.is_paused:
            return
        for host in self.frontier.hosts():
            health = self.visits.health[host]
            is_slow = health.is_failing or self._is_one_at_a_time(host) or not self.decisions.seeds.has_come
            at_once = 0 if health.stopped else 1 if is_slow else self.options.of_host(host).concurrency or 1
            wanted = min(at_once, self.frontier.waiting_of(host))
            while self._workers.get(host, 0) < wanted and self._room():
                self._workers[host] = self._workers.get(host, 0) + 1
                self._start(self._work(host))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._worker_left)

    def _worker_left(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.wake()

    def _refill(self) -> bool:
        """Ask the strategy for more until something waits; say whether it does.

        A strategy that asks for what is known already, or out of scope, is told so and asked again. Where no host
        answers any more it is not asked: what it wants cannot be had in this run.
        """
        hosts = self.frontier.known_hosts()
        if hosts and all(self.visits.health[host].stopped for host in hosts):
            return False
        for _ in range(0 if self.carrier.closed else MOST_REFILLS):
            refused = False
            for action in list(self._guarded("refill", self._refilled())):
                if isinstance(action, Follow | Submit) and not self.carrier.follow(action, ""):
                    refused = True
                    outcome = Outcome(action.url, "refused", "asked for already, or out of scope")
                    self.carrier.apply(self.carrier.ask(outcome, action), action.url, None)
                elif not isinstance(action, Follow | Submit):
                    self.carrier.apply([action], "", None)
            if self._has_work() or not refused:
                break
        return self._has_work()

    def _refilled(self) -> Iterator[Action]:
        yield from self.strategy.refill(self.options.concurrency)

    def _has_work(self) -> bool:
        """Say whether something waits that may be asked for now."""
        return any(not self.visits.health[host].stopped for host in self.frontier.hosts())

    def _end_retries(self) -> None:
        """Leave what still waits for another try to the next run; say which hosts were stopped."""
        if self.fatal is not None:
            return
        self.walls.give_back()
        self.retries.release_all()
        for host in list(self.frontier.hosts()):
            because = self.visits.health[host].stopped
            if because and (host in self.walls.stopped or self.frontier.pages_waiting(host)):
                self.stop("rate")
                self.refusal = self.refusal or because
                self.carrier.apply([Note(because, event=HOST_STOPPED, details={"host": host})], f"http://{host}/", None)
            elif because:
                self.counts["errors"] += self.frontier.fail_waiting(host, because)

    def _room(self) -> bool:
        return self.options.limit is None or self.progress.sent < self.options.limit

    async def _work(self, host: str) -> None:
        try:
            while await self._may_ask(host) and (entry := self._take(host)) is not None:
                self.progress.fetching[entry.id] = entry.action.url
                try:
                    await self.turns.take(entry)
                except asyncio.CancelledError:
                    self.frontier.put_back(entry)  # it still waits for whoever goes on with the crawl, and when
                    raise
                except (SiteseerError, sqlite3.Error):
                    raise
                except Exception as error:  # one bad page never stops a crawl
                    self.decisions.fail(entry, error)
                finally:
                    del self.progress.fetching[entry.id]
                self.turns.give_up()
                if self.progress.unsaved >= COMMIT_PAGES:
                    self.commit()
                if self._is_idle(host):
                    self._refill()
                self._hire()
        except SiteseerError as error:
            self._give_up(error)
        except sqlite3.Error as error:
            self._give_up(translate_error(error))
        finally:
            self._workers[host] -= 1

    async def _may_ask(self, host: str) -> bool:
        """Say whether a worker may ask a host for more; one of them first checks a host that fails."""
        health = self.visits.health[host]
        if health.is_failing and not health.is_checked and self._go_on() and self._room():
            await self.host_check.check(host, self.options.limit)
            if health.stopped:
                self.retries.release_all(host)
        return self._go_on() and self._room() and not health.is_checked and not health.stopped

    def _is_idle(self, host: str) -> bool:
        """Say whether nothing of a host waits, and nothing of it is held back that may lead further."""
        waits = self.frontier.waiting_of(host) or self.walls.holds(host)
        return not waits and self._go_on() and not self.progress.is_paused

    async def _settle(self) -> None:
        """Decide what is held back when nothing else is left."""
        try:
            await self.decisions.settle()
        except SiteseerError as error:
            self._give_up(error)
        except sqlite3.Error as error:
            self._give_up(translate_error(error))

    def _is_one_at_a_time(self, host: str) -> bool:
        """Say whether a host gets one request at a time: it may have put up a wall, or has asked for a pause."""
        return self.walls.is_suspicious(host) or self.visits.pace.host(host).refusals > 0

    def _take(self, host: str) -> Entry | None:
        """Return the next URL of a host, unless its path does not answer, or it is another worker's turn."""
        if self.progress.is_paused or (self._workers[host] > 1 and self._is_one_at_a_time(host)):
            return None
        while (entry := self.frontier.take(host)) is not None and self.retries.hold(entry):
            self.turns.give_up()
        return entry

    def _give_up(self, error: Exception) -> None:
        self.fatal = self.fatal or error
        self.stop("error")

    async def _finish_tasks(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)
        if self._end is not None:
            self._end.cancel()
        await self.rules.close()

    async def _tick(self, watch: Callable[[Snapshot], None]) -> None:
        while True:
            await asyncio.sleep(0.25)
            self.object_count.go_on()
            watch(self.snapshot())
            if self.retries.release_due():
                self.wake()
            try:
                if self.progress.unsaved and time.monotonic() - self.progress.saved_at >= COMMIT_SECONDS:
                    self.commit()
            except SiteseerError as error:
                self._give_up(error)
            except sqlite3.Error as error:
                self._give_up(translate_error(error))
            self._go_on()

    # ── keeping ───────────────────────────────────────────────────────────────────────────────────────────────────

    def snapshot(self) -> Snapshot:
        """Return how far the crawl is."""
        waiting = self.frontier.waiting + len(self.retries)
        in_flight, two_grams = len(self._tasks), len(self.keeper.grams)
        return self.progress.snapshot(waiting, in_flight, two_grams, self.left(), self.object_count.so_far())

    def left(self) -> RemainingRequests:
        """Return how many requests are to come: what waits, what the strategy holds back, what lists announce."""
        if self._is_over:
            return RemainingRequests()
        waiting = self.frontier.waiting + len(self.retries) + len(self.progress.fetching)
        return self.remaining.left(self.counts["requests"], self.counts["pages"], waiting, expected_of(self.strategy))

    def commit(self) -> None:
        """Make everything so far durable: the WARC first, then the database with the WARC's position.

        Where something could not be written, the database has taken back what was not committed: what would be
        committed now is not whole, so nothing is.
        """
        if isinstance(self.fatal, DiskFullError | ArchiveError):
            return
        self.counts["milliseconds"] = int(self.progress.seconds * 1000)
        self.counts["two grams"] = len(self.keeper.grams)
        self.left().save(self.counts)
        self.counts["two grams estimated"] = int(self.keeper.grams.is_estimated)
        self.keeper.commit(self.counts)
        self.log.flush()
        self.progress.saved()
