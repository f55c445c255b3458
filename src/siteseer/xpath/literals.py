"""Text in, out comes what was filed under the literals that occur in it: many literals looked for at once.

Reference: A. V. Aho and M. J. Corasick, Efficient string matching, CACM 1975 (the library `pyahocorasick`).
"""

from __future__ import annotations

from collections.abc import Iterator

import ahocorasick

SHORTEST = 3
"""Shorter literals occur everywhere: one search each is cheaper than a report of every occurrence."""
FEW = 32
"""Up to so many new literals are searched one by one before the automaton is made again."""


class Literals:
    """Numbers filed under literals.

    >>> literals = Literals(); literals.add("post", 1); literals.add("sto", 2); list(literals.found("a poster"))
    [1]
    """

    def __init__(self) -> None:
        self._filed: dict[str, list[int]] = {}
        self._single: list[str] = []
        self._new: list[str] = []
        self._automaton = ahocorasick.Automaton()

    def __len__(self) -> int:
        return len(self._filed)

    def add(self, literal: str, number: int) -> None:
        """File a number under a literal."""
        if literal in self._filed:
            self._filed[literal].append(number)
            return
        self._filed[literal] = [number]
        (self._single if len(literal) < SHORTEST else self._new).append(literal)

    def found(self, text: str) -> Iterator[int]:
        """Return the numbers filed under each literal that occurs in the text."""
        if len(self._new) > FEW:
            self._take_in_the_new()
        for literals in (self._single, self._new):
            for literal in literals:
                if literal in text:
                    yield from self._filed[literal]
        if len(self._automaton):
            for literal in {literal for _, literal in self._automaton.iter(text)}:
                yield from self._filed[literal]

    def _take_in_the_new(self) -> None:
        for literal in self._new:
            self._automaton.add_word(literal, literal)
        self._new.clear()
        self._automaton.make_automaton()
