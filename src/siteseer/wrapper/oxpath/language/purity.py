"""Finds the side effects of an expression: whether it acts, extracts, or loads pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from siteseer.wrapper.oxpath.language.syntax import (
    Action,
    Binary,
    Call,
    Document,
    Expression,
    Group,
    Marker,
    Negative,
    Optional,
    Path,
    Predicate,
    Qualifier,
    Star,
    Step,
    Variable,
)

Node = Expression | Step | Action | Star | Document | Group | Qualifier


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below a node, in the order in which they are written."""
    match node:
        case Path(start, moves):
            return moves if isinstance(start, str) else (start, *moves)
        case Step(qualifiers=qualifiers):
            return qualifiers
        case Action(deed=deed, value=value, qualifiers=qualifiers):
            return (Variable(value), *qualifiers) if deed == "variable" else qualifiers
        case Star(body=body, qualifiers=qualifiers):
            return (*body, *qualifiers)
        case Document(url=url, qualifiers=qualifiers):
            return (url, *qualifiers)
        case Group(inner=inner, qualifiers=qualifiers):
            return (inner, *qualifiers)
        case Predicate(condition) | Optional(condition):
            return (condition,)
        case Marker(value=value):
            return () if value is None else (value,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(arguments=arguments):
            return arguments
        case Negative(operand):
            return (operand,)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Return a node and everything below it, in the order in which it is written."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(children(one)))


@lru_cache(maxsize=4096)
def is_pure(node: Node) -> bool:
    """Say whether an expression has no side effects.

    >>> from siteseer.wrapper.oxpath.language.parser import parse
    >>> is_pure(parse("//a[@href]")), is_pure(parse("//a[./b:<x>]")), is_pure(parse("//a/{click}"))
    (True, False, False)
    """
    return not any(isinstance(one, Action | Marker | Star | Document) for one in walk(node))


@lru_cache(maxsize=4096)
def acts(node: Node) -> bool:
    """Say whether evaluating a node may change the page or load another."""
    return any(isinstance(one, Action | Document) for one in walk(node))
