"""The syntax nodes of values and operations: strings, numbers, variables, calls, signs and operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from siteseer.wrappers.syntax import Expression

PRECEDENCE = {
    "or": 1, "and": 2, "=": 3, "!=": 3, "~=": 3, "#=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "+": 5, "-": 5, "*": 6, "div": 6, "mod": 6, "|": 8,
}  # fmt: skip
"""How strongly operators bind; 7 is the sign of a number."""
SIGN, PATH = 7, 9


@dataclass(frozen=True, slots=True)
class Literal:
    """`'Next'`: a string; a quote of its own kind inside it is doubled.

    >>> print(Literal("it's"))
    "it's"
    """

    text: str

    def __str__(self) -> str:
        if "'" in self.text and '"' not in self.text:
            return f'"{self.text}"'
        return "'" + self.text.replace("'", "''") + "'"


@dataclass(frozen=True, slots=True)
class Number:
    """`3` or `0.5`, as it was written."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Variable:
    """`$town`: a value that the person gives when the wrapper is run."""

    name: str

    def __str__(self) -> str:
        return f"${self.name}"


@dataclass(frozen=True, slots=True)
class Call:
    """`contains(., 'Next')`: a function and its arguments."""

    name: str
    arguments: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True, slots=True)
class Negative:
    """`-x`."""

    operand: Expression

    def __str__(self) -> str:
        return "-" + within(self.operand, SIGN)


@dataclass(frozen=True, slots=True)
class Binary:
    """`left operator right`; operators of one strength are read from the left.

    >>> str(Binary("-", Number("5"), Binary("-", Number("2"), Number("1"))))
    '5 - (2 - 1)'
    """

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        strength = PRECEDENCE[self.operator]
        blank = "" if self.operator in ("=", "!=", "~=", "#=") else " "
        return f"{within(self.left, strength)}{blank}{self.operator}{blank}{within(self.right, strength + 1)}"


def within(expression: Expression, strength: int) -> str:
    """Write an operand, in parentheses where its operator binds less than `strength`."""
    if isinstance(expression, Binary):
        own = PRECEDENCE[expression.operator]
    else:
        own = SIGN if isinstance(expression, Negative) else PATH
    text = str(expression)
    # A lone slash would take the operator behind it for its first step.
    return f"({text})" if own < strength or text == "/" else text
