"""Compares several archives of one site: the requests and the content of each, against the first of them.

Reference for the measures: Faheem, Intelligent Content Acquisition in Web Archiving, sections 3.5 and 5.3: requests,
share of the reference's distinct 2-grams, share of its external links, 2-grams seen as requests are sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np

from siteseer.collection.history.crawl_history import seeds_of
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.crawler.run import Watch, crawl
from siteseer.errors import SiteseerError, UsageError
from siteseer.measure.archive_contents import ArchiveContents, Tell, measure_archive
from siteseer.model import JSON
from siteseer.page.two_grams import DistinctGrams
from siteseer.settings import CrawlOptions

Live = Callable[[], AbstractContextManager[Watch]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Archives of one site; the first is the reference."""

    site: str
    holdings: tuple[ArchiveContents, ...]

    @property
    def reference(self) -> ArchiveContents:
        """The archive against which the others are measured."""
        return self.holdings[0]

    def as_json(self) -> JSON:
        """Return the comparison with the keys that people script against."""
        return {
            "reference": self.reference.name,
            "site": self.site,
            "strategies": {held.name: self._row(held) for held in self.holdings},
        }

    def _row(self, held: ArchiveContents) -> JSON:
        reference = self.reference
        return {
            "requests": held.requests,
            "times_fewer": round(reference.requests / held.requests, 2) if held.requests else None,
            "two_grams": len(held.grams),
            **({"estimated": True} if held.grams.is_estimated else {}),
            "coverage": round(coverage(reference.grams, held.grams), 5),
            "covered_by": {
                other.name: round(coverage(held.grams, other.grams), 5) for other in self.holdings if other is not held
            },
            "external_links": len(held.external),
            "external_coverage": round(coverage_of(reference.external, held.external), 5),
            "external_content_links": len(held.external_content),
            "external_content_coverage": round(coverage_of(reference.external_content, held.external), 5),
            "content_per_request": round(held.content_per_request, 1),
            "pages": held.pages,
            "responses": dict(sorted(held.responses.items())),
            "bytes": held.bytes,
            "duplicates": held.duplicates,
            "broken_links": held.broken,
            "objects": held.objects,
            "failed_actions": held.failed_actions,
            "adapted_actions": held.adapted_actions,
            "application": held.application,
            "curve": [list(point) for point in held.curve],
        }


def compare_collections(paths: Sequence[Path], site: str = "", tell: Tell = lambda text: None) -> Comparison:
    """Compare collections, WARC or WACZ files that exist; the first is the reference."""
    if len(paths) < 2:
        raise UsageError("name at least two collections to compare, the reference first")
    names = _names(paths)
    holdings = tuple(measure_archive(path, name, tell) for path, name in zip(paths, names, strict=True))
    return Comparison(site or _site(paths[0]), holdings)


def _site(path: Path) -> str:
    """Return where a collection's crawls began; of other tools' files nothing is known."""
    return ", ".join(seeds_of(ReadOnlyState(path).crawls()))


def compare_crawls(options: CrawlOptions, strategies: Sequence[str], live: Live, tell: Tell) -> Comparison:
    """Crawl with each strategy into a folder of its own below `options.collection`, then compare.

    Unfinished crawls there are continued, finished ones are left as they are.
    """
    if len(strategies) < 2 or len(set(strategies)) < len(strategies):
        raise UsageError("name at least two different strategies to compare, the reference first")
    folder = options.collection
    for strategy in strategies:
        tell(f"crawling with --strategy {strategy} into {folder / strategy}")
        with live() as watch:
            crawl(replace(options, strategy=strategy, collection=folder / strategy), watch)
    site = ", ".join(options.seeds)
    found = compare_collections([folder / strategy for strategy in strategies], site, tell)
    if not found.reference.pages:
        raise SiteseerError(f"{site} gave no page, so there is nothing to compare; is it reachable?")
    return found


def _names(paths: Sequence[Path]) -> list[str]:
    """Return short names that differ: the last part of each path, with its folder where that is not enough.

    >>> _names([Path("a/blind"), Path("a/aware")]), _names([Path("a/x"), Path("b/x"), Path("b/x")])
    (['blind', 'aware'], ['a/x', 'b/x', 'b/x 2'])
    """
    short = [path.resolve().name for path in paths]
    found: list[str] = []
    for path, name in zip(paths, short, strict=True):
        wanted = name if short.count(name) == 1 else f"{path.resolve().parent.name}/{name}"
        again = found.count(wanted) + sum(one.startswith(f"{wanted} ") for one in found)
        found.append(f"{wanted} {again + 1}" if again else wanted)
    return found


def over_sites(found: Sequence[JSON]) -> JSON:
    """Return the comparisons of many sites as one: requests added up, shares as their medians, each site beside it."""
    names = dict.fromkeys(name for one in found for name in one["strategies"])
    strategies: dict[str, JSON] = {}
    for name in names:
        rows = [one["strategies"][name] for one in found if name in one["strategies"]]
        strategies[name] = {key: sum(row[key] for row in rows) for key in ("requests", "two_grams", "external_links")}
        strategies[name] |= {key: median(row[key] for row in rows) for key in ("coverage", "external_coverage")}
        strategies[name]["sites"] = len(rows)
    return {"reference": found[0]["reference"], "strategies": strategies, "sites": list(found)}


def coverage(reference: DistinctGrams, other: DistinctGrams) -> float:
    """Return the share of the reference's 2-grams that the other has too; everything of nothing is 1.

    >>> one, two = DistinctGrams(), DistinctGrams()
    >>> _ = one.add(np.array([1, 2, 3, 4], np.uint64)), two.add(np.array([3, 4, 5], np.uint64))
    >>> coverage(one, two), round(coverage(two, one), 2)
    (0.5, 0.67)
    """
    halvings = max(reference.halvings, other.halvings)  # beyond the exact limit both are judged by the same share
    wanted, found = reference.values(halvings), other.values(halvings)
    if not len(wanted):
        return 1.0
    return int(np.isin(wanted, found, assume_unique=True).sum()) / len(wanted)


def coverage_of(reference: Set[str], other: Set[str]) -> float:
    """Return the share of the reference's links that the other has too; everything of nothing is 1.

    >>> coverage_of({"a", "b"}, {"b", "c"})
    0.5
    """
    return len(reference & other) / len(reference) if reference else 1.0
