"""The learned strategy on captures of real software: requests against the oracle, content, external links."""

from __future__ import annotations

from collections import Counter
from statistics import median

import pytest
from learned_seeds import SITES, crawl, score

from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from siteseer.strategies.learned.online_learner.learned_patterns import parse_patterns
from siteseer.strategies.learned.online_learner.url_words import Words, suspicious_words
from tests.real.captures import SITES as FOLDER
from tests.real.captures import capture
from tests.strategies.learned.learned_driver import context_of

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"needs the captured sites at {FOLDER}")

FIGURES: dict[str, tuple[float, float, float]] = {}


@pytest.mark.parametrize("name", SITES)
def test_one_site(name: str) -> None:
    site = capture(name)
    FIGURES[name] = requests, content, external = score(
        crawl(LearnedStrategy(context_of(site.truth["origin"])), site, concurrency=4), site
    )
    assert requests <= 1.5
    assert content >= 0.997
    assert external >= 0.98


def test_all_sites() -> None:
    assert len(FIGURES) == len(SITES), "run the whole file"
    assert median(requests for requests, _, _ in FIGURES.values()) <= 1.25
    assert median(content for _, content, _ in FIGURES.values()) >= 0.997


@pytest.mark.parametrize("name", ["textpattern", "serendipity-2k11", "fluxbb"])
def test_a_second_crawl_needs_little_more_than_the_oracle(name: str) -> None:
    site = capture(name)
    origin = site.truth["origin"]
    first = LearnedStrategy(context_of(origin))
    crawl(first, site)
    earlier = parse_patterns(first.patterns().lines())
    requests, content, _ = score(crawl(LearnedStrategy(context_of(origin, 1), earlier=earlier), site), site)
    assert requests <= 1.15
    assert content >= 0.997


@pytest.mark.parametrize("name", ["textpattern", "dokuwiki", "smf"])
def test_words_that_mislead_cost_requests_not_content(name: str) -> None:
    site = capture(name)
    origin = site.truth["origin"]
    pages = {text["page"] for text in site.truth["texts"]}
    counts = Counter(word for page in pages for word in suspicious_words(origin + page) if not word.isdigit())
    misleading = frozenset(word for word, count in counts.items() if count >= len(pages) / 5)
    assert misleading
    _, content, _ = score(crawl(LearnedStrategy(context_of(origin), Words(misleading)), site), site)
    assert content >= 0.95
