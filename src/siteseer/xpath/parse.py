"""Text in, `Expression` out; a text outside the fragment gets a caret under the column and a hint what to write."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import UnexpectedEOF

from siteseer.xpath.complain import XPathSyntaxError, hint_for
from siteseer.xpath.syntax import (
    And,
    Axis,
    Compare,
    Comparison,
    Condition,
    Exists,
    Expression,
    Last,
    Not,
    Or,
    Path,
    Position,
    Predicate,
    Start,
    Step,
)

MAX_LENGTH = 4000
"""No pattern written by a person or learned from a page comes near; it bounds what a hostile file can cost."""
MAX_NESTING = 24
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DEEP_AXIS = re.compile(r"//\s*((?:parent|ancestor|following-sibling|preceding-sibling)\s*::)")
_STRING_OR_BRACKET = re.compile(r"'[^']*'|\"[^\"]*\"|[\[(\])]")


@lru_cache(maxsize=65536)
def parse(text: str) -> Expression:
    """Parse an expression of the fragment.

    >>> str(parse("DIV.post//a[@rel='next']/@HREF | .next"))
    "div.post//a[@rel='next']/@href | *.next"
    """
    _refuse_hostile(text)
    try:
        tree: Expression = _parser().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        at = len(text.rstrip()) if isinstance(error, UnexpectedEOF) or _at_end(error) else error.pos_in_stream or 0
        raise XPathSyntaxError(text, at + 1, hint_for(text, at)) from None
    except _Misplaced as error:
        raise XPathSyntaxError(text, error.column or _column_of_axis(text), error.hint) from None
    return tree


@cache
def _parser() -> Lark:
    grammar = files("siteseer.xpath").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, start="expression", parser="lalr", transformer=_Builder())


def _refuse_hostile(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise XPathSyntaxError(text, MAX_LENGTH + 1, f"shorten the expression to {MAX_LENGTH} characters")
    if illegal := _ILLEGAL.search(text):
        raise XPathSyntaxError(text, illegal.start() + 1, "remove the control character")
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        depth += (found[0] in "[(") - (found[0] in "])")
        if depth > MAX_NESTING:
            raise XPathSyntaxError(text, found.start() + 1, f"nest at most {MAX_NESTING} brackets")


def _column_of_axis(text: str) -> int:
    found = _DEEP_AXIS.search(text)
    return found.start(1) + 1 if found else 1


def _at_end(error: UnexpectedInput) -> bool:
    return getattr(getattr(error, "token", None), "type", "") == "$END"


class _Misplaced(Exception):
    def __init__(self, column: int, hint: str) -> None:
        self.column, self.hint = column, hint


def _unquoted(token: Token) -> str:
    quote = token[0]
    return str(token[1:-1]).replace(quote * 2, quote)


class _Builder(Transformer[Token, Any]):
    """Turns what the grammar recognised into syntax nodes, bottom up while parsing."""

    def expression(self, paths: list[Path]) -> Expression:
        return Expression(tuple(paths))

    # paths
    def from_root(self, children: list[Any]) -> Path:
        return _path("/", "child", children[-1])

    def anywhere(self, children: list[Any]) -> Path:
        return _path("/", "descendant", children[-1])

    def itself(self, children: list[Any]) -> Path:
        return Path(".", ())

    def from_here(self, children: list[Any]) -> Path:
        return _path(".", "child", children[-1])

    def inside(self, children: list[Any]) -> Path:
        return _path(".", "descendant", children[-1])

    def implicit(self, children: list[Any]) -> Path:
        return _path("", "child", children[-1])

    def steps(self, children: list[Any]) -> tuple[Step, ...]:
        joins: list[Axis] = ["child", *children[1::2]]
        return tuple(_joined(step, axis) for step, axis in zip(children[0::2], joins, strict=True))

    def child(self, children: list[Any]) -> Axis:
        return "child"

    def descendant(self, children: list[Any]) -> Axis:
        return "descendant"

    # steps
    def element(self, children: list[Any]) -> Step:
        return _element(children)

    def any_element(self, children: list[Any]) -> Step:
        at = next(i for i, child in enumerate(children) if isinstance(child, Token) and child.type == "LEADING")
        return _element([*children[:at], Token("STAR", "*"), *children[at:]])

    def selector(self, children: list[Token]) -> Token:
        return children[0]

    def attribute(self, children: list[Any]) -> Step:
        return Step("@" + children[0].lower(), predicates=tuple(children[1:]))

    def text(self, children: list[Any]) -> Step:
        return Step("text()", predicates=tuple(children[1:]))

    # predicates
    def predicate(self, children: list[Predicate]) -> Predicate:
        return children[0]

    def position(self, children: list[Token]) -> Position:
        if int(children[0]) == 0:
            raise _Misplaced(children[0].column or 1, "positions are counted from 1")
        return Position(int(children[0]))

    def last(self, children: list[Token]) -> Last:
        return Last()

    def disjunction(self, parts: list[Condition]) -> Condition:
        return Or(tuple(parts))

    def conjunction(self, parts: list[Condition]) -> Condition:
        return And(tuple(parts))

    def negation(self, children: list[Any]) -> Not:
        return Not(children[-1])

    def group(self, children: list[Condition]) -> Condition:
        return children[0]

    def contains(self, children: list[Any]) -> Compare:
        return _compare("contains", children)

    def starts_with(self, children: list[Any]) -> Compare:
        return _compare("starts-with", children)

    def equals(self, children: list[Any]) -> Compare:
        return _compare("=", children)

    def differs(self, children: list[Any]) -> Compare:
        return _compare("!=", children)

    def exists(self, children: list[Path]) -> Exists:
        return Exists(children[0])


def _element(children: list[Any]) -> Step:
    tokens = [child for child in children if isinstance(child, Token)]
    axis: Axis = "child"
    if tokens[0].type == "AXIS":
        axis = str(tokens.pop(0)).split(":")[0].strip().lower()  # type: ignore[assignment]
    names = tokens[1:]
    return Step(
        tokens[0].lower(),
        axis,
        tuple(str(name[1:]) for name in names if name[0] == "#"),
        tuple(str(name[1:]) for name in names if name[0] == "."),
        tuple(child for child in children if not isinstance(child, Token)),
    )


def _joined(step: Step, axis: Axis) -> Step:
    if axis == "child":
        return step
    if step.axis != "child":
        raise _Misplaced(0, f"write a single '/' before {step.axis}::")
    return Step(step.test, axis, step.ids, step.classes, step.predicates)


def _path(start: Start, axis: Axis, steps: tuple[Step, ...]) -> Path:
    return Path(start, (_joined(steps[0], axis), *steps[1:]))


def _compare(comparison: Comparison, children: list[Any]) -> Compare:
    value, literal = children[-2:]
    return Compare(comparison, value, _unquoted(literal))


__all__ = ["XPathSyntaxError", "parse"]
