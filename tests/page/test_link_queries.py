"""What is read element by element is what the plain XPath selects."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.model import Page
from siteseer.page.links import frames, hrefs, links
from siteseer.page.tree import tree

PIECES = (
    *("<a href=/b>b</a>", "<a name=x>", "<area href=c>", "<a href>", "<iframe src=f></iframe>", "<iframe></iframe>"),
    *("<div>", "</div>", "<frame src=g>", "<map>", "<p>", "text", "<!-- <a href=n> -->", "<svg><a href=s></a></svg>"),
)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_references_are_those_of_the_plain_queries(body: str) -> None:
    page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), body.encode())
    root = tree(page)
    assert hrefs(page) == root.xpath("//a/@href | //area/@href")
    assert frames(page) == root.xpath("//frame/@src | //iframe/@src")
    assert sum(link.kind == "anchor" for link in links(page)) == len(hrefs(page))
