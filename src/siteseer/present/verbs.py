"""The verbs of the command line as Python functions: `siteseer.crawl`, `siteseer.compare`, `siteseer.open` and others.

They take plain values and return what the commands print with `--json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Any

from siteseer.crawl.run import Watch
from siteseer.crawl.run import crawl as run_crawl
from siteseer.errors import UsageError
from siteseer.measure.audit import audit as certify
from siteseer.measure.compare import compare_collections, compare_crawls
from siteseer.measure.report import write
from siteseer.model import JSON, Page
from siteseer.present.service.collection import Collection
from siteseer.present.service.library import is_collection
from siteseer.settings import CrawlOptions

__all__ = ["audit", "compare", "crawl", "detect", "open"]
Place = str | Path


def crawl(url: str | Sequence[str], output: Place, watch: Watch = lambda now: None, **options: Any) -> JSON:
    """Crawl into a collection, or go on with it; `options` are those of `siteseer crawl`. Returns the summary."""
    return run_crawl(_options(url, output, options), watch)


def compare(
    url: str | Sequence[str] = (),
    output: Place = ".",
    strategies: Sequence[str] = ("blind", "auto"),
    collections: Sequence[Place] = (),
    **options: Any,
) -> JSON:
    """Crawl with each strategy and compare, or compare `collections`; the first is the reference. Writes the report."""
    if collections:
        found = compare_collections([Path(path) for path in collections])
    else:
        made = _options(url, output, options)
        found = compare_crawls(made, strategies, lambda: nullcontext(lambda now: None), lambda text: None)
    write([found.as_json()], Path(output))
    return found.as_json()


def audit(collection: Place, sample: int = 100, fix: bool = False) -> JSON:
    """Estimate what the skipped URLs of a collection would have brought."""
    return certify(Path(collection), sample, fix)


def detect(page: str | Path | Page) -> JSON:
    """Recognise the software behind a page, and the kind of page: a `Page`, a file or a URL."""
    from siteseer.knowledge.base import KnowledgeBase
    from siteseer.present.cli.detect import fetch_page, read_page, recognised

    read = page if isinstance(page, Page) else read_page(str(page), None, [], fetch_page)
    return recognised(read, KnowledgeBase.shipped())


def open(collection: Place) -> Collection:
    """Open a collection to read it: figures, decisions, objects, queries, pages."""
    path = Path(collection)
    if not is_collection(path):
        raise UsageError(f"{path} is no collection")
    return Collection(path.resolve().name, path)


def _options(url: str | Sequence[str], output: Place, options: dict[str, Any]) -> CrawlOptions:
    known = {one.name for one in fields(CrawlOptions)} - {"seeds", "collection"}
    for name in options:
        if name not in known:
            raise UsageError(f"there is no option {name!r}; choose among {', '.join(sorted(known))}")
    values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in options.items()}
    for name in ("offline", "cookies", "patterns"):
        if values.get(name):
            values[name] = Path(values[name])
    return CrawlOptions(seeds=(url,) if isinstance(url, str) else tuple(url), collection=Path(output), **values)
