"""Normalises a literal into the keys under which equal literals are found.

Reference: Oita, Deriving semantic objects from the structured Web, 2012, sections 3.6 and 4 (lower case, parenthesised
parts, stop words). Numbers are compared as decimals and dates as ISO days whatever their form; a literal that names
several things, or one thing with an addition, has a key for each part, which weighs less than a key for the whole.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.read_dates import read_date

WHOLE, REORDERED, BARE, PART, HEAD, TAIL, NAME, ACRONYM = 1.0, 0.97, 0.92, 0.85, 0.8, 0.7, 0.6, 0.6
"""How far equality goes when it rests on a kind of key; two keys that meet multiply."""
MOST_PARTS = 12
_STOP = frozenset(
    "a an and the of in on for to by le la les un une et de du des der die das und el los las y il".split()
)
_NUMBER = re.compile(r"[^\w+-]{0,3}([+-]?(?:0|[1-9]\d{0,17}))(?:\.(\d{1,18}))?\W{0,3}")
_BRACKETS = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
_VOLUME = re.compile(r"\b(?:volumes?|vols?|v|no|nr|number|books?|bks?|parts?|pt|issue)\b\.? {0,2}#? {0,2}(?=\d)")
_LIST = re.compile(r" ?[;|/&] ?| (?:and|et|und|y|with) ")
_HEAD = re.compile(r": | [-–—] | ?; ")
_YEAR = re.compile(r"\d{4}")
_OF_ANY_AGE = DateContext(first_year=1000)
WORD = re.compile(r"[^\W_]+")


def fold_case(text: str) -> str:
    """Return text in lower case without accents, entities resolved.

    >>> fold_case("Caf&eacute; Zürich")
    'cafe zurich'
    """
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in parts if not unicodedata.combining(letter)).lower()


def exact_key(text: str) -> str:
    """Return what two literals share when they are the same text, number or day.

    >>> exact_key(" 9.990 "), exact_key("2008-09-30T00:00:00Z"), exact_key("30 September 2008"), exact_key("Ham-let")
    ('9.99', '20080930', '20080930', 'Ham-let')
    """
    text = text.strip()
    return _number_or_day(text) or text


def alnum_key(text: str) -> str:
    """Return what two literals share when their letters and digits are the same.

    >>> alnum_key("310/456-7890") == alnum_key("(310) 456 7890") == alnum_key("3104567890")
    True
    >>> alnum_key("1.50") == alnum_key("150"), alnum_key("Ol' Joe’s Café")
    (False, 'oljoescafe')
    """
    text = text.strip()
    plain = fold_case(text)
    return _number_or_day(text) or "".join(WORD.findall(plain)) or plain


def _number_or_day(text: str) -> str:
    if not any(letter.isdigit() for letter in text[:40]) or len(text) > 40:
        return ""
    if number := _NUMBER.fullmatch(text):
        fraction = (number[2] or "").rstrip("0")
        return f"{number[1]}.{fraction}" if fraction else number[1].removeprefix("+")
    return _day(text)


def _day(text: str) -> str:
    """Return the day or the month that a literal is and nothing else; "" where its order is anybody's guess."""
    read = read_date(text, _OF_ANY_AGE) if _YEAR.search(text) else None
    if read is None or read.precision == "year" or read.other or read.span != (0, len(text)):
        return ""
    return f"{read.day:%Y%m}" if read.precision == "month" else f"{read.day:%Y%m%d}"


def looser_keys(text: str) -> Iterator[tuple[str, float]]:
    """Yield the keys of a literal that are not the whole of it, each with its weight.

    >>> sorted(looser_keys("Rowling, J. K."), key=lambda key: -key[1])
    [('j k rowling', 0.97), ('rowling=j', 0.6), ('rjk', 0.6)]
    >>> [key for key, weight in looser_keys("Hamlet (French Edition): A Play") if weight == HEAD]
    ['hamlet']
    """
    if text.replace(".", "", 1).isdigit():
        return
    plain = _VOLUME.sub("", " ".join(fold_case(text[:400]).split())).lstrip(" :;,.-–—")
    bare = _BRACKETS.sub(" ", plain)
    everything = _words(plain)
    if not everything:
        return
    seen = {everything}
    yield everything, REORDERED
    for part, weight in ((bare, BARE), *_parts(bare)):
        key = _words(part)
        if len(key) >= 4 and key not in seen and not key.isdigit():
            seen.add(key)
            yield key, weight
    yield from _short_forms(bare)
    for part, weight in _parts(bare):
        if weight == PART:
            yield from _surname_and_initial(part, PART)


def _words(text: str) -> str:
    words = WORD.findall(text.replace("'", "").replace("’", ""))
    return " ".join(sorted(word for word in words if word not in _STOP) or sorted(words))


def _parts(text: str) -> Iterator[tuple[str, float]]:
    pieces = _HEAD.split(text, maxsplit=1)
    if len(pieces) == 2:
        yield pieces[0], HEAD
        yield pieces[1], TAIL
    listed = _LIST.split(text)
    by_comma = [piece for part in listed for piece in part.split(",")]
    if all(len(piece.split()) > 1 for piece in by_comma):
        listed = by_comma
    if len(listed) > 1:
        for piece in listed[:MOST_PARTS]:
            yield piece.strip(), PART


def _short_forms(text: str) -> Iterator[tuple[str, float]]:
    """Yield surname and initial of what may be a name, and the first letters of several words."""
    words = WORD.findall(text)
    if any(word.isdigit() for word in words) or not 2 <= len(words) <= 6:
        return
    yield from _surname_and_initial(text, 1.0)
    if len(words) > 2:
        yield "".join(word[0] for word in words), ACRONYM


def _surname_and_initial(text: str, weight: float) -> Iterator[tuple[str, float]]:
    surname, comma, given = text.partition(",")
    words, names = WORD.findall(text), WORD.findall(given)
    if comma and names and len(names) <= 3 and "," not in given:
        yield f"{_words(surname)}={names[0][0]}", NAME * weight
    elif not comma and 2 <= len(words) <= 4 and len(words[-1]) > 2:
        yield f"{words[-1]}={words[0][0]}", NAME * weight
