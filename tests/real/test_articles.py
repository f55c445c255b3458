"""Articles of labelled pages and of captured blogs: floors below what the benchmarks print."""

from __future__ import annotations

from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
LABELLED = BENCH.parent / ".." / "shared" / "data" / "labelled.tar.xz"
SITES = BENCH.parent / ".." / "shared" / "sites"

needs_labelled = pytest.mark.skipif(not LABELLED.is_file(), reason="the labelled pages are not beside the project")
needs_sites = pytest.mark.skipif(
    not (SITES / "textpattern.warc.xz").is_file(), reason="the captures are not beside the project"
)


@pytest.mark.slow
@needs_labelled
def test_articles_of_labelled_pages() -> None:
    from article_pages import load, mean_scores
    from articles import by_article, by_forest, by_rules, timed_groups

    pages = load(["big9"])
    for method, floor in ((by_article, 0.985), (by_rules, 0.98), (by_forest, 0.90)):
        assert mean_scores(timed_groups(pages, method)[0])[2] >= floor, method.__name__


@needs_sites
@pytest.mark.parametrize("name", ["textpattern", "serendipity-2k11"])
def test_feeds_lead_to_the_articles_of_captured_blogs(name: str) -> None:
    from article_feeds import METHODS, channels, mean_scores, score

    found = channels(name)[:3]
    for method, floor in (("FOREST (feeds)", 0.90), ("SIGFEED", 0.84), ("article", 0.97)):
        texts = [(text, gold) for one in found for text, (_, _, gold) in zip(METHODS[method](one), one, strict=True)]
        assert mean_scores([score(*pair) for pair in texts])[2] >= floor, method
