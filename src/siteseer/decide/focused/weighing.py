"""A page in, how relevant it and its blocks are out: a degree from 0 to 1 with its reason.

The degree grows with the weights of the terms found, falls with the length of the text that they were found in, and
never reaches 1. One word of the topic in a long page is noise; in a heading or the text of a link it is a hint.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from xxhash import xxh3_64_intdigest

from siteseer.decide.focused.apprentice import Apprentice
from siteseer.decide.focused.blocks import Block, blocks_of
from siteseer.decide.focused.circumstances import dated, in_language, in_time, written
from siteseer.decide.focused.definition import Definition
from siteseer.decide.focused.gazetteer import Gazetteer, words_of
from siteseer.model import Page
from siteseer.page.tree import title
from siteseer.page.urls import readable

MOST_SEEN = 50_000
"""Blocks of a site that are remembered, to know its template again; 4 MB."""
MOST_LABELS = 10_000
_EXTENSION = re.compile(r"\.\w{1,5}$")
ENOUGH = 600
"""Words from which the language is told."""
_LABEL = 3
"""The text of a link counts as one of so many words."""
NAMED = 4
"""Terms that a reason names."""


@dataclass(slots=True)
class WeighedBlock:
    """A block with what was found in it; not frozen, as hundreds are made for every page."""

    block: Block
    found: Mapping[int, int]
    words: int
    is_template: bool
    """Whether it stood on another page of the site already: menus, footers, lists of tags."""
    time: float = 1.0
    """What the date that it shows leaves of its relevance."""
    hints: float = 0.0
    """What the apprentice says to its words."""


@dataclass(frozen=True, slots=True)
class WeighedPage:
    """A page with its degree, the reason for it, and its blocks."""

    degree: float
    because: str
    blocks: tuple[WeighedBlock, ...]


@dataclass(slots=True)
class _Label:
    """What the text of a link says, or its URL, and the apprentice's hints as of an edition of its weights."""

    words: list[str]
    found: dict[int, int]
    named: str
    edition: int = -1
    hints: float = 0.0
    degree: float = 0.0


class Scales:
    """Weighs the pages of one site.

    >>> scales = Scales(Definition("Kelp", ("http://e.org/",), keywords=("kelp", "kelp forest", "harvest")))
    >>> page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p>Kelp: harvest<p>Kelp, a kelp forest")
    >>> scales.weigh(page).because
    'kelp (2), harvest, kelp forest'
    """

    def __init__(self, definition: Definition, apprentice: Apprentice | None = None) -> None:
        self.definition = definition
        self.apprentice = apprentice or Apprentice()
        self.gazetteer = Gazetteer.of(definition)
        self._dates = definition.since is not None or definition.until is not None
        self._seen: dict[int, tuple[int, Mapping[int, int], int]] = {}
        """Blocks that were met: on which page, what was found in them, and how many words they have."""
        self._labels: dict[tuple[str, str], _Label] = {}

    def weigh(self, page: Page) -> WeighedPage:
        """Return how relevant a page is, without what its template repeats."""
        heading = words_of(title(page))
        total = dict.fromkeys(self.gazetteer.find(heading), 1)
        page_key, words, prose, named = hash_of(page.url), len(heading), list(heading), f" {' '.join(heading)} "
        found = []
        if len(self._seen) > MOST_SEEN:
            self._seen.clear()
        for block in blocks_of(page):
            key = hash_of(block.text)
            first = self._seen.get(key)
            if first is not None and first[0] != page_key:
                found.append(WeighedBlock(block, first[1], first[2], True))
                continue
            read = words_of(block.text)
            here = self.gazetteer.find(read)
            self._seen[key] = page_key, here, len(read)
            if not is_mostly_links(block):
                words += len(read)
                if len(prose) < ENOUGH:
                    prose += read
                if here and f" {' '.join(read)} " not in named:  # a heading says the title once more
                    for number in here:  # in how many blocks: what is said once is noise, however often
                        total[number] = total.get(number, 0) + 1
            time = in_time(dated(block.text), self.definition)[0] if self._dates and block.links else 1.0
            found.append(WeighedBlock(block, here, len(read), False, time, self.apprentice.evidence(read)))
        return self._summed(page, total, words, prose, tuple(found))

    def _summed(
        self, page: Page, total: Mapping[int, int], words: int, prose: list[str], found: tuple[WeighedBlock, ...]
    ) -> WeighedPage:
        degree = self.degree(total, words)
        self.apprentice.learn(set(prose), degree)
        reasons = [self.named(total)]
        if degree:
            when = written(page) if self._dates else None
            if self._dates and when is None:
                when = next((day for one in found if not one.is_template and (day := dated(one.block.text))), None)
            for factor, reason in (in_time(when, self.definition), in_language(page, prose, self.definition)):
                degree *= factor
                reasons.append(reason)
        return WeighedPage(round(degree, 4), "; ".join(filter(None, reasons)) or "nothing of the topic", found)

    def weigh_text(self, text: str) -> tuple[float, str]:
        """Return how relevant a text is, and why."""
        words = words_of(text)
        found = self.gazetteer.find(words)
        return round(self.degree(found, len(words)), 4), self.named(found)

    def label(self, url: str, anchor: str) -> tuple[float, str, float]:
        """Return what an anchor promises, or the URL's path where it says nothing: degree, terms, and hints."""
        known = self._labels.get((url, anchor))
        if known is None:
            if len(self._labels) >= MOST_LABELS:
                self._labels.clear()
            words = words_of(anchor)
            path = words_of(_EXTENSION.sub("", readable(url.partition("://")[2].partition("/")[2][:300])))
            found = dict.fromkeys(self.gazetteer.find(words) or self.gazetteer.find(path), 1)
            known = self._labels[url, anchor] = _Label(words + path, found, self.named(found) if found else "")
        if known.edition != self.apprentice.edition:
            known.edition, known.hints = self.apprentice.edition, self.apprentice.evidence(known.words)
            known.degree = self.degree(known.found, _LABEL, known.hints)
        return known.degree, known.named, known.hints

    def degree(self, found: Mapping[int, int], words: int, hints: float = 0.0) -> float:
        """Return the degree of a text of so many words in which so much was found, with hints of the apprentice."""
        if not found and not hints:
            return 0.0
        sought = self.gazetteer.sought
        evidence = hints + sum(sought[one].weight * min(2.0, 1.0 + math.log(count)) for one, count in found.items())
        wanted = 0.7 + 0.6 * math.log1p(words / 10)
        return evidence**2 / (evidence**2 + wanted**2)

    def named(self, found: Mapping[int, int]) -> str:
        """Return what was found, the heaviest first, in words."""
        sought = self.gazetteer.sought
        order = sorted(found, key=lambda one: (-sought[one].weight * (1 + math.log(found[one])), sought[one].name))
        return ", ".join(
            f"{sought[one].name} ({found[one]})" if found[one] > 1 else sought[one].name for one in order[:NAMED]
        )


def is_mostly_links(block: Block) -> bool:
    """Say whether a block consists of links: what it says, it says of other pages."""
    return bool(block.links) and 10 * sum(len(anchor) for _, anchor in block.links) >= 7 * len(block.text)


def hash_of(text: str) -> int:
    """Return a number that stands for a text, the same in every run; it fits a column of a database."""
    return xxh3_64_intdigest(text.encode("utf-8", "replace")) >> 1
