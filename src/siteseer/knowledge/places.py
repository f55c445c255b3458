"""A page in, its elements numbered in document order out, filed by tag, class and id.

A knowledge base asks a page hundreds of questions. One walk over the page, and each answer is a few list look-ups: an
element and all inside it are one interval of numbers, so `div.post//a` is a slice of the list of `a`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from lxml import html

from siteseer.model import Page
from siteseer.page.tree import cached, tree

Numbers = Sequence[int]
"""Elements by their number, rising."""
_SPACES = re.compile("[ \t\r\n]+")
_NONE: Numbers = ()


class Places:
    """The elements of a document: number 0 is the root, those inside `n` are `n + 1` to `ends[n]`."""

    __slots__ = ("elements", "ends", "names", "numbers", "parents", "tags", "words")

    def __init__(self, root: html.HtmlElement) -> None:
        self.elements: list[html.HtmlElement] = list(root.iter("*"))
        self.numbers = {element: number for number, element in enumerate(self.elements)}
        self.names: list[str] = [element.tag for element in self.elements]
        self.tags = tags = defaultdict[str, list[int]](list)
        self.words = words = defaultdict[str, list[int]](list)
        """Elements by `.class` and `#id`."""
        for number, name in enumerate(self.names):
            tags[name].append(number)
        for number, classes in enumerate([element.get("class") for element in self.elements]):
            if classes:
                for word in class_words(classes):
                    words[word].append(number)
        for number, identifier in enumerate([element.get("id") for element in self.elements]):
            if identifier is not None:
                words["#" + identifier].append(number)
        number_of = self.numbers.get
        self.parents = parents = [number_of(element.getparent(), -1) for element in self.elements]
        self.ends = ends = list(range(len(parents)))
        for number in range(len(parents) - 1, 0, -1):
            if ends[parents[number]] < ends[number]:
                ends[parents[number]] = ends[number]

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
