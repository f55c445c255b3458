"""Splits a page into visual text blocks, each with its links, position and author."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from siteseer.campaigns.relevance.text_marks import EDGE, LABEL, LINK, mark_text
from siteseer.campaigns.relevance.text_runs import AROUND_LINK, INVOLVED, TEXT, Run, Runs, element_text
from siteseer.model import Page
from siteseer.page.links import MAX_LINKS, MAX_TEXT, base
from siteseer.page.text_hash import hash_of
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
    """One run of text, with the matches that `RelevanceScorer` found in it; not frozen, as every page has hundreds."""

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
    led: int = field(default=0, compare=False)
    """Stands for the links."""
    found: Mapping[int, int] = field(init=False, compare=False, repr=False)
    """Terms by their numbers, with how often they occur."""
    words: int = field(init=False, compare=False, repr=False)
    read: list[str] = field(init=False, compare=False, repr=False)
    """Its words, where it stands on this page only."""
    is_template: bool = False
    """Whether it stood on another page of the site already: menus, footers, lists of tags."""
    leads_anew: bool = False
    """Whether it has the words of such a block, but other links, as `more` and numbers have."""
    run: Run | None = field(default=None, compare=False, repr=False)
    """What it was made of."""
    time: float = 1.0
    """What the date that it shows leaves of its relevance."""


class FirstOccurrence(NamedTuple):
    """The text of a block as it was first seen."""

    page: int
    """Stands for the URL of the page."""
    found: Mapping[int, int]
    words: int
    led: int
    """Stands for its links."""


@dataclass(slots=True)
class Template:
    """The text that the pages of one site repeat."""

    met: dict[int, FirstOccurrence] = field(default_factory=dict)
    """Blocks, by the keys of their texts."""
    mark: object = field(default_factory=object)
    """Tells it from those of other sites."""
    edition: int = 0
    """Of the term learner's weights: what its links promise changes with them."""


Resting = tuple[Run, list[str]]
"""Links of a template that other pages spoke for, and the steps to them: they rest until a page says more."""


def block_of_skipped_links(resting: Resting) -> Block:
    """Return the block that skipped links would have been."""
    run, steps = resting
    return Block(run.text, 0, "/".join(steps), 0, "", run.links, run.key, run.led, True, False, run)


def blocks_of(page: Page) -> list[Block]:
    """Return the blocks of a page in document order; those without words and links are left out.

    >>> page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p>Kelp <a href='k'>old</a><p>Tea")
    >>> [(block.text, block.links) for block in blocks_of(page)]
    [('Kelp old', (('http://e.org/k', 'old'),)), ('Tea', ())]
    """
    return new_blocks(page, Template())[0]


def new_blocks(page: Page, template: Template) -> tuple[list[Block], list[Resting]]:
    """Return the blocks of a page that its site's template does not repeat, and the skipped links.

    Texts without links that were seen on other pages are left out.
    """
    if not is_html(page):
        return [], []
    reader = _Reader(mark_text(page).split(_EDGE), base(page))
    reader.read(hash_of(page.url), template)
    _cut_links(reader.found)
    if reader.authors:
        of_page = reader.authors.get(0, "")
        for block in reader.found:
            block.author = reader.authors.get(block.object, of_page)
    return reader.found, reader.resting


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
        """What addresses are relative to, in the order of `text_runs.TO_SITE`."""
        self.found: list[Block] = []
        self.resting: list[Resting] = []
        self.authors: dict[int, str] = {}

    def read(self, page: int, template: Template) -> None:
        """Make the blocks; every line counts, as it is run hundreds of times for every page."""
        first_met, mark, edition, resting = template.met.get, template.mark, template.edition, self.resting
        found, bases, count, most = self.found, self.bases, 0, len(self.pieces) + 2
        depth, elements, objects, steps = 1, [0] * most, [0] * most, ["."] * most
        for number, run in enumerate(map(KNOWN.get, self.pieces)):
            if run is None:
                run = KNOWN[self.pieces[number]]
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
                    if run.template is not mark:
                        first = first_met(run.key)
                        if first is None or first[0] == page:
                            found.append(Block(run.text, elements[depth - 1], "", objects[depth], "", (), run.key))
                        else:
                            run.template = mark
                elif kind:
                    around = steps[depth - _DEPTH + 1 if depth > _DEPTH else 1 : depth + 1]
                    if kind == INVOLVED:
                        self._add_with_care(number, run, elements[depth - 1], "/".join(around), objects[depth])
                    else:
                        base = bases[run.relative_to]
                        links = run.links if run.base == base else run.links_at(base)
                        if run.template is mark and run.edition == edition and not objects[depth]:
                            resting.append((run, around))
                        elif links:
                            block = Block(
                                run.text, elements[depth - 1], "/".join(around), objects[depth], "", links, run.key,
                                run.led,
                            )  # fmt: skip
                            block.run = run
                            found.append(block)
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
        links, led = run.links_at(base), run.led
        if run.open_link and links and resolve(base, run.open_link) == links[-1][0]:
            begun = run.words[run.words.rfind(LINK) :].partition(LABEL)[2]
            label = self._inside(AROUND_LINK, number, begun)[:MAX_TEXT]
            links = *links[:-1], (links[-1][0], label)
            led = hash(links)
            if not text:
                text, key = label, hash_of(label)
        if text or links:
            self.found.append(Block(text, container, place if links else "", whose, "", links, key, led))

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
            if (found := element_text(around, EDGE.join((words, *following)))) is not None:
                return found
        return ""
