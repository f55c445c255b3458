"""Recognises target pages that show the same target: other views of a page, further parts of it.

A page under another name shows the same rare texts; a text is rare if few target pages show it. A further part of a
page has a URL that extends the other's, and begins with the same text of its own (the second page of comments), ends
with the same ones (the second page of an article), or has the same around its text (date, author, neighbours); a text
is a page's own if only it and its extensions show it. The pages of a thread share none of that: each is a target.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from siteseer.page.slot_values import NO_VALUES, SlotComparison, SlotValues
from siteseer.strategies.example.url_patterns import Levels, is_sibling

SAME = 0.8
"""Of two views of one page, this share of the rare texts of each is in the other."""
RARE_PAGES, RARE_SHARE = 3, 0.2
FEW_AROUND = 3
"""So many short texts of its own around the text tell whose part a page is."""
FEW_SENTENCES = 2
"""A page with no more sentences of its own may be a record that shares its description with others."""
OTHER_RECORDS = 8
"""Two records with so many values in common are one."""
MANY = 40
"""Of pages that share a text only the first are compared."""


@dataclass(frozen=True, slots=True)
class Target:
    """A page of the wanted kind: its URL, the hashes of its texts in page order, its canonical URL."""

    url: str
    texts: tuple[tuple[int, ...], ...]
    """Its texts by length, whole sentences first: pages are compared by the longest that are their own."""
    canonical: str = ""
    values: SlotValues = NO_VALUES
    """Its short texts outside links, by which pages of few words are compared."""


class Targets:
    """All pages of the wanted kind, in the order in which they came.

    >>> found = Targets()
    >>> texts = {"/a": (1, 2), "/a?view=print": (1, 2), "/b": (3, 4), "/c": (6, 7), "/d": (8, 9), "/a/2": (1, 5)}
    >>> for path, own in texts.items():
    ...     found.add(Target(f"http://e.org{path}", (own,)))
    >>> found.levels()
    ['target', 'other view', 'target', 'target', 'target', 'part']
    """

    def __init__(self) -> None:
        self.pages: list[Target] = []
        self._count: Counter[int] = Counter()
        self._shown: dict[int, list[int]] = {}
        self._values = SlotComparison()

    def add(self, page: Target) -> None:
        """Add a page."""
        number = len(self.pages)
        self.pages.append(page)
        self._values.put(number, page.values)
        for text in {text for texts in page.texts for text in texts}:
            self._count[text] += 1
            where = self._shown.setdefault(text, [])
            if len(where) < MANY:
                where.append(number)

    def levels(self) -> list[str]:
        """Return for every page whether it is a target, a further part of one, or another view of one."""
        return [self.level(number) for number in range(len(self.pages))]

    def level(self, number: int) -> str:
        """Return what a page is among those that came before it; of equal ones the canonical comes first."""
        mine = self._rare(number)
        shared = Counter(page for text in mine for page in self._shown[text] if self._comes_before(page, number))
        level = "target"
        for page, common in shared.most_common(8):
            is_same = common >= SAME * len(mine) and common >= SAME * len(self._rare(page))
            if self._is_other_view(number, page, is_same):
                return "other view"
            if self._goes_on(number, page):
                level = "part"
        return "part" if self._is_surrounded_alike(number) else level

    def _is_other_view(self, number: int, page: int, is_same: bool) -> bool:
        """Say whether two pages that share rare texts, or mostly the same ones, are views of one.

        Records of few words share values with others. Those that are named alike are different, be their values the
        same, unless they have many in common; those named otherwise are one if all their values are the same.
        """
        one, other = self.pages[number], self.pages[page]
        if one.values == other.values == NO_VALUES:
            return is_same
        sentences = max(self._sentences(number), self._sentences(page))
        is_record = sentences <= FEW_SENTENCES and is_sibling(one.url, other.url)
        if not sentences:
            return self._values.is_same(number, page, OTHER_RECORDS if is_record else 0)
        if is_record and not self._values.is_same(number, page, 0, 0):
            return False
        return is_same and not self._values.contradicts(number, page)

    def _sentences(self, number: int) -> int:
        """Return how many sentences a page has that few pages show."""
        return sum(map(self._is_rare, (text for texts in self.pages[number].texts[:-1] for text in texts)))

    def _goes_on(self, number: int, page: int) -> bool:
        """Say whether a page goes on where another one begins or ends."""
        if not extends(self.pages[number].url, self.pages[page].url):
            return False
        mine, theirs = (list(filter(self._is_own, self.pages[one].texts[0])) for one in (number, page))
        return bool(mine and theirs) and (mine[0] == theirs[0] or mine[-2:] == theirs[-2:])

    def _is_surrounded_alike(self, number: int) -> bool:
        """Say whether what stands around the text of a page also stands around that of a page which its URL extends."""
        around = [text for texts in self.pages[number].texts[1:] for text in texts if self._is_few(text)]
        shared = Counter(page for text in around for page in self._shown[text] if self._comes_before(page, number))
        return len(around) >= FEW_AROUND and any(
            common >= SAME * len(around) and extends(self.pages[number].url, self.pages[page].url)
            for page, common in shared.most_common(3)
        )

    def _is_few(self, text: int) -> bool:
        return self._count[text] <= RARE_PAGES or self._is_own(text)

    def _is_own(self, text: int) -> bool:
        """Say whether only one page and its extensions show a text."""
        urls = [self.pages[page].url for page in self._shown[text]]
        shortest = min(urls, key=len)
        return all(url == shortest or extends(url, shortest) for url in urls)

    def _comes_before(self, page: int, number: int) -> bool:
        """Say whether one page is looked at before another: a canonical page before its other names, else the first."""
        one, other = self.pages[page], self.pages[number]
        if page == number:
            return False
        if other.canonical == one.url and one.canonical in ("", one.url):
            return True
        if one.canonical == other.url and other.canonical in ("", other.url):
            return False
        if extends(other.url, one.url) or extends(one.url, other.url):
            return extends(other.url, one.url)
        return page < number

    def _rare(self, number: int) -> list[int]:
        """Return the longest texts of a page that few pages show."""
        rare = (list(filter(self._is_rare, texts)) for texts in self.pages[number].texts)
        return next(filter(None, rare), [])

    def _is_rare(self, text: int) -> bool:
        most = max(RARE_PAGES, RARE_SHARE * len(self.pages))
        return self._count[text] <= (min(most, len(self.pages) / 2) if len(self.pages) > 2 else most)


@lru_cache(maxsize=50_000)
def extends(longer: str, shorter: str) -> bool:
    """Say whether a URL is another one with something added: further path segments or parameters.

    >>> extends("http://e.org/a/b/2", "http://e.org/a/b/"), extends("http://e.org/?s=10&t=1", "http://e.org/?t=1")
    (True, True)
    """
    one, other = Levels.of(longer), Levels.of(shorter)
    stem = other.path[:-1] if other.path[-1:] == ("",) else other.path
    if (
        one == other
        or one.host != other.host
        or one.path[: len(stem)] != stem
        or (other.names and one.path != other.path)
    ):
        return False
    return set(zip(other.names, other.values, strict=True)) <= set(zip(one.names, one.values, strict=True))
