"""The learned strategy where pages repeat each other: what is left of a text is fetched, mere repetition is not."""

from __future__ import annotations

import pytest

from siteseer.page.text import text
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from tests.strategies.learned.learned_driver import Crawl, context_of, grams
from tests.strategies.learned.teasing_sites import archive, blog
from tests.strategies.learned.unknown_sites import HOST, Strange


def crawled(site: Strange, concurrency: int) -> tuple[float, float]:
    """Return the share of the content that a crawl finds, and its requests for each one that is needed."""
    done = Crawl(site.fetch, HOST).run(LearnedStrategy(context_of(HOST)), concurrency)
    wanted = set().union(*map(grams, site.texts))
    seen = set().union(*(grams(text(page)) for page in done.pages if page.status == 200))
    return len(wanted & seen) / len(wanted), done.requests / site.oracle


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_lists_that_were_fetched_first_do_not_make_the_rest_of_posts_worthless(seed: int) -> None:
    content, requests = crawled(blog(seed), 8)
    assert content >= 0.98
    assert requests <= 1.3


@pytest.mark.parametrize("seed", range(1, 4))
def test_mails_that_threads_show_are_not_asked_for_because_of_a_heading_and_a_longer_date(seed: int) -> None:
    content, requests = crawled(archive(seed), 4)
    assert content >= 0.98
    assert requests <= 1.25
