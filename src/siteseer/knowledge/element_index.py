"""Indexes the elements of a page by tag, class and id, numbered in document order.

A knowledge base evaluates hundreds of expressions on a page. One walk over the page, and each answer is a few list
look-ups: an element and all inside it are one interval of numbers, so `div.post//a` is a slice of the list of `a`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from operator import methodcaller
from typing import Any

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.tree import cached, tree

Numbers = Sequence[int]
"""Elements by their number, rising."""
_SPACES = re.compile("[ \t\r\n]+")
_NONE: Numbers = ()
_PARENT: Any = methodcaller("getparent")
_WITH_CLASS: Any = etree.XPath("descendant-or-self::*[@class]")
_WITH_ID: Any = etree.XPath("descendant-or-self::*[@id]")


class ElementIndex:
    """The elements of a document: number 0 is the root, those inside `n` are `n + 1` to `ends[n]`."""

    __slots__ = ("_tags", "elements", "ends", "numbers", "parents", "words")

    def __init__(self, root: html.HtmlElement) -> None:
        self.elements: list[html.HtmlElement] = list(root.iter("*"))
        self.numbers = dict(zip(self.elements, range(len(self.elements)), strict=True))
        self._tags: dict[str, Numbers] = {"*": range(len(self.elements))}
        self.words: dict[str, list[int]] = {}
        """Elements by `.class` and `#id`."""
        self._file_classes()
        for identifier, numbers in self._filed(_WITH_ID, "id").items():
            self.words["#" + identifier] = numbers
        self.parents = parents = [-1, *map(self.numbers.__getitem__, map(_PARENT, self.elements[1:]))]
        self.ends = ends = list(range(len(parents)))
        for number in range(len(parents) - 1, 0, -1):
            if ends[parents[number]] < ends[number]:
                ends[parents[number]] = ends[number]

    def _filed(self, having: Any, attribute: str) -> dict[str, list[int]]:
        """Return the elements that have an attribute, by its value."""
        filed = defaultdict[str, list[int]](list)
        numbers = self.numbers
        for element in having(self.elements[0]):
            filed[element.get(attribute)].append(numbers[element])
        return filed

    def _file_classes(self) -> None:
        """File elements under their classes: attributes of one spelling together, as most elements share theirs."""
        shared = set()
        for classes, numbers in self._filed(_WITH_CLASS, "class").items():
            for word in class_words(classes):
                if word in self.words:
                    shared.add(word)
                    self.words[word] = self.words[word] + numbers
                else:
                    self.words[word] = numbers
        for word in shared:
            self.words[word].sort()

    def with_tag(self, tag: str) -> Numbers:
        """Return the elements of a tag; `*` is any."""
        if tag not in self._tags:
            self._tags[tag] = [self.numbers[element] for element in self.elements[0].iter(tag)]
        return self._tags[tag]

    def with_word(self, word: str) -> Numbers:
        """Return the elements with a `.class` or `#id`."""
        return self.words.get(word, _NONE)

    def inside(self, some: Numbers, origins: Numbers) -> list[int]:
        """Return which of some elements lie inside any of the origins."""
        found: list[int] = []
        done = -1
        for origin in origins:
            if origin > done:  # else it lies inside the one before
                done = self.ends[origin]
                found.extend(some[bisect_right(some, origin) : bisect_right(some, done)])
        return found


@lru_cache(maxsize=20_000)
def class_words(classes: str) -> tuple[str, ...]:
    """Return the words of a class attribute, each once, each with a dot before it.

    >>> class_words(" post  bg1 post ")
    ('.post', '.bg1')
    """
    return tuple(dict.fromkeys(f".{word}" for word in _SPACES.split(classes) if word))


@cached
def places(page: Page) -> ElementIndex:
    """Return the numbered elements of a page."""
    return ElementIndex(tree(page))
