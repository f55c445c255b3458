"""Finds an expression that selects the element around each expected record (its scope)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import html

from siteseer.knowledge.alternatives import first_selection
from siteseer.knowledge.types import Application, Extraction
from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.strategies.aware.adaptation.extraction.element_expressions import BOXES, MOST_STEPS, anywhere, steps_of
from siteseer.strategies.aware.adaptation.extraction.expected_records import ExpectedRecord
from siteseer.xpath.page_vocabulary import Vocabulary
from siteseer.xpath.parser import parse
from siteseer.xpath.relaxation import relaxations
from siteseer.xpath.syntax import Expression, Path
from siteseer.xpath.syntax_hints import XPathSyntaxError

LOWEST_FIT = 0.9
MOST_CANDIDATES = 2_000
"""Of one repair, scopes and fields together."""
MOST_RELAXED = 250
MOST_INDUCED = 40
CELLS = ("td", "th")
_NAME = re.compile(r"[.#]([A-Za-z][\w-]*)")


@dataclass(slots=True)
class Budget:
    """The number of candidates that may still be tried, so that adaptation is bounded on any page."""

    left: int = MOST_CANDIDATES

    def spend(self) -> bool:
        """Take one; say whether there was one left."""
        self.left -= 1
        return self.left >= 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate expression, how it was found, and what was changed."""

    text: str
    method: str
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """A record's element and its expected values."""

    element: html.HtmlElement
    expected: ExpectedRecord


@dataclass(frozen=True, slots=True)
class FittingScope:
    """A scope that holds one expected record each, with the pairs."""

    candidate: Candidate
    pairs: tuple[Pair, ...]
    fit: float


def pairs_of(text: str, expected: Sequence[ExpectedRecord], lone: bool) -> tuple[list[Pair], float]:
    """Pair the elements that a scope selects with the expected records; the F1 of the pairing is the fit."""
    by_page: dict[int, list[ExpectedRecord]] = {}
    pages: dict[int, Page] = {}
    for one in expected:
        by_page.setdefault(id(one.page), []).append(one)
        pages[id(one.page)] = one.page
    pairs, selected = [], 0
    for key, wanted in by_page.items():
        page = pages[key]
        elements = [node for node in first_selection(text, page) if not isinstance(node, str)]
        elements = elements[:1] if lone else elements
        selected += len(elements)
        places = set(elements)
        taken: set[html.HtmlElement] = set()
        for one in wanted:
            around = _around(one.element, places)
            if around is not None and around not in taken:
                taken.add(around)
                pairs.append(Pair(around, one))
    return pairs, 2 * len(pairs) / max(1, selected + len(expected))


def _around(element: html.HtmlElement, places: set[html.HtmlElement]) -> html.HtmlElement | None:
    """Return the nearest of some elements that is or holds an element."""
    at = element
    while at is not None:
        if at in places:
            return at
        at = at.getparent()
    return None


def fitting_scopes(
    known: Sequence[Extraction],
    expected: Sequence[ExpectedRecord],
    lone: bool,
    words: Vocabulary,
    budget: Budget,
    lowest_known: float = LOWEST_FIT,
) -> Iterator[FittingScope]:
    """Yield scopes that hold exactly one expected record each: known ones, then relaxed ones, then induced ones.

    A known scope may fit less well (`lowest_known`) where it is known to find its records.
    """
    seen: set[str] = set()
    for candidate in (*_known(known), *_relaxed(known, expected, words), *_induced(expected, lone)):
        if candidate.text in seen or not budget.spend():
            continue
        seen.add(candidate.text)
        pairs, fit = pairs_of(candidate.text, expected, lone)
        if fit >= (lowest_known if candidate.method == "known" else LOWEST_FIT):
            yield FittingScope(candidate, tuple(pairs), fit)


def _known(known: Sequence[Extraction]) -> Iterator[Candidate]:
    for extraction in known:
        for path in extraction.expression.alternatives:
            yield Candidate(str(path), "known")


def _relaxed(known: Sequence[Extraction], expected: Sequence[ExpectedRecord], words: Vocabulary) -> Iterator[Candidate]:
    """Yield relaxed scopes that select something around the first few records; what dies early is not extended."""
    sample = _spread(expected, 4)
    if not sample:
        return
    bodies = [(one.page, one.element) for one in sample]

    def alive(prefix: Path) -> bool:
        return any(first_selection(str(prefix), page) for page, _ in bodies[:2])

    for extraction in known:
        for one in relaxations(extraction.expression, words, 0, alive, MOST_RELAXED):
            text = str(one.expression)
            if is_named(one.expression) and all(
                _around(body, set(selected(text, page))) is not None for page, body in bodies
            ):
                yield Candidate(text, "relaxation", one.changes)


def is_named(expression: Expression) -> bool:
    """Say whether every alternative ends in a named element: a scope that selects anything does not count."""
    return all(
        any(step.classes or step.ids or step.predicates for step in path.steps[-1:]) for path in expression.alternatives
    )


def selected(text: str, page: Page) -> list[html.HtmlElement]:
    """Return the elements that a scope selects in a page."""
    return [node for node in first_selection(text, page) if not isinstance(node, str)]


def _induced(expected: Sequence[ExpectedRecord], lone: bool) -> Iterator[Candidate]:
    """Yield expressions of the elements around bodies, the largest that hold no other body first."""
    tally: Counter[str] = Counter()
    height: dict[str, int] = {}
    others: dict[int, set[html.HtmlElement]] = {}
    for one in expected:
        others.setdefault(id(one.page), set()).add(one.element)
    for one in _spread(expected, 12):
        bodies = others[id(one.page)] - {one.element}
        at, distance = one.element, 0
        while at is not None and at.tag not in ("body", "html") and distance < 12:
            if bodies and any(below in bodies for below in at.iter()):
                break
            for text in (*anywhere(at), *_holding(at, one.element)):
                if _parses(text):
                    tally[text] += 1
                    height[text] = max(height.get(text, 0), distance)
            at, distance = at.getparent(), distance + 1
    often = [text for text, count in tally.items() if count >= 0.6 * min(12, len(expected))]
    for text in sorted(often, key=lambda text: (-height[text], text.count("/"), len(text)))[:MOST_INDUCED]:
        yield Candidate(text, "records")
    if lone:
        yield Candidate("body", "records")


def _holding(element: html.HtmlElement, body: html.HtmlElement) -> Iterator[str]:
    """Yield expressions for an element by what it holds: a row is that of a record because the text stands in it."""
    names = [f".//{step}" for step in steps_of(body) if step != body.tag][:2]
    if element is body.getparent() and body.tag in CELLS:
        names.append(f"{body.tag}[{1 + sum(1 for _ in body.itersiblings(body.tag, preceding=True))}]")
        for above in islice(element.iterancestors(), MOST_STEPS):
            if above.tag not in BOXES:
                yield f"{above.tag}//{element.tag}[{names[-1]}]"
    if element is body or not names:
        return
    above = element.getparent()
    steps = [step for step in steps_of(above) if step != above.tag][:1] if above is not None else []
    for name in names:
        for own in steps_of(element)[-1:]:
            yield from (f"{step}/{own}[{name}]" for step in steps)
            yield f"{own}[{name}]"


def _spread(expected: Sequence[ExpectedRecord], most: int) -> list[ExpectedRecord]:
    step = max(1.0, len(expected) / most)
    return [expected[int(place * step)] for place in range(min(most, len(expected)))]


def _parses(text: str) -> bool:
    try:
        parse(text)
    except XPathSyntaxError:
        return False
    return True


def words_of(pages: Sequence[Page], preferred: Iterable[str] = ()) -> Vocabulary:
    """Return the vocabulary of some pages; `preferred` are names that related applications use."""
    return Vocabulary.of([tree(page) for page in pages], preferred)


def names_in(applications: Iterable[Application]) -> frozenset[str]:
    """Return the classes and ids by which applications find records and their fields.

    >>> from siteseer.knowledge.types import Field, Level
    >>> post = Extraction("post", "div.entry", (Field("title", "h2.entry-title | #headline"),))
    >>> sorted(names_in([Application("a", "blog", levels=(Level("post", "terminal", extractions=(post,)),))]))
    ['entry', 'entry-title', 'headline']
    """
    extractions = [one for application in applications for level in application.levels for one in level.extractions]
    texts = [text for one in extractions for text in (one.scope, *(field.text for field in one.fields))]
    return frozenset(name for text in texts for name in _NAME.findall(text))
