"""Paging comes first: whatever the URL of a list's next page says, everything on the list is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from siteseer.demo import Server
from siteseer.demo.site import Site
from siteseer.model import JSON, Page
from siteseer.page.text import text
from tests.strategies.learned.learned_driver import grams
from tests.strategies.paged_sites import ORDERS, WAYS, paged_site

Serve = Callable[..., Server]
RunCrawl = Callable[..., JSON]


def content(site: Site, collection: Path) -> float:
    """Return the share of the 2-grams of the true texts that the archive holds."""
    seen: set[tuple[str, str]] = set()
    for file in sorted((collection / "archive").glob("*.warc.gz")):
        for record in ArchiveIterator(file.open("rb"), record_types=WarcRecordType.response, parse_http=True):
            if record.http_headers.status_code == 200:
                headers = tuple(record.http_headers.astuples())
                seen |= grams(text(Page("http://e.org/", 200, headers, record.reader.read())))
    wanted = set().union(*(grams(true.text) for true in site.truth.texts))
    return len(wanted & seen) / len(wanted)


def crawled(name: str, serve: Serve, run_crawl: RunCrawl, tmp_path: Path, **options: Any) -> tuple[Site, JSON, float]:
    site = paged_site(name)
    server = serve(site)
    summary = run_crawl(server.url, strategy="auto", **options)
    return site, summary, content(site, tmp_path / "collection")


@pytest.mark.parametrize("name", list(WAYS))
def test_every_way_to_page(name: str, serve: Serve, run_crawl: RunCrawl, tmp_path: Path) -> None:
    site, summary, share = crawled(name, serve, run_crawl, tmp_path)
    assert share >= 0.98
    assert summary["requests"] <= 1.35 * site.truth.oracle_requests
    assert summary["finished"]


def test_other_orders_of_a_list_are_not_paged_through(serve: Serve, run_crawl: RunCrawl) -> None:
    """Four orders of nine pages each lead to the same entries: one of them is followed."""
    server = serve(paged_site("offset behind a sort"))
    run_crawl(server.url, strategy="auto")
    asked = [request.path for request in server.log]
    by_order = {order: sum(f"sort=-{order}" in path for path in asked) for order in ORDERS}
    assert by_order["date"] >= 8
    assert sum(by_order.values()) - by_order["date"] <= 2
