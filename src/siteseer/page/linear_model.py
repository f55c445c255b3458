"""Loads the weights of a multinomial logistic regression that are shipped with the package, and applies them.

The tables are fitted by the scripts in `bench/`; nothing is trained at run time. A table says where it comes from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from math import exp

from siteseer.model import JSON


@dataclass(frozen=True, slots=True)
class Weights:
    """A multinomial logistic regression over binary features.

    >>> table = {"classes": ["a", "b"], "scale": 0.1, "bias": [0, 0], "weights": {"x": [10, -10]}}
    >>> [round(one, 2) for one in Weights.read(table).probabilities(["x", "never met"])]
    [0.88, 0.12]
    """

    classes: tuple[str, ...]
    scale: float
    bias: tuple[float, ...]
    table: dict[str, tuple[int, ...]]

    @classmethod
    def read(cls, stored: JSON) -> Weights:
        """Return the model from a stored table."""
        table = {name: tuple(row) for name, row in stored["weights"].items()}
        return cls(tuple(stored["classes"]), stored["scale"], tuple(stored["bias"]), table)

    @classmethod
    def shipped(cls, package: str, name: str) -> Weights:
        """Load a table of the package."""
        return cls.read(json.loads(files(package).joinpath(name).read_text("utf-8")))

    def probabilities(self, features: Iterable[str]) -> list[float]:
        """Return the probability of each class."""
        rows = [row for name in features if (row := self.table.get(name)) is not None]
        sums = [sum(column) for column in zip(*rows, strict=True)] if rows else [0] * len(self.bias)
        scores = [bias + self.scale * total for bias, total in zip(self.bias, sums, strict=True)]
        highest = max(scores)
        grown = [exp(score - highest) for score in scores]
        whole = sum(grown)
        return [one / whole for one in grown]
