"""Extracts the slot values of a page (short texts outside links, with positions), and finds pages that show the same.

Records of a catalogue differ in a heading and a few numbers, and hold no prose. Only exact texts distinguish them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from lxml import html
from xxhash import xxh3_64_intdigest

from siteseer.model import JSON, Page
from siteseer.page.packed_hashes import pack, unpack
from siteseer.page.placed_blocks import placed_blocks
from siteseer.page.text import WORD
from siteseer.page.tree import cached, is_html, title

MOST_WORDS, MOST_WORDS_WITH_NUMBERS = 12, 40
"""A longer text is prose."""
LONGEST = 400
MOST_VALUES = 64
HEADING = "h1"
"""A heading counts even where it is a link: to the page itself."""
HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
"""Where a page has none of these, its title is its heading."""
PLACE_STEPS = 3
RARE_PAGES, RARE_SHARE = 3, 0.2
SHARED = 0.8
"""Pages that share this of their rare values are compared."""
MANY = 64
"""Of a text that more pages share than this, only the first pages are looked up."""
OTHER_PLACES = 2
"""Values that differ at so many places of one template make two pages of it."""
_NUMBER = re.compile(r"\d+")
_ADDRESS_NUMBER = re.compile(r"(?<![A-Za-z0-9])\d{1,9}(?![A-Za-z0-9])")
_MASK = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class SlotValues:
    """The short texts of a page: hashes. `places`, `forms` and `echoes` stand beside the texts."""

    texts: tuple[int, ...] = ()
    """Exact texts outside links."""
    forms: tuple[int, ...] = ()
    """The same with every number written 0."""
    places: tuple[int, ...] = ()
    """Where they stand in the template; the lowest bit says that a text repeats a number of the page's address."""
    entries: tuple[int, ...] = ()
    """Texts of rows that are mostly links, with their places."""

    def row(self) -> JSON:
        """Return the values as JSON."""
        return [pack(one) for one in (self.texts, self.forms, self.places, self.entries)]


NO_VALUES = SlotValues()


def read_row(row: JSON) -> SlotValues:
    """Return what `SlotValues.row` wrote.

    >>> read_row(SlotValues((1, 2), (3, 4), (5, 6), ()).row())
    SlotValues(texts=(1, 2), forms=(3, 4), places=(5, 6), entries=())
    """
    return SlotValues(*(tuple(unpack(one).tolist()) for one in row))


@cached
def slot_values(page: Page) -> SlotValues:
    """Return the slot values of a page.

    >>> body = b"<h1>Hinge</h1><table><tr><td>price<td>12.40</table><ul><li><a href=/8>Hook</a></ul>"
    >>> found = slot_values(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    >>> len(found.texts), len(set(found.places)), len(found.entries)
    (3, 2, 1)
    """
    if not is_html(page):
        return NO_VALUES
    numbers = _address_numbers(page.url)
    values: dict[int, tuple[int, int]] = {}
    entries: dict[int, None] = {}
    places: dict[html.HtmlElement, int] = {}
    has_heading = False
    for text, own, element in placed_blocks(page):
        tag = element.tag
        has_heading = has_heading or tag in HEADINGS
        shown = text if tag == HEADING else own
        if shown and len(shown) <= LONGEST and len(values) < MOST_VALUES and (found := _hashes(shown)):
            _add(values, found, places.get(element) or _place(element, places), numbers)
        if 2 * len(shown) < len(text) <= LONGEST and len(entries) < MOST_VALUES and (row := _hashes(text)):
            entries[row.text ^ (places.get(element) or _place(element, places))] = None
    if not has_heading and (found := _hashes(title(page))):
        _add(values, found, 0, numbers)
    forms, where = zip(*values.values(), strict=True) if values else ((), ())
    return SlotValues(tuple(values), forms, where, tuple(entries))


class _Hashes(NamedTuple):
    """A text: its hash, that with every number written 0, and its numbers."""

    text: int
    form: int
    numbers: tuple[str, ...]


def _add(values: dict[int, tuple[int, int]], found: _Hashes, place: int, numbers: frozenset[str]) -> None:
    """Take in a text; say with its place whether it repeats a number of the address."""
    if found.text not in values:
        values[found.text] = found.form, place | (not numbers.isdisjoint(found.numbers))


@lru_cache(maxsize=50_000)
def _hashes(text: str) -> _Hashes | None:
    """Return the hashes of a text that holds a word and is short enough for a value."""
    shown = " ".join(text.lower().split())
    if not WORD.search(shown):
        return None
    found = _NUMBER.findall(shown)
    if shown.count(" ") >= (MOST_WORDS_WITH_NUMBERS if found else MOST_WORDS):
        return None
    digest = _digest(shown)
    form = _digest(_NUMBER.sub("0", shown)) if found else digest
    return _Hashes(digest, form, tuple(number.lstrip("0") for number in found))


def _digest(text: str) -> int:
    return xxh3_64_intdigest(text.encode("utf-8", "replace")) & _MASK


def _place(element: html.HtmlElement, places: dict[html.HtmlElement, int]) -> int:
    """Return the hash of the last steps of the tag path to an element, an even number; keep it for the element."""
    steps, above = "", element
    for _ in range(PLACE_STEPS):
        steps += _step(above.tag, above.get("class"))
        above = above.getparent()
        if above is None:
            break
    found = places[element] = _digest(steps) & ~1
    return found


@lru_cache(maxsize=10_000)
def _step(tag: str, classes: str | None) -> str:
    """Return the tag of an element with its first class that holds no number."""
    return f"{tag}.{next((one for one in classes.split() if not _NUMBER.search(one)), '') if classes else ''}/"


def _address_numbers(url: str) -> frozenset[str]:
    """Return the numbers of an address; those of a date that is written as one are told apart.

    >>> sorted(_address_numbers("http://e.org:80/m/2031/05?day=20310517&sid=4f1a09bc"))
    ['17', '2031', '20310517', '5']
    """
    rest = url.partition("://")[2].partition("/")[2]
    found = set()
    for number in _ADDRESS_NUMBER.findall(rest):
        found.add(number.lstrip("0"))
        if len(number) in (6, 8) and number[:2] in ("19", "20"):
            found |= {number[:4], number[4:6].lstrip("0"), number[6:].lstrip("0")}
    return frozenset(found - {""})


class Tally:
    """An index of which pages show a hash.

    >>> seen = Tally()
    >>> seen.put(0, frozenset((1, 2))); seen.put(1, frozenset((2, 3)))
    >>> sorted(seen.rare(frozenset((1, 2)))), seen.sharing(frozenset((2, 3)), 0.8)
    ([1, 2], [1])
    """

    def __init__(self) -> None:
        self._size = 0
        self._pages: dict[int, list[int]] = {}
        self._more: dict[int, int] = {}
        """How many pages show a hash beyond the first ones."""

    def put(self, page: int, shown: frozenset[int]) -> None:
        """Add the hashes of a page."""
        self._size += 1
        pages, more = self._pages, self._more
        for one in shown:
            places = pages.get(one)
            if places is None:
                pages[one] = [page]
            elif len(places) < MANY:
                places.append(page)
            else:
                more[one] = more.get(one, 0) + 1

    def is_known(self, one: int) -> bool:
        """Say whether a page shows a hash."""
        return one in self._pages

    def rare(self, shown: frozenset[int]) -> frozenset[int]:
        """Return the hashes that only few pages show."""
        limit = max(RARE_PAGES, RARE_SHARE * self._size)
        pages, more = self._pages, self._more
        return frozenset(one for one in shown if len(pages.get(one, ())) + more.get(one, 0) <= limit)

    def sharing(self, rare: frozenset[int], share: float) -> list[int]:
        """Return the pages that show at least this share of the given hashes, closest first."""
        shared = Counter(page for one in rare for page in self._pages.get(one, ()))
        return [page for page, common in shared.most_common(8) if common >= share * len(rare)]


class SlotComparison:
    """The slot values of all pages so far, to find pages that show the same.

    >>> pages = SlotComparison()
    >>> for number, (name, price) in enumerate([(1, 2), (3, 4), (1, 2)]):
    ...     pages.put(number, SlotValues((name, price), (9, 0), (6, 8)))
    >>> pages.is_same(0, 2), pages.is_same(0, 1), pages.contradicts(0, 1)
    (True, False, True)
    """

    def __init__(self, is_template: Callable[[int], bool] = lambda text: False) -> None:
        self._is_template = is_template
        self._texts = Tally()
        self._shown: dict[int, frozenset[int]] = {}
        self._beside: dict[int, dict[int, tuple[int, int]]] = {}
        """Text to form and place, of every page."""

    def put(self, page: int, values: SlotValues) -> None:
        """Add the values of a page."""
        shown = self._shown[page] = frozenset((*values.texts, *values.entries))
        self._texts.put(page, shown)
        places = (place | 1 for place in values.places)
        self._beside[page] = dict(zip(values.texts, zip(values.forms, places, strict=True), strict=True))

    def sharing(self, page: int) -> list[int]:
        """Return the other pages that show most rare values of a page, closest first."""
        return [one for one in self._texts.sharing(self._rare(self._shown[page]), SHARED) if one != page]

    def is_same(self, one: int, other: int, least: int = 0, counters: int = 1) -> bool:
        """Say whether two pages show the same rare values, at least so many, except perhaps for one number."""
        own, theirs = self._own(one, other), self._own(other, one)
        shared = self._rare(self._shown[one] & self._shown[other])
        if len(shared) < least:
            return False
        if not own and not theirs:
            return True
        if not len(own) == len(theirs) == counters or not shared:
            return False
        mine, others = self._beside[one].get(next(iter(own))), self._beside[other].get(next(iter(theirs)))
        return mine is not None and mine == others

    def contradicts(self, one: int, other: int) -> bool:
        """Say whether rare values of two pages differ at several positions that both have."""
        places = [
            {self._beside[page][text][1] for text in self._own(page, beside) if text in self._beside[page]}
            for page, beside in ((one, other), (other, one))
        ]
        return len(places[0] & places[1]) >= OTHER_PLACES

    def _own(self, page: int, other: int) -> frozenset[int]:
        """Return the rare values of a page that another one does not show."""
        return self._rare(self._shown[page] - self._shown[other])

    def _rare(self, texts: frozenset[int]) -> frozenset[int]:
        """Return what few pages show; texts of the template are not kept of every page."""
        return frozenset(text for text in self._texts.rare(texts) if not self._is_template(text))
