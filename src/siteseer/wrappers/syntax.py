"""The syntax nodes of the wrapper language: frozen values whose `str()` parses back to the same node.

An expression is a value (`Literal`, `Number`, `Variable`, `Call`), an operation (`Binary`, `Negative`) or a `Path`. A
path starts somewhere and makes `Move`s: a `Step` of XPath, an `Action`, a `Star`. Moves carry `Qualifier`s: predicates,
optional predicates, extraction markers, CSS-like selectors. Whoever only needs XPath uses `Path`, `Step`, `Predicate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from siteseer.wrappers.syntax_moves import (
    AXES,
    KEYWORDS,
    REVERSE_AXES,
    Action,
    Deed,
    Marker,
    Move,
    Optional,
    Predicate,
    Qualifier,
    Selector,
    Star,
    Step,
    joined,
    options,
    written,
)
from siteseer.wrappers.syntax_values import PRECEDENCE, Binary, Call, Literal, Negative, Number, Variable

__all__ = (
    "AXES", "KEYWORDS", "PRECEDENCE", "REVERSE_AXES", "Action", "Binary", "Call", "Deed", "Document", "Expression",
    "Group", "Literal", "Marker", "Move", "Negative", "Number", "Optional", "Path", "Predicate", "Qualifier",
    "Selector", "Star", "Start", "Step", "Variable",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """`doc("http://example.org/")`: load a page."""

    url: Literal | Variable
    wait: int = 0
    noback: bool = False
    qualifiers: tuple[Qualifier, ...] = ()

    def __str__(self) -> str:
        how = options(self.wait, self.noback)
        return f"doc({self.url}{', ' + how if how else ''}){written(self.qualifiers)}"


@dataclass(frozen=True, slots=True)
class Group:
    """`(//a)[1]`: any expression as the start of a path."""

    inner: Expression
    qualifiers: tuple[Qualifier, ...] = ()

    def __str__(self) -> str:
        bare = isinstance(self.inner, Call | Variable)
        return (str(self.inner) if bare else f"({self.inner})") + written(self.qualifiers)


Start = OneOf["", "/"] | Document | Group


@dataclass(frozen=True, slots=True)
class Path:
    """Moves from the context node (start empty), the root (`/`), a document, or the nodes of an expression.

    >>> str(Path("/", (Step("a", deep=True, qualifiers=(Selector(".", "next"),)), Action("keyword", "click", True))))
    '//a.next/{click /}'
    """

    start: Start = ""
    moves: tuple[Move, ...] = ()

    def __post_init__(self) -> None:
        if self.start == "" and not self.moves:
            raise ValueError("a path without moves is written '.'")
        first = self.moves[0] if self.moves else Step()
        if self.start in ("", "/") and not isinstance(first, Step):
            raise ValueError("an action or a star begins at a node: write '.' before it")
        if self.start == "" and isinstance(first, Step) and first.deep:
            raise ValueError("a path from the context node begins without //")

    def __str__(self) -> str:
        if self.start == "":
            return joined(self.moves)[1:]
        if self.start == "/":
            return joined(self.moves) or "/"
        return f"{self.start}{joined(self.moves)}"


Expression = Literal | Number | Variable | Call | Negative | Binary | Path
