"""The page model of FOREST: elements numbered depth first from `body`, with level, type and terms.

Reference: the thesis, section 2.6.1, Definitions 2 and 3.
"""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from lxml import etree, html

from siteseer.extract.article.forest.signifiers import terms

Term = TypeVar("Term", bound=Hashable)
DROPPED = frozenset("head script style noscript template iframe svg".split())
ATTRIBUTES = ("class", "id", "itemprop", "itemtype", "role", "style")
"""Attributes that name an element's type, sorted; others (addresses, titles) tell of one page only."""
MAX_ELEMENTS = 100_000
_DIGITS = re.compile(r"\d+")
_LONGEST = 60


@dataclass(slots=True)
class Document(Generic[Term]):
    """The elements of a page in depth-first order; the number of an element, `dfs`, is its place plus one."""

    parents: list[int] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    terms: list[list[Term]] = field(default_factory=list)
    """Of the text directly in the element."""
    elements: list[html.HtmlElement] = field(default_factory=list)

    def all_terms(self) -> list[Term]:
        """Return the terms of the whole page."""
        return [term for own in self.terms for term in own]


def tolerant(value: str) -> str:
    """Return the tolerant form of an attribute's value: its first token without numbers.

    >>> tolerant("post wrapper-09"), tolerant("post-123"), tolerant("42")
    ('post', 'post', '')
    """
    first = value.split(None, 1)
    kept = _DIGITS.sub("", first[0]).rstrip("-_.:") if first else ""
    return kept if len(kept) <= _LONGEST and "/" not in kept and "'" not in kept else ""


def element_type(tag: str, attributes: Mapping[str, str], dfs: int) -> str:
    """Return the element type of Definition 2: tag and tolerant attributes, or tag and number where it has none.

    >>> element_type("div", {"id": "container", "class": "post wide-2"}, 7), element_type("p", {}, 24)
    ("div[@class='post'][@id='container']", 'p[@dfs=24]')
    """
    pairs = [(name, tolerant(attributes[name])) for name in ATTRIBUTES if name in attributes]
    told = "".join(f"[@{name}='{value}']" for name, value in pairs if value)
    return tag + (told or (f"[@dfs={dfs}]" if tag != "body" else ""))


def document(root: html.HtmlElement, left_out: Container[html.HtmlElement] = frozenset()) -> Document[str]:
    """Return the elements below `body` without what is left out."""
    body = next(root.iter("body"), root)
    found: Document[str] = Document()
    stack: list[int] = []
    pieces: list[list[str]] = []
    walk: Any = etree.iterwalk(body, events=("start", "end", "comment"))
    for event, element in walk:
        if event == "start":
            if element.tag in DROPPED or element in left_out or len(found.types) >= MAX_ELEMENTS:
                walk.skip_subtree()
                stack.append(-1)
                continue
            number = len(found.types)
            found.parents.append(stack[-1] if stack else 0)
            found.levels.append(len(stack) + 1)
            found.types.append(element_type(element.tag, element.attrib, number + 1))
            found.elements.append(element)
            pieces.append([element.text or ""])
            stack.append(number)
        else:
            if event == "end":
                stack.pop()
            if element is not body and element.tail and stack:
                pieces[stack[-1]].append(element.tail)
    found.terms = [terms(" ".join(own)) for own in pieces]
    return found
