"""A survey in, what the skipped URLs are worth out: for each one that was looked at, and for all of them.

worth(URL) = new passages of its own page + for each kind of unknown page that it leads to, their number times what
such a page is worth, which in turn leads on. Passages and URLs to which several of the drawn ones lead are counted once
(`distinct`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from xxhash import xxh3_64_intdigest

from siteseer.measure.certificate import Amount, Stratum, total_worth
from siteseer.measure.distinct import Drawn, distinct_values
from siteseer.measure.looks import Look
from siteseer.measure.survey import Survey
from siteseer.page.grams import Grams

DEEPEST = 3
"""Pages that lead to pages that lead to pages: from there on nothing is added."""
Counts = dict[str, float]
"""How many pages of each kind."""


@dataclass(slots=True)
class Assessment:
    """What the skipped URLs are worth, in passages."""

    survey: Survey
    worths: dict[Look, float]
    """What each URL that was looked at is worth, with all that it leads to."""
    leads: dict[Look, Counts]
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
        return total_worth(strata, survey.kept.usual, self._further(rule))

    def _of(self, look: Look, rule: str | None) -> float:
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


def assess(survey: Survey) -> Assessment:
    """Say what the skipped URLs are worth that a survey looked at."""
    kinds = survey.kinds()
    weights = {look: len(survey.strata[name]) / len(looks) for name, looks in survey.roots.items() for look in looks}
    cells = {look: name for name, looks in survey.roots.items() for look in looks}
    for name, look in survey.found.items():
        cells[look] = kinds.get(name, "")
    leads = _count_leads(survey, kinds, weights, cells)
    weights |= _weights(survey, kinds, leads, weights)
    leads = _count_leads(survey, kinds, weights, cells)
    weights |= _weights(survey, kinds, leads, weights)
    drawn = [Drawn(cells[look], weights[look], look.worth.new) for look in weights]
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
    survey: Survey, kinds: Mapping[str, str], weights: Mapping[Look, float], cells: Mapping[Look, str]
) -> dict[Look, Counts]:
    """Return how many unknown pages of each kind each page leads to, what others lead to as well shared fairly."""
    by_kind: dict[str, dict[Look, list[str]]] = defaultdict(lambda: defaultdict(list))
    for look in weights:
        for name in survey.leads_of(look):
            by_kind[kinds[name]][look].append(name)
    found: dict[Look, Counts] = defaultdict(dict)
    for kind, looks in by_kind.items():
        drawn = [Drawn(cells[look], weights[look], _hashes(names)) for look, names in looks.items()]
        for look, value in zip(looks, distinct_values(drawn).tolist(), strict=True):
            found[look][kind] = value
    return found


def _hashes(names: list[str]) -> Grams:
    return np.array([xxh3_64_intdigest(name.encode("utf-8", "replace")) for name in names], np.uint64)


def _weights(
    survey: Survey, kinds: Mapping[str, str], leads: Mapping[Look, Counts], weights: Mapping[Look, float]
) -> dict[Look, float]:
    """Return for how many pages each page stands that was looked at beyond the sample."""
    numbers: Counts = defaultdict(float)
    for look, counts in leads.items():
        for kind, count in counts.items():
            numbers[kind] += weights[look] * count
    looked: dict[str, list[Look]] = defaultdict(list)
    for name, look in survey.found.items():
        looked[kinds.get(name, "")].append(look)
    return {look: max(1.0, numbers[kind] / len(looks)) for kind, looks in looked.items() for look in looks}


def _value_kinds(found: Assessment, kinds: Mapping[str, str], own: Mapping[Look, float]) -> None:
    """Find what a page of each kind is worth: its own passages, and what it leads to."""
    looked: dict[str, list[Look]] = defaultdict(list)
    for name, look in found.survey.found.items():
        looked[kinds.get(name, "")].append(look)
    means = {kind: float(np.mean([own[look] for look in looks])) for kind, looks in looked.items()}
    usual = float(np.mean([own[look] for looks in looked.values() for look in looks])) if looked else 0.0
    for _ in range(DEEPEST):
        worths = {kind: [own[look] + _beyond(found, look, usual) for look in looks] for kind, looks in looked.items()}
        means = {kind: float(np.mean(all_)) for kind, all_ in worths.items()}
        found.values = defaultdict(lambda: usual, means)
        found.spread = {kind: _variance(all_, own) for kind, all_ in worths.items()}


def _beyond(found: Assessment, look: Look, usual: float) -> float:
    """Return what a page leads to, as far as it is known."""
    known = found.values
    return sum(count * known.get(kind, usual) for kind, count in found.leads.get(look, {}).items()) if known else 0.0


def _variance(worths: list[float], own: Mapping[Look, float]) -> float:
    """Return the variance of a mean; few pages that are alike are no proof that all are."""
    share = 1 / (len(worths) + 1)
    typical = float(np.mean(worths)) or 0.0
    spread = float(np.var(worths, ddof=1)) if len(worths) > 1 else typical**2
    return (spread + share * (1 - share) * typical**2) / len(worths)
