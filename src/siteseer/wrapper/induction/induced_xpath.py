"""The fragment of XPath 1.0 in which expressions are induced: frozen values that print as XPath.

    expression ::= (start | label) move* leaf
    label      ::= scope? //text()[normalize-space(.)='L']      a constant text, off the path to the value
    move       ::= /test | //test | /ancestor::test[1] | /following-sibling::test[j] | /following::test[1]
    test       ::= tag | *[@id='v'] | *[class word] | tag[class word] | tag[i] | tag[last()]
                 | a[normalize-space(.)='L']
    leaf       ::= (the element) | /@name | /text() | /text()[k] | /text()[last()] | //text() | /following::text()[d]

Texts that are blank, and texts of scripts, do not count. How much of that an expression must say to mean the same on
the raw tree is its spelling: `plain` says nothing, `tidy` leaves blank texts out where texts are counted, `careful`
also scripts and no-break spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Spelling = Literal["plain", "tidy", "careful"]
SPELLINGS: tuple[Spelling, ...] = ("plain", "tidy", "careful")
Axis = Literal[
    "child", "descendant", "ancestor", "following-sibling", "preceding-sibling", "following", "preceding"
]  # fmt: skip
NBSP = "\u00a0"

_CLASS = "contains(concat(' ',normalize-space(@class),' '),{})"
_READ = {
    "plain": "",
    "tidy": "[normalize-space()]",
    "careful": f"[normalize-space(translate(.,'{NBSP}',' '))]"
    "[not(ancestor::script or ancestor::style or ancestor::noscript)]",
}


def quoted(text: str) -> str:
    """Return a text as an XPath string, whatever quotes it has.

    >>> quoted("it's"), quoted('a"\\'b')
    ('"it\\'s"', 'concat(\\'a"\\',"\\'",\\'b\\')')
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = text.split("'")
    return "concat(" + ',"\'",'.join(f"'{part}'" for part in parts) + ")"


@dataclass(frozen=True, slots=True)
class Test:
    """A test of an element: its tag, one attribute (one word of `class`), its position among siblings of its tag.

    >>> print(Test("td", position=2)), print(Test("*", "id", "main"))
    td[2]
    *[@id='main']
    (None, None)
    """

    tag: str = "*"
    attribute: str = ""
    value: str = ""
    position: int = 0
    """Counted from 1; -1 is the last; 0 is any."""
    text: str = ""
    """What is written in the whole element: only for links that always say the same."""

    def __str__(self) -> str:
        written = self.tag
        if self.attribute == "class":
            written += f"[{_CLASS.format(quoted(f' {self.value} '))}]"
        elif self.attribute:
            written += f"[@{self.attribute}={quoted(self.value)}]"
        if self.text:
            written += f"[normalize-space(.)={quoted(self.text)}]"
        if self.position:
            written += "[last()]" if self.position < 0 else f"[{self.position}]"
        return written


@dataclass(frozen=True, slots=True)
class Move:
    """One step over elements; `nth` counts along the axis, from near to far (0: all)."""

    axis: Axis
    test: Test
    nth: int = 0

    def __str__(self) -> str:
        if self.axis in ("child", "descendant"):
            return ("/" if self.axis == "child" else "//") + str(self.test)
        return f"/{self.axis}::{self.test}" + (f"[{self.nth}]" if self.nth else "")


@dataclass(frozen=True, slots=True)
class Label:
    """A constant text from which the value is found; `folded` finds it in any case, with or without colons."""

    text: str
    scope: Test | None = None
    folded: bool = False

    def written(self, spelling: Spelling) -> str:
        """Return the label as XPath."""
        inside = f"//{self.scope}" if self.scope else ""
        return f"{inside}//text()[normalize-space({self._read(spelling)})={quoted(self.text)}]"

    def _read(self, spelling: Spelling) -> str:
        source, target = "", ""
        if self.folded:
            letters = dict.fromkeys(one for one in self.text if one.upper() != one and len(one.upper()) == 1)
            source, target = "".join(letters).upper(), "".join(letters)
        if spelling == "careful":
            source, target = source + NBSP, target + " "
        source += ":" if self.folded else ""
        return f"translate(.,{quoted(source)},{quoted(target)})" if source else "."


@dataclass(frozen=True, slots=True)
class Leaf:
    """What is selected in the end: the element, an attribute, its texts (all, k-th, last), texts inside or beside."""

    kind: Literal["element", "attribute", "child", "inside", "following", "preceding", "sibling"]
    nth: int = 0
    name: str = ""

    def written(self, spelling: Spelling) -> str:
        """Return the leaf as XPath."""
        if self.kind == "element":
            return ""
        if self.kind == "attribute":
            return f"/@{self.name}"
        axis = {"child": "/", "inside": "//", "sibling": "/following-sibling::"}.get(self.kind, f"/{self.kind}::")
        if self.kind == "inside" and self.nth:
            axis = "/descendant::"
        counted = _READ[spelling] if self.nth or spelling == "careful" else ""
        return f"{axis}text(){counted}" + ("" if not self.nth else "[last()]" if self.nth < 0 else f"[{self.nth}]")


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole expression; printed from the root of the page, or from a record with `relative`.

    >>> print(Expression(Label("Author:"), (), Leaf("following", 1)))
    //text()[normalize-space(.)='Author:']/following::text()[normalize-space()][1]
    """

    label: Label | None
    moves: tuple[Move, ...]
    leaf: Leaf

    def written(self, spelling: Spelling, relative: bool = False) -> str:
        """Return the expression as XPath 1.0."""
        start = self.label.written(spelling) if self.label else ""
        text = start + "".join(map(str, self.moves)) + self.leaf.written(spelling)
        return ("." if relative else "") + text

    def __str__(self) -> str:
        return self.written("tidy")

    @property
    def of_elements(self) -> bool:
        """Say whether elements are selected, themselves or for an attribute; else texts are."""
        return self.leaf.kind in ("element", "attribute")

    @property
    def quotes(self) -> frozenset[str]:
        """Return the names and texts of the page on which the expression stands."""
        tests = [move.test for move in self.moves]
        found = {f"{one.attribute}={one.value}" for one in tests if one.attribute} | {one.text for one in tests}
        if self.label:
            found.add(self.label.text)
            if self.label.scope:
                found.add(f"{self.label.scope.attribute}={self.label.scope.value}")
        return frozenset(found - {""})
