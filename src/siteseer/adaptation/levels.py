"""Pages of a level and pages of other levels in, a detection pattern that tells them apart out.

Reference: M. Faheem, thesis, section 3.5.2, "Web page level not detected". Order: the known patterns relaxed, fewest
relaxations first; then names (classes, ids) that all pages of the level have and no other page has; then the address.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from siteseer.adaptation.scopes import Candidate, words_of
from siteseer.knowledge.match import holds
from siteseer.knowledge.select import vocabulary
from siteseer.knowledge.types import Detection, Level, Pattern
from siteseer.model import Page
from siteseer.xpath.complain import XPathSyntaxError
from siteseer.xpath.parse import parse
from siteseer.xpath.relax import relaxations
from siteseer.xpath.vocabulary import likeness

MOST_RELAXED = 150
FEWEST_SHARED = 2
"""What one page has alone may be its content."""
FAMILY = 4
HOLDS = 0.97
ELSEWHERE = 0.03
_NAME = re.compile(r"[.#][A-Za-z_][A-Za-z_-]*")


@dataclass(frozen=True, slots=True)
class FoundPattern:
    """A pattern for a level, how it was found and how surely it tells."""

    candidate: Candidate
    confidence: float


def level_pattern(level: Level, pages: Sequence[Page], others: Sequence[Page], prefix: str = "") -> FoundPattern | None:
    """Return a pattern that holds on the pages of a level and on no others; None where there is none.

    `prefix` is how the paths of the level's URLs begin.
    """
    for candidate in _candidates(level, pages, others, prefix):
        pattern = Pattern(candidate.text)
        inside = sum(holds(pattern, page) for page in pages) / max(1, len(pages))
        if inside < HOLDS:
            continue
        outside = sum(holds(pattern, page) for page in others) / max(1, len(others))
        if outside <= ELSEWHERE:
            return FoundPattern(candidate, round(inside - outside, 3))
    return None


def _candidates(level: Level, pages: Sequence[Page], others: Sequence[Page], prefix: str) -> Iterator[Candidate]:
    known = [one for detection in level.detections for one in detection.patterns if not one.is_absence]
    yield from _relaxed(known, pages)
    yield from _names(known, pages, others)
    if len(prefix) > 1:
        yield Candidate(f"http-url[starts-with(@path,'{prefix}')]", "address")


def _relaxed(known: Sequence[Pattern], pages: Sequence[Page]) -> Iterator[Candidate]:
    """Yield relaxed patterns that still name something: a tag alone tells no level."""
    words = words_of(pages[:4])
    content = names_by_content(pages)
    for pattern in known:
        if pattern.text.startswith("http-"):
            continue
        for one in relaxations(pattern.expression, words, 0, limit=MOST_RELAXED):
            steps = [step for path in one.expression.alternatives for step in path.steps]
            names = {*(f".{name}" for step in steps for name in step.classes), *(f"#{n}" for s in steps for n in s.ids)}
            if (names or any("@" in str(one) for step in steps for one in step.predicates)) and not names & content:
                yield Candidate(str(one.expression), "relaxation", one.changes)


def _names(known: Sequence[Pattern], pages: Sequence[Page], others: Sequence[Page]) -> Iterator[Candidate]:
    """Yield names that the pages share and the others lack, those most like the known ones first."""
    if len(pages) < FEWEST_SHARED:
        return
    tally = Counter(name for page in pages for name in vocabulary(page) if _NAME.fullmatch(name))
    elsewhere = Counter(name for page in others for name in vocabulary(page))
    content = names_by_content(pages)
    telling = [
        name
        for name, count in tally.items()
        if name not in content and count >= HOLDS * len(pages) and elsewhere[name] <= ELSEWHERE * len(others)
    ]
    texts = " ".join(pattern.text for pattern in known)
    parts = set(re.findall(r"[A-Za-z_-]{4,}", texts))
    telling.sort(key=lambda name: (-max((likeness(name[1:], part) for part in parts), default=0.0), len(name), name))
    for name in telling[:20]:
        yield Candidate(f"*{name}", "names")


def names_by_content(pages: Sequence[Page]) -> set[str]:
    """Return names that a template makes from content: many on a page begin alike (`author_ann`, `author_bob`)."""
    found: set[str] = set()
    for page in pages[:6]:
        families: dict[str, set[str]] = {}
        for name in vocabulary(page):
            for place in (match.end() for match in re.finditer(r"[-_]", name)):
                families.setdefault(name[:place], set()).add(name)
        for stem, names in families.items():
            if len(names) >= FAMILY and len(stem) > 6 and stem.count("_") + stem.count("-") >= 2:
                found |= names
    return found


def detection_of(pattern: FoundPattern, level: Level) -> Detection:
    """Return the detection that a learned level adds, with the priority of what is known."""
    return Detection((Pattern(pattern.candidate.text),), level.priority)


def parses(text: str) -> bool:
    """Say whether a text is an expression of the fragment."""
    try:
        parse(text)
    except XPathSyntaxError:
        return False
    return True
