"""Keeps the last answers of a host: which are held back, which were decided, which are suspicious."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from siteseer.crawler.capture_writer import WrittenCapture
from siteseer.crawler.frontier import Entry
from siteseer.page.interstitials import same_text_key, to_compare
from siteseer.page.urls import host_of, identity
from siteseer.strategies.traps.walls import RECENT, HostWatch

MOST_HELD = 8
"""Answers held back at a time; older ones of a long run are decided, and wait again if it was a wall."""


@dataclass(frozen=True, slots=True)
class AnsweredUrl:
    """A URL with its answer, as it was written down."""

    entry: Entry
    kept: WrittenCapture
    capture: int
    number: int = 0
    """Which request to its host this was."""
    is_shown: bool = True
    """Whether a browser has had its turn."""

    @property
    def host(self) -> str:
        """The host that answered."""
        return host_of(self.entry.action.url)

    @property
    def target(self) -> str:
        """Where a redirect leads."""
        return (self.kept.outcome.target or "") if self.kept.outcome.kind == "redirect" else ""


@dataclass(slots=True)
class HostAnswers:
    """The last answers of one host."""

    asked: int = 0
    """Requests that the host has answered in this crawl."""
    watch: HostWatch = field(default_factory=HostWatch)
    held: list[AnsweredUrl] = field(default_factory=list)
    decided: list[AnsweredUrl] = field(default_factory=list)
    """Answers of the run that were too many to be held back."""
    recent: deque[AnsweredUrl] = field(default_factory=lambda: deque(maxlen=RECENT))
    """Ordinary answers before the run: the first that a wall gives may look like one."""
    refused: deque[AnsweredUrl] = field(default_factory=lambda: deque(maxlen=RECENT))
    """Refusals before the run: an ordinary answer that was under way may have come after the first of a wall."""
    is_confirmed: bool = False
    """Whether a known page was refused already, and the browser has had its try."""

    def note(self, answered: AnsweredUrl) -> None:
        """Note an ordinary answer that may turn out to be a wall's: a redirect, or a short page."""
        kept = answered.kept
        page = kept.page if kept.is_content and kept.page is not None and same_text_key(kept.page) is not None else None
        if answered.target or page is not None:
            outcome = replace(kept.outcome, page=None)
            light = replace(kept, outcome=outcome, page=to_compare(page) if page is not None else None)
            self.recent.append(replace(answered, kept=light, number=answered.number or self.asked))

    def hold(self, answered: AnsweredUrl) -> list[AnsweredUrl]:
        """Hold an answer back; return those that are too many."""
        self.held.append(replace(answered, number=self.asked))
        released, self.held = self.held[:-MOST_HELD], self.held[-MOST_HELD:]
        self.decided += released
        return released

    def end_run(self, is_acquitted: bool = False) -> list[AnsweredUrl]:
        """Return what was held back: the run is over."""
        released, self.held, self.decided = self.held, [], []
        self.is_confirmed = False
        if is_acquitted:
            self.refused.clear()
        self.refused.extend(one for one in released if not is_acquitted and not one.kept.is_content)
        return released

    def before_run(self) -> list[AnsweredUrl]:
        """Return the refusals that came just before the run."""
        first = min(one.number for one in (*self.decided, *self.held))
        return [one for one in self.refused if first - one.number <= RECENT]

    def of_wall(self) -> list[AnsweredUrl]:
        """Return the recent answers that were taken for ordinary ones but are what the run shows."""
        return [one for one in self.recent if self._leads_away(one) or self._is_same(one)]

    def led_to(self) -> list[AnsweredUrl]:
        """Return the recent pages to which only the redirects of the run led: a login page."""
        targets = {identity(one.target) for one in (*self.recent, *self.held) if self._leads_away(one)}
        return [one for one in self.recent if not one.target and identity(one.entry.action.url) in targets]

    def _leads_away(self, answered: AnsweredUrl) -> bool:
        return bool(answered.target) and self.watch.is_redirected(answered.kept.outcome.url, answered.target)

    def _is_same(self, answered: AnsweredUrl) -> bool:
        page = answered.kept.page
        return page is not None and not answered.target and self.watch.is_of_wall(page)
