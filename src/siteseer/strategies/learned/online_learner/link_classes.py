"""Estimates for each link class (the waiting URLs of one kind) what one more of its URLs would bring.

    est = (k · prior + Σ wᵢ · R(xᵢ)) / (k + Σ wᵢ)

over the last observations xᵢ of the class and of its relatives, a page counted once at its closest node. Evidence is
pooled, never multiplied level by level: one worthless page would then count once per level and end a class at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import log2

from siteseer.strategies.learned.online_learner.url_templates import Template

WORTHWHILE = 0.5
"""A page that was worth more brought content, or led to it."""
ARRANGEMENT, OVERVIEW, PAGER, FIRST, TALK = "arrangement", "overview", "pager", "first page", "talk"
BESIDE = ("older",)
"""Beside what a site says: earlier states of its pages."""
SUSPECTED = ("function", "place", *BESIDE)
PRIORS = {"": 0.3, PAGER: 0.39, OVERVIEW: 0.39, ARRANGEMENT: 0.25, FIRST: 0.25, TALK: 0.3} | dict.fromkeys(
    SUSPECTED, 0.04
)
"""What is expected of a link before anything is known, by its kind."""
WEIGHTS = (1.0, 0.25, 0.15, 0.1)
"""Weights of the nodes: the template, its path with parameter names, its skeleton (or all arrangements), its path."""
WINDOW, DECAY = 24, 0.95
DEMOTED_WINDOW = 6
"""Of other names for known pages only the last ones count: they brought something while the pages were not known."""
STAKE, MAX_STAKE = 32, 3.0
"""A class with many waiting URLs is given up later: k grows with each doubling of 32, up to 3."""
IN_FLIGHT = 0.5
"""An answer that is still out counts as half a worthless page."""
EARLIER = 2.0
"""What an earlier crawl knows weighs as much as this many pages."""


@dataclass(slots=True)
class LinkClass:
    """The URLs of one template and one first opinion."""

    template: Template
    kind: str
    waiting: dict[int, None] = field(default_factory=dict)
    in_flight: int = 0
    evidence: tuple[float, float] | None = None
    """Σ w·R and Σ w with the prior, or None where it must be computed again."""

    def add(self, number: int) -> None:
        """Let a URL wait."""
        self.waiting[number] = None
        self.evidence = None

    def remove(self, number: int) -> None:
        """Let a URL wait no more."""
        self.waiting.pop(number, None)
        self.evidence = None


class LinkClasses:
    """All link classes of a crawl, and the pages observed under each node."""

    def __init__(self, worth: Callable[[int], float], demoted: Callable[[str], bool]) -> None:
        self._worth, self._demoted = worth, demoted
        self.classes: dict[tuple[str, str], LinkClass] = {}
        self.observed: dict[str, list[int]] = defaultdict(list)
        self.known: Counter[str] = Counter()
        """How many URLs each template has."""
        self.shown_on: Counter[tuple[str, str]] = Counter()
        """How many URLs of one template pages of another were the first to show."""
        self.first: dict[str, int] = {}
        """The number of the URL of each template that was found first."""
        self.earlier: Callable[[str], float | None] = lambda template: None
        """What pages of a template were worth in an earlier crawl."""
        self.sampled: dict[str, list[int]] = {}
        """The pages of each template that were fetched from its second look on, picked at random."""
        self._dependents: dict[str, set[tuple[str, str]]] = defaultdict(set)

    def __iter__(self) -> Iterator[LinkClass]:
        return iter(self.classes.values())

    def of(self, template: Template, kind: str) -> LinkClass:
        """Return the class of a template and a first opinion."""
        key = template.name, kind
        found = self.classes.get(key)
        if found is None:
            found = self.classes[key] = LinkClass(template, kind)
            for node in template.nodes:
                self._dependents[node].add(key)
        return found

    def count(self, name: str, number: int, source: str) -> None:
        """Take in that a URL has a template, and which template the page has that showed it first."""
        self.known[name] += 1
        self.shown_on[name, source] += 1
        self.first.setdefault(name, number)

    def add(self, number: int, template: Template, kind: str) -> None:
        """Let a URL wait in its class."""
        self.of(template, kind).add(number)

    def observe(self, page: int, template: Template, kind: str) -> None:
        """Count a fetched page under all its nodes; arrangements of the same content are relatives of each other.

        So are lists of everything, which are unlike the pages beside them. What is called page 1 of a list mostly is
        the list under another name, and says nothing of its further pages. Nor do talk pages, many of which are empty,
        say anything of the pages that they speak of.
        """
        own = {FIRST: (_first(template),), TALK: template.nodes[:1]}
        for node in dict.fromkeys(own.get(kind, template.nodes)):
            self.observed[node].append(page)
        if kind == PAGER:
            self.observed[_further(template)].append(page)
        self.refresh((template,))
        if kind in (ARRANGEMENT, OVERVIEW):
            self.observed[kind].append(page)
            for link_class in self:
                if link_class.kind == kind:
                    link_class.evidence = None

    def refresh(self, templates: Iterable[Template]) -> None:
        """Have the estimates computed again that pages of these templates enter."""
        for template in templates:
            for node in template.nodes:
                for key in self._dependents.get(node, ()):
                    self.classes[key].evidence = None

    def refresh_all(self) -> None:
        """Have all estimates computed again."""
        for link_class in self:
            link_class.evidence = None

    def clear(self) -> None:
        """Forget classes and observations, before they are built again from the facts."""
        self.classes.clear()
        self.observed.clear()
        self.known.clear()
        self.shown_on.clear()
        self.first.clear()
        self._dependents.clear()

    def estimate(self, link_class: LinkClass) -> float:
        """Return what one more URL of the class is expected to bring, from 0 to 1."""
        total, weight = self._weighed(link_class)
        return total / (weight + IN_FLIGHT * link_class.in_flight)

    def promise(self, link_class: LinkClass) -> float:
        """Return what an answer that is out may bring: what was expected before any were out."""
        total, weight = self._weighed(link_class)
        return total / weight

    def _weighed(self, link_class: LinkClass) -> tuple[float, float]:
        if link_class.evidence is None:
            link_class.evidence = self._evidence(link_class)
        return link_class.evidence

    def _evidence(self, link_class: LinkClass) -> tuple[float, float]:
        template, suspected = link_class.template, link_class.kind in SUSPECTED
        sample = [self._worth(page) for page in self.sampled.get(template.name, ())[-WINDOW:]]
        if any(worth > WORTHWHILE for worth in sample):
            return sum(sample), float(len(sample))
        weight = self._strength(link_class, suspected)
        prior = PRIORS[link_class.kind]
        if (earlier := self.earlier(template.name)) is not None:
            prior, weight = earlier, max(weight, EARLIER)
        total = weight * prior
        counted: set[int] = set()
        demoted = self._demoted(template.name)
        window = DEMOTED_WINDOW if demoted else WINDOW
        for node, w in self._relatives(link_class, demoted):
            for page in self.observed.get(node, ())[: -window - 1 : -1]:
                if page not in counted:
                    counted.add(page)
                    total += w * self._worth(page)
                    weight += w
                w *= DECAY
        return total, weight

    @staticmethod
    def _relatives(link_class: LinkClass, demoted: bool) -> Iterator[tuple[str, float]]:
        """Return the nodes whose pages speak for a class, with their weights.

        What is suspected must show its own worth, as its relatives are the content that it serves; and an arrangement
        is related to other arrangements rather than to the content under the same path. Where a kind of URL repeats
        known pages, those that go on in a list are judged by themselves: most posts have one page of comments.
        So are talk pages, as many are empty.
        """
        nodes = link_class.template.nodes
        if link_class.kind == OVERVIEW:
            return iter(((OVERVIEW, WEIGHTS[0]),))
        if link_class.kind == FIRST:
            return iter(((_first(link_class.template), WEIGHTS[0]),))
        if link_class.kind in (TALK, *SUSPECTED):
            return iter(zip(nodes[:1], WEIGHTS, strict=False))
        if link_class.kind == ARRANGEMENT:
            return iter(zip((*nodes[:2], ARRANGEMENT), WEIGHTS, strict=False))
        if link_class.kind == PAGER and demoted:
            return iter(((_further(link_class.template), WEIGHTS[0]),))
        return iter(zip(nodes, WEIGHTS, strict=True))

    def _strength(self, link_class: LinkClass, suspected: bool) -> float:
        if suspected or link_class.kind in (ARRANGEMENT, OVERVIEW, FIRST) or self._demoted(link_class.template.name):
            return 1.0
        return min(MAX_STAKE, 1.0 + log2(1.0 + len(link_class.waiting) / STAKE))


def _first(template: Template) -> str:
    """Return the node of those pages of a template that are called page 1."""
    return f"1 {template.name}"


def _further(template: Template) -> str:
    """Return the node of those pages of a template that go on in a list."""
    return f"F {template.name}"
