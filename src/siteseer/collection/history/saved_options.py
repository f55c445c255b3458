"""Saves the options of a collection's last crawl, so that it can be continued, audited or crawled again."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from siteseer.collection.history.crawl_history import CrawlRow, crawl_rows, open_crawls, seeds_of, whole_crawls
from siteseer.collection.state import State
from siteseer.errors import UsageError
from siteseer.settings import AcebotOptions, CrawlOptions, HostOptions, SeedOptions

SECRET = ("headers", "proxy")
"""Never stored, so they have to be given again."""


MADE_OTHERWISE = {
    "describe": "holds archives that siteseer describe took in",
    "wrapper": "holds what a wrapper visited",
}
"""How a collection came about in which no crawl chose the pages, by what stands for its strategy."""


def refuse_uncrawled(collection: Path, strategy: str) -> None:
    """Raise UsageError where there is no crawl to audit, to go on with or to come back to."""
    if how := MADE_OTHERWISE.get(strategy):
        raise UsageError(
            f"{collection} {how}: no crawl chose its pages, so there is none to audit, resume or revisit; "
            "crawl its sites into another directory"
        )


def last_options(state: State) -> tuple[int, CrawlOptions]:
    """Return number and options of the crawl to go on with: the newest that is not finished, else the newest."""
    crawls = crawl_rows(state)
    if not crawls:
        raise UsageError(f"{state.collection} holds no crawl yet")
    chosen = (open_crawls(crawls) or crawls)[-1]
    return chosen.number, saved_options(state.collection, chosen)


def audited_options(state: State) -> CrawlOptions:
    """Return the options of the newest crawl that decided what is fetched, with the seeds of all such crawls."""
    crawls = crawl_rows(state)
    if not crawls:
        raise UsageError(f"{state.collection} holds no crawl yet")
    newest = whole_crawls(crawls)[-1]
    return replace(saved_options(state.collection, newest), seeds=seeds_of(crawls))


def saved_options(collection: Path, crawl: CrawlRow) -> CrawlOptions:
    """Return the options of a crawl; secrets are missing."""
    refuse_uncrawled(collection, crawl.strategy)
    stored = crawl.options
    if not crawl.seeds:
        raise UsageError(f"crawl {crawl.number} of {collection} has no seeds that could be crawled once more")
    known = {one.name: _restored(str(one.type), stored[one.name]) for one in fields(CrawlOptions) if one.name in stored}
    for name in (*SECRET, "limits", "overwrite", "recrawl"):
        known.pop(name, None)
    return CrawlOptions(**{**known, "collection": collection})


def change_options(state: State, crawl: int, **changes: Any) -> None:
    """Write down that a crawl goes on with other options."""
    (text,) = next(iter(state.rows("SELECT options FROM crawls WHERE id = ?", (crawl,))))
    options = {**json.loads(text), **changes}
    state.db.execute("UPDATE crawls SET options = ? WHERE id = ?", (json.dumps(options, default=str), crawl))


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _restored(kind: str, value: Any) -> Any:
    """Return a value of JSON as the type that the option has."""
    if value is None:
        return None
    for made in (HostOptions, SeedOptions):
        if kind == f"tuple[{made.__name__}, ...]":
            return tuple(made(**{key: _plain(one) for key, one in row.items()}) for row in value)
    if kind.startswith("tuple"):
        return tuple(value)
    if kind.startswith("Path"):
        return Path(value)
    if kind == "AcebotOptions":
        return AcebotOptions(**{**value, "attributes": tuple(value["attributes"])})
    return value
