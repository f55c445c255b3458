"""Queues skipped URLs again, each in the crawl whose decision about it is the last known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from siteseer.collection.history.url_history import skipped_urls
from siteseer.collection.state import State
from siteseer.crawler.frontier import Frontier
from siteseer.page.urls import url_key


def lift_skipped(state: State, rule: str, urls: Sequence[str] = ()) -> dict[int, int]:
    """Let the URLs that a rule skipped wait after all, or only some of them; return by crawl how many do now."""
    keys = {url_key(url) for url in urls}
    by_crawl: dict[int, list[str]] = defaultdict(list)
    for one in skipped_urls(state):
        if one.rule == rule and (not keys or url_key(one.url) in keys):
            by_crawl[one.crawl].append(one.url)
    lifted = {crawl: Frontier(state, crawl).lift(rule, found) for crawl, found in by_crawl.items()}
    return {crawl: count for crawl, count in lifted.items() if count}
