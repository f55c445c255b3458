"""Compares two values of one type: whether they agree, and how closely."""

from __future__ import annotations

from siteseer.extract.read_values import without_reply_prefix
from siteseer.extract.records.word_pairs import grams
from siteseer.page.similarity.set_measures import dice

SAME_TEXT = 0.9
DAY_ONLY = 0.9


def same(type: str, one: str, other: str) -> bool:
    """Say whether two readings of a field agree.

    >>> same("published", "2020-05-01", "2020-05-01T10:20:00Z"), same("author", "Ann ", "ann"), same("title", "a", "b")
    (True, True, False)
    """
    if type in ("published", "modified"):
        length = min(len(one), len(other), 16)
        return length >= 10 and one[:length] == other[:length]
    if type == "body":
        return same_text(one, other)
    if type == "permalink":
        return one.rstrip("/") == other.rstrip("/")
    return _plain(one) == _plain(other)


def nearness(type: str, read: str, expected: str) -> float:
    """Return how far a reading agrees: 1, or less where it shows a day and the time is expected too."""
    if not same(type, read, expected):
        return 0.0
    return DAY_ONLY if type in ("published", "modified") and len(read) <= 10 < len(expected) else 1.0


def same_text(one: str, other: str) -> bool:
    """Say whether two texts have nearly the same pairs of words; short ones must be equal."""
    return shared_pairs(one, other) >= SAME_TEXT


def shared_pairs(one: str, other: str) -> float:
    """Return the share of word pairs that two texts have in common; short texts are equal or not.

    >>> shared_pairs("It rained all day", "It rained all day"), round(shared_pairs("a b c d e f", "a b c d e f g"), 2)
    (1.0, 0.91)
    """
    left, right = grams(one), grams(other)
    if len(left) < 3 or len(right) < 3:
        return float(_plain(one) == _plain(other))
    return dice(left, right)


def _plain(text: str) -> str:
    return " ".join(without_reply_prefix(text).split()).casefold()
