"""Splits a text into words, each with its normalised form and its position in the text (tokeniser)."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import NamedTuple

from siteseer.campaigns.relevance.term_matcher import words_of

LONGEST = 100_000
"""Characters of a text that are read: a book's first chapters tell what it is about."""
_WORD = re.compile(r"[^\W_]+")
_WORD_OR_ADDRESS = re.compile(r"(?P<address>(?:https?://|www\.)\S+)|[^\W_]+", re.I)
_TITLE = re.compile(r"(?<![^\W_])(?:Mr|Mrs|Ms|Dr|Prof|St|Sra?|Hr|Fr|Mme?|Jr|Gen|Sen|Rep|Gov|No|vs)\Z")
_END = re.compile(r"[.!?…。！？]|\n")


class Word(NamedTuple):
    """A word of a text."""

    plain: str
    """Without case and accents, as the term_matcher compares it."""
    start: int
    end: int
    sentence: int
    first: bool
    """Whether it begins a sentence, where capitals say nothing."""


@lru_cache(maxsize=50_000)
def _plain(word: str) -> tuple[str, ...]:
    return tuple(words_of(word))


def read(text: str) -> list[Word]:
    """Return the words of a text with their places.

    >>> [(word.plain, word.sentence, word.first) for word in read("Café Ost. It’s shut")]
    [('cafe', 0, True), ('ost', 0, False), ('it', 1, True), ('s', 1, False), ('shut', 1, False)]
    """
    found: list[Word] = []
    add, make = found.append, partial(tuple.__new__, Word)
    sentence, last, is_first = 0, 0, True
    for match in (_WORD_OR_ADDRESS if "://" in text or "www." in text else _WORD).finditer(text[:LONGEST]):
        start, end = match.span()
        if match.lastgroup:  # an address is no text
            last = end
            continue
        if text[last:start] != " " and found and _END.search(text, last, start) and not _is_initial(text, last):
            sentence, is_first = sentence + 1, True
        for plain in _plain(match[0]):
            add(make((plain, start, end, sentence, is_first)))
        is_first, last = False, end
    return found


def _is_initial(text: str, end: int) -> bool:
    """Say whether a full stop after this place ends a single capital, as in `J. Ostby`, or a title, and no sentence."""
    if text[end : end + 1] != ".":
        return False
    if text[end - 1].isupper() and not text[max(0, end - 2)].isalnum():
        return True
    return _TITLE.search(text, max(0, end - 5), end) is not None


def sentence_at(words: list[Word], number: int) -> tuple[int, int]:
    """Return where a sentence begins and ends, without the signs around it."""
    inside = [word for word in words if word.sentence == number]
    return (inside[0].start, inside[-1].end) if inside else (0, 0)
