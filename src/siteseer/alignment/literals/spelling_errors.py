"""Finds pairs of keys that differ by a single spelling error (deletion neighbourhood).

Two texts that become equal when one letter of each is left out differ by one letter added, lost, changed or swapped.
All such shorter texts are hashed at once: a polynomial in an odd base, so that leaving a letter out needs no loop.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from siteseer.alignment.fact_graph import Ints

SHORTEST, LONGEST = 4, 24
SHORTEST_NUMBER = 6
"""Years, ages and prices that differ in a digit are different."""
_BASE = np.uint64(0x9E3779B97F4A7C15)
_INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 2**64))
_POWERS = np.array([pow(0x9E3779B97F4A7C15, j, 2**64) for j in range(LONGEST)], np.uint64)


def may_be_misspelt(key: str) -> bool:
    """Say whether a key is long enough, and not too long, for a spelling error to be recognised.

    >>> [may_be_misspelt(key) for key in ("ann", "smith", "2008", "0857331500")]
    [False, True, False, True]
    """
    return (SHORTEST_NUMBER if key.isdigit() else SHORTEST) <= len(key) <= LONGEST


_BLOCK = 100_000


def deletion_hashes(keys: list[str]) -> tuple[npt.NDArray[np.uint64], Ints]:
    """Return the hash of every key without one of its letters, and of the key itself; and the number of the key.

    >>> one, two = deletion_hashes(["smith"])[0], deletion_hashes(["smiht"])[0]
    >>> len(one), len(set(one.tolist()) & set(two.tolist())) > 0
    (6, True)
    """
    parts = [_shortened(keys[start : start + _BLOCK]) for start in range(0, max(len(keys), 1), _BLOCK)]
    numbers = [number + k * _BLOCK for k, (_, number) in enumerate(parts)]
    return np.concatenate([hashes for hashes, _ in parts]), np.concatenate(numbers)


def _shortened(keys: list[str]) -> tuple[npt.NDArray[np.uint64], Ints]:
    lengths = np.array([len(key) for key in keys], np.int64)
    letters = np.zeros((len(keys), LONGEST), np.uint64)
    flat = np.frombuffer("".join(keys).encode("utf-32-le", "surrogatepass"), np.uint32)
    row = np.repeat(np.arange(len(keys)), lengths)
    column = np.arange(len(flat)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    letters[row, column] = flat.astype(np.uint64) + np.uint64(1)
    terms = letters * _POWERS
    before = np.cumsum(terms, axis=1) - terms
    total = terms.sum(axis=1)
    without = before + (total[:, None] - before - terms) * _INVERSE
    there = column < lengths[row]
    return (
        np.concatenate((total, without[row, column][there])),
        np.concatenate((np.arange(len(keys)), row[there])),
    )
