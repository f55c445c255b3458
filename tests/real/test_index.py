"""The pattern index gives the answers of the linear scan on captured pages, with the shipped knowledge base."""

from __future__ import annotations

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import Page
from siteseer.page.tree import is_html
from siteseer.xpath.linear_scan import LinearScan
from siteseer.xpath.pattern_index import IndexedPattern, PatternIndex
from tests.real.captures import SITES, capture

NAMES = sorted(path.name.removesuffix(".warc.xz") for path in SITES.glob("*.warc.xz"))
PAGES_EACH = 8
pytestmark = pytest.mark.skipif(not NAMES, reason=f"needs captured sites in {SITES}")


@pytest.fixture(scope="module")
def known() -> list[IndexedPattern]:
    """Every detection pattern that is shipped, of types and of levels."""
    found = []
    for application in KnowledgeBase.shipped():
        of_levels = (pattern for level in application.levels for one in level.detections for pattern in one.patterns)
        for pattern in (*(pattern for _, pattern in application.patterns()), *of_levels):
            found.append(IndexedPattern(f"{application.id} {pattern.line} {pattern.text}", pattern.expression))
    return found


@pytest.fixture(scope="module")
def index(known: list[IndexedPattern]) -> PatternIndex:
    return PatternIndex.build(known)


def some_pages(name: str) -> list[Page]:
    pages = [page for _, page in sorted(capture(name).pages.items()) if page.status == 200 and is_html(page)]
    return pages[:: max(1, len(pages) // PAGES_EACH)][:PAGES_EACH]


@pytest.mark.parametrize("name", NAMES)
def test_index_equals_linear_scan(name: str, known: list[IndexedPattern], index: PatternIndex) -> None:
    pages = some_pages(name)
    sampled, linear = PatternIndex.build(known, pages[:4]), LinearScan(known)
    assert len(pages) == PAGES_EACH
    for page in pages:
        expected = linear.matches(page)
        assert expected, page.url
        assert index.matches(page) == sampled.matches(page) == expected
        assert index.first(page) == expected[0]
        assert len(index.candidates(page)) < len(known) / 4
