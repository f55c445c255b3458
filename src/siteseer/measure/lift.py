"""Lifts the rules that lost content, and lets the crawl go on within a budget of requests."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from siteseer.crawl.frontier import Frontier
from siteseer.crawl.lock import only_one
from siteseer.crawl.run import crawl
from siteseer.crawl.state import State
from siteseer.crawl.stored import last_options
from siteseer.measure.assess import Assessment
from siteseer.measure.audit_visits import Tell
from siteseer.measure.skipped import kinds_of, rules_of_strategy
from siteseer.model import JSON
from siteseer.page.urls import identity
from siteseer.settings import CrawlOptions

MARGIN, LEAST, MOST = 1.5, 50, 10_000
"""The usual budget: one and a half times what the certificate expects, between these bounds."""
ROUNDS = 10
"""What is found behind a lifted URL may be skipped by the same rule again: it is lifted again, so often at most."""


def lift_rules(found: Assessment, options: CrawlOptions, budget: int | None, tell: Tell) -> JSON:
    """Fetch what rules skipped that lost content; say what that brought."""
    chosen = _with_content(found)
    if not chosen:
        return {"lifted": []}
    wanted = sum(map(len, chosen.values()))
    allowed = budget if budget is not None else _usual(found, wanted)
    tell(
        f"Lifting {len(chosen):,} {'rule' if len(chosen) == 1 else 'rules'} that lost content: {wanted:,} URLs and "
        f"what they lead to, with at most {allowed:,} requests."
    )
    before = _counts(options)
    result = _go_on(options, chosen, allowed, tell)
    brought = {
        name: result[name] - before.get(name.replace("_", " "), 0) for name in ("requests", "pages", "two_grams")
    }
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


def _go_on(options: CrawlOptions, chosen: dict[str, list[str]], budget: int, tell: Tell) -> JSON:
    """Let the crawl go on with what is lifted, and with what the same rules skip on the way."""
    limit = _counts(options)["requests"] + budget
    known: set[str] = set()
    kinds = {(rule, kind) for rule, urls in chosen.items() for kind in kinds_of(urls).values()}
    result: JSON = {}
    for _ in range(ROUNDS):
        known |= _lift(options, chosen)
        result = crawl(replace(options, limit=limit, size_limit=None, time_limit=None))
        tell(f"{result['pages']:,} pages, {result['requests']:,} of at most {limit:,} requests")
        if result["stopped_by"] is not None:
            break
        chosen = _skipped_again(options, kinds, known)
        if not chosen:
            break
    return result


def _lift(options: CrawlOptions, chosen: dict[str, list[str]]) -> set[str]:
    """Let URLs wait again; return the identities of everything that is skipped, or was."""
    with only_one(options.collection):
        state = State(options.collection, create=False)
        try:
            number, _ = last_options(state)
            known = {identity(row[0]) for row in rules_of_strategy(state, number)}
            frontier = Frontier(state, number)
            for rule, urls in chosen.items():
                frontier.lift(rule, urls)
            state.commit()
        finally:
            state.close()
    return known


def _skipped_again(options: CrawlOptions, kinds: set[tuple[str, str]], known: set[str]) -> dict[str, list[str]]:
    """Return what lifted rules skipped since, of the kinds of URL that were lifted."""
    state = State(options.collection, create=False)
    try:
        number, _ = last_options(state)
        rules = {rule for rule, _ in kinds}
        rows = [row for row in rules_of_strategy(state, number) if row[1] in rules and identity(row[0]) not in known]
    finally:
        state.close()
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


def _counts(options: CrawlOptions) -> dict[str, int]:
    state = State(options.collection, create=False)
    try:
        last = state.last_crawl()
        return dict(last[3]) if last else {}
    finally:
        state.close()
