"""Processes an answer: renders it in a browser where needed, compares it with others, lets the strategy decide.

An answer that may come from a wall is written down as evidence and held back (`wall_handling`); it is decided when
others show that there is none.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from siteseer.collection.url_status import DONE, FAILED
from siteseer.crawler.apply_actions import ActionApplier
from siteseer.crawler.capture_writer import NO_GRAMS, WrittenCapture
from siteseer.crawler.frontier import Entry
from siteseer.crawler.hosts.host_answers import AnsweredUrl
from siteseer.crawler.hosts.missing_seeds import MissingSeeds
from siteseer.crawler.hosts.wall_handling import Walls
from siteseer.crawler.progress import Progress
from siteseer.crawler.rendering.rendered_pages import PageRenderer
from siteseer.crawler.results.seed_results import OpenSeeds
from siteseer.errors import SiteseerError
from siteseer.model import Follow, Note, Outcome, Submit
from siteseer.page.scripts.needs_scripts import ScriptNeed
from siteseer.settings import CrawlOptions
from siteseer.strategies.redirects_and_assets import follow_requisites
from siteseer.strategies.traps.soft404 import SAYS
from siteseer.strategies.traps.walls import WallEvidence

Result = TypeVar("Result")
Look = Callable[[Follow | Submit, WrittenCapture], WallEvidence | None]


@dataclass(slots=True)
class AnswerProcessor:
    """Decides answers one by one."""

    options: CrawlOptions
    carrier: ActionApplier
    progress: Progress
    walls: Walls
    showing: PageRenderer | None = None
    missing_seeds: MissingSeeds | None = None
    seeds: OpenSeeds = field(default_factory=OpenSeeds)

    async def receive(self, entry: Entry, kept: WrittenCapture, tally: Counter[str]) -> None:
        """Take an answer that is in the archive: hold it back, have it shown, decide it."""
        suspicion = self._suspicion(self.walls.refusal, entry, kept)
        if suspicion is not None:
            await self._hold(AnsweredUrl(entry, kept, self.record(kept, tally), is_shown=False), suspicion)
        elif (need := self._need(kept, entry.action)) is not None:
            capture = self.record(kept, tally)
            await self.compare(entry, await self.show(entry, kept, capture, need), capture)
        elif (suspicion := self._suspicion(self.walls.repetition, entry, kept)) is not None:
            await self._hold(AnsweredUrl(entry, kept, self.record(kept, tally)), suspicion)
        else:
            self.progress.counts.update(tally)
            self.progress.count(kept)
            keeper, is_doubtful = self.carrier.keeper, self._is_doubtful(entry, kept)
            recorded = keeper.record(kept, self.progress.counts["requests"]) if is_doubtful else None
            await self._decide_ordinary(entry, kept, recorded)

    async def compare(self, entry: Entry, shown: WrittenCapture, capture: int) -> None:
        """Decide a page as its scripts made it, unless other pages said the same."""
        suspicion = self._suspicion(self.walls.repetition, entry, shown)
        if suspicion is None:
            await self._decide_ordinary(entry, shown, capture)
        else:
            self.progress.count_content(shown, -1)
            await self._hold(AnsweredUrl(entry, shown, capture), suspicion)

    async def settle(self) -> None:
        """Decide what is held back: nothing else is left to be asked for."""
        for released in await self.walls.settle():
            await self._release(released)

    def record(self, kept: WrittenCapture, tally: Counter[str]) -> int:
        """Write down an answer that is not decided yet: it counts as a page when it is."""
        self.progress.counts.update(tally)
        self.progress.count(replace(kept, is_content=False, new_grams=NO_GRAMS))
        self.progress.unsaved += 1
        return self.carrier.keeper.record(kept, self.progress.counts["requests"])

    async def show(self, entry: Entry, kept: WrittenCapture, capture: int, need: ScriptNeed) -> WrittenCapture:
        """Have a page shown by a browser, and count it."""
        assert self.showing is not None
        shown = await self.showing.show(kept, capture, entry.action, need)
        if shown is not kept:
            shown = replace(shown, new_grams=np.union1d(kept.new_grams, shown.new_grams))
        self.progress.count_content(shown)
        return shown

    def decide(self, entry: Entry, kept: WrittenCapture, capture: int | None, missing: str = "") -> int:
        """Ask the strategy about an answer, which may be written down already, and do what it says.

        `missing` says why the page does not exist although it was answered. Return the number of its capture.
        """
        broken = bool(missing) or kept.exchange.status >= 400
        is_dead = broken and entry.action.url in self.seeds  # what an error page links to is not what was asked for
        outcome = Outcome(kept.outcome.url, "error", missing or kept.outcome.reason) if is_dead else kept.outcome
        if entry.action.url in self.seeds and not broken:
            self.seeds.hear(replace(outcome, url=entry.action.url))
        actions = self.carrier.ask(outcome, entry.action)
        note = next((action for action in actions if isinstance(action, Note) and action.recognition), None)
        if capture is None:
            capture = self.carrier.keeper.record(kept, self.progress.counts["requests"], note)
        elif note is not None and note.recognition is not None:
            self.carrier.keeper.state.relabel(capture, note.recognition.level)
        self.carrier.apply(actions, kept.outcome.url, capture, entry.action)
        if self.options.assets == "all" and kept.page is not None and outcome.kind == "page":
            self.carrier.apply(follow_requisites(kept.page, entry.action), kept.outcome.url, capture)
        reason = missing or _answer_line(kept)
        self.progress.counts["errors"] += broken
        self.carrier.frontier.finish(entry, FAILED if broken else DONE, reason, capture)
        self.carrier.log.page(kept, entry.action, note)
        if is_dead:
            self.end_seed(entry.action.url)
        self.progress.last_url = kept.outcome.url
        self.progress.unsaved += 1
        return capture

    def end_seed(self, url: str) -> None:
        """Note that a seed, if it is one, leads nowhere; where none is left, nothing else is followed."""
        if url in self.seeds:
            self.seeds.fail(url)
            if self.seeds.is_over:
                self.carrier.close("found without a seed: no seed gave a page")

    def fail(self, entry: Entry, error: Exception, capture: int | None = None) -> None:
        """Write down that an error of ours cost a page, whose answer stays in the archive and its index."""
        self.carrier.note_own_error("page", entry.action.url, error)
        capture = self.carrier.keeper.record_rest(self.progress.counts["requests"]) or capture
        because = f"could not be processed: {type(error).__name__}: {error}"[:300]
        self.carrier.frontier.finish(entry, FAILED, because, capture)
        self.progress.unsaved += 1

    # ── answers that may come from a wall ─────────────────────────────────────────────────────────────────────────

    async def _decide_ordinary(self, entry: Entry, kept: WrittenCapture, capture: int | None) -> None:
        """Decide an answer, and those that it shows to be none of a wall's."""
        if capture is not None and self._is_doubtful(entry, kept) and await self._is_missing(entry, kept):
            self._end_missing(entry, kept, capture)
            return
        capture = self.decide(entry, kept, capture)
        for released in self.walls.hear(AnsweredUrl(entry, kept, capture)):
            await self._release(released)

    def _is_doubtful(self, entry: Entry, kept: WrittenCapture) -> bool:
        """Say whether an answer is the page of a seed that speaks like one that does not exist."""
        seeds, why = self.missing_seeds, entry.action
        if seeds is None or why.url not in self.seeds or not kept.is_content:
            return False
        return bool(self._guarded("seed", kept, lambda: seeds.is_suspicious(why, kept.page)))

    async def _is_missing(self, entry: Entry, kept: WrittenCapture) -> bool:
        assert self.missing_seeds is not None and kept.page is not None
        return await self.missing_seeds.is_missing(entry.action, kept.page)

    def _end_missing(self, entry: Entry, kept: WrittenCapture, capture: int) -> None:
        """Take back the page of a seed that does not exist: its capture stays as evidence."""
        self.carrier.keeper.withdraw(capture)
        self.progress.count_content(kept, -1)
        because = f"{_answer_line(kept)}, but {SAYS}"
        self.carrier.apply([Note(because, event="soft_404")], entry.action.url, None)
        self.decide(entry, replace(kept, is_content=False, new_grams=NO_GRAMS), capture, because)

    async def _hold(self, answered: AnsweredUrl, suspicion: WallEvidence) -> None:
        for released in await self.walls.hold(answered, suspicion):
            await self._release(released)

    async def _release(self, answered: AnsweredUrl) -> None:
        """Decide an answer that was held back; an error of ours is that of no other answer."""
        try:
            await self._decide_released(answered)
        except (SiteseerError, sqlite3.Error):
            raise
        except Exception as error:
            self.fail(answered.entry, error, answered.capture)

    async def _decide_released(self, answered: AnsweredUrl) -> None:
        entry, capture = answered.entry, answered.capture
        kept = self.carrier.keeper.readmit(answered.kept, capture)
        need = None if answered.is_shown else self._need(kept, entry.action)
        if need is None:
            self.progress.count_content(kept)
        else:
            kept = await self.show(entry, kept, capture, need)
        self.decide(entry, kept, capture)
        self.walls.note(replace(answered, kept=kept))

    def _need(self, kept: WrittenCapture, why: Follow | Submit) -> ScriptNeed | None:
        """Say why a page is to be shown by a browser."""
        showing = self.showing
        return self._guarded("show", kept, lambda: showing.need(kept, why)) if showing is not None else None

    def _suspicion(self, look: Look, entry: Entry, kept: WrittenCapture) -> WallEvidence | None:
        """Say whether an answer looks like that of a wall."""
        return self._guarded("wall", kept, lambda: look(entry.action, kept))

    def _guarded(self, doing: str, kept: WrittenCapture, look: Callable[[], Result | None]) -> Result | None:
        """Look at a page; it is archived already, whatever an error of ours makes of it."""
        try:
            return look()
        except SiteseerError:
            raise
        except Exception as error:
            self.carrier.note_own_error(doing, kept.outcome.url, error)
            return None


def _answer_line(kept: WrittenCapture) -> str:
    """Return status and reason of an answer."""
    return f"{kept.exchange.status} {kept.exchange.reason}".strip()
