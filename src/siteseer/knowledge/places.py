"""A page in, its elements numbered in document order out, filed by tag, class and id.

A knowledge base asks a page hundreds of questions. One walk over the page, and each answer is a few list look-ups: an
element and all inside it are one interval of numbers, so `div.post//a` is a slice of the list of `a`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import attrgetter, methodcaller
from typing import Any

from lxml import html

from siteseer.model import Page
from siteseer.page.tree import cached, tree

Numbers = Sequence[int]
"""Elements by their number, rising."""
_SPACES = re.compile("[ \t\r\n]+")
_NONE: Numbers = ()
_TAG: Any = attrgetter("tag")
_CLASS: Any = methodcaller("get", "class")
_ID: Any = methodcaller("get", "id")
_PARENT: Any = methodcaller("getparent")


class Places:
    """The elements of a document: number 0 is the root, those inside `n` are `n + 1` to `ends[n]`."""

    __slots__ = ("elements", "ends", "names", "numbers", "parents", "tags", "words")

    def __init__(self, root: html.HtmlElement) -> None:
        self.elements: list[html.HtmlElement] = list(root.iter("*"))
        self.numbers = dict(zip(self.elements, range(len(self.elements)), strict=True))
        self.names: list[str] = list(map(_TAG, self.elements))
        self.tags = _filed(self.names)
        self.words: dict[str, list[int]] = {}
        """Elements by `.class` and `#id`."""
        self._file_classes()
        for identifier, numbers in _filed(map(_ID, self.elements)).items():
            self.words["#" + identifier] = numbers
        self.parents = parents = [-1, *map(self.numbers.__getitem__, map(_PARENT, self.elements[1:]))]
        self.ends = ends = list(range(len(parents)))
        for number in range(len(parents) - 1, 0, -1):
            if ends[parents[number]] < ends[number]:
                ends[parents[number]] = ends[number]

    def _file_classes(self) -> None:
        """File elements under their classes: attributes of one spelling together, as most elements share theirs."""
        shared = set()
        for classes, numbers in _filed(map(_CLASS, self.elements)).items():
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
        return range(len(self.elements)) if tag == "*" else self.tags.get(tag, _NONE)

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


def _filed(values: Iterable[str | None]) -> dict[str, list[int]]:
    """Return the places at which each value stands."""
    filed = defaultdict[str, list[int]](list)
    for number, value in enumerate(values):
        if value is not None:
            filed[value].append(number)
    return filed


@lru_cache(maxsize=20_000)
def class_words(classes: str) -> tuple[str, ...]:
    """Return the words of a class attribute, each once, each with a dot before it.

    >>> class_words(" post  bg1 post ")
    ('.post', '.bg1')
    """
    return tuple(dict.fromkeys(f".{word}" for word in _SPACES.split(classes) if word))


@cached
def places(page: Page) -> Places:
    """Return the numbered elements of a page."""
    return Places(tree(page))
