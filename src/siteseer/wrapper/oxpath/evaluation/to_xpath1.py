"""Translates an expression to XPath 1.0, which a browser's own engine, or lxml, evaluates in one call."""

from __future__ import annotations

from collections.abc import Mapping

from siteseer.wrapper.oxpath.language.purity import is_pure
from siteseer.wrapper.oxpath.language.signatures import XPATH_ARITIES
from siteseer.wrapper.oxpath.language.syntax import (
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Move,
    Negative,
    Number,
    Optional,
    Path,
    Predicate,
    Qualifier,
    Selector,
    Step,
    Variable,
)

Values = Mapping[str, str]
FIELDS = "*[self::input or self::select or self::textarea or self::button]"


class BeyondXPath1(Exception):
    """A part of the expression is beyond XPath 1.0."""


def to_xpath1(expression: Expression, variables: Values) -> str | None:
    """Write an expression in XPath 1.0; None where XPath cannot express it, or it needs the position of the context.

    >>> from siteseer.wrapper.oxpath.language.parser import parse
    >>> to_xpath1(parse("A.next[@rel~=$x][?b]/@HREF"), {"x": "up"})[:40]
    "a[contains(concat(' ', normalize-space(@"
    >>> to_xpath1(parse("//a[style::color='red']"), {}) is None, to_xpath1(parse("last()"), {}) is None
    (True, True)
    """
    try:
        return _expression(expression, variables, True)
    except BeyondXPath1:
        return None


def native_moves(moves: tuple[Move, ...], variables: Values) -> str | None:
    """Write moves that start at the context node in XPath 1.0; None where XPath cannot express them."""
    try:
        return "." + "".join(_move(move, variables) for move in moves)
    except BeyondXPath1:
        return None


def literal(text: str) -> str:
    """Write a string as XPath 1.0 can.

    >>> print(literal('''it's "new"'''))
    concat('it', "'", 's "new"')
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = ', "\'", '.join(f"'{part}'" for part in text.split("'"))
    return f"concat({parts})"


def _expression(node: Expression, variables: Values, top: bool) -> str:
    match node:
        case Literal(text):
            return literal(text)
        case Number(text):
            return text
        case Variable(name):
            return literal(variables[name])
        case Negative(operand):
            return f"-({_expression(operand, variables, top)})"
        case Binary():
            return _operation(node, variables, top)
        case Call(name, arguments):
            if name not in XPATH_ARITIES or (top and name in ("position", "last")):
                raise BeyondXPath1
            return f"{name}({', '.join(_expression(one, variables, top) for one in arguments)})"
    return _path(node, variables, top)


def _operation(node: Binary, variables: Values, top: bool) -> str:
    left, right = (_expression(one, variables, top) for one in (node.left, node.right))
    if node.operator == "~=":
        return f"contains(concat(' ', normalize-space({left}), ' '), concat(' ', {right}, ' '))"
    if node.operator == "#=":
        return f"contains({left}, {right})"
    if node.operator == "|":
        return f"{left} | {right}"
    return f"({left}) {node.operator} ({right})"


def _path(node: Path, variables: Values, top: bool) -> str:
    moves = "".join(_move(move, variables) for move in node.moves)
    if node.start == "":
        return moves[1:]
    if node.start == "/":
        return moves or "/"
    if not isinstance(node.start, Group):
        raise BeyondXPath1
    return f"({_expression(node.start.inner, variables, top)}){_qualifiers(node.start.qualifiers, variables)}{moves}"


def _move(move: Move, variables: Values) -> str:
    if not isinstance(move, Step) or move.axis == "style" or move.test == "field()":
        raise BeyondXPath1
    slash = "//" if move.deep else "/"
    return f"{slash}{move.axis}::{_test(move.test)}{_qualifiers(move.qualifiers, variables)}".replace("/child::", "/")


def _test(test: str) -> str:
    if test == "any-field()":
        return FIELDS
    name = test.rpartition(":")[2]
    if name != test and "(" not in test:  # prefixes are not declared in HTML
        return "*" if name == "*" else f"*[local-name()='{name}']"
    return test if "(" in test else test.lower()


def _qualifiers(qualifiers: tuple[Qualifier, ...], variables: Values) -> str:
    return "".join(_qualifier(one, variables) for one in qualifiers)


def _qualifier(qualifier: Qualifier, variables: Values) -> str:
    match qualifier:
        case Selector("#", name):
            return f"[@id='{name}']"
        case Selector(_, name):
            return f"[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"
        case Predicate(condition):
            return f"[{_expression(condition, variables, False)}]"
        case Optional(condition) if is_pure(condition):
            return ""
    raise BeyondXPath1
