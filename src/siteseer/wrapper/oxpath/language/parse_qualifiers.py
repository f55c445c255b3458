"""Parses the qualifiers of a step: predicates, optional predicates, markers and selectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from siteseer.wrapper.oxpath.language.cursor import NAME, Cursor
from siteseer.wrapper.oxpath.language.syntax import Expression, Marker, Optional, Predicate, Qualifier, Selector

Inner = Callable[..., Expression]
"""The rule `expr`, handed down because the rules call each other."""


def qualifiers(reader: Cursor, inner: Inner) -> tuple[Qualifier, ...]:
    """Read the predicates, markers and selectors after a step."""
    found: list[Qualifier] = []
    while (one := _qualifier(reader, inner)) is not None:
        found.append(one)
    return tuple(found)


def _qualifier(reader: Cursor, inner: Inner) -> Qualifier | None:
    if reader.take(":<"):
        return _marker(reader, inner)
    if reader.at("["):
        kind: Any = Optional if reader.match(r"\[\s*\?") else Predicate
        if kind is Predicate:
            reader.take("[")
        condition = inner(reader)
        reader.expect("]", "close the bracket")
        return kind(condition)  # type: ignore[no-any-return]
    if reader.is_glued() and reader.find(rf"[.#]{NAME}"):
        return selector(reader)
    return None


def selector(reader: Cursor) -> Selector:
    """Read `.class` or `#id`."""
    sign: Any = reader.text[reader.place]
    return Selector(sign, reader.match(rf"[.#]({NAME})") or reader.fail("expected a class or an id"))


def _marker(reader: Cursor, inner: Inner) -> Marker:
    label = _label(reader)
    types: list[str] = []
    if reader.take("("):
        types.append(_label(reader))
        while reader.take(","):
            types.append(_label(reader))
        reader.expect(")", "close the parenthesis")
    value = inner(reader, 1, True) if reader.take("=") else None
    reader.expect(">", "close the marker with >; put a comparison in its value in parentheses")
    return Marker(label, tuple(types), value)


def _label(reader: Cursor) -> str:
    return reader.match(rf"{NAME}(?::{NAME})?") or reader.fail("expected the name of what is extracted")
