"""Learns which terms indicate relevant pages (log-odds, online relevance feedback), to score links by their text.

Reference: Chakrabarti, Punera and Subramanyam, Accelerated focused crawling through online relevance feedback, WWW
2002: beside the critic, who judges pages by what the person asked for, an apprentice learns from its judgements which
links are worth following. Differs: it learns words of pages, weighed by how much more often relevant ones hold them
(log-odds). It never judges a page.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from siteseer.campaigns.relevance.term_matcher import letter_pairs
from siteseer.extract.function_words import FUNCTION_WORDS

RELEVANT, IRRELEVANT = 0.5, 0.2
"""Pages of at least, or at most, this degree are examples; between them nobody knows."""
ENOUGH = 4
"""Examples of either kind, and pages with a word, before it means anything."""
HEAVIEST = 0.6
"""A learned word never counts as much as one that the person gave."""
SURE = 0.7
"""A word must be at least twice as frequent on relevant pages, chance left aside."""
MOST_WORDS = 40_000
MANY = 100
"""Examples of a kind; of further ones every second counts, after twice as many every third, and so on."""
_ANEW, _ANEW_SHARE = 4, 0.1
"""After so many examples, or this share of all, the weights are computed anew."""


class TermLearner:
    """Learns the weights of terms from pages of known relevance.

    >>> learner = TermLearner()
    >>> for number in range(20):
    ...     learner.learn(["frond", "boat"], 0.9), learner.learn(["boat", "tea"], 0.0)
    (None, None)...
    >>> round(learner.evidence(["frond", "boat"]), 1)
    0.6
    """

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known = frozenset(known) | FUNCTION_WORDS
        """Words that need not be learned."""
        self.pages = [0, 0]
        """Examples so far: relevant, irrelevant."""
        self.words: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self.edition = 0
        """How often the weights were computed."""
        self._common: set[str] = set()
        """Words that enough relevant pages held: few of all that were met."""
        self._weights: dict[str, float] = {}
        self._telling: frozenset[str] = frozenset()
        self._has_pairs = False
        """Whether some of them are pairs of letters, of scripts that do not part their words."""
        self._since = 0
        self._passed = [0, 0]
        """Pages of either kind that were passed over since the last example."""

    def learn(self, prose: Sequence[str], degree: float) -> None:
        """Count the words of a page with this relevance."""
        if IRRELEVANT < degree < RELEVANT:
            return
        kind = 0 if degree >= RELEVANT else 1
        self._passed[kind] += 1
        if self._passed[kind] <= self.pages[kind] // MANY:
            return
        self._passed[kind] = 0
        self.pages[kind] += 1
        words = distinct_words(prose)
        self.words[kind].update(words)
        if kind == 0:
            counts = self.words[0]
            self._common |= {word for word in words if counts[word] >= ENOUGH}
        if len(self.words[kind]) > MOST_WORDS:
            self.words[kind].subtract(list(self.words[kind]))  # what was met once or long ago is forgotten
            for word in [word for word, count in self.words[kind].items() if count <= 0]:
                del self.words[kind][word]
        self._since += 1
        if self._since >= max(_ANEW, _ANEW_SHARE * sum(self.pages)):
            self._update_weights()

    def _update_weights(self) -> None:
        self._weights = dict(self.weights())
        self._telling, self._since = frozenset(self._weights), 0
        self._has_pairs = any(map(letter_pairs, itertools.filterfalse(str.isascii, self._weights)))
        self.edition += 1

    def weights(self) -> Iterator[tuple[str, float]]:
        """Return the terms that indicate relevant pages, with their weights."""
        relevant, other = self.pages
        if min(relevant, other) < ENOUGH:
            return
        rare, counts, others = math.exp(SURE) * (relevant + 1) / (other + 1), self.words[0], self.words[1].get
        for word in self._common:
            count, beside = counts[word] + 0.5, others(word, 0) + 0.5
            if count <= rare * beside or count < ENOUGH or word in self.known or len(word) < 2 or word.isdigit():
                continue  # nearly always
            odds = math.log(count / (relevant + 1) * (other + 1) / beside)
            sure = odds - math.sqrt(1 / count + 1 / beside)  # one standard error less
            if sure > SURE:
                yield word, min(HEAVIEST, sure - SURE)

    def evidence(self, words: Sequence[str]) -> float:
        """Return the evidence of the words of a link's text that its target is relevant."""
        weights = self._weights
        if not weights:
            return 0.0
        if self._has_pairs:
            words = [*words, *letter_pairs(words)]
        if self._telling.isdisjoint(words):  # nearly always
            return 0.0
        return sum([weights[word] for word in self._telling.intersection(words)])

    def to_json(self) -> Any:
        """Return the learned counts, to be recalled later; rare words are left out."""
        common = [{word: count for word, count in one.items() if count > 1} for one in self.words]
        return {"pages": self.pages, "words": common}

    def recall(self, stored: Any) -> None:
        """Continue with counts that were saved before."""
        self.pages = list(stored["pages"])
        self.words = Counter(stored["words"][0]), Counter(stored["words"][1])
        self._common = {word for word, count in self.words[0].items() if count >= ENOUGH}
        self._update_weights()


def distinct_words(prose: Sequence[str]) -> set[str]:
    """Return the words of a text, each once; where scripts do not part them, neighbouring letters stand for words."""
    return {*prose, *letter_pairs(prose)}
