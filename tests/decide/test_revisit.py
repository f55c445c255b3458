"""Coming back to a blog that grew: what is new or changed is fetched, and hardly anything else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from siteseer.crawl.run import crawl
from siteseer.decide.revisit import _continues, _shape
from siteseer.demo import Server, make_site
from siteseer.demo.site import Site, SiteRequest, SiteResponse, local_path
from siteseer.present.cli.revisit import sources
from siteseer.settings import CrawlOptions

SIZE, GROWN = 24, 5


def true_changes(before: Site, after: Site) -> set[str]:
    """Return the pages that are new, or on which a text was written since; and the first pages of their posts."""
    texts_before = {(text.page, text.text) for text in before.truth.texts}
    found = [text for text in after.truth.texts if (text.page, text.text) not in texts_before]
    return {text.page for text in found} | {text.thread for text in found}


@pytest.mark.parametrize(("strategy", "template"), [("blind", "classic"), ("auto", "modern")])
def test_revisit_of_a_grown_blog(strategy: str, template: str, tmp_path: Path) -> None:
    before = make_site("blog", seed=4, template=template, size=SIZE)
    after = make_site("blog", seed=4, template=template, size=SIZE, grown=GROWN)
    wanted = true_changes(before, after)
    assert len(wanted) > GROWN
    with Server(before) as server:
        first = CrawlOptions((server.url + "/",), tmp_path, strategy, delay=0.0, assets="none")
        crawl(first)
        server.site = after
        server.log.clear()
        again = CrawlOptions(tuple(sources(tmp_path)), tmp_path, "revisit", recrawl=True, delay=0.0, assets="none")
        summary = crawl(again)
        asked = [local_path(entry.path) for entry in server.log]
    assert summary["finished"]
    missed = wanted - set(asked)
    assert not missed
    assert len(asked) < 1.3 * len(wanted) + 1, sorted(set(asked) - wanted)
    assert summary["objects"]


def without_feeds(site: Site) -> Site:
    def answer(request: SiteRequest) -> SiteResponse:
        named = ("robots", "sitemap", "feed", "rss", "atom")
        return SiteResponse(404) if any(name in request.path for name in named) else site.answer(request)

    return replace(site, answer=answer)


def test_listings_alone_lead_to_all_new_posts_also_beyond_their_first_page(tmp_path: Path) -> None:
    before = make_site("blog", seed=4, template="modern", size=20)
    after = make_site("blog", seed=4, template="modern", size=20, grown=13)
    new = {text.thread for text in after.truth.texts} - {text.thread for text in before.truth.texts}
    with Server(without_feeds(before)) as server:
        crawl(CrawlOptions((server.url + "/",), tmp_path, "auto", delay=0.0, assets="none"))
        server.site = without_feeds(after)
        server.log.clear()
        crawl(CrawlOptions(tuple(sources(tmp_path)), tmp_path, "revisit", recrawl=True, delay=0.0, assets="none"))
        assert new <= {local_path(entry.path) for entry in server.log}


def test_nothing_changed_costs_a_few_conditional_requests(tmp_path: Path) -> None:
    site = make_site("blog", seed=4, template="modern", size=20)
    with Server(site) as server:
        crawl(CrawlOptions((server.url + "/",), tmp_path, "blind", delay=0.0, assets="none"))
        server.log.clear()
        crawl(CrawlOptions(tuple(sources(tmp_path)), tmp_path, "revisit", recrawl=True, delay=0.0, assets="none"))
        assert len(server.log) <= 8
        assert {entry.path for entry in server.log if entry.status == 200} <= {"/robots.txt", "/sitemap.xml"}


def test_addresses_that_continue_a_page() -> None:
    assert _continues("http://e.org/a/?kseite=2", "http://e.org/a/")
    assert not _continues("http://e.org/b/?kseite=2", "http://e.org/a/")
    assert _shape("http://e.org/2015/05/one/") == _shape("http://e.org/2016/11/two/")
    assert _shape("http://e.org/a.php?t=1") != _shape("http://e.org/b.php?t=1")
