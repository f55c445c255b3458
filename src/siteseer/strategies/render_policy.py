"""Learns which kinds of pages are worth rendering in a browser, from a few of each.

A kind is a host, the shape of the URL, and the evidence for rendering. Frames that scripts fill are rendered until
three in a row gained nothing; doubtful pages until one gained something, three at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from siteseer.model import JSON, Page, Remember
from siteseer.page.scripts.needs_scripts import FEW_WORDS, ScriptNeed
from siteseer.page.two_grams import grams
from siteseer.page.urls import host_of
from siteseer.page.word_hashes import word_count

MEMORY = "(shown)"
TRIALS = 3
MOST_IN_VAIN = 6
"""Pages of a host that are shown in doubt before it is believed that its pages are whole."""
FEWEST_NEW = 15
FEWEST_IN_EMPTY = 1
"""To a page that shows nothing, a heading is a gain."""
LEAST_GAIN = 0.05

_NUMBER = re.compile(r"\d+")


@dataclass(slots=True)
class RenderPolicy:
    """What rendering has gained so far, by kind of page."""

    tried: dict[str, list[int]] = field(default_factory=dict)
    """Kind to how many pages of it were shown, and how many gained by it."""

    def restore(self, rows: Iterable[tuple[str, JSON]]) -> None:
        """Restore what was stored."""
        self.tried.update({key: [int(value[0]), int(value[1])] for key, value in rows})

    def is_worth(self, page: Page, need: ScriptNeed) -> bool:
        """Say whether this page should be rendered."""
        if need.answer == "not needed":
            return False
        shown, gained = self.tried.get(kind_of(page.url, need), (0, 0))
        if gained:
            return True
        if need.answer == "doubtful" and self._in_vain(host_of(page.url)) >= MOST_IN_VAIN:
            return False
        return shown < TRIALS

    def _in_vain(self, host: str) -> int:
        """Return how many pages of a host were shown in vain; 0 where some gained."""
        own = [row for key, row in self.tried.items() if key.partition(" ")[0] == host]
        return 0 if any(gained for _, gained in own) else sum(shown for shown, _ in own)

    def learn(self, page: Page, need: ScriptNeed, has_gained: bool) -> Remember:
        """Record whether rendering a page gained text."""
        key = kind_of(page.url, need)
        row = self.tried.setdefault(key, [0, 0])
        row[0] += 1
        row[1] += has_gained
        return Remember(MEMORY, key, row)


def gain(before: Page, after: Page) -> int:
    """Return how many 2-grams scripts added; 0 where that is no more than a clock or a greeting."""
    old, new = grams(before), grams(after)
    added = len(np.setdiff1d(new, old))
    fewest = FEWEST_NEW if word_count(before) >= FEW_WORDS else FEWEST_IN_EMPTY
    return added if added >= max(fewest, LEAST_GAIN * len(old)) else 0


def kind_of(url: str, need: ScriptNeed) -> str:
    """Return the kind of a page: host, shape of the URL, evidence.

    >>> kind_of("http://e.org/topic/12-tea?page=3", ScriptNeed("doubtful", "", "button"))
    'e.org /topic/* page= button'
    """
    parts = urlsplit(url)
    steps = parts.path.split("/")
    shape = "/".join(_NUMBER.sub("#", step) for step in steps[:-1]) + ("/*" if steps[-1] else "/")
    names = "&".join(sorted({f"{name}=" for name, _ in parse_qsl(parts.query[:2000], keep_blank_values=True)}))
    return " ".join(part for part in (host_of(url), shape, names, need.evidence) if part)
