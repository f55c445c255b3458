"""Articles whose text goes on in a second block beside the first: both are the text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siteseer.extract.by_knowledge import extract
from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.strategies.aware.adaptation.extraction.value_similarity import same_text
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation
from tests.strategies.aware.adaptation.small_blog import application, pages


def rest(number: int) -> str:
    return " ".join(f"word{number}of{place} goes" for place in range(40))


def continued(every: int) -> list[Page]:
    """Return posts of the unknown template of which every so many goes on in a block of its own."""
    posts = [page for url, page in pages("new").items() if "/entry/" in url]
    made = []
    for number, page in enumerate(posts):
        more = (
            f"<div id=more class=rest><p>{rest(number)}.</p></div></section>" if number % every == 0 else "</section>"
        )
        made.append(replace(page, body=page.body.replace(b"</section>", more.encode()), memo={}))
    return made


@pytest.mark.parametrize("every", [1, 2, 4])
def test_what_goes_on_beside_the_body_is_text(every: int) -> None:
    blog, posts = application(), continued(every)
    level = blog.level("post")
    assert level is not None
    site = SiteAdaptation(blog, "blog.example", lambda url: ())
    for page in posts:
        site.watch(page, level, extract(page, level, blog))
    assert site.repair(level, site.failing(level))
    for page in posts:
        (post,) = (one for one in extract(page, site.repaired["post"], blog) if one.kind == "post")
        wanted = " ".join(" ".join(one.itertext()) for one in tree(page).xpath("//div[@class='prose' or @id='more']"))
        assert same_text(post.text or "", wanted)


def test_a_second_part_that_only_later_pages_have_is_learned_on_a_recrawl() -> None:
    """Answers come in any order: the pages from which is learned first may all lack what others have."""
    blog, posts = application(), continued(1)
    level = blog.level("post")
    assert level is not None
    short = [page for url, page in pages("new").items() if "/entry/" in url]
    site, full = SiteAdaptation(blog, "blog.example", lambda url: ()), {}
    for page in posts:
        site.watch(page, level, extract(page, level, blog))
    assert site.repair(level, site.failing(level))
    for page in posts:
        full[page.url] = extract(page, site.repaired["post"], blog)
    for page in short[:14]:
        full[page.url] = [
            replace(one, text=" ".join(one.text.split("word")[0].split())) if one.text else one
            for one in full[page.url]
        ]
    recrawl = SiteAdaptation(blog, "blog.example", lambda url: full.get(url, ()))
    repairs = 0
    for page in (*short[:14], *posts[14:]):
        known = recrawl.repaired.get("post", level)
        if recrawl.watch(page, known, extract(page, known, blog)) and (failing := recrawl.failing(level)):
            repairs += bool(recrawl.repair(level, failing))
            for kept, _ in list(recrawl.watched["post"].pages):
                again = recrawl.repaired.get("post", level)
                recrawl.watch(kept, again, extract(kept, again, blog))
    assert repairs == 2
    assert len([one for one in recrawl.repaired["post"].extractions if one.of == "post"]) == 1
    for page in (*short[:14], *posts[14:]):
        (post,) = (one for one in extract(page, recrawl.repaired["post"], blog) if one.kind == "post")
        (wanted,) = (one for one in full[page.url] if one.kind == "post")
        assert same_text(post.text or "", wanted.text or "")
