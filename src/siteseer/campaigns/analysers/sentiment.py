"""Measures the sentiment of a text with word lists: -1 is negative, 1 is positive; with the sentences that show it.

Word lists of four languages, with negations, strengthening and weakening words, contrast and emoticons; nothing is
understood. Irony, comparisons and what only experts know to be praise are beyond it; in other languages only emoticons
are read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from siteseer.campaigns.analysers.sentiment_lexicon import SentimentLexicon, sentiment_lexicon_for
from siteseer.campaigns.analysers.tokens import LONGEST, Word

REACH = 3
"""Words before a judging word in which a negation or a strengthening word counts."""
TURNED = -0.6
"""Not good is less bad than bad."""
STRONGER, WEAKER = 1.5, 0.6
BEFORE = 0.5
"""What is left of what stands before a `but`."""
CALM = 2.0
"""As if so much had been said neutrally: one word does not make a verdict."""
FEWEST = 2.0
"""What must have been said before the whole text counts as an opinion."""
_PAUSE = re.compile(r"[,;:()\n\u2013\u2014]")
_FACE = re.compile(
    r"[:;=8xX(^<)D](?:(?<=[:;=8xX])[-o^']?(?:(?P<glad>[)\]DpP]{1,9})|[(\[|/\\]{1,9})|(?P<merry>(?<=\():|(?<=\^)_?\^|(?<=<)3+)"
    r"|(?<=[)D]):|(?<=<)/3)(?!\S)"
)
_GLAD = re.compile(
    "[\U0001f600-\U0001f606\U0001f609-\U0001f60e\U0001f617-\U0001f61a\U0001f642\U0001f917\U0001f929\U0001f970\U0001f973"
    "\U0001f44d\U0001f44f\U0001f389\U0001f38a\U0001f495-\U0001f49d\u2764\u2665\u263a]"
)
_GRIM = re.compile(
    "[\U0001f612-\U0001f616\U0001f61e-\U0001f62b\U0001f62d\U0001f630\U0001f631\U0001f641\U0001f92c\U0001f92e\U0001f44e"
    "\U0001f494\u2639]"
)
FACED = 1.0
"""What an emoticon says."""


@dataclass(frozen=True, slots=True)
class SentenceSentiment:
    """The positive and the negative sentiment of a sentence."""

    sentence: int
    good: float
    bad: float

    @property
    def balance(self) -> float:
        """Positive minus negative sentiment."""
        return self.good - self.bad


def judging_sentences(
    text: str, words: Sequence[Word], language: str = "", named: Collection[int] = ()
) -> list[SentenceSentiment]:
    """Return the sentences of a text that express a sentiment.

    `named` are the positions of words that belong to names: the "Trust" in National Trust praises nobody.

    >>> from siteseer.campaigns.analysers.tokens import read
    >>> text = "The plan is good. It is not good. A very bad day."
    >>> [(said.good, said.bad) for said in judging_sentences(text, read(text), "en")]
    [(1.0, 0.0), (0.0, 0.6), (0.0, 1.95)]
    """
    wording = sentiment_lexicon_for([word.plain for word in words], language)
    found: dict[int, list[float]] = {}
    said = [] if wording is None else _said(wording, text, words, named)
    for sentence, value in (*said, *_faces(text, words)):
        sums = found.setdefault(sentence, [0.0, 0.0])
        sums[value < 0] += abs(value)
    return [
        SentenceSentiment(sentence, round(good, 3), round(bad, 3)) for sentence, (good, bad) in sorted(found.items())
    ]


def polarity(said: Sequence[SentenceSentiment]) -> float:
    """Return the sentiment of several sentences together, from -1 to 1.

    >>> polarity([SentenceSentiment(0, 3.0, 0.0)]), polarity([SentenceSentiment(0, 1.0, 1.0)])
    (0.6, 0.0)
    """
    good, bad = sum(one.good for one in said), sum(one.bad for one in said)
    return round((good - bad) / (good + bad + CALM), 3)


def is_opinion(said: Sequence[SentenceSentiment]) -> bool:
    """Say whether the sentences express enough to be called an opinion."""
    return sum(one.good + one.bad for one in said) >= FEWEST


def _said(
    wording: SentimentLexicon, text: str, words: Sequence[Word], named: Collection[int]
) -> list[tuple[int, float]]:
    """Return the judging words: the sentence and the degree of each."""
    found: list[tuple[int, int, float]] = []
    turns: dict[int, int] = {}
    before = ""
    for place, word in enumerate(words):
        plain = word.plain
        value, first = wording.value(plain), place
        if plain in wording.seconds and (pair := wording.values.get(f"{before} {plain}")) is not None:
            value, first = pair, place - 1
            if found and found[-1][0] == place - 1:
                found.pop()
        if value and place not in named:
            found.append((place, word.sentence, value * _modified(wording, text, words, place, first)))
        elif plain in wording.contrasts:
            turns[word.sentence] = place
        before = plain
    return [(sentence, value * BEFORE if place < turns.get(sentence, 0) else value) for place, sentence, value in found]


def _modified(wording: SentimentLexicon, text: str, words: Sequence[Word], place: int, first: int) -> float:
    """Return what the words around a judging word, or two from `first` on, make of it; they reach over no pause."""
    word = words[place]
    factor, is_turned = 1.0, _is_denied_behind(wording, text, words, place)
    for here in range(first - 1, max(-1, first - 1 - REACH), -1):
        one = words[here]
        if one.sentence != word.sentence or _PAUSE.search(text, one.end, words[here + 1].start):
            break
        if one.plain in wording.turns:
            is_turned = True
        elif here >= first - 2 and one.plain in wording.strong:
            factor *= STRONGER
        elif here >= first - 2 and one.plain in wording.weak:
            factor *= WEAKER
    return factor * TURNED if is_turned else factor


def _is_denied_behind(wording: SentimentLexicon, text: str, words: Sequence[Word], place: int) -> bool:
    """Say whether a negation ends the clause, as in `das gefällt mir nicht`."""
    for here in range(place + 1, min(len(words), place + 1 + REACH)):
        one = words[here]
        if one.sentence != words[place].sentence or _PAUSE.search(text, words[here - 1].end, one.start):
            return False
        if one.plain in wording.turns:
            after = words[here + 1] if here + 1 < len(words) else None
            return after is None or after.sentence != one.sentence or bool(_PAUSE.search(text, one.end, after.start))
    return False


def _faces(text: str, words: Sequence[Word]) -> list[tuple[int, float]]:
    """Return the emoticons, each with the sentence before it.

    >>> from siteseer.campaigns.analysers.tokens import read
    >>> [_faces(text, read(text)) for text in ("Well :-) but this :(", "See http://e.org/ or: (a)", "😀")]
    [[(0, 1.0), (0, -1.0)], [], [(0, 1.0)]]
    """
    shown = text[:LONGEST]
    met = [
        (one.start(), FACED if one["glad"] or one["merry"] else -FACED)
        for one in _FACE.finditer(shown)
        if one.start() == 0 or shown[one.start() - 1].isspace()
    ]
    if not shown.isascii():
        met += [(one.start(), FACED) for one in _GLAD.finditer(shown)]
        met += [(one.start(), -FACED) for one in _GRIM.finditer(shown)]
    starts = [word.start for word in words] if met else []
    return [(words[max(0, bisect_right(starts, at) - 1)].sentence if words else 0, value) for at, value in met]
