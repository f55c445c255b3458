"""Runs a crawl from beginning to end: opens or resumes the collection, runs the loop, writes derived files, sums up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from siteseer.collection.collection import Collection
from siteseer.collection.layout import ADAPTATION, LEARNED, learned_folder, log_of
from siteseer.collection.private_files import kept_private, private_files
from siteseer.collection.stores.store_config import choose_stores
from siteseer.collection.stores.upload import deliver
from siteseer.crawler.build import browser_of, credentials_of, fetcher_of, knowledge_of, warcinfo_of
from siteseer.crawler.capture_writer import CaptureWriter
from siteseer.crawler.continuation.choose_crawl import ChosenCrawl, choose_crawl, finished_sentence
from siteseer.crawler.frontier import Frontier
from siteseer.crawler.interrupts import interruptible
from siteseer.crawler.loop import Loop
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.progress import Snapshot
from siteseer.crawler.remote_control import RemoteControl
from siteseer.crawler.rendering.unrendered_pages import queue_unrendered
from siteseer.crawler.results.crawl_log import CrawlLog
from siteseer.crawler.results.crawl_reports import write_summary
from siteseer.crawler.results.derived_files import summary, with_undelivered, write_derived_files
from siteseer.crawler.results.seed_results import OpenSeeds, seed_results
from siteseer.crawler.strategy_memory import CollectionMemory
from siteseer.crawler.validate_options import seeds_and_scope
from siteseer.errors import MissingExtraError
from siteseer.event_loops import run_coroutine
from siteseer.fetch.browser.playwright_library import require_browser
from siteseer.fetch.browser.render import WHO
from siteseer.fetch.politeness import PolitenessClock
from siteseer.interfaces import LearningStrategy, Strategy, StrategyContext, StrategyFactory
from siteseer.model import JSON, Note, Seed
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions
from siteseer.strategies.aware.adaptation.adaptation_report import render
from siteseer.strategies.seed_scopes import CrawlScope

Watch = Callable[[Snapshot], None]
Tell = Callable[[str], None]


def crawl(
    options: CrawlOptions,
    watch: Watch = lambda snapshot: None,
    control: RemoteControl | None = None,
    factory: StrategyFactory | None = None,
    tell: Tell = lambda text: None,
) -> JSON:
    """Crawl into a collection, or go on where an interrupted crawl stopped; return the summary.

    `watch` is told a few times a second how far the crawl is; `control` lets another thread pause, stop and limit it;
    `factory` makes a strategy that needs more than options, in place of the one that the options name. `tell` is told
    in a sentence when the crawl is finished already, or the options name a seed that is new to the collection.
    The summary has the keys of the manual's table; `summary["stopped_by"]` is None when nothing was left to do.
    """
    seeds_and_scope(options)
    is_secret = bool(credentials_of(options))
    with (
        private_files(is_secret=is_secret),
        Collection.open(options.collection, "create", overwrite=options.overwrite) as collection,
        kept_private(options.collection, is_secret),
    ):
        factory = factory or strategy_factory(options.strategy)
        return _crawl(collection, options, watch, control or RemoteControl(), factory, tell)


def _crawl(
    collection: Collection,
    options: CrawlOptions,
    watch: Watch,
    control: RemoteControl,
    factory: StrategyFactory,
    tell: Tell,
) -> JSON:
    state = collection.state
    choose_stores(options.collection, options.archive_to, options.objects_to, options.objects_update)
    chosen = choose_crawl(state, options)
    is_finished = chosen.is_finished and not (_has_browser(options) and queue_unrendered(state, chosen.number))
    if chosen.said:
        tell(chosen.said)
    is_cut_off = False
    if not is_finished:
        state.commit()
        seeds, scope = seeds_and_scope(replace(chosen.options, seeds=chosen.seeds))
        number, counts = chosen.number, chosen.counts
        is_cut_off = _run_loop(collection, chosen.options, seeds, scope, number, counts, watch, control, factory)
    result = _sum_up(collection, chosen, is_cut_off)
    if is_finished:
        tell(finished_sentence(chosen, state, result))
    return result


def _sum_up(collection: Collection, chosen: ChosenCrawl, is_cut_off: bool) -> JSON:
    """Write what is derived and the summary, bring the collection to where it is kept besides; return the summary."""
    state = collection.state
    write_derived_files(state, chosen.number)
    _write_adaptations(collection, chosen.number)
    result = {**summary(state, chosen.number, chosen.counts), **({"at_once": True} if is_cut_off else {})}
    write_summary(collection.path, result)
    if undelivered := deliver(collection.path):
        result = with_undelivered(result, undelivered)
        write_summary(collection.path, result)
    return result


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
    collection: Collection,
    options: CrawlOptions,
    seeds: list[Seed],
    scope: CrawlScope,
    number: int,
    counts: Counter[str],
    watch: Watch,
    control: RemoteControl,
    factory: StrategyFactory,
) -> bool:
    """Crawl until nothing is left or something stops it; return whether what was in flight was dropped."""
    state = collection.state
    knowledge = cache(lambda: knowledge_of(options))
    context = StrategyContext(options, scope, lambda: knowledge_of(options), learned_folder(options.collection))
    strategy = factory(context)
    first = list(strategy.start(seeds, CollectionMemory(state, number)))
    frontier = Frontier(state, number)
    state.go_on(number)
    log = CrawlLog(log_of(collection.path, number))
    with collection.warc_writer(warcinfo_of(options, number)) as warc:
        keeper = CaptureWriter(state, number, warc, options.limits, counts)

        async def main() -> Loop:
            fetcher = fetcher_of(options, seeds)
            is_live = options.offline is None  # nobody waits for an archive
            clock = PolitenessClock.of(options) if is_live else PolitenessClock(0.0, options.concurrency)
            visits = PoliteFetcher(fetcher, clock, options.limits)
            browser = browser_of(options, fetcher)
            loop = Loop(options, frontier, strategy, scope, visits, keeper, log, counts, browser, knowledge)
            loop.decisions.seeds = OpenSeeds(
                seed_results(state, number, (*(seed.url for seed in seeds), *options.examples))
            )
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
            loop = run_coroutine(main())
        finally:
            log.close()
    _keep_lessons(strategy, collection)
    state.end_crawl(number, loop.stopped_by)
    state.commit()
    return loop.is_cut_off


def _keep_lessons(strategy: Strategy, collection: Collection) -> None:
    """Write what a strategy learned beside the collection, where its next crawl finds it."""
    lessons = strategy.lessons() if isinstance(strategy, LearningStrategy) else {}
    for name, text in lessons.items():
        collection.write(f"{LEARNED}/{name}", text)


def _interrupt(loop: Loop) -> None:
    """First Ctrl-C: finish what is in flight and soon ends. Second: stop at once."""
    if loop.is_interrupted:
        loop.stop_at_once()
    else:
        loop.stop("interrupt")


def _write_adaptations(collection: Collection, number: int) -> None:
    """Write the readable report of failed and repaired actions, where there were any."""
    rows = collection.state.rows(
        "SELECT url, event, because, details FROM notes WHERE crawl = ? AND event IN ('failed_action', "
        "'adapted_action', 'gone') ORDER BY row",
        (number,),
    )
    found = [Note(because, None, event, {"url": url, **json.loads(details)}) for url, event, because, details in rows]
    if found:
        collection.write(ADAPTATION, render(found))
