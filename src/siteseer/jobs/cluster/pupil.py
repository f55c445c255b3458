"""The apprentice on many machines: workers get the weights of words, and give back counts of what pages hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from siteseer.decide.focused.apprentice import IRRELEVANT, MOST_WORDS, RELEVANT, Apprentice, distinct
from siteseer.model import JSON

MOST_SENT = 2_000


class Pupil(Apprentice):
    """Uses what the apprentice learned, and writes down what pages hold for it to learn from."""

    def __init__(self, words: Mapping[str, float]) -> None:
        super().__init__()
        self.study(words)

    def study(self, words: Mapping[str, float]) -> None:
        """Use these weights from now on."""
        self._given = dict(words)
        self._weigh_anew()

    def weights(self) -> Iterator[tuple[str, float]]:
        """Return what the apprentice learned."""
        yield from self._given.items()

    def learn(self, prose: Sequence[str], degree: float) -> None:
        """Write down the words of a page of this degree."""
        if not IRRELEVANT < degree < RELEVANT:
            kind = 0 if degree >= RELEVANT else 1
            self.pages[kind] += 1
            self.words[kind].update(distinct(prose))

    def notes(self) -> dict[str, JSON]:
        """Hand in what was written down since the last time."""
        pages, words = self.pages, [dict(one) for one in self.words]
        self.pages, self.words = [0, 0], (Counter(), Counter())
        return {"pages": pages, "words": words}


def heaviest(apprentice: Apprentice) -> dict[str, float]:
    """Return the words that tell relevant pages best, with their weights."""
    found = sorted(apprentice.weights(), key=lambda one: (-one[1], one[0]))
    return {word: round(weight, 4) for word, weight in found[:MOST_SENT]}


def teach(apprentice: Apprentice, notes: Mapping[str, JSON]) -> None:
    """Let the apprentice learn what a slice saw.

    >>> apprentice, pupil = Apprentice(), Pupil({})
    >>> pupil.learn(["kelp"], 0.9)
    >>> teach(apprentice, pupil.notes())
    >>> apprentice.pages, apprentice.words[0]["kelp"]
    ([1, 0], 1)
    """
    pages = [ours + int(theirs) for ours, theirs in zip(apprentice.pages, notes["pages"], strict=True)]
    words = [_trimmed(ours + Counter(theirs)) for ours, theirs in zip(apprentice.words, notes["words"], strict=True)]
    apprentice.recall({"pages": pages, "words": words})


def _trimmed(words: Counter[str]) -> dict[str, int]:
    return words if len(words) <= MOST_WORDS else {word: count for word, count in words.items() if count > 1}
