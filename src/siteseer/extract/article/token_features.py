"""Encodes tokens as numbers: a hash and the form of each word; and finds set phrases in short texts.

A word becomes one 64-bit number: the upper bits are a hash of its lower-case letters, the lower bits say what it is, so
that a page's words are counted and compared in numpy.
"""

from __future__ import annotations

import numpy as np
import re2
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from siteseer.extract.function_words import FUNCTION_WORDS

Codes = NDArray[np.uint64]

FUNCTION, LOWER, CAPITALS, DIGITS, LONE, NUMERAL = 1, 2, 4, 8, 16, 32
"""What the lower bits say: a function word, begins with a small letter, all capitals, a number, a single letter, has a
digit."""
HASH_MASK = np.uint64(0xFFFFFFFFFFFFFF00)
_LIMIT = 200_000
_LONGEST, _SHORT = 100, 60

PHRASES = ("kw", "copy", "date", "by")
"""Kinds of set phrases: of the page's furniture, of rights and offers, of dates, of authors."""
_PATTERNS = (
    r"^\W*(share|print|e-?mail|tweet|comments?|related|read more|more on|more from|advertisement|click here"
    r"|sign up|follow"
    r"|photos?|see also|also (see|on|read)|watch|video|back to|return to|recommend|subscribe|most popular|top stories"
    r"|previous|next|page \d|posted|published|updated|last updated|filed under|tags?|topics?|source|copyright|©"
    r"|all rights|credit|image|editor'?s? (note|picks?)|contact|story highlights|get the|join|full story|listen|discuss"
    r"|add (a )?comment|reply|send|save|permalink|loading|skip|leave a|log ?in|register|you may also|trending|featured"
    r"|mehr zum thema|lesen sie auch|kommentare?|drucken|teilen|anzeige|werbung|à lire aussi|lire aussi"
    r"|partager|publicité"
    r"|compartir|lea también|leer más|comentarios|publicidad|leggi anche|condividi|commenti|pubblicità)(\W|$)",
    r"copyright|©|all rights reserved|may not be (published|reproduced)|terms of (use|service)|privacy policy"
    r"|contributed to this report|newsletter|subscribe|e-?mail (us|address)|sign up|click here"
    r"|follow .{0,40}(twitter|facebook)|(^|\s)@\w+|getty images|\(ap photo|reuters|cookies"
    r"|alle rechte vorbehalten|tous droits réservés|todos los derechos|tutti i diritti",
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}\b"
    r"|\d{1,2}[:.]\d\d ?(am|pm|a\.m|p\.m|et\b|gmt|est|edt|uhr)"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\b\d{4}-\d\d-\d\d|\d+ (hours?|minutes?|days?) ago"
    r"|\b\d{1,2}\.? (jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez"
    r"|janv|févr|avril|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)",
    r"^\W*(by|von|par|por|posted by|written by|reported by)\s",
)


def _compile() -> re2.Set:
    patterns = re2.Set.SearchSet()
    for pattern in _PATTERNS:
        patterns.Add(f"(?i){pattern}")
    patterns.Compile()
    return patterns


_SET = _compile()


_met: dict[str, list[int]] = {}
"""Short texts met before: menus and buttons stand on every page of a site."""


def phrases(text: str) -> list[int]:
    """Return the numbers of the kinds of set phrases that a text holds.

    >>> [PHRASES[number] for number in phrases("By Ann Example, 3 May 2020")]
    ['date', 'by']
    """
    found = _met.get(text)
    if found is None:
        found = sorted(_SET.Match(text) or ())
        if len(text) <= _SHORT:
            if len(_met) >= _LIMIT:
                _met.clear()
            _met[text] = found
    return found


class _Vocabulary(dict[str, int]):
    """Word to number; forgets everything when it grows too large."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _LIMIT:
            self.clear()
        low = word.lower()
        code = xxh3_64_intdigest(low.encode("utf-8", "replace")) & 0xFFFFFFFFFFFFFF00
        code |= FUNCTION * (low in FUNCTION_WORDS) | LOWER * word[0].islower()
        code |= CAPITALS * (len(word) > 1 and word.isupper()) | DIGITS * word.isdigit() | LONE * (len(word) == 1)
        code |= NUMERAL * (not word.isalpha() and any(map(str.isdecimal, word)))
        if len(word) <= _LONGEST:
            self[word] = code
        return code


_VOCABULARY = _Vocabulary()


def codes(tokens: list[str]) -> Codes:
    """Return the numbers of words.

    >>> one, other = codes(["The", "the"]); (int(one & 0xFF), int(other & 0xFF), bool(one >> 8 == other >> 8))
    (1, 3, True)
    """
    return np.fromiter(map(_VOCABULARY.__getitem__, tokens), np.uint64, len(tokens))


_MIX, _TURN, _BACK = np.uint64(0x9E3779B97F4A7C15), np.uint64(29), np.uint64(35)


def mixed(hashes: Codes, others: Codes) -> Codes:
    """Return hashes of pairs, in order."""
    made = hashes * _MIX
    return ((made << _TURN) | (made >> _BACK)) ^ others


def grams(hashes: Codes, length: int) -> Codes:
    """Return the hash of every run of that many consecutive words; the array is that much shorter."""
    if len(hashes) < length:
        return np.zeros(0, np.uint64)
    last = len(hashes) - length + 1
    made = hashes[:last]
    for step in range(1, length):
        made = mixed(made, hashes[step : last + step])
    return made


def distinct(values: Codes) -> Codes:
    """Return the values sorted, each once; `numpy.unique` hashes them, which takes four times as long.

    >>> distinct(np.array([3, 1, 3], np.uint64)).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    found: Codes = ordered[is_new]
    return found


def among(values: Codes, known: Codes) -> NDArray[np.bool_]:
    """Say of each value whether it is among sorted ones.

    >>> among(np.array([3, 4], np.uint64), np.array([1, 3], np.uint64)).tolist()
    [True, False]
    """
    if not len(known):
        return np.zeros(len(values), bool)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, values), len(known) - 1)] == values
    return found
