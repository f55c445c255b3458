"""Numbers filed under features once, then pages in, out come the numbers filed under what the page has.

The page is looked at once: a pass over its elements, and a search for all literals at once in its attributes and text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import cast

from lxml import etree
from lxml.html import HtmlElement

from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.xpath.features import Feature
from siteseer.xpath.literals import Literals
from siteseer.xpath.virtual import metadata

SEPARATOR = "\x01"
"""Joins attribute values; no literal of the fragment can contain it."""
Key = tuple[str, str]
"""Tag and attribute; `*` is any."""
Values = dict[Key, set[str]]
_string_value = cast(Callable[[HtmlElement], str], etree.XPath("string()", smart_strings=False))


class Filed:
    """What is filed under one attribute of one tag, by presence, value and class."""

    def __init__(self) -> None:
        self.present: list[int] = []
        self.values: dict[str, list[int]] = defaultdict(list)
        self.classes: dict[str, list[int]] = defaultdict(list)

    def found(self, values: set[str]) -> Iterator[int]:
        """Return the numbers filed under the values that the attribute has in a page."""
        yield from self.present
        for value in self.values.keys() & values:
            yield from self.values[value]
        if self.classes:
            for token in self.classes.keys() & set(" ".join(values).split()):
                yield from self.classes[token]


class Postings:
    """Numbers by feature."""

    def __init__(self) -> None:
        self._tags: dict[str, list[int]] = defaultdict(list)
        self._attributes: dict[Key, Filed] = defaultdict(Filed)
        self._inside: dict[str, list[tuple[Key, int]]] = defaultdict(list)
        self._inside_names: set[str] = set()
        self._inside_literals = Literals()
        self._text: dict[str, list[int]] = defaultdict(list)
        self._text_literals = Literals()

    def file(self, feature: Feature, number: int) -> None:
        """File a number under a feature."""
        kind, tag, name, literal = feature
        if kind == "tag":
            self._tags[tag].append(number)
        elif kind == "text":
            self._text[literal].append(number)
            self._text_literals.add(literal)
        elif kind == "inside":
            self._inside[literal].append(((tag, name), number))
            self._inside_names.add(name)
            self._inside_literals.add(literal)
        elif kind == "attribute":
            self._attributes[tag, name].present.append(number)
        elif kind == "value":
            self._attributes[tag, name].values[literal].append(number)
        else:
            self._attributes[tag, name].classes[literal].append(number)

    def found(self, page: Page) -> set[int]:
        """Return the numbers filed under the features of the page."""
        tags, values = look_at(page)
        found: set[int] = set()
        for tag in self._tags.keys() & tags:
            found.update(self._tags[tag])
        for key, some in [*values.items(), *self._united(values).items()]:
            if key in self._attributes:
                found.update(self._attributes[key].found(some))
        found.update(self._found_inside(values))
        if self._text:
            text = "".join(map(_string_value, (metadata(page), tree(page))))
            for literal in self._text_literals.found(text):
                found.update(self._text[literal])
        return found

    def _united(self, values: Values) -> Values:
        """Unite the values over all tags, over all names, where something is filed so."""
        united: Values = defaultdict(set)
        for (tag, name), some in values.items():
            for key in (("*", name), (tag, "*"), ("*", "*")):
                if key in self._attributes:
                    united[key] |= some
        return united

    def _found_inside(self, values: Values) -> Iterator[int]:
        """Search all attributes at once, then see for the few literals found whether it was the right attribute."""
        names = self._inside_names
        read = {key: SEPARATOR.join(some) for key, some in values.items() if key[1] in names or "*" in names}
        for literal in self._inside_literals.found(SEPARATOR.join(read.values())):
            for key, number in self._inside[literal]:
                if literal in (_of_any(read, *key) if "*" in key else read.get(key, "")):
                    yield number


def _of_any(read: dict[Key, str], tag: str, name: str) -> str:
    return SEPARATOR.join(text for key, text in read.items() if tag in ("*", key[0]) and name in ("*", key[1]))


def look_at(page: Page) -> tuple[set[str], Values]:
    """Return the tags of the virtual document, and the values of each attribute of each tag."""
    tags: set[str] = set()
    values: Values = defaultdict(set)
    for root in (metadata(page), tree(page)):
        for element in root.iter("*"):
            tag = element.tag
            tags.add(tag)
            for name, value in element.items():
                values[tag, name].add(value)
    return tags, values
