"""Ranked candidates in, the short list as XPath out, with what is known about each and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from siteseer.wrappers.induce.cuts import WHOLE, Cut
from siteseer.wrappers.induce.evaluate import values
from siteseer.wrappers.induce.fallback import fallbacks, joined
from siteseer.wrappers.induce.score import Candidate
from siteseer.wrappers.induce.shortlist import LENGTH, diverse
from siteseer.wrappers.induce.spell import spelled
from siteseer.wrappers.induce.view import View
from siteseer.wrappers.induce.vocabulary import Vocabulary

MAX_UNMARKED = 20
"""More unmarked pages cost time and change nothing."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One expression: where the values are, how each is read there, and what is known about it."""

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

    def __init__(self, marked: Sequence[View], unmarked: Sequence[View] = ()) -> None:
        self.marked = marked
        self.unmarked = unmarked[:MAX_UNMARKED]
        self.words = Vocabulary([*self.marked, *self.unmarked])

    @property
    def views(self) -> list[View]:
        """Return all pages."""
        return [*self.marked, *self.unmarked]


def short_list(candidates: Sequence[Candidate], site: Site) -> list[tuple[Candidate, str]]:
    """Return the best candidates that stand on different anchors, as XPath; what no spelling says is passed over."""
    waiting = list(candidates)
    known: dict[int, str | None] = {}
    while True:
        listed = diverse(waiting, LENGTH)
        for one in listed:
            if id(one) not in known:
                known[id(one)] = spelled(one.expression, site.views)
        if all(known[id(one)] for one in listed):
            return [(one, known[id(one)] or "") for one in listed]
        waiting = [one for one in waiting if known.get(id(one), "") is not None]


def written(candidates: Sequence[Candidate], site: Site, cut: Cut) -> tuple[Ranked, ...]:
    """Return the short list with what is known about each expression."""
    return tuple(_ranked(one, (text,), site, cut) for one, text in short_list(candidates, site))


def with_fallback(candidates: Sequence[Candidate], site: Site, cut: Cut) -> tuple[Ranked, ...]:
    """Return the short list, its first joined with the best one that can answer for it."""
    listed = short_list(candidates, site)
    rows = [_ranked(one, (text,), site, cut) for one, text in listed]
    if listed:
        first, text = listed[0]
        for other in fallbacks(first, candidates, site.views)[:LENGTH]:
            if words := spelled(other.expression, site.views):
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
