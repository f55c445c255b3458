"""The syntax nodes of the XPath fragment: frozen values whose `str()` parses back to the same node.

An `Expression` is a choice of `Path`s, a path is a row of `Step`s, a step tests a node and filters it by predicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Axis = Literal["child", "descendant", "parent", "ancestor", "following-sibling", "preceding-sibling"]
Start = Literal["", "/", "."]
Comparison = Literal["contains", "starts-with", "=", "!="]

WRITTEN_AXES: tuple[Axis, ...] = ("parent", "ancestor", "following-sibling", "preceding-sibling")
"""The axes that are written out before a node test; `child` and `descendant` are written `/` and `//`."""


@dataclass(frozen=True, slots=True)
class Position:
    """`[3]`: the third among the siblings that passed the filters before it."""

    number: int

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Last:
    """`[last()]`: the last among the siblings that passed the filters before it."""

    def __str__(self) -> str:
        return "last()"


@dataclass(frozen=True, slots=True)
class Exists:
    """`[h2/a]`: the path selects something."""

    value: Path

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Compare:
    """`[contains(@src,'x')]`, `[starts-with(.,'x')]`, `[@id='x']`, `[@id!='x']`."""

    comparison: Comparison
    value: Path
    literal: str

    def __str__(self) -> str:
        if self.comparison in ("=", "!="):
            return f"{self.value}{self.comparison}{quoted(self.literal)}"
        return f"{self.comparison}({self.value},{quoted(self.literal)})"


@dataclass(frozen=True, slots=True)
class Not:
    """`[not(@id)]`."""

    part: Condition

    def __str__(self) -> str:
        return f"not({self.part})"


@dataclass(frozen=True, slots=True)
class And:
    """`[@id and @class]`: all parts hold; at least two parts."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " and ".join(f"({part})" if isinstance(part, And | Or) else str(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Or:
    """`[@id or @class]`: one of the parts holds; at least two parts."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " or ".join(f"({part})" if isinstance(part, Or) else str(part) for part in self.parts)


Condition = Exists | Compare | Not | And | Or
Predicate = Condition | Position | Last


@dataclass(frozen=True, slots=True)
class Step:
    """One step: how to get there, what to find (`div`, `*`, `@href`, `@*`, `text()`), and what must hold of it.

    >>> str(Step("div", classes=("post",), predicates=(Position(1),)))
    'div.post[1]'
    """

    test: str
    axis: Axis = "child"
    ids: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    predicates: tuple[Predicate, ...] = ()

    def __str__(self) -> str:
        axis = f"{self.axis}::" if self.axis in WRITTEN_AXES else ""
        ids = "".join(f"#{name}" for name in self.ids)
        classes = "".join(f".{name}" for name in self.classes)
        return axis + self.test + ids + classes + "".join(f"[{predicate}]" for predicate in self.predicates)

    @property
    def is_element(self) -> bool:
        """Whether the step selects elements, not attributes or text."""
        return self.test[0] != "@" and self.test != "text()"


@dataclass(frozen=True, slots=True)
class Path:
    """A row of steps from the root (`/`), from the context node (`.`), or from wherever its use implies (empty).

    >>> str(Path("", (Step("div"), Step("a", "descendant"), Step("@href"))))
    'div//a/@href'
    """

    start: Start
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.steps and self.start != ".":
            raise ValueError("a path without steps is written '.'")
        if self.start == "" and self.steps[0].axis == "descendant":
            raise ValueError("a path that starts with // starts at the root ('/') or at the context ('.')")
        if len(self.steps) > 1 and not all(step.is_element for step in self.steps[:-1]):
            raise ValueError("an attribute or text() can only be the last step")

    def __str__(self) -> str:
        text: str = self.start if self.start == "." else ""
        for number, step in enumerate(self.steps):
            joined = number > 0 or self.start != ""
            text += ("//" if step.axis == "descendant" else "/") * joined + str(step)
        return text


@dataclass(frozen=True)
class Expression:
    """Alternatives separated by `|`, the preferred one first.

    >>> str(Expression((Path("", (Step("h1"),)), Path("", (Step("h2"),)))))
    'h1 | h2'
    """

    alternatives: tuple[Path, ...]

    @cached_property
    def _hash(self) -> int:
        return hash(self.alternatives)

    def __hash__(self) -> int:
        # Expressions are keys of the caches of compiled forms: walking the nodes at each look-up would cost more
        # than many an evaluation.
        return self._hash

    def __str__(self) -> str:
        return " | ".join(str(path) for path in self.alternatives)


def quoted(literal: str) -> str:
    """Write a string of the fragment.

    >>> print(quoted("it's"), quoted('''it's "new"'''))
    "it's" 'it''s "new"'
    """
    if "'" in literal and '"' not in literal:
        return f'"{literal}"'
    return "'" + literal.replace("'", "''") + "'"
