"""A page in, its blocks out: runs of text that a reader sees as one, each with its links, place and author."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from siteseer.decide.focused.marks import EDGE, LABEL, LINK, marked
from siteseer.decide.focused.runs import AROUND_LINK, INVOLVED, TEXT, Run, Runs, hash_of, inside
from siteseer.model import Page
from siteseer.page.links import MAX_LINKS, MAX_TEXT, base
from siteseer.page.tree import is_html
from siteseer.page.urls import origin_of, resolve

MOST_BLOCKS = 5_000
"""A page with more is cut: no page for people has so many."""
_DEPTH = 6
"""So many block elements above a link tell its place."""
LONGEST_AUTHOR = 80
_INSIDE = (0, 8, 100)
"""Pieces in which the end of a name, or of a link, is looked for; nearly always it is near."""
KNOWN = Runs()
"""Of the pages of all sites."""
_EDGE = EDGE.encode()

Links = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Block:
    """One run of text, and what `weighing.Scales` found in it; not frozen, as hundreds are made for every page."""

    text: str
    container: int
    """The element that holds it, by its number: blocks of one container stand together."""
    place: str
    """Tags and classes of the elements around it."""
    object: int
    """The post, comment or article that it belongs to, by its number; 0 for the page itself."""
    author: str = ""
    """Who wrote that object, where the page says so; nobody where it stands on many pages."""
    links: Links = ()
    """Target and anchor text."""
    key: int = field(default=0, compare=False)
    """Stands for the text."""
    found: Mapping[int, int] = field(init=False, compare=False, repr=False)
    """Terms by their numbers, with how often they occur."""
    words: int = field(init=False, compare=False, repr=False)
    is_template: bool = False
    """Whether it stood on another page of the site already: menus, footers, lists of tags."""
    leads_anew: bool = False
    """Whether it has the words of such a block, but other links, as `more` and numbers have."""
    time: float = 1.0
    """What the date that it shows leaves of its relevance."""
    hints: float = 0.0
    """What the apprentice says to its words."""


class Met(NamedTuple):
    """The text of a block as it was met first."""

    page: int
    """Stands for the URL of the page."""
    found: Mapping[int, int]
    words: int
    led: int
    """Stands for its links."""


def blocks_of(page: Page, met: Mapping[int, Met] = MappingProxyType({})) -> list[Block]:
    """Return the blocks of a page in document order; those without words and links are left out.

    So are those without links that were met on other pages: a template that leads nowhere says nothing.

    >>> page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p>Kelp <a href='k'>old</a><p>Tea")
    >>> [(block.text, block.links) for block in blocks_of(page)]
    [('Kelp old', (('http://e.org/k', 'old'),)), ('Tea', ())]
    """
    if not is_html(page):
        return []
    reader = _Reader(marked(page).split(_EDGE), base(page))
    reader.read(hash_of(page.url), met)
    _cut_links(reader.found)
    if reader.authors:
        of_page = reader.authors.get(0, "")
        for block in reader.found:
            block.author = reader.authors.get(block.object, of_page)
    return reader.found


def _cut_links(blocks: list[Block]) -> None:
    """Leave out what a page links to beyond all measure."""
    left = MAX_LINKS
    if sum([len(block.links) for block in blocks]) <= left:
        return
    for block in blocks:
        if len(block.links) > left:
            block.links = block.links[:left]
        left -= len(block.links)


class _Reader:
    """Makes blocks of marked text, piece by piece."""

    def __init__(self, pieces: list[bytes], where: str) -> None:
        self.pieces = pieces
        directory = where.partition("?")[0].rpartition("/")[0] + "/"
        self.bases = origin_of(where) + "/", directory, where
        """What addresses are relative to, in the order of `runs.TO_SITE`."""
        self.found: list[Block] = []
        self.authors: dict[int, str] = {}

    def read(self, page: int, met: Mapping[int, Met]) -> None:
        """Make the blocks; every line counts, as it is run hundreds of times for every page."""
        first_met = met.get
        found, bases, count, most = self.found, self.bases, 0, len(self.pieces) + 2
        depth, elements, objects, steps = 1, [0] * most, [0] * most, ["."] * most
        for number, piece in enumerate(self.pieces):
            run = KNOWN[piece]
            if run.step:
                count += 1
                depth += 1
                elements[depth] = count
                objects[depth] = count if run.is_object else objects[depth - 1]
                steps[depth] = run.step
                if run.names_author and objects[depth] not in self.authors:
                    self._hear_author(self._first_in_block(number), objects[depth])
            while True:
                if (kind := run.kind) == TEXT:
                    first = first_met(run.key)
                    if first is None or first[0] == page:
                        found.append(Block(run.text, elements[depth - 1], "", objects[depth], "", (), run.key))
                elif kind:
                    place = "/".join(steps[depth - _DEPTH + 1 if depth > _DEPTH else 1 : depth + 1])
                    if kind == INVOLVED:
                        self._add_with_care(number, run, elements[depth - 1], place, objects[depth])
                    else:
                        base = bases[run.relative_to]
                        links = run.links if run.base == base else run.links_at(base)
                        if links:
                            found.append(
                                Block(run.text, elements[depth - 1], place, objects[depth], "", links, run.key)
                            )
                        elif run.text:
                            found.append(Block(run.text, elements[depth - 1], "", objects[depth], "", (), run.key))
                if run.ends:
                    depth = depth - run.ends if depth > run.ends else 1
                if run.rest is None:
                    break
                run = run.rest
            if len(found) >= MOST_BLOCKS:
                return

    def _add_with_care(self, number: int, run: Run, container: int, place: str, whose: int) -> None:
        """Add a block that names somebody, or whose last link holds blocks."""
        for name, around, offset in run.names:
            if whose not in self.authors:
                said = self._inside(around, number, run.words[offset:]) if name is None else name
                self._hear_author(said, whose)
        text, key, base = run.text, run.key, self.bases[run.relative_to]
        links = run.links_at(base)
        if run.open_link and links and resolve(base, run.open_link) == links[-1][0]:
            begun = run.words[run.words.rfind(LINK) :].partition(LABEL)[2]
            label = self._inside(AROUND_LINK, number, begun)[:MAX_TEXT]
            links = *links[:-1], (links[-1][0], label)
            if not text:
                text, key = label, hash_of(label)
        if text or links:
            self.found.append(Block(text, container, place if links else "", whose, "", links, key))

    def _hear_author(self, name: str, whose: int) -> None:
        """Note who wrote the object at hand, the first that the page names there."""
        if 0 < len(name) <= LONGEST_AUTHOR:
            self.authors[whose] = name

    def _first_in_block(self, number: int) -> str:
        """Return the first text of the block that begins with a piece: what follows a name tells of that person."""
        depth = 0
        for piece in self.pieces[number : number + _INSIDE[-1]]:
            run: Run | None = KNOWN[piece]
            depth += bool(KNOWN[piece].step)
            while run is not None:
                depth -= run.ends
                if depth <= 0 or run.text:
                    return run.text
                run = run.rest
        return ""

    def _inside(self, around: re.Pattern[str], number: int, words: str) -> str:
        """Return the text of an element that begins with these words; nothing where it is too long."""
        for most in _INSIDE:
            following = (piece.decode("utf-8", "replace") for piece in self.pieces[number + 1 : number + 1 + most])
            if (found := inside(around, EDGE.join((words, *following)))) is not None:
                return found
        return ""
