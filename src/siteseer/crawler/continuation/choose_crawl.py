"""Chooses which crawl of a collection a command continues, or begins another one, and says so in a sentence.

A crawl goes on with the crawl that had its seeds, an unfinished one first. A seed that no crawl had joins the newest
crawl as long as that is unfinished; else it begins a further crawl. Revisits do not count: they come back to what the
other crawls began, and one that has used its budget is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from siteseer.collection.exit_codes import exit_code
from siteseer.collection.history.crawl_history import REVISIT, CrawlRow, crawl_rows
from siteseer.collection.state import State
from siteseer.crawler.build import stored_of
from siteseer.crawler.results.failed_urls import ask_again
from siteseer.crawler.results.seed_results import seed_results
from siteseer.crawler.validate_options import seed_of
from siteseer.errors import UsageError
from siteseer.model import JSON
from siteseer.page.urls import url_key
from siteseer.settings import CrawlOptions

OF_CAMPAIGNS = "focused"
"""The strategy of a site that belongs to a campaign: only that goes on with it, and it may never be over."""

MOST_FOLLOWED = 50
"""Of so many seeds of a crawl it is looked up where they led: each takes a look into the archive."""


@dataclass(frozen=True, slots=True)
class ChosenCrawl:
    """The crawl that a command is about."""

    number: int
    options: CrawlOptions
    """As they were given; a crawl that gets a further seed may send as many requests more as it is allowed."""
    counts: Counter[str]
    seeds: tuple[str, ...]
    """All seeds of the crawl, also those that were not given again."""
    is_finished: bool = False
    said: str = ""
    """What a person must know of the choice."""


def choose_crawl(state: State, options: CrawlOptions) -> ChosenCrawl:
    """Return the crawl to go on with, begun now where there is none; raise UsageError where that makes no sense."""
    crawls = crawl_rows(state)
    if options.strategy == REVISIT:
        return _chosen_visit(state, options, crawls)
    own = [one for one in crawls if one.is_whole]
    having = [one for one in own if _keys(state, one) & _keys_of(options.seeds)]
    new = _new_seeds(state, own, options.seeds)
    if options.recrawl:
        open_ = [one for one in having if one.finished is None and one.strategy != OF_CAMPAIGNS]
        return _go_on(state, options, open_[-1]) if open_ else _begin(state, options)
    if new and own and own[-1].finished is None:
        return _with_seeds(state, options, own[-1], new)
    if new and crawls:
        said = f"{_listed(new)} is new to this collection: it is crawled now, as crawl {crawls[-1].number + 1}."
        known = "" if len(new) == len(options.seeds) else f" {_known_sentence(having[-1])}"
        return _begin(state, replace(options, seeds=new), said + known)
    if not having:
        return _begin(state, options)
    return _go_on(state, options, _best(having, options.strategy))


def finished_sentence(crawl: ChosenCrawl, state: State, result: JSON) -> str:
    """Say that a crawl is finished, since when and with what result, and how to crawl again."""
    row = next(one for one in crawl_rows(state) if one.number == crawl.number)
    folder = state.collection
    return (
        f"{_known_sentence(row)} It brought {_count(result['pages'], 'page')} and "
        f"{_count(sum(result['objects'].values()), 'object')} (exit code {exit_code(result)}). Nothing was fetched "
        f"now: --recrawl crawls everything once more, and siteseer revisit {folder} fetches what is new or changed."
    )


def _chosen_visit(state: State, options: CrawlOptions, crawls: Sequence[CrawlRow]) -> ChosenCrawl:
    """Return the newest revisit where it was interrupted or is asked for again, else a new one."""
    last = crawls[-1] if crawls and crawls[-1].strategy == REVISIT else None
    if last is None or (options.recrawl and last.is_over):
        return _begin(state, options)
    return _go_on(state, options, last)


def _best(having: Sequence[CrawlRow], strategy: str) -> CrawlRow:
    """Return the newest crawl to go on with: of that strategy rather than another, unfinished rather than not."""
    return max(having, key=lambda one: (one.strategy == strategy, one.finished is None, one.number))


def _begin(state: State, options: CrawlOptions, said: str = "") -> ChosenCrawl:
    number = state.new_crawl(options.strategy, stored_of(options))
    return ChosenCrawl(number, options, Counter(), options.seeds, said=said)


def _go_on(state: State, options: CrawlOptions, crawl: CrawlRow) -> ChosenCrawl:
    _check_strategy(state.collection, options, crawl)
    new = _new_seeds(state, [crawl], options.seeds)
    state.add_seeds(crawl.number, new)
    chosen = ChosenCrawl(crawl.number, options, crawl.counts, (*crawl.seeds, *new))
    if crawl.finished is None:
        return chosen
    again = ask_again(state, crawl.number, [seed_of(text).url for text in options.seeds])
    said = f"{_known_sentence(crawl)} {_count(again, 'address', 'es')} that failed then may come now." if again else ""
    return replace(chosen, is_finished=not again, said=said)


def _with_seeds(state: State, options: CrawlOptions, crawl: CrawlRow, new: tuple[str, ...]) -> ChosenCrawl:
    """Let an unfinished crawl go on with further seeds; a limit counts from now on, so that they are asked for."""
    limit = None if options.limit is None else options.limit + crawl.counts["requests"]
    chosen = _go_on(state, replace(options, limit=limit), crawl)
    said = (
        f"{_listed(new)} is new to this collection: it joins crawl {crawl.number} of {_listed(crawl.seeds)}, begun on "
        f"{_day(crawl.started)} and not finished, which goes on now."
    )
    return replace(chosen, said=said)


def _check_strategy(collection: Path, options: CrawlOptions, crawl: CrawlRow) -> None:
    if crawl.strategy != options.strategy:
        raise UsageError(
            f"{collection} was begun with --strategy {crawl.strategy}: use the same strategy to go on, another "
            "directory, --recrawl for a new crawl, or --overwrite to start again"
        )


# ── seeds ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _new_seeds(state: State, crawls: Iterable[CrawlRow], seeds: Sequence[str]) -> tuple[str, ...]:
    """Return the seeds that no crawl had."""
    known = {key for one in crawls for key in _keys(state, one)}
    return tuple(seed for seed in seeds if url_key(seed_of(seed).url) not in known)


def _keys(state: State, crawl: CrawlRow) -> set[bytes]:
    """Return the keys of a crawl's seeds, and of the addresses to which the first of them led."""
    led = seed_results(state, crawl.number, crawl.seeds[:MOST_FOLLOWED])
    return _keys_of(crawl.seeds) | {url_key(one.url) for one in led}


def _keys_of(seeds: Iterable[str]) -> set[bytes]:
    return {url_key(seed_of(seed).url) for seed in seeds}


# ── sentences ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _known_sentence(crawl: CrawlRow) -> str:
    ended = f"finished on {_day(crawl.finished)}" if crawl.finished else f"was begun on {_day(crawl.started)}"
    return f"Crawl {crawl.number} of {_listed(crawl.seeds)} {ended}."


def _listed(seeds: Sequence[str]) -> str:
    others = f" and {_count(len(seeds) - 1, 'other seed')}" if len(seeds) > 1 else ""
    return f"{seeds[0] if seeds else 'this collection'}{others}"


def _day(when: str) -> str:
    """Return a time for people.

    >>> _day("2026-11-08T22:33:38.120000+00:00")
    '8 November 2026, 22:33 UTC'
    """
    time = datetime.fromisoformat(when)
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


def _count(count: int, noun: str, plural: str = "s") -> str:
    return f"{count:,} {noun}{'' if count == 1 else plural}"
