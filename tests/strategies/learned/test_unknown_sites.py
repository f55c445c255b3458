"""The learned strategy on software that it was not made for: everything is found, with few requests beside."""

from __future__ import annotations

from functools import cache

import pytest

from siteseer.page.text import text
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from tests.strategies.learned.learned_driver import Crawl, Drive, context_of, grams
from tests.strategies.learned.unknown_sites import HOST, SITES, Strange, Writer, forum


@cache
def crawled(name: str) -> tuple[Strange, Drive]:
    site = SITES[name](7)
    return site, Crawl(site.fetch, HOST).run(LearnedStrategy(context_of(HOST)), 4)


@pytest.mark.parametrize("name", list(SITES))
def test_software_that_exists_nowhere_else(name: str) -> None:
    site, done = crawled(name)
    wanted = set().union(*map(grams, site.texts))
    seen = set().union(*(grams(text(page)) for page in done.pages if page.status == 200))
    assert len(wanted & seen) >= 0.97 * len(wanted)
    assert done.requests <= 2.0 * site.oracle


def test_page_one_of_a_list_says_nothing_of_its_further_pages() -> None:
    """Every board links to itself as page 1: its pages 2 and 3 are followed all the same, the other name is left."""
    done = Crawl(forum(7, threads=21, orders=False).fetch, HOST).run(LearnedStrategy(context_of(HOST)), 4)
    asked = [one.url.removeprefix(HOST) for one in done.asked]
    boards = [path for path in asked if path.startswith("/b/") and path.count("/") == 4 and "?" not in path]
    assert sum(path.endswith(("/2/", "/3/")) for path in boards) == 12
    assert sum(path.endswith("/1/") for path in boards) <= 4


def test_few_searches_that_a_site_links_are_tried_where_they_only_list_what_is_known() -> None:
    writer, searches = Writer(3), ("recent", "unanswered", "popular", "mine", "older")
    menu = "".join(f"<a href='/search?{name}=yes'>{name}</a> " for name in searches)
    posts = [f"<a href='/post/{number}'>{writer.title()}</a>" for number in range(30)]
    pages = {f"/post/{number}": f"{menu}<h1>{post}</h1><p>{writer.text()}</p>" for number, post in enumerate(posts)}
    pages["/"] = f"{menu}<ul><li>{'<li>'.join(posts)}</ul>"
    pages |= {f"/search?{name}=yes": f"{menu}<ul><li>{'<li>'.join(posts[:9])}</ul>" for name in searches}
    site = Strange(pages.get, [], len(posts) + 1)
    done = Crawl(site.fetch, HOST).run(LearnedStrategy(context_of(HOST)), 4)
    asked = [one.url for one in done.asked]
    assert sum("/post/" in url for url in asked) == len(posts)
    assert sum("/search?" in url for url in asked) == 2
