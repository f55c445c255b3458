"""The linear models that classify text blocks; their weights are data, trained by `training/train_articles.py`.

`first` classifies each block of a page; `alone` and `together` classify it again in its context, without and with
other pages of the site; `confidence` estimates how well a page was classified.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from siteseer.extract.article.block_arrays import Floats
from siteseer.extract.article.block_features import FEATURES
from siteseer.extract.article.cross_page_features import SIBLING_FEATURES
from siteseer.extract.article.neighbour_features import CONTEXT_FEATURES
from siteseer.model import JSON

COLUMNS: dict[str, Sequence[str]] = {
    "first": FEATURES,
    "alone": CONTEXT_FEATURES,
    "together": (*CONTEXT_FEATURES, *SIBLING_FEATURES),
    "confidence": (
        "certainty", "agreement", "length", "share", "share_of_all", "paragraphs", "title", "claimed",
        "linked_headings", "linked", "fields", "password", "dated", "longest",
    ),
}  # fmt: skip
"""The models and their features, in order."""
WEIGHTS = "weights.json"


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear model: the logit of a block is its features times the weights plus the bias."""

    weights: Floats
    bias: float

    def __call__(self, matrix: Floats) -> Floats:
        """Return the logits of the rows."""
        logits: Floats = matrix @ self.weights + self.bias
        return logits


@dataclass(frozen=True, slots=True)
class Model:
    """The models of blocks, and that of confidence."""

    first: Linear
    alone: Linear
    together: Linear
    confidence: Linear

    @classmethod
    def read(cls, told: Mapping[str, JSON]) -> Model:
        """Return the models of a table of weights by name."""
        return cls(**{name: _linear(told[name], columns) for name, columns in COLUMNS.items()})


def _linear(told: Mapping[str, float], columns: Sequence[str]) -> Linear:
    return Linear(np.array([told.get(name, 0.0) for name in columns]), float(told["bias"]))


@cache
def shipped() -> Model:
    """Return the models that are shipped.

    >>> len(shipped().first.weights) == len(FEATURES)
    True
    """
    return Model.read(json.loads(files(__package__).joinpath(WEIGHTS).read_text("utf-8")))
