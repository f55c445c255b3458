"""A page in, its blocks out: runs of text that a reader sees as one, each with its links, place and author."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from siteseer.decide.focused.marks import EDGE, END, LABEL, LINK, RULE, marked
from siteseer.decide.focused.runs import AROUND_LINK, SHORT, Run, hash_of, inside, run_of, short_run
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
_AROUND_BLOCK = re.compile(f"{EDGE}(?!{RULE})|({END})")

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
    """Who wrote that object, where the page says so."""
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


def blocks_of(page: Page) -> list[Block]:
    """Return the blocks of a page in document order; those without words and links are left out.

    >>> page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p>Kelp <a href='k'>old</a><p>Tea")
    >>> [(block.text, block.links) for block in blocks_of(page)]
    [('Kelp old', (('http://e.org/k', 'old'),)), ('Tea', ())]
    """
    if not is_html(page):
        return []
    reader = _Reader(marked(page).split(EDGE), base(page))
    reader.read()
    _cut_links(reader.found)
    if reader.authors:
        of_page = reader.authors.get(0, "")
        for block in reader.found:
            block.author = reader.authors.get(block.object, of_page)
    return reader.found


def _cut_links(blocks: list[Block]) -> None:
    """Leave out what a page links to beyond all measure."""
    left = MAX_LINKS
    for block in blocks:
        if len(block.links) > left:
            block.links = block.links[:left]
        left -= len(block.links)


class _Reader:
    """Makes blocks of marked text, piece by piece."""

    def __init__(self, pieces: list[str], where: str) -> None:
        self.pieces = pieces
        directory = where.partition("?")[0].rpartition("/")[0] + "/"
        self.bases = origin_of(where) + "/", directory, where
        """What addresses are relative to, in the order of `runs.TO_SITE`."""
        self.found: list[Block] = []
        self.authors: dict[int, str] = {}

    def read(self) -> None:
        """Make the blocks; every line counts, as it is run hundreds of times for every page."""
        found, bases, count = self.found, self.bases, 0
        element, container, whose = outside = 0, 0, 0
        around, steps = list[tuple[int, int, int]](), ["."]
        for number, piece in enumerate(self.pieces):
            begun = short_run(piece) if len(piece) <= SHORT else run_of(piece)
            if begun.step:
                count += 1
                around.append((element, container, whose))
                steps.append(begun.step)
                element, container = count, element
                if begun.is_object:
                    whose = count
                if begun.names_author:
                    self._hear_author(_AROUND_BLOCK, number, begun.words, whose)
            run: Run | None = begun
            while run is not None:
                if run.names or run.open_link:
                    self._add_with_care(number, run, container, "/".join(steps[-_DEPTH:]), whose)
                elif run.anchors:
                    if (links := run.links_at(bases[run.relative_to])) or run.text:
                        place = "/".join(steps[-_DEPTH:]) if links else ""
                        found.append(Block(run.text, container, place, whose, "", links, run.key))
                elif run.text:
                    found.append(Block(run.text, container, "", whose, "", (), run.key))
                if run.ends:
                    element, container, whose = around[-run.ends] if run.ends <= len(around) else outside
                    del around[-run.ends :]
                    del steps[len(around) + 1 :]
                run = run.rest
            if len(found) >= MOST_BLOCKS:
                return

    def _add_with_care(self, number: int, run: Run, container: int, place: str, whose: int) -> None:
        """Add a block that names somebody, or whose last link holds blocks."""
        for around, offset in run.names:
            self._hear_author(around, number, run.words[offset:], whose)
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

    def _hear_author(self, around: re.Pattern[str], number: int, words: str, whose: int) -> None:
        """Note who wrote the object at hand, the first that the page names there; the name begins with these words."""
        if whose not in self.authors:
            name = self._inside(around, number, words)
            if 0 < len(name) <= LONGEST_AUTHOR:
                self.authors[whose] = name

    def _inside(self, around: re.Pattern[str], number: int, words: str) -> str:
        """Return the text of an element that begins with these words; nothing where it is too long."""
        for most in _INSIDE:
            text = EDGE.join((words, *self.pieces[number + 1 : number + 1 + most]))
            if (found := inside(around, text)) is not None:
                return found
        return ""
