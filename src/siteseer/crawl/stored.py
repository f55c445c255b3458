"""The options with which a collection was crawled last, so that it can be gone on with, audited or crawled again."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from siteseer.crawl.state import State
from siteseer.errors import UsageError
from siteseer.settings import AcebotOptions, CrawlOptions

SECRET = ("headers", "proxy")
"""Never stored, so they have to be given again."""


def last_options(state: State) -> tuple[int, CrawlOptions]:
    """Return number and options of the newest crawl; secrets are missing."""
    row = next(iter(state.rows("SELECT id, options FROM crawls ORDER BY id DESC LIMIT 1")), None)
    if row is None:
        raise UsageError(f"{state.collection} holds no crawl yet")
    stored: dict[str, Any] = json.loads(row[1])
    known = {one.name: _restored(str(one.type), stored[one.name]) for one in fields(CrawlOptions) if one.name in stored}
    for name in (*SECRET, "limits", "overwrite", "recrawl"):
        known.pop(name, None)
    return row[0], CrawlOptions(**{**known, "collection": state.collection})


def change_options(state: State, crawl: int, **changes: Any) -> None:
    """Write down that a crawl goes on with other options."""
    (text,) = next(iter(state.rows("SELECT options FROM crawls WHERE id = ?", (crawl,))))
    options = {**json.loads(text), **changes}
    state.db.execute("UPDATE crawls SET options = ? WHERE id = ?", (json.dumps(options, default=str), crawl))


def _restored(kind: str, value: Any) -> Any:
    """Return a value of JSON as the type that the option has."""
    if value is None:
        return None
    if kind.startswith("tuple"):
        return tuple(value)
    if kind.startswith("Path"):
        return Path(value)
    if kind == "AcebotOptions":
        return AcebotOptions(**{**value, "attributes": tuple(value["attributes"])})
    return value
