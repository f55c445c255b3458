"""Names of relations in, how much more to believe before the first round that two of them say the same.

Reference: Oita, Deriving semantic objects from the structured Web, 2012, section 3.6: the labels of a form may guide
the alignment towards relations of a similar name. A hint only boots the first round: facts decide afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from siteseer.align.graph import Floats

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


def name_similarity(one: str, other: str) -> float:
    """Return how alike two names of relations are, from 0 to 1: their common words or beginnings.

    >>> round(name_similarity("hasAuthor", "Author name"), 2), name_similarity("title", "label")
    (0.67, 0.0)
    """
    return _alike(_words(one), _words(other))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _words(name: str) -> frozenset[str]:
    found = frozenset(word.lower() for word in _WORD.findall(_CAMEL.sub(" ", name)[:100]))
    return found - {"has", "is", "of", "the"} or found


def first_beliefs(left: Sequence[str], right: Sequence[str], theta: float, hints: Mapping[str, str]) -> Floats:
    """Return the first belief in each two relations, inverses after all others on both sides."""
    n, m = len(left), len(right)
    shown = [_words(hints.get(relation, local_name(relation))) for relation in left]
    named = [_words(local_name(relation)) for relation in right]
    steps = np.array([name.count(" / ") for name in left])[:, None] + np.array([name.count(" / ") for name in right])
    plain = theta / (1 + LONGER * steps)
    alike = np.array([[_alike(one, other) for other in named] for one in shown]).reshape(n, m)
    hinted = np.minimum(plain * (1 + STRONGER * np.where(steps == 0, alike, 0.0)), 1.0)
    return np.block([[hinted, plain], [plain, hinted]])
