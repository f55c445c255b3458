"""Pages whose actions fail in, the few URLs worth trying next out.

Links are classed by the shape of their URLs. A class is tried with a few pages, the most promising first, and judged by
what came back (`verdicts.py`). Only what was judged worthwhile is followed further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from siteseer.adaptation.classes import Look, UrlClass, UrlClasses
from siteseer.adaptation.links import LinkGroup, group_links
from siteseer.adaptation.prose import ENOUGH, NEW_SHARE, adds, is_new, shingles
from siteseer.adaptation.verdicts import ENOUGH_TO_LEARN, verdict_of
from siteseer.model import JSON, Page
from siteseer.page.urls import identity

MOST_LOOKS = 120
"""Pages that are kept to learn from."""


class Explorer:
    """What is known of the links of one site while its actions fail."""

    def __init__(self, main: str = "") -> None:
        self.main = main
        """The level that holds the content: other pages with objects, such as the imprint, are found beside it."""
        self.is_settled = False
        """Whether there seems to be no page of the main level: what else has objects is the content then."""
        self.looks: dict[str, Look] = {}
        self.classes = UrlClasses()
        self.has_judged = False
        """Whether a verdict is new since the levels were written down."""
        self.known: set[int] = set()
        self._content: set[int] = set()
        self._said: Counter[int] = Counter()
        self._seen: set[str] = set()

    @property
    def has_content(self) -> bool:
        """Whether it is known where the content is."""
        return bool(self.classes.terminal) and (self.is_settled or not self.main or self.main in self.classes.levels)

    # ── taking pages in ───────────────────────────────────────────────────────────────────────────────────────────

    def add(
        self,
        page: Page,
        level: str | None,
        terminal: bool,
        depth: int,
        allowed: Iterable[str],
        asked: Iterable[str] = (),
        promised: str = "",
    ) -> Look:
        """Take in a page; `allowed` are the URLs that it links to and that may be followed, `asked` those that were."""
        links = list(allowed)
        if (before := self.looks.get(identity(page.url))) is not None:
            before.level, before.terminal = level or before.level, terminal or before.terminal
            return before
        look = Look(page, level, terminal, depth, says_new=is_new(page, self.known), promised=promised)
        look.adds, look.repeats = adds(page, self.known), self.repeats(page)
        look.fresh = {url for url in links if url not in self._seen}.difference(asked)
        look.groups = [group for group in group_links(page, links).values() if identity(page.url) not in group.urls]
        self._seen.update(links)
        self.hear(page, terminal)
        if len(self.looks) < MOST_LOOKS:
            self.looks[identity(page.url)] = look
            self._said.update(shingles(page))
            self.classes.looked_at(look)
        for group in look.groups:
            self.classes.place(group, page.url)
        return look

    def hear(self, page: Page, terminal: bool) -> None:
        """Hear of a page: what it says is known from now on."""
        self.known |= shingles(page)
        if terminal:
            self._content |= shingles(page)

    def repeats(self, page: Page) -> bool:
        """Say whether a page shows mostly what pages with objects showed before: another view of them."""
        said = shingles(page)
        return len(said) >= ENOUGH and len(said - self._content) < NEW_SHARE * len(said)

    def has_prose(self, look: Look) -> bool:
        """Say whether a page has text that is not the same on most pages."""
        often = max(3, 0.5 * len(self.looks))
        return sum(self._said[number] < often for number in shingles(look.page)) >= ENOUGH

    @staticmethod
    def row(look: Look) -> JSON:
        """Return what must be remembered of a page: where it links."""
        return {
            "depth": look.depth,
            "groups": [[g.place, g.shape, list(g.urls), g.words, g.links, g.aside, g.pager] for g in look.groups],
        }

    def recall(self, url: str, row: JSON) -> None:
        """Take in what was remembered of a page: its links wait again, the page itself is gone."""
        for place, shape, urls, words, links, aside, pager in row["groups"]:
            self._seen.update(urls)
            self.classes.place(LinkGroup(place, shape, dict.fromkeys(urls), {url}, words, links, aside, pager), url)

    # ── judging ───────────────────────────────────────────────────────────────────────────────────────────────────

    def judge(self) -> None:
        """Judge the classes of which pages were tried."""
        for one in self.classes:
            if one.looks and (one.is_open or one.verdict == "prose"):
                verdict, level = verdict_of(one, self.classes, self.has_content, self.has_prose)
                self.has_judged = self.classes.judge(one, verdict, level) or self.has_judged

    def to_learn(self) -> list[UrlClass]:
        """Return the classes of unknown pages with enough text to learn from, the most promising first."""
        if self.has_content:
            return []
        ready = [one for one in self.classes if one.is_open and self._is_ready(one)]
        return sorted(ready, key=lambda one: -one.score)

    def _is_ready(self, one: UrlClass) -> bool:
        looks = one.looks
        if len(looks) < min(ENOUGH_TO_LEARN, max(3, len(one.urls))) or len(looks) < 2 * one.learned_from:
            return False
        return sum(self.has_prose(look) for look in looks) * 2 > len(looks)
