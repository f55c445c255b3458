"""Saves what a collection's last crawl learned as an entry of the user's own knowledge base."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from siteseer.collection.collection import Collection
from siteseer.collection.state import State
from siteseer.crawler.capture_writer import kept_pages
from siteseer.crawler.strategy_memory import CollectionMemory
from siteseer.errors import UsageError
from siteseer.interfaces import StrategyContext
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.save import save
from siteseer.knowledge.types import Application
from siteseer.model import Seed
from siteseer.page.urls import wire
from siteseer.settings import CrawlOptions
from siteseer.strategies.acebot.acebot_strategy import AcebotStrategy
from siteseer.strategies.learned.knowledge_entry.site_entry import NavigationWays, check_name, make_entry
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from siteseer.strategies.scope import SeedScope


def save_entry(collection: Path, name: str, folder: Path) -> tuple[Path, Application]:
    """Write what a collection's last crawl learned to a folder of knowledge files; return file and entry."""
    path = free_place(name, folder)
    with Collection.open(collection) as opened:
        state = opened.state
        number, options = _last(state)
        ways = _ways(state, number, options)
        at = datetime.now(UTC).isoformat(timespec="seconds")
        entry = make_entry(name, ways, lambda: kept_pages(state, number), at, options.random_seed)
    folder.mkdir(parents=True, exist_ok=True)
    save(entry, path)
    return path, entry


def free_place(name: str, folder: Path) -> Path:
    """Return where an entry of that name goes; nothing that is known already is ever replaced."""
    check_name(name)
    path = folder / f"{name}.xml"
    if path.exists():
        raise UsageError(f"{path} exists already, and may hold somebody's work: choose another name, or remove it")
    if name in KnowledgeBase.shipped():
        raise UsageError(f"{name} is a software that is known already: choose another name")
    return path


def _last(state: State) -> tuple[int, CrawlOptions]:
    row = next(iter(state.rows("SELECT id, options FROM crawls ORDER BY id DESC LIMIT 1")), None)
    if row is None:
        raise UsageError(f"{state.collection} holds no crawl that could have learned anything")
    stored = json.loads(row[1])
    seeds = tuple(wire(text if "://" in text else f"http://{text}") or text for text in stored["seeds"])
    return row[0], CrawlOptions(seeds, state.collection, stored["strategy"], random_seed=stored.get("random_seed", 0))


def _ways(state: State, number: int, options: CrawlOptions) -> NavigationWays:
    """Do again in memory what the crawl learned; its rows are all that it needs."""
    memory, scope = CollectionMemory(state, number), SeedScope(options.seeds)
    strategy: LearnedStrategy | AcebotStrategy
    if options.strategy.startswith("acebot"):
        strategy = AcebotStrategy(scope, seed=options.random_seed)
    else:
        strategy = LearnedStrategy(StrategyContext(options, scope, dict))
    list(strategy.start([Seed(url) for url in options.seeds], memory))
    ways = strategy.ways()
    if not ways.routes:
        raise UsageError(
            f"the last crawl in {state.collection} learned nothing that could be saved: it used --strategy "
            f"{options.strategy}; learned and acebot learn"
        )
    return ways
