"""Finds terms and names in a text, all in one pass (Aho–Corasick over words).

Reference: Aho and Corasick, Efficient string matching: an aid to bibliographic search, CACM 1975. Differs: the alphabet
is words, not letters, so that a name is only found where its words begin and end. Scripts that do not part their words
are read letter by letter.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from siteseer.campaigns.relevance.definition import Definition

UNPARTED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_FIRST_UNPARTED = "\u0e00"
_WORD = re.compile(rf"[{UNPARTED}]|[^\W_{UNPARTED}]+")
_NO_WORD = re.compile(rf"[^\w{UNPARTED}]+")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_ASCII = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ") for code in range(256))
_SHORT = 20
"""Characters; shorter runs of them are remembered."""


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared: without case and accents.

    >>> words_of("Der Café-Streit, 日本")
    ['der', 'cafe', 'streit', '日', '本']
    """
    if not text.isascii():
        text = _FOREIGN.sub(_plain, text)
        if not text.isascii():
            return _WORD.findall(text.casefold())
    return text.encode().translate(_ASCII).decode().split()  # a table of bytes is quicker than one of characters


def letter_pairs(words: Sequence[str]) -> list[str]:
    """Return the neighbouring letters of scripts that do not part their words: there, words are about as long.

    >>> letter_pairs(words_of("Der Streit, 日本語"))
    ['日本', '本語']
    """
    if "".join(words).isascii():
        return []
    return [
        one + other
        for one, other in pairwise(words)
        if len(one) == len(other) == 1 and one >= _FIRST_UNPARTED and other >= _FIRST_UNPARTED
    ]


def _plain(run: re.Match[str]) -> str:
    return _unaccented(run[0]) if len(run[0]) <= _SHORT else _unaccented.__wrapped__(run[0])


@lru_cache(maxsize=10_000)
def _unaccented(run: str) -> str:
    """Return letters that are not ASCII without their accents, and spaces for what is no letter."""
    apart = unicodedata.normalize("NFKD", run.casefold()).casefold()
    plain = unicodedata.normalize("NFC", "".join(one for one in apart if not unicodedata.combining(one)))
    return _NO_WORD.sub(" ", plain)


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A name to search for, and its weight."""

    name: str
    weight: float = 1.0


@dataclass(slots=True)
class _Node:
    further: dict[str, _Node] = field(default_factory=dict)
    fallback: _Node | None = None
    ends: tuple[int, ...] = ()
    teller: _Node | None = None
    """The node whose ends count here: this one, or that of the longest part of it at whose end something ends."""
    length: int = 0
    """Words from the root to here."""


class TermMatcher:
    """Finds names in texts; a name that is part of a longer match does not count again.

    >>> board, kelp = SearchTerm("Harbour Board"), SearchTerm("kelp")
    >>> matcher = TermMatcher([(board, ("Harbour Board", "the Board")), (kelp, ("kelp",))])
    >>> matcher.find(words_of("The board cut kelp. Kelp!"))
    {0: 1, 1: 2}
    >>> matcher.find(words_of("kelpie boarders"))
    {}
    """

    def __init__(self, entries: Iterable[tuple[SearchTerm, Sequence[str]]]) -> None:
        self.sought: list[SearchTerm] = []
        self._root = _Node()
        for number, (sought, names) in enumerate(entries):
            self.sought.append(sought)
            for name in names:
                self._add(words_of(name), number)
        self._link()
        self._first_words = frozenset(self._root.further)

    @classmethod
    def of(cls, definition: Definition) -> TermMatcher:
        """Return the matcher of a campaign's terms and entities; a term that is also a name counts once."""
        names = [(SearchTerm(one.name), (one.name, *one.aliases)) for one in definition.entities]
        taken = {tuple(words_of(name)) for _, given in names for name in given}
        terms = {tuple(words_of(one.text)): one for one in reversed(definition.terms)}
        kept = [one for words, one in terms.items() if words and words not in taken]
        return cls([*names, *((SearchTerm(one.text, one.weight), (one.text,)) for one in reversed(kept))])

    def words(self) -> set[str]:
        """The words that are a term by themselves."""
        return {word for word, node in self._root.further.items() if node.ends}

    def find(self, words: Sequence[str]) -> dict[int, int]:
        """Return the numbers of the names that occur in a text, with how often."""
        found: dict[int, int] = {}
        if self._first_words.isdisjoint(words):  # nearly always
            return found
        for word in filter(self._first_words.__contains__, words):
            node = self._root.further[word]
            if node.further:  # a longer name may begin here
                return _counted(self._met(words))
            for number in node.ends:
                found[number] = found.get(number, 0) + 1
        return found

    def places(self, words: Sequence[str]) -> list[tuple[int, int, int]]:
        """Return where names occur in a text: first word, word after the last, and number of the name.

        >>> TermMatcher([(SearchTerm("kelp"), ("kelp", "sea weed"))]).places(words_of("the sea weed, or kelp"))
        [(1, 3, 0), (4, 5, 0)]
        """
        kept = _outermost(self._met(words))
        return [(start + 1, start + 1 + node.length, number) for start, node in kept for number in node.ends]

    def _met(self, words: Sequence[str]) -> list[tuple[int, _Node]]:
        """Return what ends at each word, with the word before it."""
        met: list[tuple[int, _Node]] = []
        root = node = self._root
        at_root = root.further
        for place, word in enumerate(words):
            if node is root:
                node = at_root.get(word, root)
                if node is root:
                    continue
            else:
                while word not in node.further and node.fallback is not None:
                    node = node.fallback
                node = node.further.get(word, root)
            if (teller := node.teller) is not None:
                met.append((place - teller.length, teller))
        return met

    def _add(self, words: Sequence[str], number: int) -> None:
        node = self._root
        for length, word in enumerate(words, 1):
            node = node.further.setdefault(word, _Node(length=length))
        if words and number not in node.ends:
            node.ends = (*node.ends, number)

    def _link(self) -> None:
        """Let every node know where to go on when the next word does not fit."""
        waiting = deque(self._root.further.values())
        for node in waiting:
            node.fallback, node.teller = self._root, node if node.ends else None
        while waiting:
            node = waiting.popleft()
            for word, child in node.further.items():
                fallback = node.fallback
                while fallback is not None and word not in fallback.further:
                    fallback = fallback.fallback
                child.fallback = fallback.further[word] if fallback is not None else self._root
                child.teller = child if child.ends else child.fallback.teller
                waiting.append(child)


def _outermost(met: list[tuple[int, _Node]]) -> list[tuple[int, _Node]]:
    """Return what was met, in the order of its ends, without what lies within something that ends later."""
    kept: list[tuple[int, _Node]] = []
    for start, node in reversed(met):
        if not kept or start < kept[-1][0]:
            kept.append((start, node))
    return kept[::-1]


def _counted(met: list[tuple[int, _Node]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for _, node in _outermost(met):
        for number in node.ends:
            found[number] = found.get(number, 0) + 1
    return found
