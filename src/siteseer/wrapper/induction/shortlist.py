"""Prints the short list of ranked candidates as XPath, with the scores and values of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from siteseer.wrapper.induction.candidates.substring import WHOLE, Cut
from siteseer.wrapper.induction.diverse_shortlist import LENGTH, WITHIN, diverse
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.evaluate_on_tables import values
from siteseer.wrapper.induction.ranking import Candidate
from siteseer.wrapper.induction.site_vocabulary import Vocabulary
from siteseer.wrapper.induction.to_xpath import to_xpath

MAX_UNMARKED = 20
"""More unmarked pages cost time and change nothing."""
OF_A_KIND = 0.6
"""Labels tend to change together, and so do names: a fallback of the other kind may have a lower score."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One expression: its XPath, how a value is read, and its scores."""

    xpath: str
    parts: tuple[str, ...]
    """The expression alone, and the one that answers where it selects nothing."""
    value: str
    """An XPath for the value, from the selected node."""
    score: float
    precision: float
    recall: float
    f1: float
    robustness: float
    plausibility: float
    agreement: float
    hits: tuple[tuple[str, ...], ...]
    """The values on each page: marked pages first, then unmarked ones."""


class Site:
    """The pages from which expressions are induced, read once for all attributes."""

    def __init__(self, marked: Sequence[ElementTables], unmarked: Sequence[ElementTables] = ()) -> None:
        self.marked = marked
        self.unmarked = unmarked[:MAX_UNMARKED]
        self.words = Vocabulary([*self.marked, *self.unmarked])

    @property
    def views(self) -> list[ElementTables]:
        """Return all pages."""
        return [*self.marked, *self.unmarked]


def short_list(candidates: Sequence[Candidate], site: Site) -> list[tuple[Candidate, str]]:
    """Return the best candidates that rely on different anchors, as XPath; those without a faithful spelling are left
    out.
    """
    waiting = list(candidates)
    known: dict[int, str | None] = {}
    while True:
        listed = diverse(waiting, LENGTH)
        for one in listed:
            if id(one) not in known:
                known[id(one)] = to_xpath(one.expression, site.views)
        if all(known[id(one)] for one in listed):
            return [(one, known[id(one)] or "") for one in listed]
        waiting = [one for one in waiting if known.get(id(one), "") is not None]


def shortlist_json(candidates: Sequence[Candidate], site: Site, cut: Cut) -> tuple[Ranked, ...]:
    """Return the short list with the scores of each expression."""
    return tuple(_ranked(one, (text,), site, cut) for one, text in short_list(candidates, site))


def with_fallback(candidates: Sequence[Candidate], site: Site, cut: Cut) -> tuple[Ranked, ...]:
    """Return the short list, its first expression joined with the best fallback."""
    listed = short_list(candidates, site)
    rows = [_ranked(one, (text,), site, cut) for one, text in listed]
    if listed:
        first, text = listed[0]
        for other in fallbacks(first, candidates, site.views)[:LENGTH]:
            if words := to_xpath(other.expression, site.views):
                strength = 1 - (1 - first.robustness) * (1 - other.robustness)
                rows[0] = replace(_ranked(first, (text, words), site, cut), robustness=round(strength, 4))
                break
    return tuple(rows)


def cut_all(found: Sequence[str], cut: Cut) -> tuple[str, ...]:
    """Return the wanted part of each value; values without it are left out."""
    return tuple(part for value in found if (part := cut.apply(value)))


def _ranked(one: Candidate, parts: tuple[str, ...], site: Site, cut: Cut) -> Ranked:
    return Ranked(
        parts[0] if len(parts) == 1 else joined(parts[0], parts[1], site.marked[0].is_record),
        parts,
        str(cut) if cut != Cut() else WHOLE,
        round(one.score, 4),
        round(one.accuracy.precision, 4),
        round(one.accuracy.recall, 4),
        round(one.accuracy.f, 4),
        round(one.robustness, 4),
        round(one.plausibility, 4),
        round(one.agreement, 4),
        tuple(cut_all(values(view, one.expression), cut) for view in site.views),
    )


def fallbacks(first: Candidate, candidates: Sequence[Candidate], views: Sequence[ElementTables]) -> list[Candidate]:
    """Return the candidates, best first, that select the same as the first on all pages but rely on other anchors."""
    own = anchors(first)
    answers = [values(view, first.expression) for view in views]
    same = [
        one
        for one in candidates
        if one.score > first.score - WITHIN
        and not anchors(one) & own
        and all(values(view, one.expression) == answer for view, answer in zip(views, answers, strict=True))
    ]
    starts_at_label = first.expression.label is not None
    return sorted(
        same, key=lambda one: -one.score + OF_A_KIND * ((one.expression.label is not None) == starts_at_label)
    )


def anchors(one: Candidate) -> frozenset[str]:
    """Return the names and texts on which an expression relies; its tags where it has none."""
    return one.expression.quotes or frozenset(move.test.tag for move in one.expression.moves)


def joined(first: str, other: str, is_record: bool = False) -> str:
    """Return one XPath for both: the other only where the first selects nothing.

    >>> joined("//b", "//i")
    '//b | //i[not(//b)]'
    >>> joined(".//b", ".//i", is_record=True)
    './/b | self::*[not(.//b)]//i'
    """
    return f"{first} | self::*[not({first})]{other[1:]}" if is_record else f"{first} | {other}[not({first})]"
