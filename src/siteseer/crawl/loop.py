"""The crawl loop: one asyncio loop, any strategy.

For each host a few workers take URLs from the frontier, fetch them politely, archive what came back, ask the strategy
what to do next and write its answer down. Pages are committed in groups: first the WARC to disk, then the database.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from siteseer.crawl.frontier import DONE, FAILED, Entry, Frontier
from siteseer.crawl.keep import Keeper, Kept
from siteseer.crawl.log import Log
from siteseer.crawl.state import translated
from siteseer.crawl.visit import RateLimitedError, Visits
from siteseer.decide.common import ASSETS, follow_requisites
from siteseer.errors import ArchiveError, DiskFullError, FetchError, SiteseerError
from siteseer.fetch.addresses import RefusedAddressError
from siteseer.fetch.robots import RobotsRules
from siteseer.forms.submit import body_of
from siteseer.interfaces import Harvester, Request, Scope, Strategy, Verdict
from siteseer.model import Action, Follow, Interact, Keep, Note, Outcome, Rank, Remember, Skip, Submit
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of, identity, origin_of, resolve
from siteseer.settings import COMMIT_PAGES, COMMIT_SECONDS, CrawlOptions

ROBOTS = "robots"
"""The family under which a strategy hears of a host's robots.txt."""
RECOGNISED = "recognised"
RULES_SHOWN = 20
"""Skip rules that a snapshot names; the database knows them all."""
MOST_REFILLS = 100
"""How often a strategy is asked again that only asks for what it cannot have."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How far a crawl is, for people who watch."""

    requests: int
    pages: int
    waiting: int
    in_flight: int
    skipped: int
    skipped_by: tuple[tuple[str, int], ...]
    """The rules that skipped most, with how many URLs each did since this run began."""
    two_grams: int
    objects: int
    seconds: float
    url: str
    fetching: tuple[str, ...] = ()
    """What has been asked for and not yet answered."""


class Loop:
    """Drives one crawl to its end, or until something stops it."""

    def __init__(
        self,
        options: CrawlOptions,
        frontier: Frontier,
        strategy: Strategy,
        scope: Scope,
        visits: Visits,
        keeper: Keeper,
        log: Log,
        counts: Counter[str],
    ) -> None:
        self.options, self.frontier, self.strategy, self.scope = options, frontier, strategy, scope
        self.visits, self.keeper, self.log, self.counts = visits, keeper, log, counts
        self.stopped_by: str | None = None
        self.fatal: Exception | None = None
        self.failure: FetchError | None = None
        """The first URL that could not be had."""
        self.last_url = ""
        self._sent = counts["requests"]
        self._workers: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._robots: dict[str, asyncio.Task[RobotsRules]] = {}
        self._uncommitted = 0
        self._skips: Counter[str] = Counter()
        self._committed_at = self._clock_started = time.monotonic()
        self._seconds_before = counts["milliseconds"] / 1000
        self._idle = asyncio.Event()
        self._fetching: dict[int, str] = {}
        self._paused_at: float | None = None

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def run(self, first: Iterable[Action], watch: Callable[[Snapshot], None] = lambda snapshot: None) -> None:
        """Crawl until nothing is left, a limit is reached or `stop` is called."""
        self._apply(first, "", None)
        self.commit()
        ticker = asyncio.create_task(self._tick(watch))
        try:
            while self._go_on():
                self._wake()
                self._idle.clear()
                if not self._tasks and not self.is_paused and not self._refill():
                    break
                if self._tasks or self.is_paused:
                    await self._idle.wait()
            await self._finish_tasks()
        finally:
            ticker.cancel()
            watch(self.snapshot())
        if isinstance(self.fatal, DiskFullError | ArchiveError):
            raise self.fatal  # nothing more can be written; what was committed stands
        self.commit()
        if self.fatal is not None:
            raise self.fatal

    def harvest(self) -> None:
        """Let the strategy look at the kept pages once more, and keep what it finds."""
        if not isinstance(self.strategy, Harvester):
            return
        for page, action in self.strategy.harvest(self.keeper.kept_pages):
            capture = self.keeper.capture_of(page.url)
            self._apply([action], page.url, capture)
            if isinstance(action, Note) and action.recognition is not None and capture is not None:
                self.keeper.state.relabel(capture, action.recognition.level)
        self.commit()

    def stop(self, reason: str) -> None:
        """Take nothing new; what was sent is finished, what waits for its turn goes back to the frontier."""
        self.stopped_by = self.stopped_by or reason
        self._idle.set()
        for task in self._tasks:
            if not self.visits.has_sent(task):
                task.cancel()

    def stop_at_once(self) -> None:
        """Drop what is in flight; it will be fetched when the crawl is resumed."""
        self.stop("interrupt")
        for task in self._tasks:
            task.cancel()

    @property
    def is_paused(self) -> bool:
        """Say whether nothing new is taken for the moment."""
        return self._paused_at is not None

    def pause(self) -> None:
        """Take nothing new until `resume`; what was sent is finished."""
        if not self.is_paused:
            self._paused_at = time.monotonic()

    def resume(self) -> None:
        """Go on after a pause, which does not count against the time limit."""
        if self._paused_at is not None:
            self._clock_started += time.monotonic() - self._paused_at
            self._paused_at = None
            self._idle.set()

    def change(self, **limits: Any) -> None:
        """Use other limits from now on: `limit`, `size_limit`, `time_limit` or `delay`."""
        self.options = replace(self.options, **limits)
        if "delay" in limits:
            self.visits.pace.change_delay(limits["delay"])
        self._idle.set()

    def leave(self, is_left: Callable[[str], bool], because: str, rule: str) -> int:
        """Skip the waiting URLs that are not wanted any more; return how many there were."""
        left = self.frontier.skip_waiting(is_left, because, rule)
        self.counts["skipped"] += left
        self._skips[rule] += left
        self._uncommitted += 1
        return left

    def lift(self, rule: str, urls: Sequence[str] = ()) -> int:
        """Let URLs that a rule skipped wait after all; return how many do now."""
        lifted = self.frontier.lift(rule, urls)
        self.counts["skipped"] -= lifted
        self._skips[rule] -= lifted
        self._uncommitted += 1
        self._idle.set()
        return lifted

    def _go_on(self) -> bool:
        options = self.options
        if self.stopped_by is None:
            if options.size_limit is not None and self.counts["bytes"] >= options.size_limit:
                self.stop("size")
            elif options.time_limit is not None and self.seconds >= options.time_limit:
                self.stop("time")
            elif options.limit is not None and self._sent >= options.limit and (self.frontier.waiting or self._tasks):
                self.stop("limit")
        return self.stopped_by is None

    def _wake(self) -> None:
        """See that every host with waiting URLs has workers."""
        if self.is_paused:
            return
        for host in self.frontier.hosts():
            wanted = min(self.options.concurrency, self.frontier.waiting_of(host))
            while self._workers.get(host, 0) < wanted and self._room():
                self._workers[host] = self._workers.get(host, 0) + 1
                task = asyncio.create_task(self._work(host))
                self._tasks.add(task)
                task.add_done_callback(self._worker_left)

    def _worker_left(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._idle.set()

    def _refill(self) -> bool:
        """Ask the strategy for more until something waits; say whether it does.

        A strategy that asks for what is known already, or out of scope, is told so and asked again.
        """
        for _ in range(MOST_REFILLS):
            refused = False
            for action in list(self.strategy.refill(self.options.concurrency)):
                if isinstance(action, Follow | Submit) and not self._follow(action, ""):
                    refused = True
                    outcome = Outcome(action.url, "refused", "asked for already, or out of scope")
                    self._apply(self._ask(outcome, action), action.url, None)
                elif not isinstance(action, Follow | Submit):
                    self._apply([action], "", None)
            if self.frontier.waiting or not refused:
                break
        return bool(self.frontier.waiting)

    def _room(self) -> bool:
        return self.options.limit is None or self._sent < self.options.limit

    async def _work(self, host: str) -> None:
        try:
            while self._go_on() and self._room() and (entry := self._take(host)) is not None:
                self._fetching[entry.id] = entry.action.url
                try:
                    await self._visit(entry)
                except asyncio.CancelledError:
                    self.frontier.put_back(entry)
                    raise
                except (SiteseerError, sqlite3.Error):
                    raise
                except Exception as error:  # one bad page never stops a crawl
                    self.log.error("page", entry.action.url, error)
                    self.frontier.finish(
                        entry, FAILED, f"could not be processed: {type(error).__name__}: {error}"[:300]
                    )
                    self.counts["errors"] += 1
                finally:
                    del self._fetching[entry.id]
                if self._uncommitted >= COMMIT_PAGES:
                    self.commit()
                if not self.frontier.waiting_of(host) and self._go_on() and not self.is_paused:
                    self._refill()
                self._wake()
        except SiteseerError as error:
            self._give_up(error)
        except sqlite3.Error as error:
            self._give_up(translated(error))
        finally:
            self._workers[host] -= 1

    def _take(self, host: str) -> Entry | None:
        return None if self.is_paused else self.frontier.take(host)

    def _give_up(self, error: Exception) -> None:
        self.fatal = self.fatal or error
        self.stop("rate" if isinstance(error, RateLimitedError) else "error")

    async def _finish_tasks(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _tick(self, watch: Callable[[Snapshot], None]) -> None:
        while True:
            await asyncio.sleep(0.25)
            watch(self.snapshot())
            try:
                if self._uncommitted and time.monotonic() - self._committed_at >= COMMIT_SECONDS:
                    self.commit()
            except SiteseerError as error:
                self._give_up(error)
            except sqlite3.Error as error:
                self._give_up(translated(error))
            self._go_on()

    # ── one URL ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _visit(self, entry: Entry) -> None:
        why = entry.action
        robots = await self._robots_of(why.url)
        verdict = robots.verdict(why.url) if robots else Verdict(True, "")
        if not verdict.allowed and self.options.robots == "obey":
            self.frontier.skip_taken(entry, verdict.because, verdict.rule)
            self._decide(Outcome(why.url, "refused", verdict.because), why, None)
            return
        url, tally = why.url, Counter[str]()
        for _ in range(self.options.limits.redirects):
            self._sent += 1
            try:
                request = self._request(why, url)
                exchange = await self.visits.fetch(request, tally)
            except RateLimitedError:
                raise
            except FetchError as error:
                self._failed(entry, error, tally)
                return
            finally:
                self._sent += max(0, tally["requests"] - 1)
            kept = self.keeper.keep(exchange, why, robots_note=verdict.because if not verdict.allowed else "")
            again = self._other_spelling(kept.outcome, why)
            if again is None:
                self._received(entry, kept, tally)
                return
            self.keeper.record(kept, tally["requests"] + self.counts["requests"])
            url = again
        self._failed(entry, FetchError("redirects in a circle"), tally)

    def _request(self, why: Follow | Submit, url: str) -> Request:
        referrer = (("Referer", why.referrer),) if why.referrer.startswith("http") else ()
        if isinstance(why, Submit) and why.method == "POST":
            kind, body = body_of(why)
            return Request(url, "POST", (("Content-Type", kind), *referrer), body)
        headers = why.headers if isinstance(why, Follow) else ()
        return Request(url, "GET", (*headers, *referrer, *self.keeper.validators(url)))

    @staticmethod
    def _other_spelling(outcome: Outcome, why: Follow | Submit) -> str | None:
        """Return the target of a redirect that only spells the same URL otherwise (a session id, a cookie check)."""
        if isinstance(why, Submit) and why.method == "POST":
            return None  # where a posted form leads is asked for by GET
        if outcome.kind == "redirect" and outcome.target and identity(outcome.target) == identity(why.url):
            return outcome.target
        return None

    def _failed(self, entry: Entry, error: FetchError, tally: Counter[str]) -> None:
        self.failure = self.failure or error
        self.counts.update(tally)
        self.counts["errors"] += 1
        kind = "refused" if isinstance(error, RefusedAddressError) else "error"
        self.frontier.finish(entry, FAILED, str(error))
        self.log.write("failed", url=entry.action.url, reason=str(error))
        outcome = Outcome(entry.action.url, "refused" if kind == "refused" else "error", str(error))
        self._decide(outcome, entry.action, None)
        self._uncommitted += 1

    def _received(self, entry: Entry, kept: Kept, tally: Counter[str]) -> None:
        """Write down an answer: capture, decisions and outcome together."""
        self.counts.update(tally)
        self._count(kept)
        actions = self._ask(kept.outcome, entry.action)
        note = next((action for action in actions if isinstance(action, Note) and action.recognition), None)
        capture = self.keeper.record(kept, self.counts["requests"], note)
        self._apply(actions, kept.outcome.url, capture, entry.action)
        if self.options.assets == "all" and kept.page is not None and kept.outcome.kind == "page":
            self._apply(follow_requisites(kept.page, entry.action), kept.outcome.url, capture)
        broken = kept.exchange.status >= 400
        reason = f"{kept.exchange.status} {kept.exchange.reason}".strip()
        self.counts["errors"] += broken
        self.frontier.finish(entry, FAILED if broken else DONE, reason, capture)
        self.log.page(kept, entry.action, note)
        self.last_url = kept.outcome.url
        self._uncommitted += 1

    def _count(self, kept: Kept) -> None:
        self.counts[f"status {kept.exchange.status}"] += 1
        self.counts["bytes"] += kept.exchange.body_length
        self.counts["duplicates"] += kept.outcome.duplicate_of is not None
        self.counts["pages"] += kept.is_content
        self.counts["new grams"] += len(kept.new_grams)

    # ── what the strategy says ────────────────────────────────────────────────────────────────────────────────────

    def _ask(self, outcome: Outcome, why: Follow | Submit) -> list[Action]:
        if why.family == ASSETS:
            return []
        try:
            return list(self.strategy.decide(outcome, why))
        except SiteseerError:
            raise
        except Exception as error:  # one bad page never stops a crawl; the page itself is kept
            self.log.error("decide", outcome.url, error)
            self.counts["errors"] += 1
            return []

    def _decide(self, outcome: Outcome, why: Follow | Submit, capture: int | None) -> None:
        self._apply(self._ask(outcome, why), outcome.url, capture, why)

    def _apply(
        self, actions: Iterable[Action], page: str, capture: int | None, why: Follow | Submit | None = None
    ) -> None:
        """Carry out what a strategy said."""
        for action in actions:
            match action:
                case Follow() | Submit():
                    self._follow(action, page)
                case Skip():
                    self._skip(action, page)
                case Keep():
                    self.keeper.keep_object(action, capture)
                case Rank():
                    self.frontier.rank(action.family, action.priority)
                case Remember():
                    self.keeper.remember(action)
                case Note():
                    self._note(action, page)
                case Interact():
                    self.log.write("interact", url=action.url, because=action.because)

    def _follow(self, action: Follow | Submit, page: str) -> bool:
        """Let a URL wait unless the scope refuses it; say whether it is new."""
        if self.frontier.has_just_met(action):
            return False
        if not action.referrer and page:
            action = replace(action, referrer=page)
        if action.family != ASSETS:
            verdict = self.scope.verdict(action.url, action.depth)
            if not verdict.allowed:
                self._skip(Skip(action.url, verdict.because, verdict.rule), page)
                return False
        return self.frontier.add(action)

    def _skip(self, action: Skip, page: str) -> None:
        if self.frontier.skip(action, page):
            self.counts["skipped"] += 1
            self._skips[action.rule or action.because] += 1

    def _note(self, action: Note, page: str) -> None:
        if action.event:
            self.counts[f"event {action.event}"] += 1
            if action.event != RECOGNISED:  # that is in the page's own line
                self.keeper.note(action, page)
                self.log.write(action.event, url=page, because=action.because, **action.details)
        if action.recognition and action.recognition.application:
            self.counts[f"application {action.recognition.application}"] += 1

    # ── robots.txt ────────────────────────────────────────────────────────────────────────────────────────────────

    async def _robots_of(self, url: str) -> RobotsRules | None:
        origin = origin_of(url)
        if origin not in self._robots:
            self._robots[origin] = asyncio.create_task(self._read_robots(origin))
        return await asyncio.shield(self._robots[origin])

    async def _read_robots(self, origin: str) -> RobotsRules:
        agent = self.options.user_agent or "siteseer"
        earlier = self.keeper.recall_robots(origin)
        if earlier is not None:
            rules = RobotsRules.read(earlier[0], earlier[1], agent)
        else:
            rules = await self._fetch_robots(origin, agent)
        if rules.crawl_delay and self.options.robots == "obey":
            self.visits.pace.obey_crawl_delay(host_of(origin + "/"), rules.crawl_delay)
        return rules

    async def _fetch_robots(self, origin: str, agent: str) -> RobotsRules:
        url = robots_url = f"{origin}/robots.txt"
        why = Follow(robots_url, "robots.txt of the host", ROBOTS)
        tally = Counter[str]()
        status, body = None, b""
        for _ in range(5):
            self._sent += 1
            try:
                exchange = await self.visits.fetch(Request(url), tally)
            except FetchError as error:
                self.failure = self.failure or error
                self.log.write("failed", url=url, reason=str(error))
                break
            kept = self.keeper.keep(exchange, why)
            self._count(kept)
            self.keeper.record(kept, self.counts["requests"] + tally["requests"])
            target = kept.outcome.target
            if kept.outcome.kind != "redirect" or target is None or resolve(url, target) == url:
                status, body = exchange.status, kept.page.body if kept.page else b""
                break
            url = target
        self.counts.update(tally)
        self.frontier.mark_known(robots_url, "robots.txt of the host", None)
        self.keeper.remember_robots(origin, status, body)
        if status == 200 and kept.page and not is_html(kept.page):  # many sites answer with their home page instead
            self._decide(Outcome(robots_url, "page", page=kept.page), why, None)
        self._uncommitted += 1
        return RobotsRules.read(status, body, agent)

    # ── keeping ───────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def seconds(self) -> float:
        """How long this crawl has run, with all its earlier runs."""
        now = time.monotonic() if self._paused_at is None else self._paused_at
        return self._seconds_before + now - self._clock_started

    def snapshot(self) -> Snapshot:
        """Return how far the crawl is."""
        counts = self.counts
        return Snapshot(
            requests=counts["requests"],
            pages=counts["pages"],
            waiting=self.frontier.waiting,
            in_flight=len(self._tasks),
            skipped=counts["skipped"],
            skipped_by=tuple(self._skips.most_common(RULES_SHOWN)),
            two_grams=len(self.keeper.grams),
            objects=counts["objects"],
            seconds=self.seconds,
            url=self.last_url,
            fetching=tuple(self._fetching.values()),
        )

    def commit(self) -> None:
        """Make everything so far durable: the WARC first, then the database with the WARC's position."""
        self.counts["milliseconds"] = int(self.seconds * 1000)
        self.counts["two grams"] = len(self.keeper.grams)
        self.counts["two grams estimated"] = int(self.keeper.grams.is_estimated)
        self.keeper.commit(self.counts)
        self.log.flush()
        self._uncommitted = 0
        self._committed_at = time.monotonic()
