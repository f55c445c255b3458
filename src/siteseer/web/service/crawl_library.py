"""Manages the crawls of the service: starts, watches, pauses, limits and stops them, each in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from siteseer.collection.collection import Collection
from siteseer.collection.history.saved_options import change_options, last_options
from siteseer.collection.overwrite import delete_collection
from siteseer.crawler.continuation.lift_skipped import lift_skipped
from siteseer.crawler.remote_control import LIMITS
from siteseer.errors import ArchiveError, NotFoundError, SiteseerError, UsageError
from siteseer.model import JSON
from siteseer.page.urls import host_of
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions, options_of, read_values
from siteseer.strategies.scope import pattern
from siteseer.web.service.library import Library
from siteseer.web.service.running_crawl import ConflictError, RunningCrawl
from siteseer.web.service.separate_crawl import CrawlDefect, crawl_separately

MOST_AT_ONCE = 8
"""Crawls that may run at the same time in one service."""
EVENT_SECONDS = 0.5
LONGEST_ERROR = 1_000
PATIENCE = 60.0
"""Seconds to wait for another process before changed options are written down."""


class CrawlLibrary:
    """Starts and steers the crawls of one library."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._crawls: dict[str, RunningCrawl] = {}
        self._lock = Lock()

    def options(self, name: str, seeds: Sequence[str], **wanted: Any) -> CrawlOptions:
        """Return checked options for a new collection of that name; raise UsageError where one makes no sense."""
        return asked_options(self.library.place(name), seeds, wanted)

    def start(self, options: CrawlOptions) -> RunningCrawl:
        """Start a crawl, or go on with one; returns at once.

        Where another crawl of this service visits the same host with a delay, this one waits for its turn.
        """
        name = self._name(options.collection)
        with self._lock:
            earlier = self._crawls.get(name)
            if earlier is not None and not earlier.is_over:
                raise ConflictError(f"{name} is being crawled already")
            if sum(not one.is_over for one in self._crawls.values()) >= MOST_AT_ONCE:
                raise ConflictError(f"{MOST_AT_ONCE} crawls are running; wait for one of them or stop it")
            running = self._crawls[name] = RunningCrawl(name, options)
            running.curve = list(earlier.curve) if earlier else []
        before = self._before(running)
        running.thread = Thread(target=self._run, args=(running, before), name=f"crawl {name}", daemon=True)
        running.thread.start()
        return running

    def resume(self, name: str, **limits: float | int | None) -> RunningCrawl:
        """Go on after a pause, or with a crawl that was stopped: with its own options, or other limits."""
        running = self._crawls.get(name)
        if running is not None and not running.is_over:
            self.change(name, **limits)
            running.control.resume()
            return running
        path = self.library.open(name).path
        with Collection.open(path) as opened:
            options = last_options(opened.state)[1]
        if running is not None:  # its secrets are only known here
            options = replace(running.options, exclude=options.exclude, overwrite=False, recrawl=False)
        check_limits(limits)
        return self.start(replace(options, **limits))  # type: ignore[arg-type]

    def pause(self, name: str) -> RunningCrawl:
        """Let a crawl take nothing new for the moment."""
        running = self._running(name)
        running.control.pause()
        return running

    def stop(self, name: str) -> RunningCrawl:
        """End a crawl when what it sent has been answered; it can be resumed later."""
        running = self._running(name)
        running.stop_asked = True
        running.phase = "stopping"
        running.control.stop()
        return running

    def change(self, name: str, **limits: float | int | None) -> RunningCrawl:
        """Change limits of a running crawl: `limit`, `size_limit`, `time_limit`, `delay`."""
        running = self._running(name)
        check_limits(limits)
        if limits:
            running.options = replace(running.options, **limits)  # type: ignore[arg-type]
            running.control.change(**limits)
        return running

    def preview(self, name: str, expression: str, examples: int = 20) -> JSON:
        """Return what an exclusion would hit among the URLs that wait: `hits`, `waiting`, `examples`."""
        compiled = pattern(expression, "--exclude")
        look = self.library.open(name).look
        last = look.last()
        if last is None:
            return {"hits": 0, "waiting": 0, "examples": []}
        hits, found = look.hits(last.number, lambda url: bool(compiled.search(url)), examples)
        return {"hits": hits, "waiting": look.statuses(last.number).get("waiting", 0), "examples": found}

    def exclude(self, name: str, expression: str) -> RunningCrawl:
        """Leave the URLs that the expression matches out of a running crawl, those that wait and those to come."""
        running = self._running(name)
        running.control.exclude(expression)
        running.options = replace(running.options, exclude=(*running.options.exclude, expression))
        return running

    def lift(self, name: str, rule: str, urls: Sequence[str] = ()) -> int | None:
        """Let what a rule skipped wait after all; `resume` then fetches it. None where a running crawl does it."""
        running = self._crawls.get(name)
        if running is not None and not running.is_over:
            running.control.lift(rule, urls)
            return None
        path = self.library.open(name).path
        with Collection.open(path, "write") as opened:
            lifted = sum(lift_skipped(opened.state, rule, urls).values())
            opened.state.commit()
        if not lifted:
            raise NotFoundError(f"the rule {rule[:200]!r} skipped nothing that could be fetched after all")
        return lifted

    def dismiss(self, name: str, with_collection: bool = False) -> None:
        """Take a crawl that is over from the list, and delete its collection where that is wanted, too."""
        running = self.get(name)
        if not running.is_over:
            raise ConflictError(f"the crawl of {name} is {running.phase}: stop it first")
        if with_collection and running.options.collection.resolve() == self.library.root:
            raise UsageError(f"{name} is the folder that is shown; open the folder above it to delete it")
        if with_collection:
            delete_collection(running.options.collection)
        with self._lock:
            if self._crawls.get(name) is running:
                del self._crawls[name]

    # ── watching ──────────────────────────────────────────────────────────────────────────────────────────────────

    def all(self) -> list[RunningCrawl]:
        """Return the crawls of this service, the newest first."""
        return list(reversed(self._crawls.values()))

    def get(self, name: str) -> RunningCrawl:
        """Return a crawl of this service; raise UsageError where it started none of that name."""
        if name not in self._crawls:
            raise NotFoundError(f"no crawl of {name[:100]!r} was started here")
        return self._crawls[name]

    def snapshot(self, name: str) -> JSON:
        """Return how far a crawl is."""
        return self.get(name).as_json()

    async def events(self, name: str) -> AsyncIterator[JSON]:
        """Yield how far a crawl is, a few times a second where something changed, until it is over."""
        running, told = self.get(name), None
        while True:
            over, now = running.is_over, running.as_json()
            if now != told:
                told = now
                yield now
            if over:
                return
            await asyncio.sleep(EVENT_SECONDS)

    def close(self, seconds: float = 30.0) -> None:
        """Stop everything that runs and wait until it is saved."""
        for running in self.all():
            if not running.is_over:
                self.stop(running.name)
        for running in self.all():
            if running.thread is not None:
                running.thread.join(seconds)

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _run(self, running: RunningCrawl, before: list[RunningCrawl]) -> None:
        for other in before:
            if other.thread is not None:
                other.thread.join()
        if running.stop_asked:
            running.phase = "stopped"
            return
        running.phase = "running"
        try:
            running.summary = crawl_separately(running.options, running.hear, running.control)
            self._note_options(running)
        except (SiteseerError, CrawlDefect) as error:
            running.phase, running.error = "failed", str(error)[:LONGEST_ERROR]
        except Exception as error:  # a defect of ours: said, never swallowed, and the service lives on
            running.phase, running.error = "failed", f"{type(error).__name__}: {error}"[:300]
            raise
        else:
            running.phase = "finished" if running.summary["stopped_by"] is None else "stopped"

    def _note_options(self, running: RunningCrawl) -> None:
        """Write the exclusions and limits that were changed meanwhile into the collection, for whoever goes on."""
        options = running.options
        changed = {"exclude": list(options.exclude), **{name: getattr(options, name) for name in LIMITS}}
        with Collection.open(options.collection, "write", PATIENCE) as opened:
            change_options(opened.state, running.summary["crawl"], **changed)
            opened.state.commit()

    def _before(self, running: RunningCrawl) -> list[RunningCrawl]:
        """Return the running crawls whose hosts this one must not visit at the same time."""
        hosts = {host_of(seed) for seed in running.options.seeds}
        return [
            other
            for other in self._crawls.values()
            if other is not running
            and not other.is_over
            and hosts & {host_of(seed) for seed in other.options.seeds}
            and (running.options.delay or other.options.delay)
        ]

    def _running(self, name: str) -> RunningCrawl:
        running = self.get(name)
        if running.is_over:
            raise ConflictError(f"the crawl of {name} is {running.phase}")
        return running

    def _name(self, path: Path) -> str:
        for card_name in self.library.names():
            if self.library.open(card_name).path == path.resolve():
                return card_name
        if path.resolve().parent != self.library.root:
            raise ArchiveError(f"{path} is not in this library")
        return path.name


def asked_options(place: Path, seeds: Sequence[str], wanted: Mapping[str, Any]) -> CrawlOptions:
    """Return options for a new collection at that place; raise UsageError where one makes no sense."""
    remote = [one for one in options_of(CrawlOptions) if one.is_remote]
    made = CrawlOptions(seeds=tuple(seeds), collection=place, **read_values(remote, wanted))
    for text in made.include:
        pattern(text, "--include")
    for text in made.exclude:
        pattern(text, "--exclude")
    strategy_factory(made.strategy)
    check_limits({name: getattr(made, name) for name in LIMITS})
    return made


def check_limits(limits: Mapping[str, float | int | None]) -> None:
    """Raise UsageError where a limit cannot be changed or makes no sense."""
    for name, value in limits.items():
        if name not in LIMITS:
            raise UsageError(f"{name[:60]!r} cannot be changed while a crawl runs; only {', '.join(LIMITS)}")
        if value is not None and value < (0 if name == "delay" else 1):
            raise UsageError(f"{name} {value} makes no sense")
        if name == "delay" and value is None:
            raise UsageError("delay needs a number of seconds")
