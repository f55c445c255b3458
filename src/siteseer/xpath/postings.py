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
Values = dict[tuple[str, str], set[str]]
"""Tag and attribute to the values found; `*` for the tag, or for both, where patterns ask so."""
_string_value = cast(Callable[[HtmlElement], str], etree.XPath("string()", smart_strings=False))


class Filed:
    """What is filed under one attribute of one tag."""

    def __init__(self) -> None:
        self.present: list[int] = []
        self.values: dict[str, list[int]] = defaultdict(list)
        self.classes: dict[str, list[int]] = defaultdict(list)
        self.inside = Literals()

    def found(self, values: set[str]) -> Iterator[int]:
        """Return the numbers filed under the values that the attribute has in a page."""
        yield from self.present
        for value in self.values.keys() & values:
            yield from self.values[value]
        if self.classes:
            for token in self.classes.keys() & set(" ".join(values).split()):
                yield from self.classes[token]
        if len(self.inside):
            yield from self.inside.found(SEPARATOR.join(values))


class Postings:
    """Numbers by feature."""

    def __init__(self) -> None:
        self._tags: dict[str, list[int]] = defaultdict(list)
        self._attributes: dict[tuple[str, str], Filed] = defaultdict(Filed)
        self._text = Literals()

    def file(self, feature: Feature, number: int) -> None:
        """File a number under a feature."""
        if feature.kind == "tag":
            self._tags[feature.tag].append(number)
            return
        if feature.kind == "text":
            self._text.add(feature.literal, number)
            return
        filed = self._attributes[feature.tag, feature.name]
        if feature.kind == "attribute":
            filed.present.append(number)
        elif feature.kind == "value":
            filed.values[feature.literal].append(number)
        elif feature.kind == "class":
            filed.classes[feature.literal].append(number)
        else:
            filed.inside.add(feature.literal, number)

    def found(self, page: Page) -> set[int]:
        """Return the numbers filed under the features of the page."""
        tags, values = look_at(page)
        found: set[int] = set()
        for tag in self._tags.keys() & tags:
            found.update(self._tags[tag])
        values.update(self._of_any_tag(values))
        for key in self._attributes.keys() & values.keys():
            found.update(self._attributes[key].found(values[key]))
        if len(self._text):
            found.update(self._text.found("".join(map(_string_value, (metadata(page), tree(page))))))
        return found

    def _of_any_tag(self, values: Values) -> Values:
        """Unite the values over all tags, and over all names, where something is filed so."""
        united: Values = defaultdict(set)
        for (tag, name), some in values.items():
            for key in (("*", name), (tag, "*"), ("*", "*")):
                if key in self._attributes:
                    united[key] |= some
        return united


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
