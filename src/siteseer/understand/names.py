"""Names in, which of them may mean the same thing out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from siteseer.understand.values import fold

ALIKE = 0.6
"""Names that share this much of their pairs of letters may mean the same."""
LIKE_WORD = 0.3
"""Words that share this much of their pairs of letters may be one word, misspelt."""
MOST_SHARING = 3_000
"""A word that more names share tells nothing."""
_ASIDE = re.compile(r"\([^)]{0,200}\)|\[[^\]]{0,200}\]")


def cores(name: str) -> set[str]:
    """Return what may be left of a name without what is added to it.

    >>> sorted(cores("Hamlet: a tragedy (French Edition)"))
    ['hamlet', 'hamlet a tragedy']
    """
    plain = _ASIDE.sub(" ", name)
    head = re.split(r"[:;–—]| - ", plain, maxsplit=1)[0]
    return {core for core in (fold(plain), fold(head)) if core}


def likeness(one: str, other: str) -> float:
    """Return the share of the pairs of letters that two names have in common.

    >>> likeness("hamlet", "hamlet"), round(likeness("hamlet", "hamlets"), 2)
    (1.0, 0.83)
    """
    first, second = ({text[at : at + 2] for at in range(len(text) - 1)} for text in (one, other))
    return len(first & second) / len(first | second) if first | second else float(one == other)


def are_apart(one: str, other: str) -> bool:
    """Say whether each of two names has a word that nothing in the other is like: they then name different things.

    >>> are_apart("the loose exchange", "the lazy exchange"), are_apart("old tea house", "old tea houses, revised")
    (True, False)
    """
    first, second = one.split(), other.split()
    return any(_is_alone(word, second) for word in first) and any(_is_alone(word, first) for word in second)


def _is_alone(word: str, words: Iterable[str]) -> bool:
    """Say whether a word is neither like one of the others, nor an abbreviation of one or the other way round."""
    return not any(
        word.startswith(each) or each.startswith(word) or likeness(word, each) >= LIKE_WORD for each in words
    )


class KnownNames:
    """The names of many instances, to be looked up.

    >>> names = KnownNames([("b1", "Old Tea (a note)"), ("b2", "Old Teas")])
    >>> names.same("OLD TEA"), sorted(names.like("Old Tea"))
    (['b1'], ['b1', 'b2'])
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._by_core: dict[str, list[str]] = defaultdict(list)
        self._by_word: dict[str, set[str]] = defaultdict(set)
        for instance, name in pairs:
            for core in cores(name):
                self._by_core[core].append(instance)
                for word in core.split():
                    self._by_word[word].add(core)

    def same(self, name: str) -> list[str]:
        """Return the instances whose names have the same core."""
        return list(dict.fromkeys(one for core in cores(name) for one in self._by_core.get(core, ())))

    def like(self, name: str) -> Iterator[str]:
        """Yield the instances whose names share a telling word and most of their letters."""
        plain = fold(name)
        sharing = [self._by_word[word] for word in plain.split() if word in self._by_word]
        near = {core for known in sharing if len(known) <= MOST_SHARING for core in known}
        for core in near:
            if likeness(core, plain) >= ALIKE and not are_apart(core, plain):
                yield from self._by_core[core]
