"""Samples of 3,000 pages that no site has, to see what ACEBot's selection costs where nothing helps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from siteseer.page.two_grams import Grams
from siteseer.strategies.acebot.site_graph import Links, SiteGraph

ROOT = "http://e.org/0"
MENUS, WORDS, COMMON = 24, 1_200, 300


def site_like(pages: int = 3_000, seed: int = 0) -> SiteGraph:
    """A site of lists, posts and people: menus on every page, pagers, three kinds of lists that lead to the posts."""
    random = np.random.default_rng(seed)
    lists = pages // 10

    def links(page: int) -> Iterator[tuple[str, str]]:
        for entry in range(1, MENUS):
            yield _url(entry), f'/html/body/div[contains(@id,"menu{entry % 8}")]/ul/li/a'
        if page < lists:
            yield _url(page + 1), '/html/body/div[contains(@id,"pager")]/a'
            first = lists + page * 9
            for post in range(first, min(first + 10, pages)):
                for part in ("h2", "p", "span"):
                    yield _url(post), f'/html/body/div[contains(@id,"list{page % 3}")]/{part}/a'
        else:
            for other in random.integers(lists, pages, 8):
                yield _url(int(other)), f'/html/body/div[contains(@id,"related{other % 5}")]/a'
            for person in random.integers(MENUS, lists, 12):
                yield _url(int(person)), '/html/body/div[contains(@id,"post")]/div/p/a'

    return _graph(pages, links, random)


def dense(pages: int = 3_000, labels: int = 40, out: int = 100, seed: int = 0) -> SiteGraph:
    """Links from everywhere to anywhere under any label: every word over labels leads to other pages."""
    random = np.random.default_rng(seed)

    def links(page: int) -> Iterator[tuple[str, str]]:
        for target, label in zip(random.integers(1, pages, out), random.integers(0, labels, out), strict=True):
            yield _url(int(target)), f"/html/body/div/l{label}/a"

    return _graph(pages, links, random)


def _url(page: int) -> str:
    return f"http://e.org/{page}"


def _graph(pages: int, links: Callable[[int], Links], random: np.random.Generator) -> SiteGraph:
    graph = SiteGraph()
    graph.number(ROOT)
    for page in range(pages):
        graph.add_page(_url(page), links(page), _text(random))
    return graph


def _text(random: np.random.Generator) -> Grams:
    """The template, some of the usual phrases, and 2-grams of one's own, as many as real pages have."""
    usual = (50_000 * random.random(COMMON) ** 3).astype(np.uint64) + np.uint64(1_000)
    own = random.integers(2**32, 2**62, WORDS, np.int64).astype(np.uint64)
    return np.unique(np.concatenate((np.arange(200, dtype=np.uint64), usual, own)))


SAMPLES: dict[str, Callable[[], SiteGraph]] = {
    "like a site": site_like,
    "dense, random": dense,
    "three links a page": lambda: dense(out=3, labels=8),
}
