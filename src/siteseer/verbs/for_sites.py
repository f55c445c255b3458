"""Verbs about sites: `crawl`, `revisit`, `compare`, `audit`, `campaign`.

They take plain values and return what the commands print with `--json`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siteseer.crawler.run import Watch
from siteseer.crawler.run import crawl as run_crawl
from siteseer.errors import UsageError
from siteseer.event_loops import outside_event_loops
from siteseer.model import JSON
from siteseer.settings import CrawlOptions

if TYPE_CHECKING:
    from siteseer.campaigns.campaign_process import CampaignProgress

Place = str | Path
_SET_HERE = ("seeds", "collection", "limit", "strategy", "recrawl")
"""Options that `revisit` sets itself."""


@outside_event_loops
def crawl(url: str | Sequence[str], output: Place, watch: Watch = lambda now: None, **options: Any) -> JSON:
    """Crawl into a collection, or go on with it; `options` are those of `siteseer crawl`. Returns the summary."""
    return run_crawl(_options(url, output, options), watch)


@outside_event_loops
def revisit(collection: Place, budget: int | None = None, watch: Watch = lambda now: None, **options: Any) -> JSON:
    """Come back to a collection and fetch what is new or changed, with `budget` requests at most.

    What `options` do not say is as in the collection's first crawl. Returns the summary.
    """
    from siteseer.crawler.revisit_options import earlier_options, sources

    path = Path(collection)
    for name in options:
        if name in _SET_HERE:
            raise UsageError(f"revisit sets {name!r} itself; crawl takes it")
    chosen = {**earlier_options(path), **options, "limit": budget, "strategy": "revisit", "recrawl": True}
    return run_crawl(_options(sources(path), path, chosen), watch)


@outside_event_loops
def compare(
    url: str | Sequence[str] = (),
    output: Place = ".",
    strategies: Sequence[str] = ("blind", "auto"),
    collections: Sequence[Place] = (),
    **options: Any,
) -> JSON:
    """Crawl with each strategy and compare, or compare `collections`; the first is the reference. Writes the report."""
    from siteseer.measure.compare import compare_collections, compare_crawls
    from siteseer.measure.comparison_report import write

    if collections:
        comparison = compare_collections([Path(path) for path in collections])
    else:
        made = _options(url, output, options)
        comparison = compare_crawls(made, strategies, lambda: nullcontext(lambda now: None), lambda text: None)
    write([comparison.as_json()], Path(output))
    return comparison.as_json()


@outside_event_loops
def audit(collection: Place, sample: int = 100, fix: bool = False, seed: int = 0) -> JSON:
    """Estimate what the skipped URLs of a collection would have brought; with `fix`, lift rules that lost content."""
    from siteseer.measure.certificate.audit import audit as certify

    return certify(Path(collection), sample, fix, seed)


@outside_event_loops
def campaign(
    definition: Place, output: Place, processes: int = 1, watch: Callable[[CampaignProgress], None] = lambda now: None
) -> JSON:
    """Crawl the sites of a campaign on this machine, or go on with it; 0 processes: one for each core.

    Returns the summary.
    """
    from siteseer.campaigns.engines.engine_processes import local_engine
    from siteseer.campaigns.run_campaign import run_campaign

    return run_campaign(Path(definition), Path(output), watch, engine=local_engine(processes))


def _options(url: str | Sequence[str], output: Place, options: dict[str, Any]) -> CrawlOptions:
    known = {field.name for field in fields(CrawlOptions)} - {"seeds", "collection"}
    for name in options:
        if name not in known:
            raise UsageError(f"there is no option {name!r}; choose among {', '.join(sorted(known))}")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in options.items()
    }
    for name in ("offline", "cookies", "patterns"):
        if values.get(name):
            values[name] = Path(values[name])
    return CrawlOptions(seeds=(url,) if isinstance(url, str) else tuple(url), collection=Path(output), **values)
