"""Explores a site whose navigation fails: tries a few URLs of each class, and follows the worthwhile ones.

Links are classified by the shape of their URLs. A class is tried with a few pages, the most promising first, and
evaluated by the results (`class_outcome.py`). Only worthwhile classes are followed further.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from lxml import etree
from xxhash import xxh3_64_intdigest

from siteseer.model import JSON, Page
from siteseer.page.tree import cached, tree
from siteseer.page.urls import identity
from siteseer.strategies.aware.adaptation.navigation.class_outcome import ENOUGH_TO_LEARN, class_outcome
from siteseer.strategies.aware.adaptation.navigation.link_groups import LinkGroup, group_links
from siteseer.strategies.aware.adaptation.navigation.url_classes import ExploredPage, UrlClass, UrlClasses

MOST_LOOKS = 120
"""Pages that are kept to learn from."""
SHINGLE = 4
LONG = 8
"""A text node of fewer words is a label."""
ENOUGH = 12
NEW_SHARE = 0.35
_TEXTS: Any = etree.XPath(
    "//body//text()[not(ancestor::a or ancestor::script or ancestor::style or ancestor::select or ancestor::textarea)]",
    smart_strings=False,
)
_WORD = re.compile(r"\w+")


class Explorer:
    """What is known of the links of one site while its actions fail."""

    def __init__(self, main: str = "") -> None:
        self.main = main
        """The level that holds the content: other pages with objects, such as the imprint, are found beside it."""
        self.is_settled = False
        """Whether there seems to be no page of the main level: what else has objects is the content then."""
        self.looks: dict[str, ExploredPage] = {}
        self.classes = UrlClasses()
        self.has_judged = False
        """Whether a verdict is new since the levels were written down."""
        self.known: set[int] = set()
        self._content: set[int] = set()
        self._said: Counter[int] = Counter()
        self._seen: set[str] = set()

    @property
    def has_content(self) -> bool:
        """Whether a class of pages with content is known."""
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
    ) -> ExploredPage:
        """Add a page; `allowed` are the URLs that it links to and that may be followed, `asked` those that were
        requested.
        """
        links = list(allowed)
        if (before := self.looks.get(identity(page.url))) is not None:
            before.level, before.terminal = level or before.level, terminal or before.terminal
            return before
        look = ExploredPage(page, level, terminal, depth, says_new=is_new(page, self.known), promised=promised)
        look.adds, look.repeats = adds_text(page, self.known), self.repeats(page)
        look.fresh = {url for url in links if url not in self._seen}.difference(asked)
        look.groups = [group for group in group_links(page, links).values() if identity(page.url) not in group.urls]
        self._seen.update(links)
        self.hear(page, terminal)
        if len(self.looks) < MOST_LOOKS:
            self.looks[identity(page.url)] = look
            self._said.update(sampled_runs(page))
            self.classes.looked_at(look)
        for group in look.groups:
            self.classes.place(group, page.url)
        return look

    def hear(self, page: Page, terminal: bool) -> None:
        """Mark the text of a page as known."""
        self.known |= sampled_runs(page)
        if terminal:
            self._content |= sampled_runs(page)

    def repeats(self, page: Page) -> bool:
        """Say whether a page shows mostly what pages with objects showed before: another view of them."""
        said = sampled_runs(page)
        return len(said) >= ENOUGH and len(said - self._content) < NEW_SHARE * len(said)

    def has_prose(self, look: ExploredPage) -> bool:
        """Say whether a page has text that is not the same on most pages."""
        often = max(3, 0.5 * len(self.looks))
        return sum(self._said[number] < often for number in sampled_runs(look.page)) >= ENOUGH

    @staticmethod
    def row(look: ExploredPage) -> JSON:
        """Return the row that stores a page's links."""
        return {
            "depth": look.depth,
            "groups": [[g.place, g.shape, list(g.urls), g.words, g.links, g.aside, g.pager] for g in look.groups],
        }

    def recall(self, url: str, row: JSON) -> None:
        """Restore a page from its row: its links wait again, the page itself is gone."""
        for place, shape, urls, words, links, aside, pager in row["groups"]:
            self._seen.update(urls)
            self.classes.place(LinkGroup(place, shape, dict.fromkeys(urls), {url}, words, links, aside, pager), url)

    # ── judging ───────────────────────────────────────────────────────────────────────────────────────────────────

    def judge(self) -> None:
        """Decide the classes of which pages were tried."""
        for one in self.classes:
            if one.looks and (one.is_open or one.verdict == "prose"):
                verdict, level = class_outcome(one, self.classes, self.has_content, self.has_prose)
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


@cached
def sampled_runs(page: Page) -> frozenset[int]:
    """Return about every fourth sequence of four words in the long texts of a page, as numbers."""
    found: set[int] = set()
    for text in _TEXTS(tree(page))[:5_000]:
        if text.count(" ") < LONG - 1:
            continue
        words = _WORD.findall(text.lower()[:20_000])
        for place, word in enumerate(words[: 1 - SHINGLE]):
            if (ord(word[0]) + len(word)) % 4 == 0:  # the text itself says which sequences are taken
                sequence = " ".join(words[place : place + SHINGLE])
                found.add(xxh3_64_intdigest(sequence.encode("utf-8", "replace")))
    return frozenset(found)


def is_new(page: Page, known: set[int]) -> bool:
    """Say whether enough of a page's text is new."""
    said = sampled_runs(page)
    return adds_text(page, known) and len(said - known) >= NEW_SHARE * len(said)


def adds_text(page: Page, known: set[int]) -> bool:
    """Say whether a page has any longer text that is new, however much it repeats."""
    return len(sampled_runs(page) - known) >= ENOUGH
