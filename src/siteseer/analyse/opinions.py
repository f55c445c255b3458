"""The words of a text in, how it speaks out: a degree from -1, against, to 1, in favour, and where it shows.

Word lists of four languages, negations and strengthening words; nothing is understood. Irony, comparisons and what
only experts know to be praise are beyond it, and in other languages it says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siteseer.analyse.polarity_words import WORDINGS, Wording
from siteseer.analyse.reading import Word
from siteseer.decide.focused.circumstances import guessed

REACH = 3
"""Words before a judging word in which a negation or a strengthening word counts."""
TURNED = -0.6
"""Not good is less bad than bad."""
STRONGER = 1.5
CALM = 2.0
"""As if so much had been said neutrally: one word does not make a verdict."""
FEWEST = 2.0
"""What must have been said before the whole text counts as an opinion."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a sentence says for and against."""

    sentence: int
    good: float
    bad: float

    @property
    def balance(self) -> float:
        """In favour, less against."""
        return self.good - self.bad


def judged(words: Sequence[Word], language: str = "") -> list[Said]:
    """Return what the sentences of a text say, those that judge nothing left out.

    >>> from siteseer.analyse.reading import read
    >>> [(said.good, said.bad) for said in judged(read("The plan is good. It is not good. A very bad day."), "en")]
    [(1.0, 0.0), (0.0, 0.6), (0.0, 1.5)]
    """
    wording = WORDINGS.get(language or guessed([word.plain for word in words]) or "en")
    if wording is None:
        return []
    found: dict[int, list[float]] = {}
    for place, word in enumerate(words):
        if value := _value(wording, word.plain):
            value *= _modified(wording, words, place)
            sums = found.setdefault(word.sentence, [0.0, 0.0])
            sums[value < 0] += abs(value)
    return [Said(sentence, round(good, 3), round(bad, 3)) for sentence, (good, bad) in found.items()]


def polarity(said: Sequence[Said]) -> float:
    """Return how sentences speak together, from -1 to 1.

    >>> polarity([Said(0, 3.0, 0.0)]), polarity([Said(0, 1.0, 1.0)])
    (0.6, 0.0)
    """
    good, bad = sum(one.good for one in said), sum(one.bad for one in said)
    return round((good - bad) / (good + bad + CALM), 3)


def is_opinion(said: Sequence[Said]) -> bool:
    """Say whether enough was said to call it an opinion."""
    return sum(one.good + one.bad for one in said) >= FEWEST


def _value(wording: Wording, plain: str) -> float:
    return 1.0 if plain in wording.good else -1.0 if plain in wording.bad else 0.0


def _modified(wording: Wording, words: Sequence[Word], place: int) -> float:
    factor = 1.0
    for before in words[max(0, place - REACH) : place]:
        if before.sentence != words[place].sentence:
            continue
        if before.plain in wording.turns:
            factor *= TURNED
        elif before.plain in wording.strong:
            factor *= STRONGER
    return factor
