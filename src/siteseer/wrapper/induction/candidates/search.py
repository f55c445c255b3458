"""Searches and ranks candidate expressions for one attribute."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from siteseer.wrapper.induction.candidates.ancestor_paths import leaves, paths
from siteseer.wrapper.induction.candidates.label_anchors import anchored, scoped
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.induced_xpath import Expression, Leaf
from siteseer.wrapper.induction.ranking import Candidate, ranked
from siteseer.wrapper.induction.robustness import robustness
from siteseer.wrapper.induction.scoring import Example, Expected, accuracy
from siteseer.wrapper.induction.site_vocabulary import Vocabulary

SIGNATURES = 3
SEEDS = 2
"""Pages from which an occurrence of each signature is taken as a seed."""
LEAST = 0.3
Seed = tuple[int, int]
"""Number of the example, number of the text or element in its view."""


@dataclass(frozen=True)
class Sought:
    """What kind of value is searched for."""

    of_elements: bool = False
    """Elements, not their texts."""
    attribute: str = ""
    """The attribute that holds the value, where it is no text."""
    taken: frozenset[str] = frozenset()
    """Values of any attribute, which are no labels."""
    beta: float = 1.0
    """How much more recall weighs than precision."""


class Search:
    """The candidates for one attribute, each scored once."""

    def __init__(
        self,
        name: str,
        examples: Sequence[Example],
        words: Vocabulary,
        sought: Sought = Sought(),
    ) -> None:
        self.name = name
        self.sought = sought
        self.examples = examples
        self.words = words
        self.measured = self._measured()
        self.pool: dict[Expression, Candidate] = {}
        self.taken = sought.taken.union(*(one.wanted for one in examples))
        shown = [one.view for one in examples if one.wanted]
        self.shared = set.intersection(*(set(view.by_text) for view in shown)) if shown else set()

    missing = 0.0
    """What an empty answer on an unmarked page is worth, at least."""
    own_text = False
    """Whether what is written in an element may tell it: for links that always say the same."""

    def run(self, unmarked: Sequence[ElementTables]) -> list[Candidate]:
        """Return the candidates in order of their scores."""
        for example, node in self.seeds():
            self._grow(self.examples[example].view, node)
        right = [one for one in self.pool.values() if one.accuracy.f > 0]
        found = [one for one in right if one.accuracy.f >= LEAST] or right
        return ranked(found, unmarked, self._expected())

    def _expected(self) -> Expected:
        """Return what the marks let one expect on other pages."""
        known = Expected.by(self.examples)
        return replace(known, missing=max(known.missing, self.missing))

    def seeds(self) -> list[Seed]:
        """Return the occurrences from which expressions are generated: those whose signatures occur on most pages."""
        groups: dict[tuple[object, ...], dict[int, int]] = {}
        for number, example in enumerate(self.examples):
            for node in self._occurrences(example):
                groups.setdefault(self._signature(example.view, node), {}).setdefault(number, node)
        best = sorted(groups.values(), key=len, reverse=True)[:SIGNATURES]
        return [seed for group in best for seed in list(group.items())[:SEEDS]]

    def _occurrences(self, example: Example) -> Iterator[int]:
        view = example.view
        if example.nodes is not None:
            yield from sorted(example.nodes)
        elif not self.sought.of_elements:
            yield from (at for value in sorted(example.wanted) for at in view.by_text.get(value, ())[:20])

    def _signature(self, view: ElementTables, node: int) -> tuple[object, ...]:
        element = node if self.sought.of_elements else view.owners[node]
        stable = frozenset(atom for atom in view.atoms[element] if self.words.is_stable(atom))
        return view.tag_path(element), stable

    def _grow(self, view: ElementTables, node: int) -> None:
        text = None if self.sought.of_elements else node
        element = node if text is None else view.owners[text]
        whole = Leaf("attribute", name=self.sought.attribute) if self.sought.attribute else Leaf("element")
        ends = [whole] if text is None else leaves(view, text)
        context = _crowd(view, element)
        for one in paths(view, element, ends, self.words, lambda one: self._judge(one, context), self.own_text):
            self._judge(one, context)
        for one in self._more(view, element, ends[0]):
            self._judge(one, context)
        for one in () if self.own_text else anchored(view, element, ends, text, self.words, self._is_label):
            self._judge(one, context)
            if 0 < self.pool[one].accuracy.f < 1:
                for narrower in scoped(view, one, element, self.words):
                    self._judge(narrower, context)

    def _measured(self) -> Sequence[Example]:
        """Return the examples as expressions are measured against them."""
        return self.examples

    def _more(self, view: ElementTables, element: int, end: Leaf) -> Iterable[Expression]:
        """Return further expressions for a place."""
        return ()

    def _is_label(self, text: str) -> bool:
        return text not in self.taken and (self.words.is_constant(text) or text in self.shared)

    def _judge(self, one: Expression, context: float) -> float:
        """Judge an expression once; return its order in the beam, infinite where it is exact."""
        known = self.pool.get(one)
        if known is None:
            strength = robustness(one, self.name, context)
            known = self.pool[one] = Candidate(one, accuracy(one, self.measured, self.sought.beta), strength)
        f1 = known.accuracy.f
        return math.inf if f1 >= 1 else 3 * math.log(max(f1, 1e-6)) + math.log(known.robustness)


def _crowd(view: ElementTables, element: int) -> float:
    """Return a factor below 1 for places that are choices or menus, where the value may stand by chance."""
    around = [element, *view.ancestors(element)]
    tags = Counter(view.tags[one] for one in around)
    factor = 0.60 if tags["option"] or tags["select"] else 1.0
    return factor * (0.75 if any(view.tags[one] in ("li", "a") and view.alike[one] >= 8 for one in around[:4]) else 1.0)
