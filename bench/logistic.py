"""Multinomial logistic regression on binary features, in numpy: what the training scripts fit weights with.

Minimises the sum of the log losses, each example by its weight, plus |w|^2 / 2C (the bias is not punished), by
accelerated gradient descent with restarts. `export` makes the table of small integers that is shipped.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the matrices are small: threads only wait for each other

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass
class Model:
    features: dict[str, int]
    classes: list[str]
    weights: Matrix
    bias: Matrix

    def scores(self, examples: Sequence[Iterable[str]]) -> Matrix:
        return matrix(examples, self.features) @ self.weights + self.bias

    def probabilities(self, examples: Sequence[Iterable[str]]) -> Matrix:
        return softmax(self.scores(examples))

    def export(self, digits: int = 127) -> dict[str, object]:
        scale = float(np.abs(self.weights).max()) / digits
        table = {name: np.rint(self.weights[at] / scale).astype(int).tolist() for name, at in self.features.items()}
        table = {name: row for name, row in sorted(table.items()) if any(row)}
        return {
            "classes": self.classes,
            "scale": round(scale, 8),
            "bias": [round(float(one), 4) for one in self.bias],
            "weights": table,
        }


def vocabulary(examples: Sequence[Iterable[str]], groups: Sequence[str], least: int = 2) -> dict[str, int]:
    """Return the features that at least so many groups (sites) have."""
    met = {(name, group) for example, group in zip(examples, groups, strict=True) for name in example}
    counts = Counter(name for name, _ in met)
    return {name: at for at, name in enumerate(sorted(name for name, count in counts.items() if count >= least))}


def matrix(examples: Sequence[Iterable[str]], features: dict[str, int]) -> Matrix:
    made = np.zeros((len(examples), len(features)))
    for row, example in enumerate(examples):
        made[row, [features[name] for name in example if name in features]] = 1.0
    return made


def softmax(scores: Matrix) -> Matrix:
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)


def fit(
    examples: Sequence[Iterable[str]],
    labels: Sequence[str],
    groups: Sequence[str],
    classes: list[str],
    c: float,
    rounds: int = 400,
) -> Model:
    features = vocabulary(examples, groups)
    x = np.hstack([matrix(examples, features), np.ones((len(examples), 1))])
    y = np.eye(len(classes))[[classes.index(label) for label in labels]]
    punished = np.full((x.shape[1], 1), 1 / c)
    punished[-1] = 0.0
    step = 1.0 / (0.5 * np.linalg.norm(x, 2) ** 2 + 1 / c)
    weights = np.zeros((x.shape[1], len(classes)))
    ahead, momentum, last = weights, 1.0, np.inf
    for _ in range(rounds):
        gradient = x.T @ (softmax(x @ ahead) - y) + punished * ahead
        new = ahead - step * gradient
        if float(np.sum(gradient * (new - weights))) > 0:
            momentum, ahead = 1.0, weights
            if last == 0:
                break
            last = 0
            continue
        last = np.inf
        grown = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / grown * (new - weights)
        weights, momentum = new, grown
    return Model(features, classes, weights[:-1], weights[-1])


def folds(groups: Sequence[str], count: int = 10, seed: int = 0) -> list[set[str]]:
    """Return disjoint sets of groups of about equal size, the largest groups dealt first."""
    sizes = Counter(groups)
    order = np.random.default_rng(seed).permutation(len(sizes))
    names = sorted(sizes)
    names = sorted((names[at] for at in order), key=lambda name: -sizes[name])
    dealt: list[set[str]] = [set() for _ in range(count)]
    filled = [0] * count
    for name in names:
        at = filled.index(min(filled))
        dealt[at].add(name)
        filled[at] += sizes[name]
    return dealt
