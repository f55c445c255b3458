"""Computes the worth of the skipped URLs in an audit's sample, and of all of them.

worth(URL) = new passages of its own page + for each kind of unknown page that it leads to, their number times what
such a page is worth, which in turn leads on. Passages and URLs to which several of the drawn ones lead are counted once
(`union_size`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from xxhash import xxh3_64_intdigest

from siteseer.measure.certificate.estimate import Amount, Stratum, total_worth
from siteseer.measure.certificate.examined_pages import ExaminedPage
from siteseer.measure.certificate.skipped_sample import SkippedSample
from siteseer.measure.certificate.union_size import DrawnUrl, distinct_values
from siteseer.page.two_grams import Grams
from siteseer.page.urls import identity

DEEPEST = 3
"""Pages that lead to pages that lead to pages: from there on nothing is added."""
ROUNDS = 5
"""How many pages a kind has, and to how many they lead, depend on each other: so often both are found anew."""
EDGES = 0.005
"""Excerpts make new passages where they are cut: what is missing may be off by this share of what is kept."""
Counts = dict[str, float]
"""How many pages of each kind."""


@dataclass(slots=True)
class Assessment:
    """What the skipped URLs are worth, in passages."""

    survey: SkippedSample
    worths: dict[ExaminedPage, float]
    """What each URL that was looked at is worth, with all that it leads to."""
    leads: dict[ExaminedPage, Counts]
    values: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """What a page of each kind is worth; of a kind that was not looked at, what the others are worth."""
    spread: dict[str, float] = field(default_factory=dict)
    """The variance of that."""

    def amount(self, rule: str | None = None) -> Amount:
        """Return what all skipped URLs are worth, or those that one rule skipped."""
        survey = self.survey
        strata = [
            Stratum(len(survey.strata[name]), tuple(self._of(look, rule) for look in looks))
            for name, looks in survey.roots.items()
            if rule is None or any(one.rule == rule for one in survey.strata[name])
        ]
        judged = (EDGES * survey.kept.content) ** 2 if any(any(one.worths) for one in strata) else 0.0
        return total_worth(strata, survey.kept.usual, self._further(rule) + judged)

    def _of(self, look: ExaminedPage, rule: str | None) -> float:
        is_meant = rule is None or (look.skipped is not None and look.skipped.rule == rule)
        return self.worths[look] if is_meant else 0.0

    def _further(self, rule: str | None) -> float:
        """Return the variance that comes from not knowing exactly what the pages are worth that URLs lead to."""
        numbers: Counts = defaultdict(float)
        for name, looks in self.survey.roots.items():
            weight = len(self.survey.strata[name]) / max(1, len(looks))
            for look in looks:
                if rule is None or (look.skipped is not None and look.skipped.rule == rule):
                    for kind, count in self.leads.get(look, {}).items():
                        numbers[kind] += weight * count
        return sum(number**2 * self.spread.get(kind, 0.0) for kind, number in numbers.items())


def assess(survey: SkippedSample) -> Assessment:
    """Return the worth of the skipped URLs that a survey examined."""
    kinds = survey.kinds()
    weights = {look: len(survey.strata[name]) / len(looks) for name, looks in survey.roots.items() for look in looks}
    cells = {look: name for name, looks in survey.roots.items() for look in looks}
    for name, look in survey.found.items():
        cells[look] = kinds.get(name, "")
    leads: dict[ExaminedPage, Counts] = {}
    for _ in range(ROUNDS):
        leads = _count_leads(survey, kinds, weights, cells)
        weights |= _weights(survey, kinds, leads, weights)
    drawn = [DrawnUrl(cells[look], weights[look], look.worth.new) for look in weights]
    own = dict(zip(weights, distinct_values(drawn).tolist(), strict=True))
    found = Assessment(survey, {}, leads)
    _value_kinds(found, kinds, own)
    for looks in survey.roots.values():
        for look in looks:
            found.worths[look] = own[look] + sum(
                count * found.values[kind] for kind, count in leads.get(look, {}).items()
            )
    return found


def _count_leads(
    survey: SkippedSample,
    kinds: Mapping[str, str],
    weights: Mapping[ExaminedPage, float],
    cells: Mapping[ExaminedPage, str],
) -> dict[ExaminedPage, Counts]:
    """Return how many unknown pages of each kind each page leads to, what others lead to as well shared fairly."""
    by_kind: dict[str, dict[ExaminedPage, list[str]]] = defaultdict(lambda: defaultdict(list))
    for look in weights:
        for name in survey.leads_of(look):
            by_kind[kinds[name]][look].append(name)
    found: dict[ExaminedPage, Counts] = defaultdict(dict)
    for kind, looks in by_kind.items():
        drawn = [DrawnUrl(cells[look], weights[look], _hashes(names)) for look, names in looks.items()]
        for look, value in zip(looks, distinct_values(drawn).tolist(), strict=True):
            found[look][kind] = value
    return found


def _hashes(names: list[str]) -> Grams:
    return np.array([xxh3_64_intdigest(name.encode("utf-8", "replace")) for name in names], np.uint64)


def _weights(
    survey: SkippedSample,
    kinds: Mapping[str, str],
    leads: Mapping[ExaminedPage, Counts],
    weights: Mapping[ExaminedPage, float],
) -> dict[ExaminedPage, float]:
    """Return for how many pages each page stands that was looked at beyond the sample."""
    numbers: Counts = defaultdict(float)
    for look, counts in leads.items():
        for kind, count in counts.items():
            numbers[kind] += weights[look] * count
    looked: dict[str, list[ExaminedPage]] = defaultdict(list)
    for name, look in survey.found.items():
        looked[kinds.get(name, "")].append(look)
    return {look: max(1.0, numbers[kind] / len(looks)) for kind, looks in looked.items() for look in looks}


def _value_kinds(found: Assessment, kinds: Mapping[str, str], own: Mapping[ExaminedPage, float]) -> None:
    """Find what a page of each kind is worth: its own passages, and what it leads to.

    Of a kind of which only skipped URLs were looked at, those tell.
    """
    looked: dict[str, list[ExaminedPage]] = defaultdict(list)
    for name, look in found.survey.found.items():
        looked[kinds.get(name, "")].append(look)
    skipped: dict[str, list[ExaminedPage]] = defaultdict(list)
    for look in (look for looks in found.survey.roots.values() for look in looks):
        skipped[kinds.get(identity(look.url), "")].append(look)
    looked |= {kind: looks for kind, looks in skipped.items() if kind not in looked}
    means = {kind: float(np.mean([own[look] for look in looks])) for kind, looks in looked.items()}
    usual = float(np.mean([own[look] for look in found.survey.found.values()])) if found.survey.found else 0.0
    for _ in range(DEEPEST):
        worths = {kind: [own[look] + _beyond(found, look, usual) for look in looks] for kind, looks in looked.items()}
        means = {kind: float(np.mean(all_)) for kind, all_ in worths.items()}
        found.values = defaultdict(lambda: usual, means)
        found.spread = {kind: _variance(all_, own) for kind, all_ in worths.items()}


def _beyond(found: Assessment, look: ExaminedPage, usual: float) -> float:
    """Return what a page leads to, as far as it is known."""
    known = found.values
    return sum(count * known.get(kind, usual) for kind, count in found.leads.get(look, {}).items()) if known else 0.0


def _variance(worths: list[float], own: Mapping[ExaminedPage, float]) -> float:
    """Return the variance of a mean; few pages that are alike are no proof that all are."""
    share = 1 / (len(worths) + 1)
    typical = float(np.mean(worths)) or 0.0
    spread = float(np.var(worths, ddof=1)) if len(worths) > 1 else typical**2
    return (spread + share * (1 - share) * typical**2) / len(worths)
