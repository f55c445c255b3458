"""Recognises the software behind a page from detection patterns: evidence of two kinds, or one decisive pattern.

All patterns of all types lie in one index. A type is claimed with evidence of two independent kinds, or with one
decisive pattern: a page that merely mentions, links to or embeds something of a software has one kind at most.
Reference: M. Faheem, thesis, section 3.3. Differs: the thesis takes the first pattern that matches.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.pattern_match import is_on_own_host, pattern_matches
from siteseer.knowledge.types import Application, Pattern
from siteseer.model import Evidence, Page
from siteseer.page.urls import host_of
from siteseer.xpath.pattern_index import IndexedPattern, PatternIndex

DECISIVE = 3.0
"""Weight of a decisive pattern; another weighs 1."""
KINDS_NEEDED = 2


@dataclass(frozen=True, slots=True)
class ApplicationMatch:
    """An application and the evidence for it."""

    application: Application
    evidence: tuple[Evidence, ...]
    kinds: frozenset[str]
    is_certain: bool
    """Two kinds of evidence, or a decisive one."""
    priority: int

    @property
    def rank(self) -> tuple[bool, bool, int, float]:
        """Sort key, the best claim highest."""
        weight = sum(evidence.weight for evidence in self.evidence)
        return self.is_certain, not self.application.is_generic, self.priority, weight + len(self.kinds)


class TypeIndex:
    """An index of the detection patterns of all types of a knowledge base."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self.patterns: dict[str, tuple[Application, Pattern, int]] = {}
        self.hosts: dict[str, Application] = {}
        for application in knowledge.applications:
            for number, (detection, pattern) in enumerate(application.patterns()):
                self.patterns[f"{application.id} {number}"] = (application, pattern, detection.priority)
            self.hosts.update((site.host, application) for site in application.sites)
        self.index = PatternIndex.build(
            IndexedPattern(key, pattern.expression) for key, (_, pattern, _) in self.patterns.items()
        )

    def claims(self, page: Page) -> list[ApplicationMatch]:
        """Return the applications with any evidence, the best first."""
        found: dict[str, list[tuple[Pattern, int]]] = defaultdict(list)
        refused = set()
        for hit in self.index.hits(page):
            application, pattern, priority = self.patterns[hit.id]
            if pattern.is_absence:
                refused.add(application.id)
            elif not pattern.same_site or is_on_own_host(pattern, page):
                found[application.id].append((pattern, priority))
        applications = {application.id: application for application, _, _ in self.patterns.values()}
        claims = [_claim(applications[name], hits) for name, hits in found.items() if name not in refused]
        if known := self.hosts.get(host_of(page.url)):
            evidence = Evidence(f"site {host_of(page.url)}", "known site", DECISIVE)
            claims.append(ApplicationMatch(known, (evidence,), frozenset(("url",)), True, 1_000))
        return sorted(claims, key=lambda claim: claim.rank, reverse=True)


def _claim(application: Application, hits: list[tuple[Pattern, int]]) -> ApplicationMatch:
    kinds = frozenset(pattern.kind for pattern, _ in hits)
    is_certain = len(kinds) >= KINDS_NEEDED or any(pattern.is_decisive for pattern, _ in hits)
    evidence = tuple(
        Evidence(pattern.text, pattern.kind, DECISIVE if pattern.is_decisive else 1.0) for pattern, _ in hits
    )
    return ApplicationMatch(application, evidence, kinds, is_certain, max(priority for _, priority in hits))


def _as_expected(page: Page, application: Application) -> ApplicationMatch | None:
    """Return the claim of the application that the site is known to run, where it is certain: no need to ask others."""
    found: list[tuple[Pattern, int]] = []
    pairs = list(application.patterns())
    if any(pattern.is_absence and pattern_matches(pattern, page) for _, pattern in pairs):
        return None
    for detection, pattern in pairs:
        if not pattern.is_absence and pattern_matches(pattern, page):
            found.append((pattern, detection.priority))
            if (claim := _claim(application, found)).is_certain:
                return claim
    return None


_INDEXES: WeakKeyDictionary[KnowledgeBase, TypeIndex] = WeakKeyDictionary()


def type_index(knowledge: KnowledgeBase) -> TypeIndex:
    """Return the index of a knowledge base, made once."""
    index = _INDEXES.get(knowledge)
    if index is None:
        index = _INDEXES[knowledge] = TypeIndex(knowledge)
    return index


def application_of(page: Page, knowledge: KnowledgeBase, expected: str | None = None) -> ApplicationMatch | None:
    """Return the application behind a page with its evidence, or None.

    `expected` is what the site is known to run: one kind of evidence is then enough.
    """
    if expected and (claim := _as_expected(page, knowledge[expected])):
        return claim
    claims = type_index(knowledge).claims(page)
    best = claims[0] if claims and claims[0].is_certain else None
    if expected is None or (best and not best.application.is_generic):
        return best
    return next((claim for claim in claims if claim.application.id == expected), best)
