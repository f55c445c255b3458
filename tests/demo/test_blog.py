from __future__ import annotations

import pytest
from lxml import etree

from siteseer.demo import TEMPLATES, Truth, make_site
from tests.demo.demo_walker import ask, header, links, visible, walk, words

BOTH = pytest.mark.parametrize("template", TEMPLATES)


@BOTH
def test_growth_only_adds(template):
    before, after, later = (make_site("blog", 3, template, grown=grown).truth for grown in (0, 5, 12))
    assert set(before.texts) < set(after.texts) < set(later.texts)
    posts = [text for text in after.texts if text.kind == "post"]
    assert len(posts) == 65
    assert [text.date for text in posts] == sorted((text.date for text in posts), reverse=True)
    old_threads = {text.thread for text in before.texts}
    assert any(text.kind == "comment" and text.thread in old_threads for text in _new(before, after))
    newest = max(text.date for text in before.texts)
    assert all(text.date > newest for text in _new(before, after))


def _new(before: Truth, after: Truth):
    known = set(before.texts)
    return [text for text in after.texts if text not in known]


@BOTH
def test_grown_listing_feed_and_sitemap_follow(template):
    old, new = (make_site("blog", 3, template, grown=grown) for grown in (0, 5))
    added = [text for text in new.truth.texts if text.kind == "post"][:5]
    assert all(text.page in links("/", ask(new, "/")) for text in added)
    feed = "/feed/" if template == "modern" else "/rss.php"
    items = etree.fromstring(ask(new, feed).body).findall(".//item/title")
    assert [item.text for item in items[:5]] == [text.title for text in added]
    stamps = [_lastmod(ask(site, "/sitemap.xml").body) for site in (old, new)]
    changed = {path for path, when in stamps[0].items() if stamps[1][path] != when}
    commented = {text.thread for text in _new(old.truth, new.truth) if text.kind == "comment"}
    assert changed == {"/"} | (commented & stamps[0].keys())
    assert set(stamps[1]) - set(stamps[0]) == {text.page for text in added}


def _lastmod(sitemap: bytes) -> dict[str, str]:
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    return {
        url.findtext(f"{space}loc").removeprefix("http://127.0.0.1"): url.findtext(f"{space}lastmod")
        for url in etree.fromstring(sitemap)
    }


@BOTH
def test_old_texts_stay_where_they_were_when_the_blog_grows(template):
    old, new = (make_site("blog", 3, template, grown=grown) for grown in (0, 5))
    shown = {path: visible(ask(new, path)) for path in old.truth.content_paths}
    assert all(words(text.text.split("\n")[0]) in shown[text.page] for text in old.truth.texts)


@BOTH
def test_feeds_are_well_formed_and_dated(template):
    site = make_site("blog", 6, template, size=25)
    paths = [path for path, answer in walk(site).items() if "xml" in header(answer, "Content-Type")]
    assert len(paths) > 20
    for path in paths:
        etree.fromstring(ask(site, path).body)
    atom = ask(site, "/feed/atom/" if template == "modern" else "/atom.php")
    newest = max(text.date for text in site.truth.texts if text.kind == "post")
    assert etree.fromstring(atom.body).findtext(".//{*}entry/{*}updated") == newest


def test_listing_shows_excerpts_or_whole_posts():
    for template, is_whole in (("modern", False), ("classic", True)):
        site = make_site("blog", 6, template)
        page = visible(ask(site, "/"))
        post = site.truth.texts[0]
        assert words(post.title) in page
        assert (words(post.text.split("\n")[-1]) in page) == is_whole


@BOTH
def test_comments_are_paged(template):
    site = make_site("blog", 6, template)
    paged = [text for text in site.truth.texts if text.kind == "comment" and text.page != text.thread]
    assert paged
    for text in paged:
        assert text.page in links(text.thread, ask(site, text.thread))
