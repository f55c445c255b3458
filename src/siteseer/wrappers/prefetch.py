"""What will be asked at each of many nodes, asked for all of them at once: records of one page cost a call together.

Answers hold until something is done with a page; asking too much only costs time, so conditions are not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from siteseer.interfaces import WebNode
from siteseer.wrappers.effects import is_pure
from siteseer.wrappers.pure import TEXT, Looks
from siteseer.wrappers.syntax import Expression, Marker, Move, Optional, Path, Predicate, Qualifier, Step

MOST = 50_000
"""Nodes that are asked ahead; a page with more records is asked bit by bit."""


def prefetch(looks: Looks, qualifiers: Sequence[Qualifier], nodes: Sequence[WebNode]) -> None:
    """Ask what these qualifiers will ask at these nodes."""
    if not 1 < len(nodes) <= MOST:
        return
    for qualifier in qualifiers:
        match qualifier:
            case Marker(value=value):
                looks.ask_ahead(TEXT, nodes)
                if value is not None:
                    _expression(looks, value, nodes)
            case Predicate(condition) | Optional(condition):
                _expression(looks, condition, nodes)


def _expression(looks: Looks, expression: Expression, nodes: Sequence[WebNode]) -> None:
    if is_pure(expression):
        looks.ask_ahead(expression, nodes)
    elif isinstance(expression, Path) and expression.start == "":
        _path(looks, expression.moves, nodes)


def _path(looks: Looks, moves: tuple[Move, ...], nodes: Sequence[WebNode]) -> None:
    """Go along the steps that only look, as the evaluation will."""
    ends = next((at for at, move in enumerate(moves) if not is_pure(move)), len(moves))
    last = moves[ends] if ends < len(moves) else None
    if not isinstance(last, Step):
        if ends and all(isinstance(move, Step) for move in moves[:ends]):
            looks.nodes(moves[:ends], [[node] for node in nodes])
        return
    plain = next(at for at, one in enumerate(last.qualifiers) if not is_pure(one))
    steps = (*moves[:ends], replace(last, qualifiers=last.qualifiers[:plain]))
    found = looks.nodes(steps, [[node] for node in nodes])
    prefetch(looks, last.qualifiers[plain:], [node for each in found for node in each])
