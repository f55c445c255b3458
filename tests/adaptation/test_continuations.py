"""Articles whose text goes on in a second block beside the first: both are the text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_blog import application, pages

from siteseer.adaptation.agree import same_text
from siteseer.adaptation.site import SiteAdaptation
from siteseer.extract.fields import extract
from siteseer.model import Page
from siteseer.page.tree import tree


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
