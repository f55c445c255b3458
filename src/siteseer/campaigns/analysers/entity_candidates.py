"""Finds entity candidates in a text: runs of capitalised words that may be names.

A single text cannot tell a name from a noun at the beginning of a sentence, or in a language that writes all nouns
with capitals: `entity_statistics` tells them apart by what all texts show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from siteseer.campaigns.analysers.tokens import Word
from siteseer.extract.function_words import FUNCTION_WORDS

LONGEST_NAME = 5
"""Words of a name; longer runs of capitals are headlines."""
LETTERS = 60
REACH = 12
"""Words on each side that show whether a sentence is in capitals."""
_BETWEEN = frozenset("of de du des del della von van zu zum zur vom da do dos di bin ibn al el ter ten av".split())
"""Small words inside a name: Bank of England, Ludwig van Beethoven."""
_ARTICLES = frozenset("the la le les der den dem los las".split())
"""These only after one of those: Bank of the West."""
_NO_NAMES = frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug
    sept sep oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun januar
    februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag janvier
    fevrier mars avril juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi
    dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes
    miercoles jueves viernes sabado domingo yes no ja nein oui non si ok http https www com org html re am pm""".split()
)
_CALENDAR = _NO_NAMES - frozenset("may march august jan mar sun sat dec mai mars mon don si".split())
"""Those of them that no name begins with."""
_TITLES = frozenset(
    """mr mrs ms miss sir dr prof professor president minister prime chancellor mayor senator judge king queen prince
    princess general colonel captain major sergeant bishop pope secretary chairman chairwoman director commissioner
    governor ambassador coach premier deputy vice doctor lord lady dame father sister brother saint herr frau prasident
    prasidentin ministerprasident kanzler kanzlerin bundeskanzler bundeskanzlerin minister ministerin burgermeister
    burgermeisterin konig konigin papst bischof direktor professorin monsieur madame mademoiselle ministre maire roi
    reine pape eveque directeur senor senora don dona presidente presidenta ministro ministra alcalde alcaldesa rey
    reina papa obispo director senhor""".split()
)
"""Who somebody is, not what he is called: they part names, and stand before them."""


DETERMINERS = frozenset(
    """der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine meinen meiner
    dein deine sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren unserer euer eure dieser
    diese dieses diesen diesem jeder jede jedes jeden jener jene welche welcher viele vielen einige mehrere alle allen
    beide beiden manche im am zum zur vom beim ins ans ohne zwei drei vier funf sechs zehn etwas viel mehr wenig ganz
    """.split()
)
"""What stands before nouns, and seldom before names, in German, which writes both with capitals."""
_NOUN = ("ung", "ungen", "heit", "heiten", "keit", "keiten", "schaft", "tion", "tionen", "ismus", "tat", "nis", "tum")
_ENDED = ("e", "en", "er", "es", "em")
"""How German adjectives end."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A run of words that may be a name: from its first word to before the word after it."""

    name: str
    run: int
    """Where the run of capitals begins, with what the beginning of a sentence may have given a capital."""
    first: int
    last: int
    doubtful: bool
    """Whether its capital may come from where it stands: at the beginning of a sentence, or in a line of capitals."""


def candidates(text: str, words: Sequence[Word]) -> Iterator[Candidate]:
    """Return the runs of capitalised words of a text; a run does not cross a sentence, a title or punctuation.

    >>> from siteseer.campaigns.analysers.tokens import read
    >>> text = "Yesterday the Bank of Larkstead met Mayor Maren Ostby, who smiled."
    >>> [found.name for found in candidates(text, read(text)) if not found.doubtful]
    ['Bank of Larkstead', 'Maren Ostby']
    """
    place = 0
    while place < len(words):
        if not text[words[place].start].isupper():
            place += 1
            continue
        last = _run(text, words, place)
        if last == place or words[place].plain in _TITLES:
            place += 1
            continue
        if words[place].plain in given_names() or words[place].end - words[place].start == 1:
            last = next((here for here in range(place + 1, last) if words[here].plain == "of"), last)
        start, end = _trimmed(words, place, last)
        if start < end and not _is_common_run(words[start:end]) and not _is_cut(text, words[end - 1]):
            name = normalised_name(text, words, start, end)
            if 2 < len(name) <= LETTERS and end - start <= LONGEST_NAME:
                is_loud = name.isupper() and is_shouted(text, words, start)
                is_doubtful = words[start].first or start > place or is_loud
                yield Candidate(name, place, start, end, is_doubtful)
        place = last


@lru_cache(maxsize=1)
def given_names() -> frozenset[str]:
    """Return a few hundred common first names."""
    return frozenset(
        files("siteseer.campaigns.analysers").joinpath("given_names.txt").read_text(encoding="utf-8").split()
    )


def normalised_name(text: str, words: Sequence[Word], first: int, last: int) -> str:
    """Return a name in the form in which it is compared: with one kind of apostrophe."""
    return text[words[first].start : words[last - 1].end].replace("’", "'")


def parts(one: Candidate) -> Iterator[tuple[int, int]]:
    """Return the runs of words within a candidate, the longest first, from one word to before another."""
    for length in range(one.last - one.run, 0, -1):
        for first in range(one.run, one.last - length + 1):
            yield first, first + length


def is_shouted(text: str, words: Sequence[Word], place: int) -> bool:
    """Say whether the sentence around a word is written in capitals only, as headlines and the places of news are."""
    first = last = place
    while first > 0 and words[first - 1].sentence == words[place].sentence and place - first < REACH:
        first -= 1
    while last + 1 < len(words) and words[last + 1].sentence == words[place].sentence and last - place < REACH:
        last += 1
    return text[words[first].start : words[last].end].isupper()


def _trimmed(words: Sequence[Word], start: int, end: int) -> tuple[int, int]:
    """Return a run without the common words around it."""
    while start < end and words[start].first and _is_common(words[start].plain):
        start += 1  # "The Harbour Board": the article has its capital from the sentence
    while start < end and words[start].plain in _CALENDAR:
        start += 1  # "Friday Mitchell"
    while end > start and _is_common(words[end - 1].plain):
        end -= 1  # "Whenever I"
    return start, end


def is_noun(text: str, words: Sequence[Word], place: int) -> bool:
    """Say whether a capitalised word of a German text is rather a noun: behind an article or an adjective."""
    word = words[place]
    if text[word.start : word.end].isupper():
        return False
    if word.plain.endswith(_NOUN):
        return True
    before = words[place - 1] if place and words[place - 1].sentence == word.sentence else None
    if before is None or not _is_joined(text, before, word):
        return False
    is_small = text[before.start].islower()
    return before.plain in DETERMINERS or (
        is_small and before.plain.endswith(_ENDED) and before.plain not in FUNCTION_WORDS
    )


def _run(text: str, words: Sequence[Word], place: int) -> int:
    """Return the word after a run of capitals that begins here; small words may stand inside it."""
    last = here = place
    while here < len(words) and here - place < 12:
        word = words[here]
        if here > place and (word.sentence != words[place].sentence or not _is_joined(text, words[here - 1], word)):
            break
        if word.plain in _TITLES and here > place:
            break
        if text[word.start].isupper() and not word.plain.isdigit():
            last = here + 1
        elif here == place or not _is_inside(text, words, here):
            break
        here += 1
    return last


def _is_inside(text: str, words: Sequence[Word], here: int) -> bool:
    """Say whether a small word may stand inside a name: Bank of the West, Stratford-upon-Avon."""
    word, before = words[here], words[here - 1]
    is_hyphened = text[before.end : word.start] == "-" == text[word.end : word.end + 1]
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
