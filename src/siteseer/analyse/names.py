"""The words of a text in, what may be names in it out: runs of words with capitals.

A single text cannot tell a name from a noun at the beginning of a sentence, or in a language that writes all nouns
with capitals. What counts is what repeats: `study` keeps the names that several texts hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from siteseer.analyse.reading import Word
from siteseer.extract.function_words import FUNCTION_WORDS

LONGEST_NAME = 5
"""Words of a name; longer runs of capitals are headlines."""
LETTERS = 60
_BETWEEN = frozenset("of de du des del von van zu da do dos di".split())
"""Small words inside a name: Bank of England, Ludwig van Beethoven."""
_ARTICLES = frozenset("the la le les der den los las".split())
"""These only after one of those: Bank of the West."""
_NO_NAMES = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday januar februar marz mai juni juli oktober dezember montag dienstag mittwoch
    donnerstag freitag samstag sonntag janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
    lundi mardi mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo mr mrs ms dr herr frau monsieur
    madame senor senora yes no ja nein oui non si ok http https www com org html re""".split()
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a name, and where it stands: from one word to before another."""

    name: str
    first: int
    last: int
    doubtful: bool
    """Whether it is one word at the beginning of a sentence."""


def candidates(text: str, words: Sequence[Word]) -> Iterator[Candidate]:
    """Return the runs of capitalised words of a text; a run does not cross a sentence or a sign of punctuation.

    >>> from siteseer.analyse.reading import read
    >>> text = "Yesterday the Bank of Larkstead met Maren Ostby, mayor."
    >>> [found.name for found in candidates(text, read(text)) if not found.doubtful]
    ['Bank of Larkstead', 'Maren Ostby']
    """
    place = 0
    while place < len(words):
        last = _run(text, words, place) if text[words[place].start].isupper() else place
        if last == place:
            place += 1
            continue
        start = place
        while start < last and words[start].first and _is_common(words[start].plain):
            start += 1  # "The Harbour Board": the article has its capital from the sentence
        end = last
        while end > start and _is_common(words[end - 1].plain):
            end -= 1  # "Whenever I"
        if start < end and not _is_common_run(words[start:end]) and not _is_cut(text, words[end - 1]):
            name = text[words[start].start : words[end - 1].end]
            if 2 < len(name) <= LETTERS and end - start <= LONGEST_NAME:
                yield Candidate(name, start, end, end - start == 1 and words[start].first)
        place = last


def _run(text: str, words: Sequence[Word], place: int) -> int:
    """Return the word after a run of capitals that begins here; small words may stand inside it."""
    last = here = place
    while here < len(words) and here - place < 12:
        word = words[here]
        if here > place and (word.sentence != words[place].sentence or not _is_joined(text, words[here - 1], word)):
            break
        if text[word.start].isupper() and not (word.plain.isdigit()):
            last = here + 1
        elif here == place or not _is_inside(text, words, here):
            break
        here += 1
    return last


def _is_inside(text: str, words: Sequence[Word], here: int) -> bool:
    """Say whether a small word may stand inside a name: Bank of the West, Stratford-upon-Avon."""
    word, before = words[here], words[here - 1]
    is_hyphened = text[before.end : word.start] == "-"
    return word.plain in _BETWEEN or (word.plain in _ARTICLES and before.plain in _BETWEEN) or is_hyphened


def _is_joined(text: str, one: Word, other: Word) -> bool:
    """Say whether two words can be of one name: beside each other, hyphened, after an initial, or as in O'Brien."""
    between = text[one.end : other.start]
    if between in ("'", "’"):
        return one.end - one.start == 1 and text[other.start].isupper()
    return between in ("", " ", "-") or (between in (". ", ".") and one.end - one.start == 1)


def _is_cut(text: str, word: Word) -> bool:
    """Say whether a word goes on behind an apostrophe as no name does: I'm, Don't, L'hiver; Ada's may be one."""
    behind = text[word.end : word.end + 3]
    return behind[:1] in ("'", "’") and len(behind) > 1 and not (behind[1] == "s" and not behind[2:].isalnum())


def _is_common(plain: str) -> bool:
    return plain in FUNCTION_WORDS or plain in _NO_NAMES or plain in _BETWEEN


def _is_common_run(words: Sequence[Word]) -> bool:
    return all(_is_common(word.plain) or word.plain.isdigit() for word in words)
