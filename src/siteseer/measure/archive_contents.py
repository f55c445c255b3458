"""Measures the contents of an archive of any tool: pages, 2-grams over requests, external links.

Collections of Siteseer know how many requests each page took. Of other tools' files (wget, Heritrix, Browsertrix) every
archived answer counts as one request; failed requests, and those not written down, are not known.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from siteseer.archive.archived_pages import exchanges
from siteseer.collection.history.crawl_history import CrawlRow, whole_crawls
from siteseer.collection.read_only_state import CURVE_POINTS, Curve, ReadOnlyState, thin_curve
from siteseer.crawler.results.derived_files import APPLICATION
from siteseer.errors import UsageError
from siteseer.measure.external_links import ExternalLinks
from siteseer.page.tree import is_html
from siteseer.page.two_grams import DistinctGrams, grams

log = logging.getLogger(__name__)

Tell = Callable[[str], None]


@dataclass(slots=True)
class ArchiveContents:
    """The contents of one archive, and the requests that they took."""

    name: str
    path: Path
    requests: int = 0
    responses: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    bytes: int = 0
    duplicates: int = 0
    broken: int = 0
    objects: int = 0
    failed_actions: int = 0
    adapted_actions: int = 0
    application: str | None = None
    strategy: str = ""
    grams: DistinctGrams = field(default_factory=DistinctGrams)
    external: frozenset[str] = frozenset()
    external_content: frozenset[str] = frozenset()
    curve: Curve = field(default_factory=list)

    @property
    def content_per_request(self) -> float:
        """Distinct 2-grams per request."""
        return len(self.grams) / self.requests if self.requests else 0.0


def measure_archive(path: Path, name: str, tell: Tell = lambda text: None) -> ArchiveContents:
    """Measure a collection, a WARC or WACZ file, or a directory of them."""
    if not path.exists():
        raise UsageError(f"{path} does not exist; name a collection, a WARC or a WACZ file")
    tell(f"reading {name}")
    held = ArchiveContents(name, path)
    look = ReadOnlyState(path)
    asked = _requests_at(look)
    external, digests = ExternalLinks(), set[str]()
    for stored, page in exchanges(path):
        held.requests = asked.get((stored.capture.file, stored.capture.offset), held.requests + (not asked))
        held.responses[str(stored.status)] += not stored.is_rendering
        held.bytes += len(stored.payload)
        if not 200 <= page.status < 300 or not is_html(page) or not page.body.strip():
            continue
        held.pages += 1
        held.duplicates += stored.kind == "revisit" or stored.capture.digest in digests
        digests.add(stored.capture.digest)
        if len(held.grams.add(grams(page))) or not held.curve:
            held.curve.append((held.requests, len(held.grams)))
        external.add(page)
    held.external, held.external_content = external.all(), external.content()
    held.broken = sum(count for status, count in held.responses.items() if status >= "400")
    _add_figures(held, look)
    held.curve = thin_curve([*held.curve, (held.requests, len(held.grams))], CURVE_POINTS)
    return held


def _requests_at(look: ReadOnlyState) -> dict[tuple[str, int], int]:
    """Return the requests that had been sent when each record was written, over all crawls of the collection."""
    found, before, last, number = dict[tuple[str, int], int](), 0, 0, None
    for crawl, file, offset, requests in look.rows("SELECT crawl, file, offset, requests FROM captures ORDER BY id"):
        if crawl != number:
            before, last, number = before + last, 0, crawl
        last = max(last, requests or 0)
        found[file, offset] = before + last
    return found


def _add_figures(held: ArchiveContents, look: ReadOnlyState) -> None:
    crawls = look.crawls()
    if not crawls:
        return
    held.requests = sum(one.counts["requests"] for one in crawls)
    held.broken = look.statuses().get("failed", 0)
    held.objects = sum(look.kinds().values())
    held.failed_actions = sum(one.counts["event failed_action"] for one in crawls)
    held.adapted_actions = sum(one.counts["event adapted_action"] for one in crawls)
    held.strategy = whole_crawls(crawls)[-1].strategy
    held.application = _application(crawls)


def _application(crawls: list[CrawlRow]) -> str | None:
    found: Counter[str] = Counter()
    for one in crawls:
        for name, count in one.counts.items():
            if name.startswith(APPLICATION):
                found[name.removeprefix(APPLICATION)] += count
    return found.most_common(1)[0][0] if found else None
