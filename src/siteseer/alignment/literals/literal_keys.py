"""Computes the keys by which literals are compared: exact keys, looser keys and numbers; each once."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.literals.normalise import alnum_key, exact_key, looser_keys
from siteseer.alignment.literals.numerals import NumberedText

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class KeyedText:
    """Texts, and the key of each: compared as `exact`, `alnum` or `shingle`."""

    texts: list[str]
    how: str

    @cached_property
    def keys(self) -> list[str]:
        """The keys that equal texts share."""
        key = exact_key if self.how == "exact" else alnum_key
        return [key(text) for text in self.texts]

    @cached_property
    def hashes(self) -> Hashes:
        """The keys as numbers."""
        return np.fromiter((_hash(key) for key in self.keys), np.uint64, len(self.texts))

    @cached_property
    def looser(self) -> tuple[Hashes, Ints, Floats]:
        """The keys of parts of texts: as numbers, the texts that they belong to, and their weights."""
        keys, owners, weights = array("Q"), array("q"), array("d")
        for k, text in enumerate(self.texts):
            for key, weight in looser_keys(text):
                keys.append(_hash(key))
                owners.append(k)
                weights.append(weight)
        return np.array(keys, np.uint64), np.array(owners, np.int64), np.array(weights, np.float64)

    @cached_property
    def numbers(self) -> NumberedText:
        """The numbers in each text."""
        return NumberedText.of(self.texts)

    def some(self, chosen: Ints) -> KeyedText:
        """Return some of the texts, in order.

        >>> KeyedText(["Emma", "Persuasion"], "alnum").some(np.array([1])).keys
        ['persuasion']
        """
        return self if len(chosen) == len(self.texts) else KeyedText([self.texts[k] for k in chosen.tolist()], self.how)


def _hash(key: str) -> int:
    return xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"))
