"""Pages whose actions fail in, the few URLs worth trying next out, and what the kinds of links turned out to be.

Links are classed by the shape of their URLs. A class is tried with a few pages, the most promising first, and judged by
what came back: pages with objects (terminal), pages that lead to more of these (list), other pages with text of their
own (prose), or nothing new. Only what was judged worthwhile is followed further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from siteseer.adaptation.addresses import skeleton
from siteseer.adaptation.links import LinkGroup, continues, group_links
from siteseer.adaptation.prose import ENOUGH, NEW_SHARE, is_new, shingles
from siteseer.model import JSON, Page
from siteseer.page.links import canonical
from siteseer.page.urls import identity

Verdict = Literal["", "terminal", "list", "prose", "nothing", "later"]
FIRST_TRY = 3
ENOUGH_TO_LEARN = 10
TRIED_LATER = 2
"""Pages of a class that are tried once it is known where the content is."""
MOST_LOOKS = 120
MOST_CLASSES_TRIED = 14
LOWEST_SCORE = -3.0
MOST_WAITING = 20_000
NEW_LINKS = 2


@dataclass(slots=True)
class Look:
    """A page that was looked at: what is known of its level, where it links, and what was new on it."""

    page: Page
    level: str | None
    terminal: bool
    depth: int
    groups: list[LinkGroup] = field(default_factory=list)
    fresh: set[str] = field(default_factory=set)
    """URLs that no page looked at before linked to, and that were not asked for."""
    says_new: bool = False
    """Whether it said much that no page before said."""
    is_alias: bool = False
    """Whether it is another page under another address."""
    repeats: bool = False
    """Whether it said mostly what pages with objects said before."""


@dataclass(slots=True)
class UrlClass:
    """URLs of one shape."""

    matches: str
    urls: dict[str, str] = field(default_factory=dict)
    """Each with the page that linked to it first."""
    score: float = -9.0
    pager: bool = False
    tried: list[str] = field(default_factory=list)
    verdict: Verdict = ""
    level: str | None = None
    followed: int = 0
    """How many of its URLs were asked for since it was judged worthwhile."""
    learned_from: int = 0
    """Pages from which records were tried to be learned last."""


class Explorer:
    """What is known of the links of one site while its actions fail.

    `earlier` says which level a URL had on the last crawl.
    """

    def __init__(self) -> None:
        self.looks: dict[str, Look] = {}
        self.classes: dict[str, UrlClass] = {}
        self.known: set[int] = set()
        self._content: set[int] = set()
        self.has_judged = False
        """Whether a verdict is new since the levels were written down."""
        self._said: Counter[int] = Counter()
        self._seen: set[str] = set()
        self._class_of: dict[str, str] = {}

    # ── taking pages in ───────────────────────────────────────────────────────────────────────────────────────────

    def add(
        self,
        page: Page,
        level: str | None,
        terminal: bool,
        depth: int,
        allowed: Iterable[str],
        asked: Iterable[str] = (),
    ) -> Look:
        """Take in a page; `allowed` are the URLs that it links to and that may be followed, `asked` those that were."""
        links = list(allowed)
        if (before := self.looks.get(identity(page.url))) is not None:
            before.level, before.terminal = level or before.level, terminal or before.terminal
            return before
        look = Look(page, level, terminal, depth, says_new=is_new(page, self.known))
        look.repeats = self.repeats(page)
        look.fresh = {url for url in links if url not in self._seen}.difference(asked)
        look.groups = [group for group in group_links(page, links).values() if identity(page.url) not in group.urls]
        self._seen.update(links)
        self.hear(page, terminal)
        if len(self.looks) < MOST_LOOKS:
            self.looks[identity(page.url)] = look
            self._said.update(shingles(page))
        for group in look.groups:
            self._class(group, page.url)
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

    def _class(self, group: LinkGroup, where: str) -> None:
        matches = next((self._class_of[url] for url in group.urls if url in self._class_of), None) or group.matches
        one = self.classes.setdefault(matches, UrlClass(matches))
        one.score = max(one.score, group.score)
        one.pager = one.pager or group.pager * 2 >= group.links
        for url in group.urls:
            if len(one.urls) < MOST_WAITING and url not in self._class_of:
                one.urls[url] = where
                self._class_of[url] = matches

    @staticmethod
    def row(look: Look) -> JSON:
        """Return what must be remembered of a page: where it links."""
        return {
            "depth": look.depth,
            "groups": [
                [g.place, g.shape, list(g.urls), g.words, g.links, g.aside, g.pager]
                for g in look.groups
            ],
        }  # fmt: skip

    def recall(self, url: str, row: JSON) -> None:
        """Take in what was remembered of a page: its links wait again, the page itself is gone."""
        for place, shape, urls, words, links, aside, pager in row["groups"]:
            group = LinkGroup(place, shape, dict.fromkeys(urls), {url}, words, links, aside, pager)
            self._seen.update(urls)
            self._class(group, url)

    def _add_canonical(self, look: Look, score: float) -> None:
        """Let the address that a page names as its own wait in its class."""
        name = canonical(look.page)
        if name is not None and name.split("/")[:3] == look.page.url.split("/")[:3]:
            group = LinkGroup("a", skeleton(name), {name: None}, {look.page.url})
            self._class(group, look.page.url)
            one = self.class_of(name)
            if one is not None:
                one.score = max(one.score, score)

    def class_of(self, url: str) -> UrlClass | None:
        """Return the class of a URL that was seen."""
        return self.classes.get(self._class_of.get(url, ""))

    # ── judging ───────────────────────────────────────────────────────────────────────────────────────────────────

    def looks_of(self, one: UrlClass) -> list[Look]:
        """Return the pages of a class that were looked at."""
        return [look for url in one.urls if (look := self.looks.get(identity(url)))]

    def has_prose(self, look: Look) -> bool:
        """Say whether a page has text that is not the same on most pages."""
        often = max(3, 0.5 * len(self.looks))
        return sum(self._said[number] < often for number in shingles(look.page)) >= ENOUGH

    def terminal_urls(self) -> set[str]:
        """Return the URLs that lead to objects."""
        return {url for one in self.classes.values() if one.verdict == "terminal" for url in one.urls}

    @property
    def has_content(self) -> bool:
        """Whether it is known where the content is."""
        return any(one.verdict == "terminal" for one in self.classes.values())

    def judge(self) -> None:
        """Judge the classes of which pages were tried."""
        content = self.terminal_urls()
        for one in list(self.classes.values()):
            if one.verdict in ("", "later") and (looks := self.looks_of(one)):
                before, one.verdict = one.verdict, self._verdict(one, looks, content)
                self.has_judged = self.has_judged or before != one.verdict

    def _continued(self, one: UrlClass) -> str | None:
        """Return the level of the pages whose addresses these URLs continue with one number more."""
        levels = [
            known.level
            for url, where in one.urls.items()
            if (known := self.class_of(where)) and known.verdict == "terminal" and continues(url, where)
        ]
        return levels[0] if one.pager and len(levels) * 2 > len(one.urls) else None

    @staticmethod
    def is_alias(looks: Sequence[Look]) -> bool:
        """Say whether most pages of a class name an address of another shape as their own: links to parts of them."""
        own = [(canonical(look.page), look.page.url) for look in looks]
        return sum(name is not None and skeleton(name) != skeleton(url) for name, url in own) * 2 > len(looks)

    def _verdict(self, one: UrlClass, looks: Sequence[Look], content: set[str]) -> Verdict:
        if len(looks) >= min(TRIED_LATER, len(one.urls)) and self.is_alias(looks):
            for look in looks:
                look.is_alias = True
                self._add_canonical(look, one.score)
            return "nothing"
        if (level := self._continued(one)) is not None and any(look.says_new for look in looks):
            one.level = level
            return "terminal"
        known = [look.level for look in looks if look.level and look.terminal]
        if len(known) * 2 > len(looks):
            if content and sum(look.repeats for look in looks) * 2 > len(looks):
                return "nothing"
            one.level = max(set(known), key=known.count)
            return "terminal"
        if content:
            if sum(len(look.fresh & content) >= NEW_LINKS for look in looks) * 2 >= len(looks):
                return "list"
            if len(looks) < min(TRIED_LATER, len(one.urls)):
                return one.verdict
            return "prose" if sum(look.says_new for look in looks) * 2 > len(looks) else "nothing"
        if len(looks) < min(FIRST_TRY, len(one.urls)):
            return ""
        if not any(self.has_prose(look) for look in looks):
            return "later"
        # Enough pages for the learner have been seen and it found nothing: perhaps a list with excerpts.
        return "" if len(looks) < min(ENOUGH_TO_LEARN, len(one.urls)) else "later"

    def to_learn(self) -> list[UrlClass]:
        """Return the classes of unknown pages with enough text to learn from, the most promising first."""
        if self.has_content:
            return []
        ready = [
            one
            for one in self.classes.values()
            if one.verdict in ("", "later")
            and len(looks := self.looks_of(one)) >= min(ENOUGH_TO_LEARN, max(3, len(one.urls)))
            and len(looks) >= 2 * one.learned_from
            and sum(self.has_prose(look) for look in looks) * 2 > len(looks)
        ]
        return sorted(ready, key=lambda one: -one.score)

    # ── choosing ──────────────────────────────────────────────────────────────────────────────────────────────────

    def next(self, room: int) -> Iterator[tuple[UrlClass, str, str]]:
        """Yield class, URL and referrer of what to try next; nothing where all that looked promising was tried."""
        limit = TRIED_LATER if self.has_content else ENOUGH_TO_LEARN
        tried = sum(bool(one.tried) for one in self.classes.values())
        for one in sorted(self.classes.values(), key=lambda one: (not (one.pager and self.has_content), -one.score)):
            if one.verdict not in ("", "later") or one.score < LOWEST_SCORE:
                continue
            if one.verdict == "later" and not self.has_content:
                continue
            if not one.tried and tried >= MOST_CLASSES_TRIED and self.has_content:
                continue
            most = limit if self.has_content or self._promises(one) else FIRST_TRY
            fresh = [url for url in one.urls if url not in one.tried and identity(url) not in self.looks]
            chosen = fresh[: max(0, min(room, most - len(self.looks_of(one)), most - len(one.tried)))]
            if chosen:
                for url in chosen:
                    one.tried.append(url)
                    yield one, url, one.urls[url]
                return

    def _promises(self, one: UrlClass) -> bool:
        """Say whether the pages tried so far have text of their own."""
        looks = self.looks_of(one)
        return len(looks) >= FIRST_TRY and any(self.has_prose(look) for look in looks)
