"""Tells whether a qualifier depends on the position of a node among the nodes selected with it."""

from __future__ import annotations

from functools import lru_cache

from siteseer.wrapper.oxpath.language.purity import walk
from siteseer.wrapper.oxpath.language.syntax import Binary, Call, Path, Predicate, Qualifier

_TRUTHS = frozenset(("=", "!=", "~=", "#=", "<", "<=", ">", ">=", "and", "or"))
_SAYS_TRUTH = frozenset(("contains", "starts-with", "not", "boolean", "matches", "is-visible", "is-invisible"))


@lru_cache(maxsize=1024)
def is_positional(qualifier: Qualifier) -> bool:
    """Say whether a qualifier may depend on the position of a node.

    >>> from siteseer.wrapper.oxpath.language.parser import parse
    >>> [is_positional(Predicate(parse(text))) for text in ("style::color='red'", "2", "is-visible(.)", "last() = 2")]
    [False, True, False, True]
    """
    if not isinstance(qualifier, Predicate):
        return False
    condition = qualifier.condition
    if any(isinstance(one, Call) and one.name in ("position", "last") for one in walk(condition)):
        return True
    if isinstance(condition, Binary):
        return condition.operator not in _TRUTHS
    if isinstance(condition, Call):
        return condition.name not in _SAYS_TRUTH
    return not isinstance(condition, Path)
