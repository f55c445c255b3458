"""Replaces the expressions for one kind of record in a wrapper by new ones.

The way to the records (URLs, forms, next links) stays; so do attributes without new expressions.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from siteseer.wrapper.oxpath.language.purity import walk
from siteseer.wrapper.oxpath.language.syntax import (
    Action,
    Binary,
    Expression,
    Group,
    Marker,
    Move,
    Optional,
    Path,
    Predicate,
    Qualifier,
    Star,
    Step,
)


def patch_wrapper(wrapper: Expression, label: str, new: Expression) -> Expression | None:
    """Return the wrapper with the records of that label as in `new`; None where that does not fit.

    >>> from siteseer.wrapper.oxpath.language.parser import parse
    >>> old = parse("doc('e.org')/(//a.next/{click /})*//tr:<r>[td[1]:<n=string(.)>][? td[2]:<p=string(.)>]")
    >>> new = parse("doc('e.org')//li:<r>[? .//b:<n=string(.)>]")
    >>> print(patch_wrapper(old, "r", new))
    doc('e.org')/(//a.next/{click /})*//li:<r>[.//b:<n=string(.)>][?td[2]:<p=string(.)>]
    """
    if not isinstance(wrapper, Path) or not isinstance(new, Path):
        return None
    at, fresh = _marked(wrapper.moves, label), _marked(new.moves, label)
    if at is None or fresh is None:
        return None
    begin = at
    while begin > 0 and isinstance(wrapper.moves[begin - 1], Step) and not _extracts(wrapper.moves[begin - 1]):
        begin -= 1
    if not _is_at_root(wrapper, begin):
        return None
    steps = (*new.moves[:fresh], _merged(wrapper.moves[at], new.moves[fresh]))
    return Path(wrapper.start, (*wrapper.moves[:begin], *steps, *wrapper.moves[at + 1 :]))


def _marked(moves: tuple[Move, ...], label: str) -> int | None:
    """Return which move extracts the records of a label."""
    for at, move in enumerate(moves):
        if isinstance(move, Step) and any(isinstance(one, Marker) and one.label == label for one in move.qualifiers):
            return at
    return None


def _extracts(move: Move) -> bool:
    return any(isinstance(one, Marker) for one in walk(move))


def _is_at_root(wrapper: Path, begin: int) -> bool:
    """Say whether the steps from there on begin at the root of a page, as the new ones do."""
    if begin == 0:
        return not isinstance(wrapper.start, str) or wrapper.start == "/"
    before = wrapper.moves[begin - 1]
    last = before.body[-1] if isinstance(before, Star) else before
    return isinstance(last, Action) and last.absolute


def _merged(old: Move, new: Move) -> Step:
    """Return the new step with the attributes of both: the new one for each that both have, required as it was."""
    assert isinstance(old, Step) and isinstance(new, Step)
    fresh = {name: one for one in new.qualifiers if (name := label_of(one))}
    plain = tuple(one for one in new.qualifiers if not label_of(one) and not isinstance(one, Marker))
    marker = next(one for one in old.qualifiers if isinstance(one, Marker))
    attributes: list[Qualifier] = []
    for one in old.qualifiers:
        name = label_of(one)
        if name in fresh:
            other = fresh[name]
            assert isinstance(other, Predicate | Optional)
            attributes.append(type(one)(other.condition))  # type: ignore[call-arg,arg-type]
        elif name:
            attributes.append(one)
    return replace(new, qualifiers=(*plain, marker, *attributes))


def require_attributes(new: Path) -> Path:
    """Return a wrapper whose last step selects only nodes with at least one of its attributes: no header row of a
    table.

    >>> from siteseer.wrapper.oxpath.language.parser import parse
    >>> print(require_attributes(parse("doc('e.org')//tr:<r>[? td/b:<n=string(.)>][? (i | u):<p=string(.)>]")))
    doc('e.org')//tr[td/b or (i | u)]:<r>[?td/b:<n=string(.)>][?(i | u):<p=string(.)>]
    """
    last = new.moves[-1]
    assert isinstance(last, Step)
    paths = [_unmarked(one.condition) for one in last.qualifiers if isinstance(one, Optional | Predicate)]
    kept = [one for one in paths if one is not None]
    if not kept:
        return new
    has_one = Predicate(reduce(lambda left, right: Binary("or", left, right), kept))
    at = next(at for at, one in enumerate(last.qualifiers) if isinstance(one, Marker))
    qualifiers = (*last.qualifiers[:at], has_one, *last.qualifiers[at:])
    return replace(new, moves=(*new.moves[:-1], replace(last, qualifiers=qualifiers)))


def _unmarked(path: Expression) -> Expression | None:
    """Return a path without the marker at its end; None where it has none there."""
    if not isinstance(path, Path):
        return None
    if not path.moves and isinstance(path.start, Group):
        plain = tuple(one for one in path.start.qualifiers if not isinstance(one, Marker))
        return replace(path, start=replace(path.start, qualifiers=plain)) if plain != path.start.qualifiers else None
    last = path.moves[-1]
    plain = tuple(one for one in last.qualifiers if not isinstance(one, Marker))
    return (
        replace(path, moves=(*path.moves[:-1], replace(last, qualifiers=plain))) if plain != last.qualifiers else None
    )


def label_of(qualifier: Qualifier) -> str:
    """Return the label of the attribute that a predicate extracts; empty where it extracts none or several."""
    if not isinstance(qualifier, Predicate | Optional):
        return ""
    labels = [one.label for one in walk(qualifier) if isinstance(one, Marker)]
    return labels[0] if len(labels) == 1 else ""
