"""Raises the initial probability that two relations correspond when their names are similar.

Reference: Oita, Deriving semantic objects from the structured Web, 2012, section 3.6: the labels of a form may guide
the alignment towards relations of a similar name. A hint only boots the first round: facts decide afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from siteseer.alignment.fact_graph import Floats
from siteseer.page.similarity.set_measures import dice

STRONGER = 1.0
"""The same name doubles the first belief."""
LONGER = 20.0
"""Each further step of a join divides the first belief."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")


def local_name(relation: str) -> str:
    """Return the part of a relation's name that people read.

    >>> local_name("http://example.org/schema#hasAuthor"), local_name("urn:x:title")
    ('hasAuthor', 'title')
    """
    return re.split(r"[#/:]", relation.rstrip("#/:~"))[-1]


def _words(name: str) -> frozenset[str]:
    found = frozenset(word.lower() for word in _WORD.findall(_CAMEL.sub(" ", name)[:100]))
    return found - {"has", "is", "of", "the"} or found


def initial_probabilities(left: Sequence[str], right: Sequence[str], theta: float, hints: Mapping[str, str]) -> Floats:
    """Return the initial probability that each two relations correspond, inverses after all others on both sides."""
    n, m = len(left), len(right)
    shown = [_words(hints.get(relation, local_name(relation))) for relation in left]
    named = [_words(local_name(relation)) for relation in right]
    steps = np.array([name.count(" / ") for name in left])[:, None] + np.array([name.count(" / ") for name in right])
    plain = theta / (1 + LONGER * steps)
    alike = np.array([[dice(one, other) for other in named] for one in shown]).reshape(n, m)
    hinted = np.minimum(plain * (1 + STRONGER * np.where(steps == 0, alike, 0.0)), 1.0)
    return np.block([[hinted, plain], [plain, hinted]])
