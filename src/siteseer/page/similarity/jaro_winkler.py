"""Computes the Jaro–Winkler similarity of two strings, from 0 to 1.

Reference: Winkler, String Comparator Metrics and Enhanced Decision Rules, 1990; a common beginning of up to four
characters counts 0.1 each.
"""

from __future__ import annotations

LONGEST = 500
"""Names are compared, not texts: the measure takes quadratic time."""


def jaro_winkler(one: str, other: str) -> float:
    """Return the similarity of two strings.

    >>> round(jaro_winkler("MARTHA", "MARHTA"), 3), jaro_winkler("a", "b"), jaro_winkler("a", "a")
    (0.961, 0.0, 1.0)
    """
    one, other = one[:LONGEST], other[:LONGEST]
    if one == other:
        return 1.0
    common, swapped = _common(one, other)
    if not common:
        return 0.0
    jaro = (common / len(one) + common / len(other) + (common - swapped) / common) / 3
    beginning = next((at for at in range(4) if one[at : at + 1] != other[at : at + 1] or at >= len(one)), 4)
    return jaro + beginning * 0.1 * (1 - jaro)


def _common(one: str, other: str) -> tuple[int, float]:
    """Return how many characters are common within half the longer length, and half of those in another order."""
    reach = max(max(len(one), len(other)) // 2 - 1, 0)
    used = [False] * len(other)
    left = []
    for at, character in enumerate(one):
        for place in range(max(0, at - reach), min(len(other), at + reach + 1)):
            if not used[place] and other[place] == character:
                used[place] = True
                left.append(character)
                break
    right = [character for character, was_used in zip(other, used, strict=True) if was_used]
    return len(left), sum(a != b for a, b in zip(left, right, strict=True)) / 2
