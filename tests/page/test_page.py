import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.model import Page
from siteseer.page.encoding import decode, decode_name
from siteseer.page.links import canonical, links, placed_links, refresh, requisites
from siteseer.page.text import text, words
from siteseer.page.tree import language, title, tree
from siteseer.page.two_grams import DistinctGrams, distinct, grams, hash_words


def html(body: str | bytes, kind: str = "text/html", url: str = "http://e.org/a/b") -> Page:
    return Page(url, 200, (("Content-Type", kind),), body if isinstance(body, bytes) else body.encode())


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("text/html; charset=iso-8859-1", "<p>Grüße".encode("latin-1"), "Grüße"),
        ("text/html", b"\xef\xbb\xbf<p>Gr\xc3\xbc\xc3\x9fe", "Grüße"),
        ("text/html", b"<meta charset=windows-1251><p>" + "Привет".encode("cp1251"), "Привет"),
        ("text/html; charset=utf-8", "<p>Grüße aus Köln, schöne Füße".encode("latin-1"), "Grüße aus Köln, schöne Füße"),
        ("text/html; charset=no-such-charset", "<p>Grüße".encode(), "Grüße"),
        ("text/html", "<p>Grüße und Küsse".encode("utf-16-le"), "Grüße und Küsse"),
    ],
)
def test_encodings(kind: str, body: bytes, expected: str) -> None:
    assert text(html(body, kind)).strip("\ufeff ") == expected


@pytest.mark.parametrize(
    "body",
    [
        "<!doctype html><title>T</title><nav>a <a href=/x>b</a></nav><script>x()</script> c <article>d</article>",
        "<head><title>T</title><my-menu>a <a href=/x>b</a></my-menu></head><body>c<section>d</section></body>",
        "<title>T</title><header>a <a href=/x>b</a></header> c <p>d</p>",
    ],
)
def test_a_body_that_no_tag_opens_is_read(body: str) -> None:
    page = html(body)
    assert (title(page), text(page).split(), [link.url for link in links(page)]) == (
        *("T", ["a", "b", "c", "d"]),
        ["http://e.org/x"],
    )
    assert [one.tag for one in tree(page)] == ["head", "body"]


def test_visible_text_leaves_out_what_nobody_reads() -> None:
    page = html("<head><title>T</title></head><body>a<script>x</script>b<!-- c -->d<textarea>e</textarea><p>f</p>g")
    assert text(page).split() == ["a", "b", "d", "f", "g"]
    assert title(page) == "T"


def test_deep_nesting_and_emptiness_are_survived() -> None:
    assert tree(html(b"<div>" * 50_000)).tag == "html"
    assert text(html(b"")) == "" and text(html(b"\x00\x00")) == ""
    assert links(html("x", "image/png")) == ()
    assert tree(html(b"<!-- only a comment -->")).tag == "html"


def test_a_page_with_a_million_tags_is_cut() -> None:
    assert len(tree(html(b"<b>x</b>" * 1_000_000)).findall(".//b")) < 300_000


def test_links_with_text_rel_place_and_fragment() -> None:
    page = html(
        '<html lang="EN-gb"><base href="/c/"><link rel=canonical href=/k><body id=top class="x y"><div>'
        '<a href="d#e" rel="NoFollow x"> A <b>B</b></a><a href="javascript:1">no</a></div><iframe src=f></iframe>'
    )
    anchor, frame, canon = links(page)
    assert (anchor.url, anchor.text, anchor.rel, anchor.fragment) == ("http://e.org/c/d", "A B", ("nofollow", "x"), "e")
    assert frame.url == "http://e.org/c/f" and frame.kind == "frame"
    assert canon.url == canonical(page) == "http://e.org/k"
    assert placed_links(page)[0].path == ("html", "body#top.x.y", "div", "a")
    assert language(page) == "en-gb"


def test_link_header_and_refresh() -> None:
    page = Page(
        "http://e.org/", 200, (("Content-Type", "text/html"), ("Link", '</2>; rel="next", </c>; rel=canonical')), b"x"
    )
    assert {(link.url, link.kind) for link in links(page)} == {
        ("http://e.org/2", "next"),
        ("http://e.org/c", "canonical"),
    }
    assert refresh(html("<meta http-equiv=Refresh content=\"0; URL='/z'\">")) == "http://e.org/z"
    assert refresh(html('<meta http-equiv=refresh content="5">')) is None


def test_requisites_of_pages_and_sheets() -> None:
    page = html(
        '<link rel="stylesheet" href=s.css><img src=i.png srcset="i2.png 2x, i3.png 3x">'
        '<p style="background:url(b.gif)">'
    )
    assert set(requisites(page)) == {
        f"http://e.org/a/{name}" for name in ("s.css", "i.png", "i2.png", "i3.png", "b.gif")
    }
    sheet = html('@import "t.css"; @font-face{src:url("f.woff")}', "text/css")
    assert set(requisites(sheet)) == {"http://e.org/a/t.css", "http://e.org/a/f.woff"}


def test_two_grams_are_pairs_of_neighbouring_words() -> None:
    assert len(grams(html("<p>to be or not to be"))) == 4
    assert set(grams(html("<p>One two"))) == set(hash_words(["one", "two"]))
    assert set(hash_words(["a", "b"])) != set(hash_words(["b", "a"]))


def test_two_grams_of_a_very_long_text_are_those_of_its_words() -> None:
    body = " ".join(f"word{number} other{number % 7}" for number in range(150_000))
    page = html(f"<p>{body}")
    assert np.array_equal(grams(page), np.unique(hash_words(words(page))))


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9)))
def test_distinct_hashes_are_those_of_numpy(hashes: list[int]) -> None:
    array = np.array(hashes, np.uint64)
    assert np.array_equal(distinct(array), np.unique(array))


@given(st.lists(st.lists(st.integers(0, 400), max_size=60), max_size=30))
def test_distinct_grams_count_like_a_set(samples: list[list[int]]) -> None:
    counted, plain = DistinctGrams(), set[int]()
    for sample in samples:
        fresh = counted.add(np.unique(np.array(sample, np.uint64)))
        assert set(fresh.tolist()) == set(sample) - plain
        plain.update(sample)
        assert len(counted) == len(plain)


def test_distinct_grams_are_estimated_beyond_the_limit() -> None:
    counted = DistinctGrams(exact_up_to=10_000)
    numbers = np.random.default_rng(1).integers(0, 2**63, 60_000).astype(np.uint64)
    for part in np.array_split(numbers, 20):
        counted.add(np.unique(part))
    assert counted.is_estimated and abs(len(counted) - 60_000) < 3_000


@given(st.binary(max_size=300))
def test_any_bytes_have_an_encoding(body: bytes) -> None:
    page = html(body)
    assert isinstance(decode(page), str) and decode_name(page)


def test_bytes_that_the_encoding_lacks_do_not_end_the_page():
    kind = (("Content-Type", "text/html; charset=windows-1252"),)
    page = Page("http://e.org/", headers=kind, body=b"<p>caf\xe9 \x81\x8d</p><form><input name=q></form>")
    assert tree(page).find(".//form") is not None and "café" in text(page)
    odd = Page("http://e.org/", body="<html><meta charset=utf_8><p>žluť</p><form></form>".encode())
    assert tree(odd).find(".//form") is not None and "žluť" in text(odd)
