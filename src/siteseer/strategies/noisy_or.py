"""Joins the scores of several sources for a URL (noisy-or), and tells how far the scores of a group are believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SIBLINGS = 0.8
"""How far links are trusted that stand beside links which kept their promise."""

DOUBT = 1.0
"""As if so many siblings had brought nothing."""

PATIENCE, AS_PROMISED = 2.0, 0.5
"""As if so many siblings had brought what was promised, and from which degree on a page is that."""


def noisy_or(hints: Iterable[float]) -> float:
    """Join independent hints: the chance that at least one of them is right.

    >>> noisy_or([0.5, 0.5])
    0.75
    """
    none = 1.0
    for hint in hints:
        none *= 1.0 - hint
    return 1.0 - none


def joined_score(scores: Sequence[float], social: float, siblings: float = 0.0) -> float:
    """Join the scores of distinct sources for a URL: the best counts in full, each further one by the social weight.

    >>> joined_score([0.5, 0.5], social=0.0), joined_score([0.5, 0.5], social=1.0)
    (0.5, 0.75)
    """
    ordered = sorted(scores, reverse=True)
    return noisy_or((*ordered[:1], *(social * score for score in ordered[1:]), siblings))


def group_score(degrees: float, count: int) -> float:
    """Return the score of a group of links when so many of them brought pages of these degrees altogether.

    >>> group_score(1.8, 2) > group_score(0.9, 1) > group_score(0.9, 4)
    True
    """
    return SIBLINGS * degrees / (count + DOUBT)


def belief(degrees: float, count: int) -> float:
    """Return how far the scores of a group of links are believed when so many of them brought pages of these degrees
    altogether.

    Rows of tags, names of authors and `older` beside good pages get high scores again and again, and bring nothing.

    >>> belief(0.0, 0), belief(1.8, 2), belief(0.0, 2)
    (1.0, 1.0, 0.5)
    """
    return min(1.0, (PATIENCE + degrees / AS_PROMISED) / (PATIENCE + count))
