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

    def collect(self, values: set[str], found: set[int]) -> None:
        """Add the numbers filed under the values that the attribute has in a page."""
        found.update(self.present)
        if self.values:
            for value in self.values.keys() & values:
                found.update(self.values[value])
        if self.classes:
            for token in self.classes.keys() & set(" ".join(values).split()):
                found.update(self.classes[token])


class Postings:
    """Numbers by feature."""

    def __init__(self) -> None:
        self._tags: dict[str, list[int]] = defaultdict(list)
        self._attributes: dict[Key, Filed] = defaultdict(Filed)
        self._is_wild = False
        self._inside: dict[str, dict[Key, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._inside_names: set[str] = set()
        self._inside_literals = Literals()
        self._text: dict[str, list[int]] = defaultdict(list)
        self._text_literals = Literals()

    def file(self, feature: Feature, number: int) -> None:
        """File a number under a feature."""
        kind, tag, name, literal = feature
        self._is_wild |= "*" in (tag, name) and kind in ("attribute", "value", "class")
        if kind == "tag":
            self._tags[tag].append(number)
        elif kind == "text":
            self._text[literal].append(number)
            self._text_literals.add(literal)
        elif kind == "inside":
            self._inside[literal][tag, name].append(number)
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
        for some_values in (values, self._united(values)):
            for key in self._attributes.keys() & some_values:
                self._attributes[key].collect(some_values[key], found)
        found.update(self._found_inside(values))
        if self._text:
            text = "".join(map(_string_value, (metadata(page), tree(page))))
            for literal in self._text_literals.likely(text):
                if literal in text:
                    found.update(self._text[literal])
        return found

    def _united(self, values: Values) -> Values:
        """Unite the values over all tags, over all names, where something is filed so."""
        united: Values = defaultdict(set)
        if not self._is_wild:
            return united
        for (tag, name), some in values.items():
            for key in (("*", name), (tag, "*"), ("*", "*")):
                if key in self._attributes:
                    united[key] |= some
        return united

    def _found_inside(self, values: Values) -> Iterator[int]:
        """Search all attributes at once, then see for the few literals that are likely whether it is the right one."""
        names = self._inside_names
        read = {key: SEPARATOR.join(some) for key, some in values.items() if key[1] in names or "*" in names}
        likely = self._inside_literals.likely(SEPARATOR.join(read.values()))
        for literal in likely:
            for key, numbers in self._inside[literal].items():
                if "*" in key and key not in read:
                    read[key] = _of_any(read, *key)
                if literal in read.get(key, ""):
                    yield from numbers


def _of_any(read: dict[Key, str], tag: str, name: str) -> str:
    """Join the values of the attributes that a key with a `*` means."""
    return SEPARATOR.join(
        text for key, text in read.items() if "*" not in key and tag in ("*", key[0]) and name in ("*", key[1])
    )


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
