"""The text of a page with the places of its elements: the fast way and its plain twin."""

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree, html

from siteseer.extract.timestamps.text_with_offsets import TextWithOffsets, lay, walked
from siteseer.model import Page
from siteseer.page.tree import tree

HTML = (("Content-Type", "text/html; charset=utf-8"),)

_NESTED = st.recursive(
    st.sampled_from(
        ["4 May 2015 ", "text & more", "<br>", "<!-- no -->tail", "<script>x</script>", "\ufdd1", "<hr>after"]
    ),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>tail",
        st.sampled_from("div p b a h1 svg noscript textarea ul li table time section".split()),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


@given(_NESTED)
@settings(max_examples=60, deadline=None)
def test_the_page_laid_out_in_c_is_that_of_the_plain_walk(body: str) -> None:
    root = tree(Page("http://e.org/", headers=HTML, body=f"<title>t</title><body>{body}".encode()))
    fast, slow = lay(root), TextWithOffsets(*walked(root))
    assert fast.text == slow.text
    assert [fast.extent(one) for one in root.iter("*")] == [slow.extent(one) for one in root.iter("*")]
    letters = [place for place, letter in enumerate(fast.text) if letter != "\n"]
    assert [fast.holder(place) for place in letters] == [slow.holder(place) for place in letters]


def test_a_page_nested_deeper_than_libxslt_goes_is_still_laid_out() -> None:
    root = html.Element("html")
    innermost: etree._Element = root
    for _ in range(4_000):
        innermost = etree.SubElement(innermost, "div")
    innermost.text = "4 May 2015"
    laid = lay(root)
    place = laid.text.index("4 May")
    assert laid.holder(place) is innermost
    assert laid.extent(innermost) == (place, place + 10)
