"""A crawl from beginning to end: open or resume the collection, run the loop, write what is derived, sum up."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import cache, partial
from pathlib import Path
from typing import Any

from siteseer.adaptation.report import render
from siteseer.archive.repair import repair
from siteseer.archive.warc import WarcWriter
from siteseer.crawl.check import checked, seed_of
from siteseer.crawl.control import Control
from siteseer.crawl.deliver import deliver
from siteseer.crawl.derive import derive, summary, with_undelivered
from siteseer.crawl.equipment import browser_of, fetcher_of, knowledge_of, stored_of, warcinfo_of
from siteseer.crawl.failures import ask_again
from siteseer.crawl.frontier import Frontier
from siteseer.crawl.interrupts import interruptible
from siteseer.crawl.keep import Keeper
from siteseer.crawl.lock import only_one
from siteseer.crawl.log import Log
from siteseer.crawl.loop import Loop
from siteseer.crawl.memory import CollectionMemory
from siteseer.crawl.not_shown import take_up
from siteseer.crawl.overwrite import check_is_ours, delete_contents
from siteseer.crawl.pace import Pace
from siteseer.crawl.progress import Snapshot
from siteseer.crawl.seed_results import OpenSeeds, seed_results
from siteseer.crawl.state import State
from siteseer.crawl.visit import Visits
from siteseer.decide.scope import SeedScope
from siteseer.describe.stores import choose_stores
from siteseer.errors import ArchiveError, MissingExtraError, UsageError
from siteseer.fetch.browser_library import require_browser
from siteseer.fetch.browser_pages import WHO
from siteseer.interfaces import Strategy, StrategyContext, StrategyFactory, Teacher
from siteseer.model import JSON, Note, Seed
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions

Watch = Callable[[Snapshot], None]
LEDGER = "campaign.db"
"""The file by which the directory of a campaign is known: its sites have collections of their own below."""
OF_CAMPAIGNS = "focused"
"""The strategy of a site that belongs to a campaign: only that goes on with it, and it may never be over."""


def crawl(
    options: CrawlOptions,
    watch: Watch = lambda snapshot: None,
    control: Control | None = None,
    factory: StrategyFactory | None = None,
) -> JSON:
    """Crawl into a collection, or go on where an interrupted crawl stopped; return the summary.

    `watch` is told a few times a second how far the crawl is; `control` lets another thread pause, stop and limit it;
    `factory` makes a strategy that needs more than options, in place of the one that the options name.
    The summary has the keys of the manual's table; `summary["stopped_by"]` is None when nothing was left to do.
    """
    seeds, scope = checked(options)
    if (options.collection / LEDGER).exists():
        raise UsageError(f"{options.collection} is a campaign: name another directory for the collection")
    if options.overwrite:
        check_is_ours(options.collection)
    options.collection.mkdir(parents=True, exist_ok=True)
    with only_one(options.collection):
        if options.overwrite:
            delete_contents(options.collection)
        return _crawl(options, seeds, scope, watch, control or Control(), factory or strategy_factory(options.strategy))


def _crawl(
    options: CrawlOptions, seeds: list[Seed], scope: SeedScope, watch: Watch, control: Control, factory: StrategyFactory
) -> JSON:
    state = State(options.collection)
    try:
        _repair(state)
        choose_stores(options.collection, options.archive_to, options.objects_to, options.objects_update)
        number, counts, finished = _open_crawl(state, options)
        is_cut_off = False
        if _has_browser(options) and take_up(state, number):
            finished = False
        if not finished:
            state.commit()
            is_cut_off = _run_loop(options, seeds, scope, state, number, counts, watch, control, factory)
        derive(state, number)
        _write_adaptations(state, number)
        result = {**summary(state, number, counts), **({"at_once": True} if is_cut_off else {})}
        _write_summary(options.collection, result)
        if undelivered := deliver(options.collection):
            result = with_undelivered(result, undelivered)
            _write_summary(options.collection, result)
        return result
    finally:
        state.close()


def _repair(state: State) -> None:
    """Cut the archive back to what was committed; never touch one whose database is missing."""
    folder = state.collection / "archive"
    position = state.about("archive")
    if position is not None:
        repair(folder, *json.loads(position))
    elif folder.is_dir() and any(folder.iterdir()):
        raise ArchiveError(f"{folder} holds files but siteseer/state.db was missing: use another directory")


def _open_crawl(state: State, options: CrawlOptions) -> tuple[int, Counter[str], bool]:
    """Return number and counts of the crawl to go on with, and whether it is finished already."""
    last = state.last_crawl()
    if last is None or (options.recrawl and (last[2] or last[1] == OF_CAMPAIGNS)):
        return state.new_crawl(options.strategy, stored_of(options)), Counter(), False
    number, strategy, finished, counts = last
    if strategy != options.strategy:
        raise UsageError(
            f"{options.collection} was begun with --strategy {strategy}: use the same strategy to go on, another "
            "directory, --recrawl for a new crawl, or --overwrite to start again"
        )
    state.add_seeds(number, options.seeds)
    return number, counts, finished and not ask_again(state, number, [seed_of(text).url for text in options.seeds])


def _has_browser(options: CrawlOptions) -> bool:
    """Say whether pages can be shown in this run."""
    if options.browser == "never" or options.offline is not None:
        return False
    try:
        require_browser(WHO)
    except MissingExtraError:
        return False
    return True


def _run_loop(
    options: CrawlOptions,
    seeds: list[Seed],
    scope: SeedScope,
    state: State,
    number: int,
    counts: Counter[str],
    watch: Watch,
    control: Control,
    factory: StrategyFactory,
) -> bool:
    """Crawl until nothing is left or something stops it; return whether what was in flight was dropped."""
    knowledge = cache(lambda: knowledge_of(options))
    context = StrategyContext(options, scope, lambda: knowledge_of(options))
    strategy = factory(context)
    first = list(strategy.start(seeds, CollectionMemory(state, number)))
    frontier = Frontier(state, number)
    log = Log(options.collection / "logs", number)
    with WarcWriter(options.collection / "archive", warcinfo_of(options, number)) as warc:
        keeper = Keeper(state, number, warc, options.limits, counts)

        async def main() -> Loop:
            fetcher = fetcher_of(options, seeds)
            visits = Visits(fetcher, Pace(options.delay, options.concurrency), options.limits)
            browser = browser_of(options, fetcher)
            loop = Loop(options, frontier, strategy, scope, visits, keeper, log, counts, browser, knowledge)
            loop.decisions.seeds = OpenSeeds(seed_results(state, number, (*options.seeds, *options.examples)))
            try:
                with interruptible(partial(_interrupt, loop)), control.over(loop, scope):
                    await loop.run(first, watch)
                    if loop.stopped_by is None:
                        loop.harvest()
            finally:
                if browser is not None:
                    await browser.close()
                await fetcher.close()
            return loop

        try:
            loop = _run(main())
        finally:
            log.close()
    _keep_lessons(strategy, options.collection)
    state.end_crawl(number, loop.stopped_by)
    state.commit()
    return loop.is_cut_off


def _keep_lessons(strategy: Strategy, collection: Path) -> None:
    """Write what a strategy learned beside the collection, where its next crawl finds it."""
    lessons = strategy.lessons() if isinstance(strategy, Teacher) else {}
    folder = collection / "siteseer" / "knowledge"
    for name, text in lessons.items():
        folder.mkdir(parents=True, exist_ok=True)
        made = folder / f".{name}.new"
        made.write_text(text, encoding="utf-8")
        made.replace(folder / name)


def _run(main: Coroutine[Any, Any, Loop]) -> Loop:
    """Run the loop on uvloop where there is one: a tenth less CPU per page."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)


def _interrupt(loop: Loop) -> None:
    """First Ctrl-C: finish what is in flight. Second: stop at once."""
    if loop.stopped_by == "interrupt":
        loop.stop_at_once()
    else:
        loop.stop("interrupt")


def _write_adaptations(state: State, number: int) -> None:
    """Write the readable report of failed and repaired actions, where there were any."""
    rows = state.rows(
        "SELECT url, event, because, details FROM notes WHERE crawl = ? AND event IN ('failed_action', "
        "'adapted_action', 'gone') ORDER BY row",
        (number,),
    )
    found = [Note(because, None, event, {"url": url, **json.loads(details)}) for url, event, because, details in rows]
    if found:
        folder = state.collection / "reports"
        folder.mkdir(exist_ok=True)
        (folder / "adaptation.html").write_text(render(found), encoding="utf-8")


def _write_summary(collection: Path, result: JSON) -> None:
    folder = collection / "reports"
    folder.mkdir(exist_ok=True)
    (folder / "summary.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
