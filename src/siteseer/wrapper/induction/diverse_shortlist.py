"""Picks a diverse short list of candidates that rely on different anchors, and lets it vote on a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from siteseer.wrapper.induction.ranking import Candidate
from siteseer.wrapper.induction.scoring import shape_similarity

LENGTH = 5
WITHIN = 2.5
"""How far below the best score a member of the list may be."""
WEIGHTS = (1.0, 0.35, 0.34, 0.33, 0.30)
"""The first rules unless it is empty, does not look like the attribute, or three others agree against it."""


def diverse(candidates: Sequence[Candidate], length: int = LENGTH) -> list[Candidate]:
    """Pick greedily: the best first, then good candidates that rely on names and texts not used yet."""
    if not candidates:
        return []
    least = candidates[0].score - WITHIN
    waiting = [one for one in candidates if one.score > least]
    used: Counter[str] = Counter()
    picked: list[Candidate] = []
    while waiting and len(picked) < length:
        best = max(waiting, key=lambda one: one.score - _reuse(one, used))
        picked.append(best)
        waiting.remove(best)
        used.update(best.expression.quotes or {"places"})
    return picked


def _reuse(one: Candidate, used: Counter[str]) -> float:
    counts = [used[quote] for quote in one.expression.quotes or {"places"}]
    return sum(counts) / len(counts) + 0.3 * sum(counts)


def vote(answers: Iterable[Sequence[str]], known: Sequence[str]) -> str | None:
    """Return the value for which a list of expressions votes; `known` are values of the attribute on marked pages.

    >>> vote([["Home"], ["9780805087444"], [], ["9780805087444"]], ["9780312370848"])
    '9780805087444'
    """
    votes: Counter[str] = Counter()
    for weight, answer in zip(WEIGHTS, answers, strict=False):
        if answer:
            crowd = 0.3 if len(set(answer)) > 3 else 1.0
            votes[answer[0]] += weight * crowd * (min(1.0, 2 * shape_similarity(answer[0], known)) + 0.1)  # type: ignore[assignment]
    return max(votes, key=votes.__getitem__) if votes else None
