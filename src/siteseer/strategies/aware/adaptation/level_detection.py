"""Finds a detection pattern that separates the pages of a level from pages of other levels.

Reference: M. Faheem, thesis, section 3.5.2, "Web page level not detected". Order: the known patterns relaxed, fewest
relaxations first; then names (classes, ids) that all pages of the level have and no other page has; then the address.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from urllib.parse import parse_qsl, urlsplit

from siteseer.knowledge.alternatives import vocabulary
from siteseer.knowledge.pattern_match import pattern_matches
from siteseer.knowledge.types import Detection, Level, Pattern
from siteseer.model import Page
from siteseer.page.similarity.name_parts import shared_parts
from siteseer.strategies.aware.adaptation.extraction.record_scope import MOST_CANDIDATES, Candidate, words_of
from siteseer.xpath.relaxation import relaxations

MOST_RELAXED = 150
FEWEST_SHARED = 2
"""What one page has alone may be its content."""
FAMILY = 4
HOLDS = 0.97
ELSEWHERE = 0.03
MOST_SHAPES = 6
MOST_EXACT = 4
"""Pages such as the imprint whose addresses share nothing, that a pattern names one by one."""
SAMPLED = 200
_BESIDE = "following-sibling::"
_QUOTED = re.compile(r"['\"<>\s]")
_NAME = re.compile(r"[.#][A-Za-z_][A-Za-z_-]*")


@dataclass(frozen=True, slots=True)
class FoundPattern:
    """A pattern for a level, how it was found and how reliable it is."""

    candidate: Candidate
    confidence: float


def level_pattern(
    level: Level, pages: Sequence[Page], others: Sequence[Page], addresses: Sequence[Iterable[str]] = ()
) -> FoundPattern | None:
    """Return a pattern that holds on the pages of a level and on no others; None where there is none.

    `addresses` are URLs of the level, those of one shape together.
    """
    for candidate in islice(_candidates(level, pages, others, addresses), MOST_CANDIDATES):
        pattern = Pattern(candidate.text)
        inside = sum(pattern_matches(pattern, page) for page in pages) / max(1, len(pages))
        if inside < HOLDS:
            continue
        outside = sum(pattern_matches(pattern, page) for page in others) / max(1, len(others))
        if outside <= ELSEWHERE:
            return FoundPattern(candidate, round(inside - outside, 3))
    return None


def _candidates(
    level: Level, pages: Sequence[Page], others: Sequence[Page], addresses: Sequence[Iterable[str]]
) -> Iterator[Candidate]:
    known = [one for detection in level.detections for one in detection.patterns if not one.is_absence]
    if others:  # else anything would tell
        yield from _relaxed(known, pages)
        yield from _names(known, pages, others)
    texts = [address_pattern(urls) or exact_addresses(urls) for urls in addresses[:MOST_SHAPES]]
    if texts and all(texts) and len(texts) == len(addresses):
        yield Candidate(" | ".join(texts), "address")


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
    telling.sort(
        key=lambda name: (-max((shared_parts(name[1:], part) for part in parts), default=0.0), len(name), name)
    )
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


def address_pattern(urls: Iterable[str]) -> str:
    """Return what the URLs of one shape have in common, as a pattern; empty where that is not specific.

    >>> address_pattern(["http://e.org/wiki.php?id=tea", "http://e.org/wiki.php?id=milk"])
    "http-url[@path='/wiki.php'][following-sibling::http-param[@name='id']][not(following-sibling::http-param[@name!='id'])]"
    >>> address_pattern(["http://e.org/t/1-a/", "http://e.org/t/2-b/"])
    "http-url[starts-with(@path,'/t/')][following-sibling::http-seg[@n='2']][not(following-sibling::http-seg[@n='3'])][@query='']"
    """
    parts = [urlsplit(url) for url in islice(urls, SAMPLED)]
    paths = {part.path for part in parts}
    names = [[name for name, _ in parse_qsl(part.query, keep_blank_values=True)] for part in parts]
    common = [name for name in names[0] if all(name in row for row in names)]
    if any(_QUOTED.search(text) for text in (*paths, *common)):
        return ""
    if len(paths) == 1 and common:
        text = f"http-url[@path='{paths.pop()}']"
    else:
        first, last = min(paths), max(paths)  # what these share, all between them share
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
        head = first[:same].rpartition("/")[0] + "/"
        counts = {len([segment for segment in path.split("/") if segment]) for path in paths}
        if len(head) < 2 or len(counts) != 1:
            return ""
        count = counts.pop()
        text = f"http-url[starts-with(@path,'{head}')][{_BESIDE}http-seg[@n='{count}']]"
        text += f"[not({_BESIDE}http-seg[@n='{count + 1}'])]"
    text += "".join(f"[{_BESIDE}http-param[@name='{name}']]" for name in common)
    if all(set(row) == set(common) for row in names):
        foreign = " and ".join(f"@name!='{name}'" for name in common)
        text += f"[not({_BESIDE}http-param[{foreign}])]" if common else "[@query='']"
    return text


def exact_addresses(urls: Iterable[str]) -> str:
    """Return a pattern for a few addresses that have nothing in common, each as it is; empty for many.

    >>> exact_addresses(["http://e.org/about", "http://e.org/imprint"])
    "http-url[@path='/about'][@query=''] | http-url[@path='/imprint'][@query='']"
    """
    parts = [urlsplit(url) for url in islice(urls, MOST_EXACT + 1)]
    if len(parts) > MOST_EXACT or any(part.query or _QUOTED.search(part.path) for part in parts):
        return ""
    return " | ".join(f"http-url[@path='{part.path}'][@query='']" for part in parts)


def detection_of(pattern: FoundPattern, priority: int) -> Detection:
    """Return the detection that a learned level adds."""
    return Detection((Pattern(pattern.candidate.text),), priority)
