"""A site of two parts: software that is known stands beside one that nobody described."""

from __future__ import annotations

from dataclasses import replace

import pytest
from learned_seeds import fetch_from, score

from siteseer.demo import Site, make_site
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import Page
from siteseer.strategies.auto_strategy import AutoStrategy
from tests.real.captures import SITES as FOLDER
from tests.real.captures import Capture, capture
from tests.strategies.learned.learned_driver import ORIGIN, Crawl, Drive, Fetch, content, context_of
from tests.strategies.learned.learned_driver import fetch_from as fetch_demo

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"needs the captured sites at {FOLDER}")
BOARD = f"{ORIGIN}/board"


def combined(blog: Site, forum: Capture) -> Fetch:
    """Serve a captured forum under /board/ of a demo blog, whose menu leads to it."""
    of_blog, of_forum, own = fetch_demo(blog), fetch_from(forum), forum.truth["origin"]

    def fetch(url: str) -> Page | None:
        if not url.startswith(f"{BOARD}/"):
            page = of_blog(url)
            return page and replace(page, body=page.body.replace(b"</nav>", b'<a href="/board/">Forum</a></nav>', 1))
        page = of_forum(url.replace(BOARD, own, 1))
        headers = tuple((name, value.replace(own, BOARD)) for name, value in page.headers) if page else ()
        return page and Page(url, page.status, headers, page.body.replace(own.encode(), BOARD.encode()))

    return fetch


def test_each_part_is_crawled_as_what_it_is() -> None:
    blog, forum = make_site("blog", seed=4), capture("fluxbb")
    context = replace(context_of(), knowledge=KnowledgeBase.shipped)
    done = Crawl(combined(blog, forum)).run(AutoStrategy(context, context.knowledge()), 2)
    said = [note.because for note in done.notes if note.event in ("chosen_strategy", "changed_strategy")]
    assert said == ["learned: no knowledge file describes this software", "aware: this is FluxBB"]
    board = [one for one in done.asked if one.url.startswith(f"{BOARD}/")]
    own = forum.truth["origin"]
    pages = [replace(page, url=page.url.replace(BOARD, own)) for page in done.pages if page.url.startswith(f"{BOARD}/")]
    requests, found, external = score(Drive(board, pages), forum)
    assert requests <= 1.1 and found >= 0.995 and external >= 0.99
    assert done.requests - len(board) <= 2 * blog.truth.oracle_requests
    assert content(done, blog) >= 0.99
