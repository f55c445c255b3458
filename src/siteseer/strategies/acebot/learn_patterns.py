"""Learns the navigation patterns of a site from its sampled graph: the offline phase of ACEBot.

Reference: M. Faheem, Intelligent Content Acquisition in Web Archiving, thesis, 2014, chapter 5, Algorithm 5.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

from siteseer.model import JSON
from siteseer.settings import AcebotOptions
from siteseer.strategies.acebot.duplicate_pages import alike_groups
from siteseer.strategies.acebot.enumerate_patterns import Clusters, Word
from siteseer.strategies.acebot.oxpath_patterns import Pattern, Step, parse_label
from siteseer.strategies.acebot.select_patterns import Selection
from siteseer.strategies.acebot.site_graph import SiteGraph
from siteseer.strategies.acebot.uncovered_grams import UncoveredGrams


@dataclass(frozen=True, slots=True)
class LearnedPattern:
    """A selected navigation pattern, and what it brought on the sitemap."""

    pattern: Pattern
    score: float
    """New 2-grams per new page when it was selected."""
    pages: int
    two_grams: int
    rank: int
    """1 is the pattern that was selected first."""

    def as_json(self) -> JSON:
        """Return the pattern as it is stored."""
        steps = [{"xpath": f"{step.label}/@href", "plus": step.most is None} for step in self.pattern.steps]
        figures = {"score": round(self.score, 3), "pages": self.pages, "two_grams": self.two_grams, "rank": self.rank}
        return {"pattern": str(self.pattern), "steps": steps, **figures}


@dataclass(frozen=True, slots=True)
class LearnedNavigation:
    """The result of the offline phase."""

    patterns: tuple[LearnedPattern, ...]
    pages: int
    two_grams: int
    """Distinct 2-grams of all pages that some pattern reaches, and of the entry points."""
    covered: float
    """The share of them that the patterns cover."""
    candidates: int
    digest: str
    """Names the sitemap that was learned from."""


def learn(graph: SiteGraph, seeds: Sequence[str], options: AcebotOptions) -> LearnedNavigation:
    """Select the navigation patterns of a site from its sampled graph."""
    grams = [graph.grams[number] for number in graph.pages()]
    roots = graph.roots(seeds)
    clusters = Clusters(graph.edges(), graph.labels, roots, alike_groups(grams, options.alike))
    candidates = clusters.candidates(options.steps, options.continuity)
    selection = Selection(candidates, UncoveredGrams(grams), roots)
    choices = list(selection.run(options.ratio, options.least_gain))
    url = seeds[0] if seeds else ""
    patterns = tuple(
        LearnedPattern(_pattern(url, candidates[one.candidate].word), one.score, one.pages, one.two_grams, rank)
        for rank, one in enumerate(choices, 1)
    )
    covered = selection.covered / max(1, selection.total)
    digest = sha256("\n".join(sorted(graph.urls[number] for number in graph.pages())).encode()).hexdigest()
    return LearnedNavigation(patterns, len(grams), selection.total, covered, len(candidates), digest)


def stored_lines(learned: LearnedNavigation, options: AcebotOptions) -> list[JSON]:
    """Return the lines that are stored: each pattern with the parameters and the sitemap that it was learned from."""
    about = {"params": {**asdict(options), "attributes": list(options.attributes)}, "sitemap_digest": learned.digest}
    return [{**one.as_json(), **about} for one in learned.patterns]


def _pattern(url: str, word: Word) -> Pattern:
    return Pattern(url, tuple(Step(parse_label(label), 1, None if repeated else 1) for label, repeated in word))
