"""A page in, its blocks out: runs of text that a reader sees as one, each with its links, place and author."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from siteseer.decide.focused.marks import EDGE, END, LABEL, LINK, NAMED, PART, RULE, UNLINK, UNNAMED, marked
from siteseer.model import Page
from siteseer.page.links import MAX_LINKS, MAX_TEXT, base
from siteseer.page.tree import is_html
from siteseer.page.urls import origin_of, resolve

MOST_BLOCKS = 5_000
"""A page with more is cut: no page for people has so many."""
LONGEST_BLOCK = 20_000
_DEPTH = 6
"""So many block elements above a link tell its place."""
_OBJECTS = frozenset(
    ("post", "comment", "entry", "message", "reply", "hentry", "h-entry", "status", "answer", "review")
)
"""Classes of elements that are a text of somebody's own."""
_AUTHORS = frozenset(("author", "byline", "p-author", "username", "poster", "fn", "vcard", "nickname"))
LONGEST_AUTHOR = 80
_MOST_INSIDE = 100
"""Blocks in which the end of a name, or of a link, is looked for."""
_SHORT = 1_000
"""Characters; shorter runs are remembered, as menus repeat on every page."""

_AROUND_LINK = re.compile(f"{LINK}|({UNLINK})")
_AROUND_NAMED = re.compile(f"{NAMED}|({UNNAMED})")
_AROUND_BLOCK = re.compile(f"{EDGE}(?:({END})|[^{RULE}])")
_STEPS = re.compile(
    f"((?:{EDGE}[{END}{RULE}]\\s*)*)({EDGE}[^{PART}{EDGE}]*{PART}[^{PART}]*{PART}[^{PART}]*{PART})?\\s*([^{EDGE}]*)"
)
"""Blocks and rules that end, a block that begins, and text."""
_ROLES = re.compile(f"(?:{NAMED}([^{PART}]*){PART}|{LINK}[^{PART}]*{PART}([^{LABEL}]*){LABEL})")
_UNREAD = re.compile(f"{NAMED}[^{PART}]*{PART}|{UNNAMED}")
_EDGES = re.compile(f"{EDGE}(?:[{END}{RULE}]|(?:[^{PART}]*{PART}){{3}})")
_INLINE = re.compile(f"{LINK}[^{LABEL}]*{LABEL}|{NAMED}[^{PART}]*{PART}|[{UNLINK}{UNNAMED}]")
_RELATIVE = re.compile(f"{LINK}(?!/|https?:)")
_OF_THE_PAGE = re.compile(f"{LINK}[{PART}?#]")
"""Links that are relative to the page, not only to its directory."""


@dataclass(slots=True)
class Block:
    """One run of text."""

    text: str
    container: int
    """The element that holds it, by its number: blocks of one container stand together."""
    place: str
    """Tags and classes of the elements around it."""
    object: int
    """The post, comment or article that it belongs to, by its number; 0 for the page itself."""
    author: str = ""
    """Who wrote that object, where the page says so."""
    links: tuple[tuple[str, str], ...] = ()
    """Target and anchor text."""


def blocks_of(page: Page) -> list[Block]:
    """Return the blocks of a page in document order; those without words and links are left out.

    >>> page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p>Kelp <a href='k'>old</a><p>Tea")
    >>> [(block.text, block.links) for block in blocks_of(page)]
    [('Kelp old', (('http://e.org/k', 'old'),)), ('Tea', ())]
    """
    if not is_html(page):
        return []
    reader = _Reader(_STEPS.findall(marked(page)), base(page))
    reader.read()
    if reader.authors:
        for block in reader.found:
            block.author = reader.authors.get(block.object) or reader.authors.get(0, "")
    return reader.found


class _Reader:
    """Makes blocks of marked text: a step for every block that begins, none for what stands within it."""

    def __init__(self, steps: list[tuple[str, str, str]], where: str) -> None:
        self.steps, self.where = steps, where
        self.directory, self.origin = where.partition("?")[0].rpartition("/")[0] + "/", origin_of(where) + "/"
        self.found: list[Block] = []
        self.authors: dict[int, str] = {}
        self.followed = 0

    def read(self) -> None:
        """Make the blocks; every line counts, as it is run hundreds of times for every page."""
        found, count, here = self.found, 0, _OUTSIDE
        for number, (ends, head, words) in enumerate(self.steps):
            if ends:
                for _ in range(ends.count(END)):
                    here = here.around or here
            if head:
                step, is_object, names_author = _block(head)
                count += 1
                here = _Element(here, count, step, count if is_object else here.object)
                if names_author:
                    self._hear_author(_AROUND_BLOCK, number, words, here.object)
            if words:
                if words.isascii():  # no marks
                    text = " ".join(words.split())[:LONGEST_BLOCK]
                    found.append(Block(text, here.container, "", here.object))
                else:
                    self._add_marked(number, words, here)
                if len(found) >= MOST_BLOCKS:
                    return

    def _add_marked(self, number: int, words: str, here: _Element) -> None:
        """Add a block with links, or with elements that have a class."""
        where = self.origin
        if _RELATIVE.search(words):
            where = self.where if _OF_THE_PAGE.search(words) else self.directory
        text, links, names = _read(where, words) if len(words) <= _SHORT else _read.__wrapped__(where, words)
        for around, offset in names:
            self._hear_author(around, number, words[offset:], here.object)
        if links:
            links = links[: MAX_LINKS - self.followed]
            self.followed += len(links)
            if (begins := words.rfind(LINK)) > words.rfind(UNLINK):  # it holds blocks, as cards do
                label = self._inside(_AROUND_LINK, number, words[begins:].partition(LABEL)[2])[:MAX_TEXT]
                if resolve(where, words[begins + 1 :].partition(PART)[0]) == links[-1][0]:
                    text, links = text or label, (*links[:-1], (links[-1][0], label))
        if text or links:
            self.found.append(Block(text, here.container, here.place if links else "", here.object, "", links))

    def _hear_author(self, around: re.Pattern[str], number: int, words: str, whose: int) -> None:
        """Note who wrote the object at hand, the first that the page names there; the name begins with these words."""
        if whose not in self.authors:
            name = self._inside(around, number, words)
            if 0 < len(name) <= LONGEST_AUTHOR:
                self.authors[whose] = name

    def _inside(self, around: re.Pattern[str], number: int, words: str) -> str:
        """Return the text of an element that begins with these words; nothing where it is too long."""
        text = words + "".join(map("".join, self.steps[number + 1 : number + 1 + _MOST_INSIDE]))
        depth = 1
        for mark in around.finditer(text):
            depth += -1 if mark[1] else 1
            if depth == 0:
                return " ".join(_INLINE.sub("", _EDGES.sub(" ", text[: mark.start()])).split())
        return ""


class _Element:
    """A block element, and those around it."""

    __slots__ = "_inner", "around", "number", "object", "step"

    def __init__(self, around: _Element | None, number: int, step: str, whose: int) -> None:
        self.around, self.number, self.step, self.object = around, number, step, whose
        self._inner = ""

    @property
    def container(self) -> int:
        """The number of the element around it."""
        return self.around.number if self.around is not None else 0

    @property
    def place(self) -> str:
        """Tags and classes of the elements around, from the outside in."""
        return self.around.inner + self.step if self.around is not None else self.step

    @property
    def inner(self) -> str:
        """How the place of what it holds begins; siblings share it."""
        if not self._inner:
            steps: list[str] = []
            here: _Element | None = self
            while here is not None and len(steps) < _DEPTH - 1:
                steps.append(here.step)
                here = here.around
            self._inner = "/".join(reversed(steps)) + "/"
        return self._inner


_OUTSIDE = _Element(None, 0, ".", 0)


@lru_cache(maxsize=10_000)
def _read(where: str, words: str) -> tuple[str, tuple[tuple[str, str], ...], tuple[tuple[re.Pattern[str], int], ...]]:
    """Return the text of a marked run, its links, and where in it authors are named."""
    names = tuple(
        (_AROUND_NAMED if one[1] is not None else _AROUND_LINK, one.end())
        for one in _ROLES.finditer(words)
        if _roles(one[1] or one[2] or "")[1]
    )
    before, *linked = _UNREAD.sub("", words).split(LINK)
    read, links = [before.replace(UNLINK, "")], []
    for one in linked:
        target, _, rest = one.partition(LABEL)
        label, _, after = rest.partition(UNLINK)
        read += label, after.replace(UNLINK, "")
        href = target.partition(PART)[0]
        if href and (url := resolve(where, href)) is not None:
            links.append((url, " ".join(label.split())[:MAX_TEXT]))
    return " ".join("".join(read).split())[:LONGEST_BLOCK], tuple(links), names


@lru_cache(maxsize=10_000)
def _block(head: str) -> tuple[str, bool, bool]:
    """Return the step in the place of what stands in a block, and whether it is somebody's text, or names somebody."""
    tag, named, item, _ = head[1:].split(PART)
    is_object, is_author = _roles(named)
    return f"{tag}.{named[:60]}", is_object or tag == "article", is_author or item == "author"


@lru_cache(maxsize=10_000)
def _roles(named: str) -> tuple[bool, bool]:
    """Say whether an element of these classes is somebody's text, and whether it names who wrote it."""
    classes = named[:200].lower().split()
    return not _OBJECTS.isdisjoint(classes), not _AUTHORS.isdisjoint(classes)
