"""Two names in, whether they may mean the same thing out."""

from __future__ import annotations

import re

from siteseer.understand.values import fold

ALIKE = 0.6
"""Names that share this much of their pairs of letters may mean the same."""
_ASIDE = re.compile(r"\([^)]{0,200}\)|\[[^\]]{0,200}\]")


def cores(name: str) -> set[str]:
    """Return what may be left of a name without what is added to it.

    >>> sorted(cores("Hamlet: a tragedy (French Edition)"))
    ['hamlet', 'hamlet a tragedy']
    """
    plain = _ASIDE.sub(" ", name)
    head = re.split(r"[:;–—]| - ", plain, maxsplit=1)[0]
    return {core for core in (fold(plain), fold(head)) if core}


def likeness(one: str, other: str) -> float:
    """Return the share of the pairs of letters that two names have in common.

    >>> likeness("hamlet", "hamlet"), round(likeness("hamlet", "hamlets"), 2)
    (1.0, 0.83)
    """
    first, second = ({text[at : at + 2] for at in range(len(text) - 1)} for text in (one, other))
    return len(first & second) / len(first | second) if first | second else float(one == other)
