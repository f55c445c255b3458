"""Lifts the rules that lost content, and continues the crawl within a budget of requests."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from siteseer.collection.collection import Collection
from siteseer.collection.history.crawl_history import crawl_rows
from siteseer.collection.history.saved_options import saved_options
from siteseer.crawler.continuation.lift_skipped import lift_skipped
from siteseer.crawler.run import crawl
from siteseer.measure.certificate.audit_visits import Tell
from siteseer.measure.certificate.skipped_urls import kinds_of, rules_of_strategy
from siteseer.measure.certificate.skipped_worth import Assessment
from siteseer.model import JSON
from siteseer.page.urls import identity
from siteseer.settings import CrawlOptions

MARGIN, LEAST, MOST = 1.5, 50, 10_000
"""The usual budget: one and a half times what the certificate expects, between these bounds."""
BROUGHT = ("requests", "pages", "two_grams")
ROUNDS = 10
"""What is found behind a lifted URL may be skipped by the same rule again: it is lifted again, so often at most."""


def lift_rules(found: Assessment, collection: Path, budget: int | None, tell: Tell) -> JSON:
    """Fetch the URLs that rules with lost content had skipped, each by the crawl that skipped it; return the result."""
    chosen = _with_content(found)
    if not chosen:
        return {"lifted": []}
    wanted = sum(map(len, chosen.values()))
    allowed = budget if budget is not None else _usual(found, wanted)
    tell(
        f"Lifting {len(chosen):,} {'rule' if len(chosen) == 1 else 'rules'} that lost content: {wanted:,} URLs and "
        f"what they lead to, with at most {allowed:,} requests."
    )
    before = _counts(collection)
    result = _go_on(collection, chosen, allowed, tell)
    after = _counts(collection)
    brought = {name: after[name.replace("_", " ")] - before[name.replace("_", " ")] for name in BROUGHT}
    is_complete = result["stopped_by"] != "limit"
    fix = {"urls": wanted, "budget": allowed, **brought, "is_complete": is_complete}
    return {"lifted": sorted(chosen), "fix": fix, "crawl": result}


def _with_content(found: Assessment) -> dict[str, list[str]]:
    """Return the URLs of each rule that are of a kind of which one was found to lead to content."""
    chosen: dict[str, list[str]] = defaultdict(list)
    survey = found.survey
    for name, looks in survey.roots.items():
        rules = {look.skipped.rule for look in looks if look.skipped is not None and found.worths[look] > 0}
        for one in survey.strata[name]:
            if one.rule in rules:
                chosen[one.rule].append(one.url)
    return dict(chosen)


def _usual(found: Assessment, urls: int) -> int:
    """Return how many requests it takes, as far as the certificate knows, and half as many again."""
    survey = found.survey
    beyond = sum(
        len(survey.strata[name]) / len(looks) * sum(found.leads.get(look, {}).values())
        for name, looks in survey.roots.items()
        for look in looks
    )
    return min(MOST, max(LEAST, math.ceil(MARGIN * (urls + beyond))))


def _go_on(collection: Path, chosen: dict[str, list[str]], budget: int, tell: Tell) -> JSON:
    """Continue the crawls with lifted URLs, and with those that the same rules skip on the way."""
    most = _counts(collection)["requests"] + budget
    known: set[str] = set()
    kinds = {(rule, kind) for rule, urls in chosen.items() for kind in kinds_of(urls).values()}
    result: JSON = {"stopped_by": None}
    for _ in range(ROUNDS):
        crawls, met = _lift(collection, chosen)
        known |= met
        for number, options in crawls.items():
            result = _crawl_on(number, options, most)
            tell(f"{result['pages']:,} pages, {_counts(collection)['requests']:,} of at most {most:,} requests")
            if result["stopped_by"] is not None:
                return result
        chosen = _skipped_again(collection, kinds, known)
        if not chosen:
            break
    return result


def _crawl_on(number: int, options: CrawlOptions, most: int) -> JSON:
    """Go on with a crawl until all crawls of its collection together have sent so many requests."""
    with Collection.open(options.collection) as opened:
        others = sum(one.counts["requests"] for one in crawl_rows(opened.state) if one.number != number)
    limit = most - others
    return crawl(replace(options, limit=limit, size_limit=None, time_limit=None))


def _lift(collection: Path, chosen: dict[str, list[str]]) -> tuple[dict[int, CrawlOptions], set[str]]:
    """Let URLs wait again; return the options of the crawls that have them, and the identities of what is skipped."""
    with Collection.open(collection, "write") as opened:
        state = opened.state
        known = {identity(row[0]) for row in rules_of_strategy(state)}
        lifted = {number for rule, urls in chosen.items() for number in lift_skipped(state, rule, urls)}
        state.commit()
        crawls = {one.number: saved_options(collection, one) for one in crawl_rows(state) if one.number in lifted}
    return crawls, known


def _skipped_again(collection: Path, kinds: set[tuple[str, str]], known: set[str]) -> dict[str, list[str]]:
    """Return what lifted rules skipped since, of the kinds of URL that were lifted."""
    with Collection.open(collection) as opened:
        rules = {rule for rule, _ in kinds}
        rows = [row for row in rules_of_strategy(opened.state) if row[1] in rules and identity(row[0]) not in known]
    chosen: dict[str, list[str]] = defaultdict(list)
    for url, rule, _, _ in _of_kinds(rows, kinds):
        chosen[rule].append(url)
    return dict(chosen)


def _of_kinds(
    rows: Sequence[tuple[str, str, str, int]], kinds: set[tuple[str, str]]
) -> list[tuple[str, str, str, int]]:
    names = kinds_of(row[0] for row in rows)
    alike = [row for row in rows if (row[1], names[identity(row[0])]) in kinds]
    return alike or list(rows)


def _counts(collection: Path) -> Counter[str]:
    """Return the counts of all crawls together."""
    with Collection.open(collection) as opened:
        return sum((one.counts for one in crawl_rows(opened.state)), Counter[str]())
