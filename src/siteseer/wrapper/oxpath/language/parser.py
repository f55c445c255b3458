"""Parses the text of a wrapper to syntax nodes: recursive descent, one function for each rule of `grammar.ebnf`.

Differs from the first implementation of the language: operators of one strength are read from the left, as XPath says;
a star may follow an action without a slash; a lower bound alone is open above.
"""

from __future__ import annotations

from functools import lru_cache

from siteseer.wrapper.oxpath.language.cursor import NAME, Cursor
from siteseer.wrapper.oxpath.language.parse_moves import (
    complex_follows,
    document,
    moves,
    read_complex,
    step,
    step_follows,
)
from siteseer.wrapper.oxpath.language.parse_qualifiers import qualifiers
from siteseer.wrapper.oxpath.language.signatures import ARITIES, NODE_TESTS
from siteseer.wrapper.oxpath.language.syntax import (
    PRECEDENCE,
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Negative,
    Number,
    Path,
    Step,
    Variable,
)
from siteseer.wrapper.oxpath.language.syntax_error import WrapperSyntaxError, refuse_hostile

OPERATORS = r"(or|and|div|mod)(?![A-Za-z0-9_\-])|(!=|~=|#=|<=|>=|=|<|>|\+|-|\*|\|)"
WHAT_NEXT = "expected a step, a predicate, an action /{...}, a star /(...)*, a marker :<...> or an operator"


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """Parse a wrapper.

    >>> str(parse('doc("e.org") //a . next /{ click/ } //h1 :<t = string(.)>'.replace(" . ", ".")))
    "doc('e.org')//a.next/{click /}//h1:<t=string(.)>"
    """
    refuse_hostile(text)
    reader = Cursor(text)
    if reader.is_done():
        reader.fail("write an expression")
    found = expression(reader)
    if not reader.is_done():
        reader.fail(WHAT_NEXT)
    return found


def expression(reader: Cursor, weakest: int = 1, in_marker: bool = False) -> Expression:
    """Read an expression whose operators bind at least as strongly as `weakest`."""
    left = _unary(reader, in_marker)
    while (operator := _operator(reader, in_marker)) and PRECEDENCE[operator] >= weakest:
        reader.take(operator)
        right = expression(reader, PRECEDENCE[operator] + 1, in_marker)
        left = Binary(operator, left, right)
    return left


def _operator(reader: Cursor, in_marker: bool) -> str | None:
    found = reader.find(OPERATORS)
    if found is None or (in_marker and found[0].startswith(">")):
        return None
    return found[0]


def _unary(reader: Cursor, in_marker: bool) -> Expression:
    signs = 0
    while reader.take("-"):
        signs += 1
    if not signs:
        return path(reader)
    if signs > 32:
        reader.fail("remove some of the signs")
    operand = expression(reader, PRECEDENCE["|"], in_marker)
    for _ in range(signs):
        operand = Negative(operand)
    return operand


# ── paths ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def path(reader: Cursor) -> Expression:
    """Read a path, or the single value that it starts with."""
    if (found := document(reader, expression)) is not None:
        return Path(found, moves(reader, expression))
    if complex_follows(reader):
        return Path("", (Step(axis="self"), read_complex(reader, expression), *moves(reader, expression)))
    if reader.at("/"):
        return _from_root(reader)
    if (value := _primary(reader)) is not None:
        narrowed, further = qualifiers(reader, expression), moves(reader, expression)
        return Path(Group(value, narrowed), further) if narrowed or further else value
    return Path("", (step(reader, False, expression), *moves(reader, expression)))


def _from_root(reader: Cursor) -> Path:
    deep = reader.take("//")
    if not deep:
        reader.take("/")
        if not step_follows(reader):
            return Path("/")
    return Path("/", (step(reader, deep, expression), *moves(reader, expression)))


def _primary(reader: Cursor) -> Expression | None:
    """Read a value that is no step; None where a step stands here."""
    begins = reader.place
    if reader.take("("):
        inner = expression(reader)
        reader.expect(")", "close the parenthesis")
        return inner
    if (text := reader.string()) is not None:
        return Literal(text)
    if (digits := reader.match(r"\d+(?:\.\d*)?|\.\d+")) is not None:
        return Number(digits)
    if reader.take("$"):
        return Variable(reader.name("the name of a variable"))
    called = reader.find(rf"({NAME})\s*\(")
    if called is None or called[1] in NODE_TESTS:
        return None
    reader.match(rf"({NAME})\s*\(")
    return _call(reader, called[1], begins)


def _call(reader: Cursor, name: str, begins: int) -> Call:
    if name not in ARITIES:
        reader.fail(f"there is no function {name}()", begins)
    arguments: list[Expression] = []
    if not reader.take(")"):
        arguments.append(expression(reader))
        while reader.take(","):
            arguments.append(expression(reader))
        reader.expect(")", "close the parenthesis, or separate arguments with a comma")
    low, high = ARITIES[name]
    if not low <= len(arguments) <= high:
        wanted = str(low) if low == high else f"{low} to {high}" if high < 99 else f"at least {low}"
        reader.fail(f"{name}() takes {wanted} arguments, not {len(arguments)}", begins)
    return Call(name, tuple(arguments))


__all__ = ["WrapperSyntaxError", "expression", "parse"]
