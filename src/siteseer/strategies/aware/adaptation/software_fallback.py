"""Recognises software by relaxed patterns, as a last resort for pages of unknown software.

Reference: M. Faheem, thesis, Algorithm 3.2, "types whose pattern fails". Patterns are relaxed to names that occur in
the page, but none of them may be lost; beside the type's own patterns, a level that is recognised and its actions that
lead somewhere speak for it. Two kinds of evidence are needed as everywhere, three where there are many types to choose
from, and then one of the type's patterns must hold as written: a mistaken type does more harm than an unknown one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siteseer.knowledge.alternatives import first_selection
from siteseer.knowledge.pattern_match import pattern_matches
from siteseer.knowledge.recognise import level_of
from siteseer.knowledge.types import Application, Pattern
from siteseer.model import Page
from siteseer.strategies.aware.adaptation.extraction.record_scope import words_of
from siteseer.xpath.page_vocabulary import Vocabulary
from siteseer.xpath.relaxation import relaxations
from siteseer.xpath.syntax import Expression

FEW_TYPES = 3
"""Types between which a relaxed match may choose on little evidence: a person named them."""
NEEDED, NEEDED_OF_MANY = 2, 3
MOST_RELAXED = 40
MOST_PATTERNS = 24
LEADS = 2
"""Links that an action of the level must find."""


@dataclass(frozen=True, slots=True)
class RelaxedType:
    """A type and the evidence for it: the patterns that hold, as they are or relaxed, by kind of evidence."""

    application: Application
    evidence: dict[str, str]
    is_exact: bool
    """Whether one of them holds as it is written."""

    @property
    def said(self) -> str:
        """The patterns in one line."""
        return " | ".join(self.evidence.values())


def relaxed_type(page: Page, applications: Sequence[Application]) -> RelaxedType | None:
    """Return the one type that a page is most likely of; None where nothing or too much speaks for any."""
    candidates = [one for one in applications if not one.is_generic and one.levels]
    is_open = len(candidates) > FEW_TYPES
    words = words_of([page])
    found = [match for one in candidates if (match := _match(page, one, words, is_open)) is not None]
    found.sort(key=lambda match: -len(match.evidence))
    if not found or (len(found) > 1 and len(found[1].evidence) == len(found[0].evidence)):
        return None
    return found[0]


def _match(page: Page, application: Application, words: Vocabulary, is_open: bool) -> RelaxedType | None:
    patterns = [pattern for _, pattern in application.patterns()]
    if any(pattern.is_absence and pattern_matches(pattern, page) for pattern in patterns):
        return None
    wanted = [pattern for pattern in patterns if not pattern.is_absence][:MOST_PATTERNS]
    evidence: dict[str, str] = {pattern.kind: pattern.text for pattern in wanted if pattern_matches(pattern, page)}
    is_exact = bool(evidence)
    if is_open and not is_exact:
        return None
    for pattern in wanted:
        if pattern.kind not in evidence and (text := _relaxed(page, pattern, words)):
            evidence[pattern.kind] = text
    evidence |= _of_level(page, application)
    needed = NEEDED_OF_MANY if is_open else NEEDED
    return RelaxedType(application, evidence, is_exact) if len(evidence) >= needed else None


def _relaxed(page: Page, pattern: Pattern, words: Vocabulary) -> str:
    """Return the pattern with other names of the page in the place of its own; empty where none holds."""
    if pattern.text.startswith("http-"):
        return ""
    own = _names(pattern.expression)
    for one in relaxations(pattern.expression, words, 0, limit=MOST_RELAXED):
        text = str(one.expression)
        kept = _names(one.expression)
        is_whole = kept > 0 and kept >= own / len(pattern.expression.alternatives)
        if is_whole and pattern_matches(Pattern(text, pattern.kind, same_site=pattern.same_site), page):
            return text
    return ""


def _names(expression: Expression) -> int:
    steps = [step for path in expression.alternatives for step in path.steps]
    return sum(len(step.classes) + len(step.ids) + len(step.predicates) for step in steps)


def _of_level(page: Page, application: Application) -> dict[str, str]:
    """Return the pattern of the level of a page and the action of it that leads somewhere, where there are both."""
    found = level_of(page, application)
    if found is None:
        return {}
    level, evidence = found
    actions = [one for one in level.navigations if one.role == "child" and one.text and not one.when.policy]
    leading = next((one.text for one in actions if len(first_selection(one.text, page)) >= LEADS), "")
    return {"level": evidence.pattern, "links": leading} if leading else {}
