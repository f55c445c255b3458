"""What a page says and how it is built, to be compared with others; and when too many addresses show the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from lxml import etree
from xxhash import xxh3_64_intdigest

from siteseer.decide.traps import kind_of
from siteseer.model import JSON, Page
from siteseer.navigation.economical.prose import pack, unpack
from siteseer.page.links import Query
from siteseer.page.text import WORD, text
from siteseer.page.tree import title, tree

ALIKE = 3
"""So many paths that show the same are suspicious; pages that differ in numbers, as their paths do, count once."""
ENDLESS = 30
"""So many that differ in numbers only are suspicious after all."""
_MOST_TEXT, _MOST_TAGS = 200_000, 5_000
_NUMBER = re.compile(r"[a-f]{0,30}[0-9][0-9a-f]{0,64}")
"""Numbers, also those that mark a request."""
_PICTURES: Query = etree.XPath("//img/@src | //video/@src | //embed/@src | //iframe/@src", smart_strings=False)


@dataclass(slots=True)
class Sight:
    """What a page says and how it is built: hashes. `echoed` are words that its own address holds, too."""

    said: frozenset[int]
    echoed: frozenset[int]
    shape: int
    exact: int
    """All that it says, with its numbers."""
    paths: set[str] = field(default_factory=set)
    """Where exactly the same was shown."""
    kinds: set[str] = field(default_factory=set)
    """Where the same was shown but for numbers; numbers of the paths are written 0."""
    times: int = 1

    @property
    def is_suspicious(self) -> bool:
        """Whether enough addresses show this."""
        return max(len(self.paths), len(self.kinds)) >= ALIKE or self.times >= ENDLESS

    def is_like(self, other: Sight, may_echo: bool = True) -> bool:
        """Say whether both pages say the same, their own addresses aside."""
        if self.shape != other.shape or not other.said <= self.said | self.echoed:
            return False
        return (self.said if may_echo else self.said | self.echoed) <= other.said | other.echoed


def sight_of(page: Page) -> Sight:
    """Return what a page says, its pictures too, and how it is built."""
    address = unquote(page.url).lower()
    found = set(WORD.findall(f"{title(page)} {text(page)}"[:_MOST_TEXT].lower()))
    words = {word for word in found if not _NUMBER.fullmatch(word)}
    echoed = {word for word in words if word in address}
    pictures = {f"={source.partition('?')[0]}" for source in _PICTURES(tree(page))[:_MOST_TAGS]}
    built: set[str] = set()
    for number, element in enumerate(tree(page).iter(etree.Element)):
        if number >= _MOST_TAGS:
            break
        parent = element.getparent()
        built.add(f"{'' if parent is None else parent.tag}>{element.tag}")
    said, shape, exact = words - echoed | pictures, digest(" ".join(sorted(built))), digest(" ".join(sorted(found)))
    return Sight(frozenset(map(digest, said)), frozenset(map(digest, echoed)), shape, exact)


def digest(word: str) -> int:
    """Return the hash of a word."""
    return xxh3_64_intdigest(word.encode("utf-8", "replace")) & 0xFFFFFFFF


def packed(sight: Sight) -> JSON:
    """Return what a page showed as a row of the memory."""
    return [pack(tuple(sorted(sight.said))), pack(tuple(sorted(sight.echoed))), sight.shape, sight.exact]


def unpacked(row: JSON, path: str = "") -> Sight:
    """Return what `packed` wrote, as shown under a path."""
    said, echoed = (frozenset(unpack(one).tolist()) for one in row[:2])
    return Sight(said, echoed, row[2], row[3], {path}, {kind_of(path)})
