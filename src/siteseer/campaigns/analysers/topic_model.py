"""Learns topics from texts by non-negative matrix factorisation (NMF on tf-idf): groups of terms that occur together.

Reference: Lee and Seung, Learning the parts of objects by non-negative matrix factorization, Nature 1999, on tf-idf.
Differs: the start is not random but made of texts that differ most, so that the same texts give the same topics.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siteseer.page.similarity.cosine import dot, length

FEWEST_TEXTS = 6
MOST_TOPICS = 12
VOCABULARY = 1_000
"""The terms that most texts hold, among those that not half of them hold."""
TERMS = 30
"""Terms that are kept of a topic."""
LABEL = 4
"""Terms that name it."""
ENDING, STEM = 3, 4
"""Letters that forms of a word may differ in at its end, and that they must share."""
ROUNDS = 60
LEAST = 1e-9

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Topic:
    """Terms that occur together, each with its weight; the vector of weights has length 1."""

    label: str
    terms: Mapping[str, float]


def learn_topics(texts: Sequence[Counter[str]], most: int = MOST_TOPICS) -> tuple[tuple[Topic, ...], dict[str, float]]:
    """Return the topics of texts, and how much each term counts (its inverse document frequency).

    >>> sea, rail = Counter(kelp=3, tide=2, boat=1), Counter(train=3, rail=2, tram=1)
    >>> sorted(topic.label for topic in learn_topics([sea, rail] * 4, 2)[0])
    ['kelp, tide, boat', 'train, rail, tram']
    """
    held = Counter(term for text in texts for term in text)
    fewest = 2 if len(texts) < 200 else 3
    usable = [term for term, count in held.items() if fewest <= count <= max(2, len(texts) // 2)]
    chosen = sorted(usable, key=lambda term: (-held[term], term))[:VOCABULARY]
    idf = {term: math.log(len(texts) / held[term]) + 0.1 for term in chosen}
    if len(texts) < FEWEST_TEXTS or len(chosen) < LABEL // 2 + 1:
        return (), idf
    matrix = _weights(texts, idf)
    k = max(2, min(most, round(math.sqrt(len(texts) / 2))))
    topics = [_topic(row, chosen) for row in _factors(matrix, k)]
    return tuple({topic.label: topic for topic in topics if topic.terms}.values()), idf


def degrees(text: Mapping[str, int], topics: Sequence[Topic], idf: Mapping[str, float]) -> list[float]:
    """Return how much of each topic a text is about: the cosine between them."""
    weighed = {term: math.log1p(count) * idf[term] for term, count in text.items() if term in idf}
    size = length(weighed)
    return [dot(topic.terms, weighed) / size if size else 0.0 for topic in topics]


def _weights(texts: Sequence[Counter[str]], idf: Mapping[str, float]) -> Floats:
    """Return the texts as rows of length 1."""
    place = {term: number for number, term in enumerate(idf)}
    matrix = np.zeros((len(texts), len(idf)))
    for row, text in enumerate(texts):
        for term, count in text.items():
            if term in place:
                matrix[row, place[term]] = math.log1p(count) * idf[term]
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.maximum(lengths, LEAST))


def _factors(v: Floats, k: int) -> Floats:
    """Return H of V = W H, by multiplicative updates."""
    h = v[_apart(v, k)] + 1e-3
    w = v @ h.T + LEAST
    for _ in range(ROUNDS):
        h *= (w.T @ v) / (w.T @ w @ h + LEAST)
        w *= (v @ h.T) / (w @ (h @ h.T) + LEAST)
    return h[np.argsort(-w.sum(axis=0), kind="stable")]


def _apart(v: Floats, k: int) -> list[int]:
    """Return texts that differ most from each other, the most usual one first."""
    chosen = [int(np.argmax(v @ v.mean(axis=0)))]
    nearest = v @ v[chosen[0]]
    while len(chosen) < min(k, len(v)):
        farthest = int(np.argmin(nearest))
        if nearest[farthest] > 1 - 1e-6:
            break  # the rest says the same
        chosen.append(farthest)
        nearest = np.maximum(nearest, v @ v[farthest])
    return chosen


def _topic(row: Floats, terms: Sequence[str]) -> Topic:
    order = sorted(range(len(terms)), key=lambda place: (-round(float(row[place]), 9), terms[place]))[:TERMS]
    top = float(row[order[0]])
    kept = [place for place in order if row[place] > 0.05 * top]
    length = math.sqrt(sum(float(row[place]) ** 2 for place in kept)) or 1.0
    weights = {terms[place]: round(float(row[place]) / length, 4) for place in kept}
    return Topic(label(weights), weights)


def label(terms: Iterable[str], written: Mapping[str, str] | None = None) -> str:
    """Return the label of a topic: its heaviest terms in their original spelling, one form of each word.

    >>> label(["norwell", "plays", "play", "kelp", "cafe"], {"norwell": "Norwell", "cafe": "café"})
    'Norwell, plays, kelp, café'
    """
    kept: list[str] = []
    for term in terms:
        if len(kept) < LABEL and not any(_is_form(term, other) for other in kept):
            kept.append(term)
    return ", ".join((written or {}).get(term, term) for term in kept)


def _is_form(one: str, other: str) -> bool:
    """Say whether two words are rather forms of one: they differ only in a short ending."""
    short, long_ = sorted((one, other), key=len)
    alike = min(len(short), len(long_) - ENDING)
    return (
        len(short) >= STEM
        and len(long_) - len(short) <= ENDING
        and long_[: max(alike, STEM)] == short[: max(alike, STEM)]
    )
