"""Indexes the elements of a page by tag, class and id, numbered in document order.

A knowledge base evaluates hundreds of expressions on a page. One walk over the page, and each answer is a few list
look-ups: an element and all inside it are one interval of numbers, so `div.post//a` is a slice of the list of `a`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from operator import methodcaller
from typing import Any

from lxml import html

from siteseer.model import Page
from siteseer.page.tree import cached, tree

Numbers = Sequence[int]
"""Elements by their number, rising."""
_SPACES = re.compile("[ \t\r\n]+")
_NONE: Numbers = ()
_PARENT: Any = methodcaller("getparent")
_CLASS: Any = methodcaller("get", "class")
_ID: Any = methodcaller("get", "id")


class ElementIndex:
    """The elements of a document: number 0 is the root, those inside `n` are `n + 1` to `ends[n]`."""

    def __init__(self, root: html.HtmlElement) -> None:
        self.elements: list[html.HtmlElement] = list(root.iter("*"))
        self.numbers = dict(zip(self.elements, range(len(self.elements)), strict=True))
        self._tags: dict[str, Numbers] = {"*": range(len(self.elements))}
        self.words: dict[str, list[int]] = {}
        """Elements by `.class` and `#id`."""
        self._file_classes()
        for identifier, numbers in self._filed(_ID).items():
            self.words["#" + identifier] = numbers

    @cached_property
    def parents(self) -> list[int]:
        """The parent of each element; that of the root is -1."""
        return [-1, *map(self.numbers.__getitem__, map(_PARENT, self.elements[1:]))]

    @cached_property
    def ends(self) -> list[int]:
        """The last element inside each element, or itself."""
        parents = self.parents
        ends = list(range(len(parents)))
        for number in range(len(parents) - 1, 0, -1):
            if ends[parents[number]] < ends[number]:
                ends[parents[number]] = ends[number]
        return ends

    def _filed(self, value: Callable[[Any], str | None]) -> dict[str, list[int]]:
        """Return the elements that have an attribute, by its value."""
        filed = defaultdict[str | None, list[int]](list)
        for number, said in enumerate(map(value, self.elements)):
            filed[said].append(number)
        return {said: numbers for said, numbers in filed.items() if said is not None}

    def _file_classes(self) -> None:
        """File elements under their classes: attributes of one spelling together, as most elements share theirs."""
        shared = set()
        for classes, numbers in self._filed(_CLASS).items():
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
