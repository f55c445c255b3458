"""Runs the term learner on workers: they get the weights of terms, and report term counts of pages to the campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from siteseer.campaigns.relevance.term_learner import IRRELEVANT, MOST_WORDS, RELEVANT, TermLearner, distinct_words
from siteseer.model import JSON

MOST_SENT = 2_000


class RemoteTermLearner(TermLearner):
    """Scores links by the campaign's weights, and notes the words of pages for the campaign to learn from."""

    def __init__(self, words: Mapping[str, float]) -> None:
        super().__init__()
        self.study(words)

    def study(self, words: Mapping[str, float]) -> None:
        """Use these weights from now on."""
        self._given = dict(words)
        self._update_weights()

    def weights(self) -> Iterator[tuple[str, float]]:
        """Return the weights that the campaign sent."""
        yield from self._given.items()

    def learn(self, prose: Sequence[str], degree: float) -> None:
        """Note the words of a page with this relevance."""
        if not IRRELEVANT < degree < RELEVANT:
            kind = 0 if degree >= RELEVANT else 1
            self.pages[kind] += 1
            self.words[kind].update(distinct_words(prose))

    def notes(self) -> dict[str, JSON]:
        """Return the notes since the last call."""
        pages, words = self.pages, [dict(one) for one in self.words]
        self.pages, self.words = [0, 0], (Counter(), Counter())
        return {"pages": pages, "words": words}


def heaviest_terms(term_learner: TermLearner) -> dict[str, float]:
    """Return the terms that indicate relevant pages best, with their weights."""
    found = sorted(term_learner.weights(), key=lambda one: (-one[1], one[0]))
    return {word: round(weight, 4) for word, weight in found[:MOST_SENT]}


def train_from_notes(term_learner: TermLearner, notes: Mapping[str, JSON]) -> None:
    """Train the term learner with the notes of a slice.

    >>> term_learner, remote_learner = TermLearner(), RemoteTermLearner({})
    >>> remote_learner.learn(["kelp"], 0.9)
    >>> train_from_notes(term_learner, remote_learner.notes())
    >>> term_learner.pages, term_learner.words[0]["kelp"]
    ([1, 0], 1)
    """
    pages = [ours + int(theirs) for ours, theirs in zip(term_learner.pages, notes["pages"], strict=True)]
    words = [_trimmed(ours + Counter(theirs)) for ours, theirs in zip(term_learner.words, notes["words"], strict=True)]
    term_learner.recall({"pages": pages, "words": words})


def _trimmed(words: Counter[str]) -> dict[str, int]:
    return words if len(words) <= MOST_WORDS else {word: count for word, count in words.items() if count > 1}
