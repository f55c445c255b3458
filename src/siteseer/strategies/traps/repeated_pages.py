"""Fingerprints the text and structure of a page, and tells when too many URLs show the same page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import unquote

from lxml import etree
from xxhash import xxh3_64_intdigest

from siteseer.model import JSON, Page
from siteseer.page.text import WORD, text
from siteseer.page.tree import title, tree
from siteseer.strategies.learned.online_learner.prose import pack, unpack
from siteseer.strategies.traps.content_traps import kind_of

ALIKE = 3
"""So many paths that show the same are suspicious; pages that differ in numbers, as their paths do, count once."""
ENDLESS = 30
"""So many that differ in numbers only are suspicious after all."""
_MOST_TEXT, _MOST_TAGS = 200_000, 5_000
_NUMBER = re.compile(r"[a-f]{0,30}[0-9][0-9a-f]{0,64}")
"""Numbers, also those that mark a request."""
_PICTURES = ("img", "video", "embed", "iframe")


@dataclass(slots=True)
class PageFingerprint:
    """Hashes of the text and the structure of a page. `echoed` are words that its own URL holds, too."""

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
        """Whether enough URLs show this page."""
        return max(len(self.paths), len(self.kinds)) >= ALIKE or self.times >= ENDLESS

    def is_like(self, other: PageFingerprint, may_echo: bool = True) -> bool:
        """Say whether both pages have the same text, their own URLs aside."""
        if self.shape != other.shape or not other.said <= self.said | self.echoed:
            return False
        return (self.said if may_echo else self.said | self.echoed) <= other.said | other.echoed


def content_and_structure(page: Page) -> PageFingerprint:
    """Return the fingerprint of a page: its text and pictures, and its structure."""
    address = unquote(page.url).lower()
    found = set(WORD.findall(f"{title(page)} {text(page)}"[:_MOST_TEXT].lower()))
    words = {word for word in found if not _NUMBER.fullmatch(word)}
    echoed = {word for word in words if word in address}
    pictures = {
        f"={source.partition('?')[0]}"
        for element in islice(tree(page).iter(*_PICTURES), _MOST_TAGS)
        if (source := element.get("src")) is not None
    }
    built: set[str] = set()
    for number, element in enumerate(tree(page).iter(etree.Element)):
        if number >= _MOST_TAGS:
            break
        parent = element.getparent()
        built.add(f"{'' if parent is None else parent.tag}>{element.tag}")
    said, shape, exact = words - echoed | pictures, digest(" ".join(sorted(built))), digest(" ".join(sorted(found)))
    return PageFingerprint(frozenset(map(digest, said)), frozenset(map(digest, echoed)), shape, exact)


def digest(word: str) -> int:
    """Return the hash of a word."""
    return xxh3_64_intdigest(word.encode("utf-8", "replace")) & 0xFFFFFFFF


def packed(sight: PageFingerprint) -> JSON:
    """Return a fingerprint as a row of the memory."""
    return [pack(tuple(sorted(sight.said))), pack(tuple(sorted(sight.echoed))), sight.shape, sight.exact]


def unpacked(row: JSON, path: str = "") -> PageFingerprint:
    """Return the fingerprint that `packed` wrote, for a path."""
    said, echoed = (frozenset(unpack(one).tolist()) for one in row[:2])
    return PageFingerprint(said, echoed, row[2], row[3], {path}, {kind_of(path)})
