"""Extracts signifiers from pages, feed items or a query: the weighted terms that describe the topic of a page (tf-idf).

Reference: the thesis, sections 2.3 and 2.6.1. Differs: a term that is on every page of the sample has weight 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from heapq import nlargest
from math import log
from typing import TypeVar

from siteseer.extract.function_words import FUNCTION_WORDS
from siteseer.page.feeds import FeedItem, plain
from siteseer.page.text import WORD

Term = TypeVar("Term", bound=Hashable)
SIGNIFIERS = 10
"""k: how many signifiers a page has; the thesis saw worse results below 5."""
_IDEOGRAPHS = re.compile(r"[぀-ヿ㐀-鿿가-힯]+")


def terms(text: str) -> list[str]:
    """Return the terms of a text: words, small letters, without function words, single letters and numbers.

    >>> terms("The 3 ancient Celts")
    ['ancient', 'celts']
    """
    found: list[str] = []
    for word in WORD.findall(text.lower()):
        if len(word) < 2 or word.isdigit() or word in FUNCTION_WORDS:
            continue
        if not word.isascii() and _IDEOGRAPHS.fullmatch(word):  # no spaces between words: pairs of characters
            found.extend(word[place : place + 2] for place in range(len(word) - 1))
        else:
            found.append(word)
    return found


def tf_idf(documents: Sequence[Iterable[Term]], k: int = SIGNIFIERS) -> list[dict[Term, float]]:
    """Return, for each document, its k terms of largest tf × ln(n / df), with weights that sum to 1.

    >>> tf_idf([["menu", "moon", "moon"], ["menu", "sun"]])
    [{'moon': 1.0}, {'sun': 1.0}]
    """
    counts = [Counter(document) for document in documents]
    spread = Counter(term for count in counts for term in count)
    n = len(counts)
    return [_top({term: tf * log(n / spread[term]) for term, tf in count.items()}, k) for count in counts]


def _top(weights: Mapping[Term, float], k: int) -> dict[Term, float]:
    least = min(nlargest(k, weights.values()), default=0.0)
    ranked = sorted((-weight, str(term), term) for term, weight in weights.items() if weight > 0 and weight >= least)[
        :k
    ]
    total = -sum(weight for weight, _, _ in ranked)
    return {term: -weight / total for weight, _, term in ranked}


def of_items(items: Sequence[FeedItem], k: int = SIGNIFIERS) -> list[dict[str, float]]:
    """Return the signifiers of feed items by frequency; terms of more than half the items ("read more") are dropped."""
    counts = [Counter(terms(f"{item.title} {plain(item.description or item.content)}")) for item in items]
    spread = Counter(term for count in counts for term in count)
    common = {term for term, number in spread.items() if len(items) > 2 and number > len(items) / 2}
    return [_top({term: tf for term, tf in count.items() if term not in common}, k) for count in counts]


def of_query(query: str) -> dict[str, float]:
    """Return the terms of a query as signifiers of equal weight.

    >>> of_query("the red kite")
    {'kite': 0.5, 'red': 0.5}
    """
    return _top(dict.fromkeys(terms(query), 1.0), SIGNIFIERS)
