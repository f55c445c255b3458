"""Generates candidate expressions for a field: known ones, their relaxations, and expressions for the values' places.

Expressions that name what they select come before those that select any element of some tag.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from lxml import html

from siteseer.extract.read_values import one_line
from siteseer.knowledge.types import Field, Reading
from siteseer.strategies.aware.adaptation.extraction.body_continuation import with_continuations
from siteseer.strategies.aware.adaptation.extraction.element_expressions import (
    ATTRIBUTES,
    BOXES,
    beside,
    inside,
    steps_of,
)
from siteseer.strategies.aware.adaptation.extraction.record_scope import Pair
from siteseer.strategies.aware.adaptation.extraction.value_similarity import same
from siteseer.xpath.evaluation import select
from siteseer.xpath.page_vocabulary import Vocabulary
from siteseer.xpath.parser import parse
from siteseer.xpath.relaxation import relaxations
from siteseer.xpath.syntax import Expression, Path
from siteseer.xpath.syntax_hints import XPathSyntaxError

MOST_RELAXED = 120
MOST_INDUCED = 60
LONGEST_LINE = 160
MOST_INSIDE = 400
MOST_BESIDE = 40
MOST_TEXTS = 200
MOST_OTHERS = 0.25
"""Elements of a step that are no quotations, as a part of those that are."""
TELLING = frozenset("h1 h2 h3 h4 h5 h6 time address cite header abbr".split())
TELLING_OF = {"author": frozenset(("address", "cite"))}
"""Tags that tell what they hold: any, and for types for which it is fewer."""
READS: dict[str, Reading] = {"published": "date", "modified": "date", "permalink": "url", "author_url": "url"}
_NAMED = re.compile(r"[.#][A-Za-z]")


@dataclass(frozen=True, slots=True)
class FieldRepair:
    """The fields that read the expected values, how they were found, and for what share of the records."""

    fields: tuple[Field, ...]
    method: str
    changes: tuple[str, ...]
    agreement: float

    @property
    def is_known(self) -> bool:
        """Whether nothing had to be changed."""
        return self.method == "known"


def candidates(type: str, known: Sequence[Field], pairs: Sequence[Pair], words: Vocabulary) -> Iterator[FieldRepair]:
    """Yield candidates, those that name what they select before those that take anything of some tag."""
    if known:
        yield FieldRepair(tuple(known), "known", (), 0.0)
    vague = []
    for repair in (*_relaxed(known, pairs, words), *_induced(type, known, pairs)):
        if is_specific(repair.fields[0].expression, type):
            yield repair
        else:
            vague.append(repair)
    yield from vague


def is_specific(expression: Expression, type: str = "") -> bool:
    """Say whether every alternative ends in an element with a name or a telling tag, and has no `*` step.

    >>> [is_specific(parse(text)) for text in ("span.date", "time/@datetime", "*//span", "div/a")]
    [True, True, False, False]
    >>> is_specific(parse("h3"), "title"), is_specific(parse("h3"), "author")
    (True, False)
    """
    telling = TELLING_OF.get(type, TELLING)
    for path in expression.alternatives:
        elements = [step for step in path.steps if step.is_element]
        if not elements or any(step.test == "*" and not (step.classes or step.ids) for step in elements):
            return False
        last = elements[-1]
        if not (last.classes or last.ids or last.predicates or last.test in telling):
            return False
    return True


def _relaxed(known: Sequence[Field], pairs: Sequence[Pair], words: Vocabulary) -> Iterator[FieldRepair]:
    first = [pair.element for pair in pairs[:3]]

    def alive(prefix: Path) -> bool:
        return any(select(Expression((prefix,)), element) for element in first)

    for field in known:
        for one in relaxations(field.expression, words, 0, alive, MOST_RELAXED):
            yield FieldRepair((replace(field, text=str(one.expression)),), "relaxation", one.changes, 0.0)


def _induced(type: str, known: Sequence[Field], pairs: Sequence[Pair]) -> Iterator[FieldRepair]:
    """Yield expressions for the places where expected values stand, those that many records suggest first."""
    like = known[0] if known else Field(type, ".", READS.get(type, "text"))
    if type == "body" and not known:
        like = replace(like, without=body_exclusions("", pairs))
    tally: Counter[tuple[str, str]] = Counter()
    for pair in pairs[:10]:
        tally.update(set(_suggestions(type, pair)))
    often = [one for one, count in tally.most_common(4 * MOST_INDUCED) if count >= 0.5 * min(10, len(pairs))]
    often.sort(
        key=lambda one: (
            -tally[one] // 2,
            bool(one[1]),
            "[" in one[0],
            not _NAMED.search(one[0]),
            one[0].count("/"),
            len(one[0]),
        )
    )
    joined = [(text, "") for text in with_continuations(pairs)] if type == "body" else []
    for text, expression in (*joined, *often[:MOST_INDUCED]):
        if _parses(text):
            field = replace(like, text=text, regex=expression, read=READS.get(type, "text"), template="", line=0)
            yield FieldRepair((field,), "records", (), 0.0)


def _suggestions(type: str, pair: Pair) -> Iterator[tuple[str, str]]:
    wanted = pair.expected.values[type]
    if type == "body":
        if _is_inside(pair.expected.element, pair.element):
            yield from ((text, "") for text in inside(pair.expected.element, pair.element))
        return
    for element in _elements(pair.element, pair.expected.element):
        for text, expression, value in _readings(type, element):
            if (value and _says(type, value, wanted)) or (
                value and type == "author" and (expression := _part(value, wanted))
            ):
                yield from ((f"{way}{text}", expression) for way in inside(element, pair.element))
    yield from _beside(type, pair)


def _beside(type: str, pair: Pair) -> Iterator[tuple[str, str]]:
    """Yield expressions for values that stand in the neighbours of a record's element: a row above, a term before."""
    wanted = pair.expected.values[type]
    for neighbour in (pair.element.getprevious(), pair.element.getnext()):
        if neighbour is None or not isinstance(neighbour.tag, str):
            continue
        for element in islice(neighbour.iter("*"), MOST_BESIDE):
            for text, expression, value in _readings(type, element):
                if value and _says(type, value, wanted):
                    yield from ((f"{way}{text}", expression) for way in beside(element, pair.element, neighbour))


def _elements(scope: html.HtmlElement, body: html.HtmlElement) -> Iterable[html.HtmlElement]:
    """Yield the elements of a record, those outside its body first."""
    within = set(body.iter("*")) if body is not scope else set()
    yield from (element for element in scope.iter("*") if element not in within)
    yield from islice(body.iter("*"), MOST_INSIDE)


def _is_inside(element: html.HtmlElement, scope: html.HtmlElement) -> bool:
    return element is scope or any(above is scope for above in element.iterancestors())


def _readings(type: str, element: html.HtmlElement) -> Iterator[tuple[str, str, str]]:
    """Yield the ways in which an element may say a value: how it is written, and what it says."""
    for name in ATTRIBUTES.get(type, ()):
        if value := element.get(name):
            yield f"/@{name}", "", value
    if type not in ("permalink", "author_url") and _is_short(element):
        text = one_line(element)
        if len(text) <= LONGEST_LINE:
            yield "", "", text


def _is_short(element: html.HtmlElement) -> bool:
    """Say whether an element holds little text; a large one is left as soon as that is clear."""
    length = 0
    for text in islice(element.itertext(), MOST_TEXTS):
        length += len(text.strip())
        if length > 2 * LONGEST_LINE:
            return False
    return True


def _says(type: str, value: str, wanted: str) -> bool:
    if type in ("published", "modified"):
        return any(letter.isdigit() for letter in value)  # read and compared when the candidate is judged
    if type == "permalink":
        return bool(value.strip("#/")) and wanted.endswith(value.lstrip("./"))
    return same(type, value, wanted)


def _part(text: str, name: str) -> str:
    """Return the expression that finds a name between the words around it; empty where it is not there.

    >>> _part("Posted by Ann on May 1st", "Ann")
    '^Posted\\\\s+by\\\\s+(.+?)\\\\s+on\\\\b'
    """
    at = text.find(name)
    if at < 0:
        return ""
    before, after = text[:at], text[at + len(name) :]
    if len(before) > 40 or any(letter.isdigit() for letter in before):
        return ""
    head = r"\s+".join(re.escape(word) for word in before.split())
    head += r"\s+" if before[-1:] == " " else ""
    word = after.split()[0] if after.strip() else ""
    if not word:
        return f"^{head}(.+)$"
    gap = r"\s+" if after[0] == " " else ""
    if word[0].isdigit():
        return rf"^{head}(.+?){gap}[0-9]"
    return rf"^{head}(.+?){gap}{re.escape(word)}" + (r"\b" if word[-1].isalnum() else "")


def _parses(text: str) -> bool:
    try:
        parse(text)
    except XPathSyntaxError:
        return False
    return True


def body_exclusions(known: str, pairs: Sequence[Pair]) -> str:
    """Return what is left out of bodies: as known, the lines that say who wrote them when, and quotations."""
    tally = Counter(step for pair in pairs for step in pair.expected.bylines)
    added = [step for step, count in tally.items() if count >= 0.5 * len(pairs)]
    added += _quoting(pairs)
    left_out = [step.strip() for step in known.split(",")]
    return ", ".join(filter(None, (known, *(step for step in dict.fromkeys(added) if step not in left_out))))


def _quoting(pairs: Sequence[Pair]) -> list[str]:
    """Return the steps that name quotations, and inside the bodies hardly anything else."""
    quoted = {element for pair in pairs for element in pair.expected.citations}
    named = Counter(step for element in quoted for step in _plain_steps(element))
    others = Counter(
        step
        for pair in pairs
        for element in islice(pair.expected.element.iter("*"), MOST_INSIDE)
        if element not in quoted
        and element is not pair.expected.element
        and not quoted.intersection(element.iterancestors())
        for step in _plain_steps(element)
    )
    found = [step for step, count in named.most_common() if others[step] <= MOST_OTHERS * count]
    chosen: list[str] = []
    for element in quoted:
        if not any(step in chosen for step in _plain_steps(element)):
            chosen += [step for step in found if step in _plain_steps(element)][:1]
    return chosen


def _plain_steps(element: html.HtmlElement) -> list[str]:
    """Return the steps by which a list of exclusions can name an element: by a class, or by a tag that tells."""
    return [step for step in steps_of(element) if "[" not in step and step not in BOXES]
