"""Files numbers under features, and returns the numbers whose features a page has (inverted index).

A page is read once: one pass over its elements, and one search for all literals in its attributes and text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Set
from functools import cached_property
from typing import Any, cast

from lxml import etree
from lxml.html import HtmlElement

from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.xpath.feature_cover import Feature, required
from siteseer.xpath.literal_matcher import Literals
from siteseer.xpath.syntax import Expression
from siteseer.xpath.virtual_document import metadata

SEPARATOR = "\x01"
"""Joins attribute values; no literal of the fragment can contain it."""
Key = tuple[str, str]
"""Tag and attribute; `*` is any."""
Attribute = tuple[str, tuple[str, str]]
"""Tag, and name and value of an attribute; `*` is any tag or name."""
Numbers = dict[Any, list[int]]
_string_value = cast(Callable[[HtmlElement], str], etree.XPath("string()", smart_strings=False))


class PageFeatures:
    """The features of a page: its tags, and the attributes of each, every distinct one once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tags: set[str] = set()
        self.attributes: set[Attribute] = set()
        for root in (metadata(page), tree(page)):
            for element in root.iter("*"):
                tag = element.tag
                self.tags.add(tag)
                for item in element.items():
                    self.attributes.add((tag, item))
        self._classes: dict[str, set[str]] = {}
        self.values: dict[Key, list[str]] = defaultdict(list)
        for tag, (name, value) in self.attributes:
            self.values[tag, name].append(value)

    @cached_property
    def text(self) -> str:
        """The text of the virtual document."""
        return "".join(map(_string_value, (metadata(self.page), tree(self.page))))

    @cached_property
    def joined(self) -> dict[Key, str]:
        """The values of each attribute of each tag as one text."""
        return {key: SEPARATOR.join(values) for key, values in self.values.items()}

    def inside(self, key: Key) -> str:
        """Return the values of the attributes that a key means as one text."""
        if "*" in key and key not in self.joined:
            tag, name = key
            keys = [k for k in self.values if tag in ("*", k[0]) and name in ("*", k[1])]
            self.joined[key] = SEPARATOR.join(self.joined[k] for k in keys)
        return self.joined.get(key, "")

    def classes(self, tag: str) -> set[str]:
        """Return the classes of the elements of a tag."""
        if tag not in self._classes:
            self._classes[tag] = set(self.inside((tag, "class")).replace(SEPARATOR, " ").split())
        return self._classes[tag]

    def has(self, feature: Feature) -> bool:
        """Whether the page may have a feature; True where finding out would take long."""
        kind, tag, name, literal = feature
        if kind == "tag":
            return tag in self.tags
        if kind == "class":
            return literal in self.classes(tag)
        if kind == "text" or "*" in (tag, name):
            return True
        if kind == "value":
            return (tag, (name, literal)) in self.attributes
        return (tag, name) in self.values and (kind == "attribute" or literal in self.inside((tag, name)))

    def may_match(self, expression: Expression) -> bool:
        """Whether the page has a feature of every cover that some alternative of an expression offers."""
        return any(all(any(map(self.has, one)) for one in covers) for covers in required(expression))


class InvertedIndex:
    """Numbers by feature."""

    def __init__(self) -> None:
        self._tags: Numbers = defaultdict(list)
        self._present: Numbers = defaultdict(list)
        self._values: Numbers = defaultdict(list)
        self._classes: dict[str, Numbers] = defaultdict(lambda: defaultdict(list))
        self._inside: dict[str, Numbers] = defaultdict(lambda: defaultdict(list))
        self._inside_literals = Literals()
        self._text: Numbers = defaultdict(list)
        self._text_literals = Literals()
        self._stars: set[tuple[bool, bool]] = set()
        """Whether tag and name are `*` among the attributes that are looked up by key or value."""

    def file(self, feature: Feature, number: int) -> None:
        """File a number under a feature."""
        kind, tag, name, literal = feature
        if kind == "tag":
            self._tags[tag].append(number)
        elif kind == "class":
            self._classes[literal][tag].append(number)
        elif kind == "text":
            self._text[literal].append(number)
            self._text_literals.add(literal)
        elif kind == "inside":
            self._inside[literal][tag, name].append(number)
            self._inside_literals.add(literal)
        else:
            self._stars.add((tag == "*", name == "*"))
            if kind == "attribute":
                self._present[tag, name].append(number)
            else:
                self._values[tag, (name, literal)].append(number)

    def found(self, look: PageFeatures) -> set[int]:
        """Return the numbers filed under the features of a page."""
        found: set[int] = set()
        _collect(self._tags, look.tags, found)
        for stars in self._stars:
            _collect(self._present, _keys(look, *stars), found)
            _collect(self._values, _attributes(look, *stars), found)
        for name in self._classes.keys() & look.classes("*"):
            _collect(self._classes[name], {tag for tag in self._classes[name] if name in look.classes(tag)}, found)
        self._collect_inside(look, found)
        if self._text:
            for literal in self._text_literals.likely(look.text):
                if literal in look.text:
                    found.update(self._text[literal])
        return found

    def _collect_inside(self, look: PageFeatures, found: set[int]) -> None:
        """Search all attributes at once, then see for the few literals that are likely whether it is the right one."""
        if not self._inside:
            return
        for literal in self._inside_literals.likely(look.inside(("*", "*"))):
            for key, numbers in self._inside[literal].items():
                if literal in look.inside(key):
                    found.update(numbers)


def _collect(numbers: Numbers, present: Set[Any], found: set[int]) -> None:
    for one in numbers.keys() & present:
        found.update(numbers[one])


def _keys(look: PageFeatures, any_tag: bool, any_name: bool) -> Set[Key]:
    """Return tag and name of all attributes, each replaced by `*` where any is meant."""
    if not any_tag and not any_name:
        return look.values.keys()
    return {("*" if any_tag else tag, "*" if any_name else name) for tag, name in look.values}


def _attributes(look: PageFeatures, any_tag: bool, any_name: bool) -> Set[Attribute]:
    """Return tag, name and value of all attributes, tag and name replaced by `*` where any is meant."""
    if not any_tag and not any_name:
        return look.attributes
    if not any_name:
        return {("*", item) for _, item in look.attributes}
    return {("*" if any_tag else tag, ("*", value)) for tag, (_, value) in look.attributes}
