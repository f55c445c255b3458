"""Text in, out come the literals that occur in it: many literals looked for at once.

Reference: A. V. Aho and M. J. Corasick, Efficient string matching, CACM 1975 (the library `pyahocorasick`).
"""

from __future__ import annotations

import ahocorasick

SHORTEST = 3
"""Shorter literals occur everywhere: one search each is cheaper than a report of every occurrence."""
FEW = 32
"""Up to so many new literals are searched one by one before the automaton is made again."""


class Literals:
    """A set of literals, to be found in texts.

    >>> literals = Literals(); literals.add("post"); literals.add("sto"); literals.found("a poster")
    {'post'}
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._single: list[str] = []
        self._new: list[str] = []
        self._automaton = ahocorasick.Automaton()

    def __len__(self) -> int:
        return len(self._known)

    def add(self, literal: str) -> None:
        """Add a literal."""
        if literal not in self._known:
            self._known.add(literal)
            (self._single if len(literal) < SHORTEST else self._new).append(literal)

    def found(self, text: str) -> set[str]:
        """Return the literals that occur in the text."""
        if len(self._new) > FEW:
            self._take_in_the_new()
        found = {literal for literals in (self._single, self._new) for literal in literals if literal in text}
        if len(self._automaton):
            found.update(literal for _, literal in self._automaton.iter(text))
        return found

    def _take_in_the_new(self) -> None:
        for literal in self._new:
            self._automaton.add_word(literal, literal)
        self._new.clear()
        self._automaton.make_automaton()
