"""Audits a collection: which share of the site's text is missing because crawls skipped URLs (coverage certificate).

`missed_share` is missed / (kept + missed), counted in passages (`passages`): `kept` is what the collection holds,
`missed` an estimate of what the skipped URLs lead to, from a random sample of them (`skipped_sample`, `skipped_worth`).
Only what a rule of the strategy skipped is sampled; the rest is counted in `not_covered`. Without a sample there is no
certificate.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from siteseer.collection.collection import Collection
from siteseer.collection.history.crawl_history import crawl_rows, open_crawls
from siteseer.collection.history.saved_options import audited_options
from siteseer.collection.layout import CERTIFICATE
from siteseer.collection.state import State
from siteseer.event_loops import run_coroutine
from siteseer.measure.certificate.audit_visits import AuditVisits, Tell
from siteseer.measure.certificate.certificate_sentences import sentences
from siteseer.measure.certificate.estimate import CONFIDENCE, Amount
from siteseer.measure.certificate.examined_pages import ExaminedPage
from siteseer.measure.certificate.kept_text import KeptText, read_kept
from siteseer.measure.certificate.lift_rules import lift_rules
from siteseer.measure.certificate.skipped_sample import SkippedSample
from siteseer.measure.certificate.skipped_urls import (
    KnownUrls,
    LinkFact,
    SkippedUrl,
    not_covered,
    rules_of_strategy,
    stratify,
)
from siteseer.measure.certificate.skipped_worth import Assessment, assess
from siteseer.measure.certificate.strategy_check import StrategyChecks
from siteseer.model import JSON
from siteseer.page.urls import identity
from siteseer.settings import CrawlOptions

REQUESTS_PER_URL = 3
"""The usual budget: so many requests for each URL that is drawn, as what it leads to is looked at, too."""
PATIENCE = 60.0
"""Seconds to wait for another process before the certificate is written."""
EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Budget:
    """How many requests may be sent, for the sample and for URLs of lifted rules, and how politely."""

    look: int | None = None
    """Three for each URL that is drawn, where it is not given."""
    fix: int | None = None
    """As many as the certificate expects to be needed, and half as many again, where it is not given."""
    politeness: Mapping[str, Any] = field(default_factory=dict)
    """How hosts are asked otherwise than by the crawl: values of `Politeness` by their names."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many URLs are drawn, with which seed, and how many requests may be sent."""

    sample: int
    seed: int
    requests: int


def audit(
    collection: Path,
    sample: int = 100,
    fix: bool = False,
    seed: int = 0,
    tell: Tell = lambda text: None,
    budget: Budget | None = None,
) -> JSON:
    """Estimate what share of the site's text is missing because of skipped URLs; write and return the certificate.

    With `fix` the rules that lost content are lifted, and the crawl goes on.
    """
    allowed = budget or Budget()
    with Collection.open(collection) as opened:
        state = opened.state
        options = replace(audited_options(state), **allowed.politeness)
        look = allowed.look if allowed.look is not None else REQUESTS_PER_URL * sample
        found = _surveyed(state, options, Wanted(sample, seed, look), tell)
        result = {**_certificate(found), **_surroundings(state, found)}
    result["sentences"] = sentences(result)
    if fix:
        result |= lift_rules(found, collection, allowed.fix, tell) if found is not None else {"lifted": []}
    _write(collection, result)
    return result


def _surveyed(state: State, options: CrawlOptions, wanted: Wanted, tell: Tell) -> Assessment | None:
    """Examine a sample of the skipped URLs; None where there are none."""
    rows = rules_of_strategy(state)
    if not rows:
        return None
    kept = read_kept(state.collection, {identity(row[0]) for row in rows}, KnownUrls(state).__contains__)
    urls = [_described(*row, kept) for row in rows]
    size = min(wanted.sample, len(urls))
    tell(
        f"{len(urls):,} URLs were skipped by rules of the crawl. Looking at {size:,} of them and a sample of what they "
        f"lead to, with at most {wanted.requests:,} requests."
    )
    return run_coroutine(_survey(state, options, wanted, (urls, kept), tell))


def _described(url: str, rule: str, referrer: str, depth: int, kept: KeptText) -> SkippedUrl:
    fact = kept.facts.get(identity(url), LinkFact())
    return SkippedUrl(url, rule, referrer, depth, fact.text, fact.is_pager)


async def _survey(
    state: State,
    options: CrawlOptions,
    wanted: Wanted,
    about: tuple[list[SkippedUrl], KeptText],
    tell: Tell,
) -> Assessment:
    urls, kept = about
    trial, known = StrategyChecks(state, options), KnownUrls(state)
    visits = AuditVisits(state, options, wanted.requests, tell)
    try:
        ours = [one for one in urls if not await visits.refused(one.url)]
        survey = SkippedSample(stratify(ours, wanted.sample), trial, visits, kept, known, wanted.seed)
        survey.closed = len(urls) - len(ours)
        await survey.run(min(wanted.sample, len(ours)), lambda survey: assess(survey).worths)
    finally:
        await visits.close()
    return assess(survey)


# ── the certificate ───────────────────────────────────────────────────────────────────────────────────────────────


def _certificate(found: Assessment | None) -> JSON:
    """Return the certificate: numbers only where URLs were looked at."""
    if found is None:
        return {**_row(0, 0, None, 0), "kept_passages": None, "unreachable": 0, "requests": 0, "rules": []}
    survey = found.survey
    kept = survey.kept.content
    skipped = sum(map(len, survey.strata.values()))
    looked = sum(map(len, survey.roots.values()))
    return {
        **_row(skipped, looked, found.amount() if looked else None, kept),
        "kept_passages": kept,
        "unreachable": survey.unreachable,
        "requests": survey.visits.requests,
        "worth_nothing": dict(
            Counter(look.worth.because for look in _roots(found) if look.worth.because).most_common()
        ),
        "rules": _rules(found, kept),
    }


def _row(skipped: int, sampled: int, missed: Amount | None, kept: int, everything: float | None = None) -> JSON:
    """Return the numbers of all rules, or of one beside all others: then `everything` is kept and missed text."""
    numbers: JSON = {"missed_share": None, "low": None, "high": None, "missed_passages": None}
    if missed is not None:
        share = missed.share(kept) if everything is None else _among(missed, kept, everything)
        numbers = {"missed_share": round(share.value, 5), "low": round(share.low, 5), "high": round(share.high, 5)}
        numbers["missed_passages"] = round(missed.value)
    return {"skipped_urls": skipped, "sampled": sampled, **numbers, "confidence": CONFIDENCE}


def _among(missed: Amount, kept: int, everything: float) -> Amount:
    """Return what share of all text one rule lost: of what was kept and what all rules lost."""
    others = everything - missed.value
    return missed.share(others) if others else missed.share(kept)


def _rules(found: Assessment, kept: int) -> list[JSON]:
    """Return a row for each rule, what lost most first."""
    everything = kept + found.amount().value
    urls = Counter(one.rule for members in found.survey.strata.values() for one in members)
    looks: dict[str, list[ExaminedPage]] = {rule: [] for rule in urls}
    for look in _roots(found):
        if look.skipped is not None:
            looks[look.skipped.rule].append(look)
    rows = []
    for rule, count in urls.items():
        hits = sorted((one for one in looks[rule] if found.worths[one] > 0), key=lambda one: -found.worths[one])
        missed = found.amount(rule) if looks[rule] else None
        row = {"rule": rule, **_row(count, len(looks[rule]), missed, kept, everything), "with_content": len(hits)}
        rows.append({**row, **({"examples": [one.url for one in hits[:EXAMPLES]]} if hits else {})})
    return sorted(rows, key=lambda row: (-(row["missed_passages"] or 0), -row["skipped_urls"]))


def _roots(found: Assessment) -> list[ExaminedPage]:
    return [look for looks in found.survey.roots.values() for look in looks]


def _surroundings(state: State, found: Assessment | None) -> JSON:
    """Return what the certificate does not cover, and whether the crawls came to their end."""
    unfinished = open_crawls(crawl_rows(state))
    left = not_covered(state)
    survey = found.survey if found is not None else None
    if survey is not None and (
        count := sum(len(survey.strata[name]) for name, looks in survey.roots.items() if not looks)
    ):
        left["not_sampled"] = count
    if survey is not None and survey.closed:
        left["robots"] = left.get("robots", 0) + survey.closed
    return {
        "crawl_finished": not unfinished and not left.get("unreached"),
        "stopped_by": unfinished[-1].stopped_by if unfinished else None,
        "not_covered": left,
    }


def _write(collection: Path, result: JSON) -> None:
    with Collection.open(collection, "write", PATIENCE) as opened:
        opened.write(CERTIFICATE, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
