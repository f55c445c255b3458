"""Captured sites of real software: everything is seen with hardly more requests than the fewest possible."""

from pathlib import Path

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.scope import SeedScope
from tests.real.captures import SITES, capture, drive, figures

NAMES = (
    *("wordpress-2021", "phpbb-prosilver", "smf", "dokuwiki", "fluxbb"),
    *("serendipity-2k11", "serendipity-bulletproof", "textpattern"),
)
pytestmark = [
    pytest.mark.skipif(not SITES.is_dir(), reason="the captured sites are not beside the project (../shared/sites)"),
    pytest.mark.slow,
]


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_seen_with_few_requests(name: str, tmp_path: Path) -> None:
    site = capture(name)
    crawl = drive(AwareStrategy(KnowledgeBase.shipped(), SeedScope([site.truth["origin"] + "/"])), site)
    found = figures(crawl, site, tmp_path)
    assert found["vs_oracle"] <= 1.10
    assert found["content"] >= 0.995
    assert found["external"] >= 0.99
    assert found["objects_recall"] >= 0.98
    assert found["objects_precision"] >= 0.98
    assert found["objects_day"] >= 0.98
    assert found["objects_date"] >= 0.98
    assert found["objects_title"] >= 0.98
    if site.truth["kind"] != "wiki":
        assert found["objects_author"] >= 0.98
    true_pages = {site.truth["origin"] + text["page"] for text in site.truth["texts"]}
    visited = {url: recognition.terminal for url, recognition in crawl.recognitions.items()}
    right = [terminal for url, terminal in visited.items() if url in true_pages]
    assert sum(right) >= 0.98 * len(right) > 0
