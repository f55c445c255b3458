"""Pages, and the levels that the links to them promised, in; pages that are not what was promised out.

A navigation action says to which level its links lead. Where page after page that was promised to hold objects is taken
for one that only leads on, it is the pattern of its level that fails, and another one claims its pages.
"""

from __future__ import annotations

from collections import Counter

from siteseer.knowledge.types import Application, Level
from siteseer.model import Page

BROKEN = 3
"""Promises that are broken before a level's pattern is doubted."""
MOST_KEPT = 0.2
"""A level that is recognised on a larger share of its promised pages has a pattern that works."""
MOST_SAMPLES = 8
MOST_BROKEN = 40


class Promises:
    """What was promised of the pages of one site, and what became of it."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.samples: dict[str, list[Page]] = {}
        """A few pages of each level that are what was promised: others can be told from them."""
        self._kept: Counter[str] = Counter()
        self._broken: Counter[str] = Counter()
        self._waiting: dict[str, list[Page]] = {}

    def promised(self, name: str) -> Level | None:
        """Return the level of that name where its pages hold objects."""
        level = self.application.level(name) if name else None
        return level if level is not None and level.is_terminal and level.format == "html" else None

    def hear(self, page: Page, promised: str, level: Level) -> list[Page]:
        """Hear what a page was recognised as; return the pages that seem to be taken for what they are not."""
        wanted = self.promised(promised)
        if wanted is None or level.id == promised or level.is_terminal:
            self._kept[level.id] += 1
            if promised in ("", level.id):
                samples = self.samples.setdefault(level.id, [])
                samples.append(page)
                del samples[1:-MOST_SAMPLES:2]
            return []
        self._broken[promised] += 1
        waiting = self._waiting.setdefault(promised, [])
        waiting.append(page)
        del waiting[:-MOST_BROKEN]
        broken, kept = self._broken[promised], self._kept[promised]
        if broken < BROKEN or kept > MOST_KEPT * (broken + kept):
            return []
        del self._waiting[promised]
        return waiting
