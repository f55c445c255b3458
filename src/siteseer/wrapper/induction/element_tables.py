"""Indexes a page's tree as tables: elements in document order, texts, and where each name and each text occurs.

All of induction works on these tables; scripts, styles, comments and blank texts are not in them. An element is its
number in document order; its subtree is the interval up to `ends`. A text is its number too, so that the next text of a
label is the next number. The root may be any element: a record is looked at as a page of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from html import unescape
from itertools import islice

from lxml import etree, html

from siteseer.page.tag_policies import UNREAD_IN

Atom = tuple[str, str]
"""Attribute name and value; for `class` one word of it."""

HIDDEN = UNREAD_IN["expressions"]
MAX_VALUE = 80
"""Longer names and labels are prose, not structure."""
MAX_ATOMS = 16
"""Names of one element that are looked at."""
MAX_ELEMENTS = 60_000
_ATTRIBUTE = re.compile(r"(?:id|itemprop|property|rel|headers|name|title|role|for|alt|aria-label|data-[a-z0-9-]+)\Z")
_STRING = etree.XPath("string()", smart_strings=False)
_TAG = re.compile(r"[a-z][a-z0-9_-]*\Z")


def clean(text: str) -> str:
    """Return a text as people read it: entities resolved, spaces folded.

    >>> clean("  St.&nbsp;Martin&#039;s ")
    "St. Martin's"
    """
    return " ".join((unescape(text) if "&" in text else text).split())


def fold(text: str) -> str:
    """Return a label without case and colons, by which it is found again after small changes.

    >>> fold("Author:")
    'author'
    """
    return " ".join(text.replace(":", "").lower().split())


class ElementTables:
    """The tables of one page, or of one record in it."""

    def __init__(self, root: html.HtmlElement, is_record: bool = False) -> None:
        self.root = root
        self.is_record = is_record
        """Expressions then start at the root itself, and never select it."""
        self.nodes: list[html.HtmlElement] = []
        self.tags: list[str] = []
        self.parents: list[int] = []
        self.ends: list[int] = []
        self.places: list[int] = []
        """Which of its siblings of the same tag an element is, from 1."""
        self.alike: list[int] = []
        """How many siblings of the same tag there are, itself counted."""
        self.children: list[list[int]] = []
        self.own: list[list[int]] = []
        """The texts that are children of an element."""
        self.atoms: list[tuple[Atom, ...]] = []
        self.texts: list[str] = []
        self.owners: list[int] = []
        self.after: list[int] = []
        """The first element that begins after a text."""
        self.spans: list[tuple[int, int]] = []
        """The texts inside an element, at any depth: from, up to."""
        self.by_tag: dict[str, list[int]] = {}
        self.by_atom: dict[Atom, list[int]] = {}
        self.by_text: dict[str, list[int]] = {}
        self.by_fold: dict[str, list[int]] = {}
        self.strings: dict[int, str] = {}
        self.memo: dict[object, tuple[int, ...]] = {}
        self._walk()
        self._index()

    def _walk(self) -> None:
        """Read the tree without recursion: hostile pages nest deeply."""
        stack: list[tuple[int, Iterator[html.HtmlElement]]] = [(self._enter(self.root, -1), iter(self.root))]
        while stack:
            number, rest = stack[-1]
            child = next(rest, None)
            if child is None:
                self.ends[number] = len(self.nodes) - 1
                self.spans[number] = (self.spans[number][0], len(self.texts))
                stack.pop()
                if stack:
                    self._text(self.nodes[number].tail, stack[-1][0])
            elif not isinstance(child.tag, str) or child.tag in HIDDEN or len(self.nodes) >= MAX_ELEMENTS:
                self._text(child.tail, number)
            else:
                stack.append((self._enter(child, number), iter(child)))

    def _enter(self, node: html.HtmlElement, parent: int) -> int:
        number = len(self.nodes)
        tag = str(node.tag)
        self.nodes.append(node)
        self.tags.append(tag)
        self.parents.append(parent)
        self.ends.append(number)
        self.children.append([])
        self.own.append([])
        self.spans.append((len(self.texts), 0))
        self.atoms.append(tuple(islice(_atoms(node), MAX_ATOMS)))
        if parent >= 0:
            self.children[parent].append(number)
        self._text(node.text, number)
        return number

    def _text(self, text: str | None, owner: int) -> None:
        if text and (read := clean(text)):
            self.own[owner].append(len(self.texts))
            self.texts.append(read)
            self.owners.append(owner)
            self.after.append(len(self.nodes))

    def _index(self) -> None:
        self.places, self.alike = [1] * len(self.nodes), [1] * len(self.nodes)
        for number, tag in enumerate(self.tags):
            if _TAG.match(tag):
                self.by_tag.setdefault(tag, []).append(number)
            for atom in self.atoms[number]:
                self.by_atom.setdefault(atom, []).append(number)
            seen: dict[str, list[int]] = {}
            for child in self.children[number]:
                same = seen.setdefault(self.tags[child], [])
                same.append(child)
                self.places[child] = len(same)
            for same in seen.values():
                for child in same:
                    self.alike[child] = len(same)
        for number, text in enumerate(self.texts):
            self.by_text.setdefault(text, []).append(number)
            if len(text) <= MAX_VALUE:
                self.by_fold.setdefault(fold(text), []).append(number)

    def ancestors(self, element: int) -> Iterator[int]:
        """Walk from an element's parent up to the root."""
        while (element := self.parents[element]) >= 0:
            yield element

    def string(self, element: int) -> str:
        """Return all text inside an element."""
        known = self.strings.get(element)
        if known is None:
            known = self.strings[element] = clean(str(_STRING(self.nodes[element])))
        return known

    def first_after(self, sorted_elements: list[int], least: int) -> int:
        """Return the first of the elements whose number is at least that, or -1."""
        at = bisect_left(sorted_elements, least)
        return sorted_elements[at] if at < len(sorted_elements) else -1

    def tag_path(self, element: int) -> tuple[str, ...]:
        """Return the tags from the root to an element."""
        return (*(self.tags[one] for one in reversed(list(self.ancestors(element)))), self.tags[element])


def is_plain_tag(tag: str) -> bool:
    """Say whether a tag can be written as a name test without a namespace."""
    return bool(_TAG.match(tag))


def _atoms(node: html.HtmlElement) -> Iterator[Atom]:
    for name, value in node.items():
        if name == "class":
            for word in dict.fromkeys(value.split()):
                if len(word) <= MAX_VALUE and word.isprintable():
                    yield "class", word
        elif _ATTRIBUTE.match(name) and 0 < len(value) <= MAX_VALUE and value.isprintable() and value == value.strip():
            yield name, value
