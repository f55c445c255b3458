"""Recognises traps and duplicates by content: idle parts of URLs, endless lists, growing paths.

A strategy shows the guard every page and asks it before a URL is followed (`verdict`). All state follows from the
guard's `glance`s at pages, which are JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from siteseer.interfaces import Verdict
from siteseer.model import JSON, Page
from siteseer.page.slot_values import NO_VALUES, read_row, slot_values
from siteseer.page.two_grams import DistinctGrams, distinct
from siteseer.page.urls import identity
from siteseer.strategies.learned.online_learner.identity_rules import Identities, Part, name_of
from siteseer.strategies.learned.online_learner.near_duplicates import Duplicates, shows_new_texts
from siteseer.strategies.learned.online_learner.prose import pack, prose, unpack
from siteseer.strategies.learned.online_learner.url_shapes import digitless, parts_of

SAME_PAGE = "same page under another name"
"""The rule of URLs that show what another one has shown."""
ENDLESS = 30
"""So many pages of one kind in a row that show no new text, numbers aside, are an endless list."""
STALE_GROWTH = 2
MOST_SEGMENTS = 25


class TrapGuard:
    """Recognises by the content of pages that a URL leads to nothing new."""

    def __init__(self, idle: Iterable[Part] = (), is_template: Callable[[int], bool] = lambda text: False) -> None:
        self._pages: list[str] = []
        self._duplicates = Duplicates(is_template)
        self._distinct: set[int] = set()
        """Pages that showed too much for the first time to repeat others."""
        self._identities = Identities(self._repeats)
        self._identities.assume(idle)
        self._texts = DistinctGrams()
        self._known: dict[str, str] = {}
        self._stale: Counter[str] = Counter()
        self._stale_growth = 0
        self.stale = 0
        """How many pages in a row showed no new text, numbers aside."""

    # ── for strategies ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def idle(self) -> tuple[Part, ...]:
        """The parts of URLs that do not change the page."""
        return tuple(self._identities.idle)

    def key(self, url: str) -> str:
        """Return the name under which a URL is known: its identity without idle parts."""
        return self._identities.reduced(name_of(url))

    def verdict(self, url: str, goes_on: bool = True) -> Verdict:
        """Say whether a URL may lead to something new.

        `goes_on` says that pages of its kind led to it: a list without end is one that leads to itself. What other
        pages list has an end, however many pages of that kind show what was seen under other names.
        """
        name = name_of(url)
        reduced = self._identities.reduced(name)
        if reduced != name and (known := self._known.get(reduced)) is not None and known != name:
            return Verdict(False, f"shows the same as {known}", SAME_PAGE)
        segments = [one for one in name.partition("://")[2].partition("/")[2].partition("?")[0].split("/") if one]
        if len(segments) > MOST_SEGMENTS or (self._stale_growth >= STALE_GROWTH and is_growing(segments)):
            return Verdict(False, "its path grows without showing anything new", "growing path")
        kind = kind_of(name)
        if goes_on and self._stale[kind] >= ENDLESS:
            return Verdict(False, f"{ENDLESS} pages like {kind} in a row showed nothing new", f"endless list: {kind}")
        return Verdict(True, "no trap is known here")

    def undecided(self, url: str, others: Iterable[str]) -> set[Part]:
        """Return the parts of a URL of which its page will show whether they change anything.

        That is where it differs only there from a page that is known, or from one of the other URLs.
        """
        return self._identities.undecided(name_of(url), map(name_of, others))

    # ── what it knows, as a fold over glances ─────────────────────────────────────────────────────────────────────

    def glance(self, page: Page) -> JSON:
        """Return what the guard keeps of a page: URL, blocks, texts that are new, slot values."""
        return [identity(page.url), pack(prose(page).blocks), self.new_texts(page), slot_values(page).row()]

    def new_texts(self, page: Page) -> str:
        """Return the texts of a page that no earlier page showed, numbers aside, packed."""
        found = prose(page)
        return pack(self._texts.new(distinct(np.array((*found.blocks, *found.shorter), np.uint64))))

    def learn(self, glance: JSON, is_listing: bool = False, is_new: bool = False) -> list[Part]:
        """Apply one glance; return the parts of URLs that were found idle.

        A further page of a list that shows new entries (`is_listing`) is new whatever its words: they may be numbers.
        So is one that is new for other reasons (`is_new`), but it may still repeat another one.
        """
        name, blocks, new, *more = glance
        number = len(self._pages)
        self._pages.append(name)
        fresh = len(self._texts.add(unpack(new))) > 0 or is_listing or is_new
        shown = unpack(blocks).tolist()
        if is_listing or shows_new_texts(len(unpack(new)), len(shown)):
            self._distinct.add(number)
        self._duplicates.put(number, shown, read_row(more[0]) if more else NO_VALUES)
        found = self._identities.observe(number, name)
        if found:
            self._known = {self._identities.reduced(one): one for one in reversed(self._pages)}
        else:
            self._known.setdefault(self._identities.reduced(name), name)
        self._count_stale(name, fresh)
        self.stale = 0 if fresh else self.stale + 1
        return found

    def _repeats(self, later: int, earlier: int) -> bool:
        return later not in self._distinct and self._duplicates.is_same(later, earlier)

    def _count_stale(self, name: str, fresh: bool) -> None:
        kind = kind_of(name)
        self._stale[kind] = 0 if fresh or "0" not in kind else self._stale[kind] + 1
        segments = [one for one in parts_of(name).segments if one]
        if len(segments) > len(set(segments)):
            self._stale_growth = 0 if fresh else self._stale_growth + 1


def kind_of(url: str) -> str:
    """Return path and parameter names with all numbers written 0.

    >>> kind_of("http://e.org/calendar/2024/5?day=7")
    '/calendar/0/0?day'
    """
    path, _, query = url.partition("://")[2].partition("/")[2].partition("?")
    names = sorted({part.partition("=")[0] for part in query.replace(";", "&").split("&") if part})
    return digitless("/" + path[:500] + ("?" + "&".join(names)[:200] if names else ""))


def is_growing(segments: list[str]) -> bool:
    """Say whether path segments repeat themselves as in a path that grows with every click.

    >>> is_growing(["a", "b", "a", "b"]), is_growing(["a", "b", "a"]), is_growing(["2020", "05", "05"])
    (True, False, False)
    """
    if len(segments) < 3:
        return False
    most = Counter(segments).most_common(1)[0][1]
    return most >= 3 or (len(segments) >= 4 and 2 * len(set(segments)) <= len(segments))
