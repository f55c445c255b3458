"""Matches names that may mean the same: other order of words, abbreviations, additions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from siteseer.alignment.literals.normalise import BARE, WORD, alnum_key, fold_case, looser_keys
from siteseer.deepweb.records.value_types import fold
from siteseer.page.similarity.set_measures import jaccard
from siteseer.page.similarity.text_measures import letter_pairs

ALIKE = 0.6
"""Names that share this much of their pairs of letters may mean the same."""
LIKE_WORD = 0.3
"""Words that share this much of their pairs of letters may be one word, misspelt."""
MOST_SHARING = 3_000
"""A word that more names share tells nothing."""
_ASIDE = re.compile(r"\([^)]{0,200}\)|\[[^\]]{0,200}\]")


def same_keys(name: str) -> set[str]:
    """Return the keys that names share which an alignment takes for equal: in any order of words, without additions.

    >>> same_keys("Brandt, Ada") & same_keys("Ada Brandt (ed.)")
    {'ada brandt'}
    """
    return {alnum_key(name), *(key for key, weight in looser_keys(name) if weight >= BARE)} - {""}


def person_key(name: str) -> tuple[str, tuple[str, ...]]:
    """Return surname and given names of what may be a person, whichever stands first.

    >>> person_key("Brandt, Ada M."), person_key("Ada Brandt")
    (('brandt', ('ada', 'm')), ('brandt', ('ada',)))
    """
    first, comma, rest = _ASIDE.sub(" ", fold_case(name)).partition(",")
    words, others = WORD.findall(first), WORD.findall(rest)
    if comma and words and others:
        return " ".join(words), tuple(others)
    return (words[-1], tuple(words[:-1])) if words else ("", ())


def may_be_same_person(one: str, other: str) -> bool:
    """Say whether two names may be one person's: the same surname, and given names that are the same or abbreviated.

    >>> may_be_same_person("Brandt, A.", "Ada Brandt"), may_be_same_person("Ann Lee", "Adam Lee")
    (True, False)
    """
    (surname, given), (other_surname, others) = person_key(one), person_key(other)
    pairs = list(zip(given, others, strict=False))
    is_short = all(a == b or (1 in (len(a), len(b)) and a[0] == b[0]) for a, b in pairs)
    return bool(surname and pairs) and surname == other_surname and is_short


def base_names(name: str) -> set[str]:
    """Return the possible cores of a name, without additions.

    >>> sorted(base_names("Hamlet: a tragedy (French Edition)"))
    ['hamlet', 'hamlet a tragedy']
    >>> sorted(base_names("Brandt, Ada"))
    ['ada brandt', 'brandt ada']
    """
    plain = _ASIDE.sub(" ", name)
    head = re.split(r"[:;–—]| - ", plain, maxsplit=1)[0]
    return {core for core in (fold(plain), fold(head), in_spoken_order(plain)) if core}


def in_spoken_order(name: str) -> str:
    """Return a name in its normal form, in spoken order.

    >>> in_spoken_order("Brandt, Ada"), in_spoken_order("Ada Brandt"), in_spoken_order("Salt, pepper, oil")
    ('ada brandt', 'ada brandt', 'salt pepper oil')
    """
    first, comma, rest = _ASIDE.sub(" ", name).partition(",")
    is_inverted = comma and "," not in rest and _is_short(first) and _is_short(rest)
    return fold(f"{rest} {first}" if is_inverted else name)


def _is_short(text: str) -> bool:
    """Say whether a text may be a surname, or given names."""
    return 0 < len(text.split()) <= 3 and not any(map(str.isdigit, text))


def name_similarity(one: str, other: str) -> float:
    """Return the Jaccard similarity of two names: the share of their letter pairs that they have in common.

    >>> name_similarity("hamlet", "hamlet"), round(name_similarity("hamlet", "hamlets"), 2)
    (1.0, 0.83)
    """
    first, second = letter_pairs(one), letter_pairs(other)
    return jaccard(first, second) if first or second else float(one == other)


def are_apart(one: str, other: str) -> bool:
    """Say whether each of two names has a word without a similar one in the other: they then name different things.

    >>> are_apart("the loose exchange", "the lazy exchange"), are_apart("old tea house", "old tea houses, revised")
    (True, False)
    """
    first, second = one.split(), other.split()
    return any(_is_alone(word, second) for word in first) and any(_is_alone(word, first) for word in second)


def _is_alone(word: str, words: Iterable[str]) -> bool:
    """Say whether a word is neither like one of the others, nor an abbreviation of one or the other way round."""
    return not any(
        word.startswith(each) or each.startswith(word) or name_similarity(word, each) >= LIKE_WORD for each in words
    )


class KnownNames:
    """An index of the names of many instances.

    >>> names = KnownNames([("b1", "Old Tea (a note)"), ("b2", "Old Teas")])
    >>> names.same("OLD TEA"), sorted(names.like("Old Tea"))
    (['b1'], ['b1', 'b2'])
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._by_core: dict[str, list[str]] = defaultdict(list)
        self._by_word: dict[str, set[str]] = defaultdict(set)
        for instance, name in pairs:
            for core in base_names(name):
                self._by_core[core].append(instance)
                for word in core.split():
                    self._by_word[word].add(core)

    def same(self, name: str) -> list[str]:
        """Return the instances whose names have the same core."""
        return list(dict.fromkeys(one for core in base_names(name) for one in self._by_core.get(core, ())))

    def like(self, name: str) -> Iterator[str]:
        """Yield the instances whose names share a rare word and most of their letters."""
        own = {fold(name), in_spoken_order(name)}
        sharing = [self._by_word[word] for word in fold(name).split() if word in self._by_word]
        near = {core for known in sharing if len(known) <= MOST_SHARING for core in known}
        for core in near:
            if any(name_similarity(core, plain) >= ALIKE and not are_apart(core, plain) for plain in own):
                yield from self._by_core[core]


class KnownInstances:
    """An index of instances by their names in any order of words: persons, places, genres.

    >>> people = KnownInstances([("p1", "Ada Brandt")])
    >>> people.same("Brandt, Ada"), people.may_be_known("Brandt, A."), people.may_be_known("Brandt, Bo")
    ({'p1'}, True, False)
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._by_key: dict[str, set[str]] = defaultdict(set)
        self._by_surname: dict[str, set[str]] = defaultdict(set)
        for instance, name in pairs:
            self.add(instance, name)

    def add(self, instance: str, name: str) -> None:
        """Add a name of an instance."""
        for key in same_keys(name):
            self._by_key[key].add(instance)
        self._by_surname[person_key(name)[0]].add(name)

    def same(self, name: str) -> set[str]:
        """Return the instances of that name."""
        return set().union(*(self._by_key.get(key, set()) for key in same_keys(name)))

    def may_be_known(self, name: str) -> bool:
        """Say whether a name may be another form of a known one."""
        known = self._by_surname.get(person_key(name)[0], ())
        return bool(self.same(name)) or any(may_be_same_person(name, one) for one in known)
