"""Applies the actions of a strategy: queues or skips URLs, keeps objects, stores memory rows, writes notes.

What a person wants done with waiting and skipped URLs is done here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from siteseer.collection.events import NO_SEED, OWN_ERROR
from siteseer.crawler.capture_writer import CaptureWriter
from siteseer.crawler.frontier import Frontier
from siteseer.crawler.progress import Progress
from siteseer.crawler.results.crawl_log import CrawlLog
from siteseer.errors import SiteseerError
from siteseer.interfaces import Scope, Strategy
from siteseer.model import (
    Action,
    Appraise,
    Follow,
    Keep,
    Note,
    Outcome,
    Rank,
    Remember,
    Skip,
    Submit,
    Vote,
    Weigh,
)
from siteseer.strategies.redirects_and_assets import ASSETS

RECOGNISED = "recognised"


@dataclass(slots=True)
class ActionApplier:
    """Asks the strategy, and carries out what it says."""

    strategy: Strategy
    scope: Scope
    frontier: Frontier
    keeper: CaptureWriter
    log: CrawlLog
    progress: Progress
    closed: str = ""
    """Why nothing more is followed; empty while the crawl goes on."""

    def ask(self, outcome: Outcome, why: Follow | Submit) -> list[Action]:
        """Return what the strategy says of an outcome."""
        if why.family == ASSETS:
            return []
        try:
            return list(self.strategy.decide(outcome, why))
        except SiteseerError:
            raise
        except Exception as error:  # one bad page never stops a crawl; the page itself is kept
            self.note_own_error("decide", outcome.url, error)
            return []

    def note_own_error(self, where: str, url: str, error: Exception) -> None:
        """Write down that an error of ours cost something of a page."""
        self.log.error(where, url, error)
        self.progress.counts["errors"] += 1
        self.keeper.note(Note(f"{type(error).__name__}: {error}"[:300], event=OWN_ERROR), url)

    def decide(self, outcome: Outcome, why: Follow | Submit, capture: int | None) -> None:
        """Ask the strategy, and do what it says."""
        self.apply(self.ask(outcome, why), outcome.url, capture, why)

    def apply(
        self, actions: Iterable[Action], page: str, capture: int | None, why: Follow | Submit | None = None
    ) -> None:
        """Carry out what a strategy said."""
        for action in actions:
            match action:
                case Follow() | Submit():
                    self.follow(action, page)
                case Skip():
                    self._skip(action, page)
                case Keep() if action.object.url == page:
                    self.keeper.keep_object(action, capture)
                case Keep():  # found when an earlier page was looked at again
                    self.keeper.keep_object(action, self.keeper.capture_of(action.object.url) or capture)
                case Rank():
                    self.frontier.rank(action.family, action.priority)
                case Remember():
                    self.keeper.remember(action)
                case Note():
                    self._note(action, page)
                case Weigh() if capture is not None:
                    self.keeper.weigh(capture, action)
                case Vote():
                    self.frontier.votes.take(action)
                case Appraise():
                    self.frontier.votes.appraise(action)

    def follow(self, action: Follow | Submit, page: str) -> bool:
        """Let a URL wait unless the scope refuses it; say whether it is new."""
        if self.frontier.has_just_met(action):
            return False
        if self.closed:
            self._skip(Skip(action.url, self.closed, NO_SEED), page)
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
            self.progress.skipped(action.rule or action.because)

    def _note(self, action: Note, page: str) -> None:
        if action.event:
            self.progress.counts[f"event {action.event}"] += 1
            if action.event != RECOGNISED:  # that is in the page's own line
                self.keeper.note(action, page)
                self.log.write(action.event, url=page, because=action.because, **action.details)
        if action.recognition and action.recognition.application:
            self.progress.counts[f"application {action.recognition.application}"] += 1
            if action.recognition.version:
                name = f"version {action.recognition.application} {action.recognition.version}"
                self.progress.counts[name] += 1

    def close(self, because: str) -> None:
        """Follow nothing more, and leave what waits."""
        self.closed = because
        self.leave(lambda url: True, because, NO_SEED)

    def leave(self, is_left: Callable[[str], bool], because: str, rule: str) -> int:
        """Skip the waiting URLs that are not wanted any more; return how many there were."""
        left = self.frontier.skip_waiting(is_left, because, rule)
        self.progress.skipped(rule, left)
        self.progress.unsaved += 1
        return left

    def lift(self, rule: str, urls: Sequence[str] = ()) -> int:
        """Let URLs that a rule skipped wait after all; return how many do now."""
        lifted = self.frontier.lift(rule, urls)
        self.progress.skipped(rule, -lifted)
        self.progress.unsaved += 1
        return lifted
