"""The coverage certificate of a collection: a random sample of what was skipped is fetched and looked at.

Only what a rule of the strategy skipped is sampled. URLs outside the scope, excluded by the user or refused by
robots.txt were not ours to fetch and are not.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from siteseer.archive.decode import content_encoding, decode
from siteseer.archive.read import pages
from siteseer.crawl.equipment import user_agent
from siteseer.crawl.frontier import Frontier, url_key
from siteseer.crawl.pace import Pace
from siteseer.crawl.run import crawl
from siteseer.crawl.state import State
from siteseer.crawl.stored import last_options
from siteseer.crawl.visit import Visits
from siteseer.errors import FetchError, TemporaryFetchError, UnreachableError
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.http import HttpFetcher
from siteseer.interfaces import Request
from siteseer.measure.certificate import Stratum, allocate, draw, estimate
from siteseer.model import JSON, Page
from siteseer.navigation.economical.prose import prose
from siteseer.page.grams import DistinctGrams
from siteseer.page.urls import resolve
from siteseer.settings import CrawlOptions

NOT_OURS = ("scope", "robots", "depth", "redirect loop")
"""Rules whose URLs are not to be fetched."""
NEW_CONTENT = 30
"""A page with this many new 2-grams of prose holds content that was missed."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Looked:
    """A sampled URL and the new prose 2-grams that its page holds."""

    url: str
    rule: str
    new: int


def audit(
    collection: Path, sample: int = 100, fix: bool = False, seed: int = 0, tell: Tell = lambda text: None
) -> JSON:
    """Estimate what share of the skipped URLs would have brought content; with `fix` lift the rules that lost some."""
    state = State(collection, create=False)
    try:
        number, options = last_options(state)
        skipped = _skipped(state, number)
        sizes = allocate({rule: len(urls) for rule, urls in skipped.items()}, sample) if skipped else {}
        chosen = {rule: draw(urls, sizes[rule], seed) for rule, urls in skipped.items()}
        known = {key for (key,) in state.rows("SELECT key FROM captures WHERE crawl = ?", (number,))}
        tell(f"{sum(map(len, skipped.values())):,} skipped URLs; looking at {sum(map(len, chosen.values())):,}")
        drawn = sum(map(len, chosen.values()))
        looked = asyncio.run(_look(chosen, options, known, _collected(collection)))
        if drawn and not looked:
            raise UnreachableError(
                f"none of the {drawn:,} addresses that were drawn could be reached; nothing is certified"
            )
        result = {**_certificate(skipped, looked), "unreachable": drawn - len(looked)}
        if fix:
            result["lifted"] = _lift(state, number, result)
    finally:
        state.close()
    _write(collection, result)
    if fix and result["lifted"]:
        result["crawl"] = crawl(replace(options, limit=None, size_limit=None, time_limit=None))
    return result


def _skipped(state: State, number: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for url, rule in state.rows("SELECT url, rule FROM urls WHERE crawl = ? AND status = 4 ORDER BY id", (number,)):
        if rule not in NOT_OURS and not rule.startswith("--exclude"):
            found.setdefault(rule, []).append(url)
    return found


def _collected(collection: Path) -> DistinctGrams:
    """Return the prose that the collection holds."""
    grams = DistinctGrams()
    for page, _ in pages(collection / "archive"):
        if page.status == 200:
            grams.add(prose(page).grams)
    return grams


async def _look(
    chosen: dict[str, list[str]], options: CrawlOptions, known: set[bytes], collected: DistinctGrams
) -> list[Looked]:
    addresses = AddressPolicy(options.seeds, options.allow_private)
    fetcher = HttpFetcher(user_agent(options), addresses, options.limits)
    visits = Visits(fetcher, Pace(options.delay, options.concurrency), options.limits)

    async def one(rule: str, url: str) -> Looked | None:
        try:
            page = await _fetch(visits, url, known, options.limits.redirects)
        except TemporaryFetchError:  # nothing is known of it
            return None
        new = 0 if page is None else len(collected.new(prose(page).grams))
        return Looked(url, rule, new)

    try:
        found = await asyncio.gather(*(one(rule, url) for rule, urls in chosen.items() for url in urls))
        return [each for each in found if each is not None]
    finally:
        await fetcher.close()


async def _fetch(visits: Visits, url: str, known: set[bytes], redirects: int) -> Page | None:
    """Return the page behind a URL; None where there is none, or where it leads to one that was captured."""
    for _ in range(redirects):
        if url_key(url) in known:
            return None
        try:
            exchange = await visits.fetch(Request(url), Counter())
        except TemporaryFetchError:
            raise
        except FetchError:
            return None
        location = next((value for name, value in exchange.headers if name.lower() == "location"), "")
        target = resolve(url, location) if 300 <= exchange.status < 400 and location else None
        if target is None:
            body = decode(exchange.body, content_encoding(exchange.headers), visits.limits.decoded_bytes).body
            return Page(url, exchange.status, exchange.headers, body) if exchange.status == 200 else None
        url = target
    return None


def _certificate(skipped: dict[str, list[str]], looked: Sequence[Looked]) -> JSON:
    strata = [
        Stratum(
            rule,
            len(urls),
            sum(one.rule == rule for one in looked),
            sum(one.rule == rule and one.new >= NEW_CONTENT for one in looked),
        )
        for rule, urls in skipped.items()
    ]
    rules = []
    for stratum in sorted(strata, key=lambda one: -one.skipped):
        found = estimate([stratum])
        examples = [one.url for one in looked if one.rule == stratum.rule and one.new >= NEW_CONTENT][:3]
        rules.append({"rule": stratum.rule, **_row([stratum], found), **({"examples": examples} if examples else {})})
    whole = _row(strata, estimate(strata))
    weights = {one.rule: one.skipped / one.sampled for one in strata if one.sampled}
    grams = sum(weights[one.rule] * one.new for one in looked if one.new >= NEW_CONTENT)
    return {**whole, "estimated_two_grams": round(grams), "rules": rules}


def _row(strata: Sequence[Stratum], found: Any) -> JSON:
    return {
        "skipped_urls": sum(one.skipped for one in strata),
        "sampled": sum(one.sampled for one in strata),
        "missed_share": round(found.share, 5),
        "low": round(found.low, 5),
        "high": round(found.high, 5),
        "confidence": found.confidence,
    }


def _lift(state: State, number: int, result: JSON) -> list[str]:
    """Let the URLs of rules that lost content wait again; return the rules."""
    lifted = [rule["rule"] for rule in result["rules"] if rule["missed_share"] > 0]
    frontier = Frontier(state, number)
    for rule in lifted:
        frontier.lift(rule)
    state.commit()
    return lifted


def _write(collection: Path, result: JSON) -> None:
    folder = collection / "reports"
    folder.mkdir(exist_ok=True)
    (folder / "audit.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
