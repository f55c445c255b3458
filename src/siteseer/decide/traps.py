"""Traps and duplicates by content, for every strategy: idle parts of URLs, endless lists, growing paths, soft 404s.

A strategy shows the guard every outcome (`observe`), asks it before a URL is followed (`verdict`) and whether a page is
the site's way to say "not found" (`is_error_page`). What the guard knows follows from its `glance`s at pages, which are
JSON rows of the crawl's memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

import numpy as np
from xxhash import xxh3_64_intdigest

from siteseer.interfaces import Memory, Verdict
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Remember, Submit
from siteseer.navigation.economical.duplicates import Duplicates
from siteseer.navigation.economical.identities import Identities, Part, name_of
from siteseer.navigation.economical.prose import pack, prose, unpack
from siteseer.navigation.economical.shapes import digitless, parts_of
from siteseer.page.grams import DistinctGrams
from siteseer.page.tree import cached, is_html, title, tree
from siteseer.page.urls import identity

PROBE = "probe"
"""The family of requests for pages that cannot exist."""
MEMORY = "traps"
ENDLESS = 30
"""So many pages of one kind in a row that show no new text, numbers aside, are an endless list."""
STALE_GROWTH = 2
MOST_SEGMENTS = 25
ALIKE = 3
"""So many pages of one structure without new text make a directory suspected of soft 404s."""
MAX_PROBES = 5


class TrapGuard:
    """Notices by what pages show that a URL leads nowhere new."""

    def __init__(self, random_seed: int = 0, idle: Iterable[Part] = ()) -> None:
        self.random_seed = random_seed
        self._pages: list[str] = []
        self._duplicates = Duplicates()
        self._identities = Identities(self._duplicates.is_same)
        self._identities.assume(idle)
        self._texts = DistinctGrams()
        self._known: dict[str, str] = {}
        self._stale: Counter[str] = Counter()
        self._stale_growth = 0
        self.stale = 0
        """How many pages in a row showed no new text, numbers aside."""
        self._alike: Counter[tuple[str, int]] = Counter()
        self._probed: dict[str, bool] = {}
        self._error_pages: set[int] = set()

    # ── for strategies ────────────────────────────────────────────────────────────────────────────────────────────

    def restore(self, memory: Memory) -> None:
        """Take up what was remembered."""
        for _, glance in memory.recall(MEMORY):
            self.learn(glance)

    def observe(self, outcome: Outcome, why: Follow | Submit) -> list[Action]:
        """Learn from an outcome; return the rows to remember, what was noticed, and perhaps a probe."""
        if outcome.page is None or not is_html(outcome.page):
            return [self._row(["probe", directory(why.url), 0])] if why.family == PROBE else []
        page = outcome.page
        if why.family == PROBE:
            return [self._row(["probe", directory(why.url), structure(page) if page.status < 400 else 0])]
        if page.status >= 400:
            return []
        glance = self.glance(page)
        learned = self.learn(glance)
        actions: list[Action] = [Remember(MEMORY, str(len(self._pages)), glance)]
        actions += [Note(f"{part} does not change the page", event="idle_part") for part in learned]
        if self.is_error_page(page):
            actions.append(Note("looks like the answer to a page that cannot exist", event="soft_404"))
        return actions + self._probe(page, glance)

    @property
    def idle(self) -> tuple[Part, ...]:
        """The parts of URLs that do not change the page."""
        return tuple(self._identities.idle)

    def key(self, url: str) -> str:
        """Return the name under which a URL is known: its identity without idle parts."""
        return self._identities.reduced(name_of(url))

    def verdict(self, url: str) -> Verdict:
        """Say whether a URL may lead to something new."""
        name = name_of(url)
        reduced = self._identities.reduced(name)
        if reduced != name and (known := self._known.get(reduced)) is not None and known != name:
            return Verdict(False, f"shows the same as {known}", "same page under another name")
        segments = [one for one in name.partition("://")[2].partition("/")[2].partition("?")[0].split("/") if one]
        if len(segments) > MOST_SEGMENTS or (self._stale_growth >= STALE_GROWTH and is_growing(segments)):
            return Verdict(False, "its path grows without showing anything new", "growing path")
        kind = kind_of(name)
        if self._stale[kind] >= ENDLESS:
            return Verdict(False, f"{ENDLESS} pages like {kind} in a row showed nothing new", f"endless list: {kind}")
        return Verdict(True, "no trap is known here")

    def is_error_page(self, page: Page) -> bool:
        """Say whether a page is built like the site's answer to a page that cannot exist."""
        return bool(self._error_pages) and structure(page) in self._error_pages

    # ── what it knows, as a fold over glances ─────────────────────────────────────────────────────────────────────

    def glance(self, page: Page) -> JSON:
        """Return what the guard keeps of a page: URL, blocks, texts that are new, structure."""
        return ["page", identity(page.url), pack(blocks_of(page)), self.new_texts(page), structure(page)]

    def new_texts(self, page: Page) -> str:
        """Return the texts of a page that no earlier page showed, numbers aside, packed."""
        found = prose(page)
        return pack(self._texts.new(np.unique(np.array((*found.blocks, *found.shorter), np.uint64))))

    def learn(self, glance: JSON) -> list[Part]:
        """Take in one glance; return the parts of URLs that were found idle."""
        if glance[0] == "probe":
            self._probed[glance[1]] = True
            if glance[2]:
                self._error_pages.add(glance[2])
            return []
        _, name, blocks, new, built = glance
        number = len(self._pages)
        self._pages.append(name)
        fresh = len(self._texts.add(unpack(new))) > 0
        self._duplicates.put(number, unpack(blocks).tolist())
        found = self._identities.observe(number, name)
        if found:
            self._known = {self._identities.reduced(one): one for one in reversed(self._pages)}
        else:
            self._known.setdefault(self._identities.reduced(name), name)
        self._count_stale(name, fresh)
        self.stale = 0 if fresh else self.stale + 1
        if not fresh:
            self._alike[directory(name), built] += 1
        return found

    def _count_stale(self, name: str, fresh: bool) -> None:
        kind = kind_of(name)
        self._stale[kind] = 0 if fresh or "0" not in kind else self._stale[kind] + 1
        segments = [one for one in parts_of(name).segments if one]
        if len(segments) > len(set(segments)):
            self._stale_growth = 0 if fresh else self._stale_growth + 1

    # ── probes ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _probe(self, page: Page, glance: JSON) -> list[Action]:
        """Ask for a page that cannot exist where pages that say nothing new look alike."""
        where = directory(glance[1])
        if where in self._probed or len(self._probed) >= MAX_PROBES or self._alike[where, glance[4]] < ALIKE:
            return []
        self._probed[where] = False
        nonsense = sha256(f"{self.random_seed} {where}".encode()).hexdigest()[:20]
        return [Follow(f"{where}{nonsense}", "does the site say so when there is no such page?", PROBE, 0.0)]

    def _row(self, glance: JSON) -> Remember:
        self.learn(glance)
        return Remember(MEMORY, f"probe {glance[1]}", glance)


def blocks_of(page: Page) -> tuple[int, ...]:
    """Return the blocks by which a page is compared; all its texts taken together where it has no prose."""
    found = prose(page)
    together = xxh3_64_intdigest(np.sort(np.array(found.shorter, np.uint64)).tobytes()) & 0xFFFFFFFF
    return found.blocks or (together,)


def directory(url: str) -> str:
    """Return the URL up to its last slash.

    >>> directory("http://e.org/a/b?c=/d")
    'http://e.org/a/'
    """
    return url.partition("?")[0].rpartition("/")[0] + "/"


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


@cached
def structure(page: Page) -> int:
    """Return a fingerprint of how a page is built: its tags in order, and its title without words of its URL."""
    words = [word for word in title(page).lower().split() if word not in page.url.lower()]
    tags = [str(element.tag) for element in tree(page).iter() if isinstance(element.tag, str)][:5000]
    return xxh3_64_intdigest(" ".join((*words, "|", *tags)).encode("utf-8", "replace")) & 0xFFFFFFFF
