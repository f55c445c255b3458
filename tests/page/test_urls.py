from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.page.urls import _join_plain, identity, resolve, wire


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://E.org/", "http://e.org"),
        ("HTTP://e.org:80/a", "http://e.org/a"),
        ("http://e.org/a/./b/../c", "http://e.org/a/c"),
        ("http://e.org/%7Ea", "http://e.org/~a"),
        ("http://e.org/%c3%a4", "http://e.org/ä"),
        ("http://e.org/a#x", "http://e.org/a#y"),
        ("http://e.org/a?sid=0123456789abcdef0123456789abcdef&t=1", "http://e.org/a?t=1"),
        ("http://e.org/a;jsessionid=AB12?t=1", "http://e.org/a?t=1"),
        ("http://e.org/a?PHPSESSID=abc&t=1", "http://e.org/a?t=1"),
        ("http://e.org/a?utm_source=x&utm_medium=y", "http://e.org/a"),
        ("http://e.org/a?s=0123456789abcdef0123456789abcdef", "http://e.org/a"),
        ("http://e.org/a?", "http://e.org/a"),
        ("http://e.org/l?to=t.php%3Fp%3D1%26sid%3D0123456789abcdef0123456789abcdef", "http://e.org/l?to=t.php?p=1"),
        ("http://e.org/a?q=two%20words", "http://e.org/a?q=two+words"),
    ],
)
def test_two_spellings_of_one_url(one: str, other: str) -> None:
    assert identity(one) == identity(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://e.org/a?x=1&y=2", "http://e.org/a?y=2&x=1"),
        ("http://e.org/a", "https://e.org/a"),
        ("http://e.org/a", "http://e.org/a/"),
        ("http://e.org/A", "http://e.org/a"),
        ("http://e.org/a?s=search+words", "http://e.org/a"),
        ("http://e.org/a?sid=5", "http://e.org/a?sid=6"),
        ("http://e.org/%2F", "http://e.org//"),
        ("http://e.org/a%3Fb", "http://e.org/a?b"),
        ("http://e.org/a?q=c%2B%2B", "http://e.org/a?q=c++"),
        ("http://e.org/a?q=c%23", "http://e.org/a?q=c"),
        ("http://e.org:8080/", "http://e.org/"),
    ],
)
def test_two_urls(one: str, other: str) -> None:
    assert identity(one) != identity(other)


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("  b\n", "http://e.org/x/b"),
        ("?q=1", "http://e.org/x/a?q=1"),
        ("//f.org/y", "http://f.org/y"),
        ("\\b\\c", "http://e.org/b/c"),
        ("", "http://e.org/x/a"),
        ("javascript:void(0)", None),
        ("data:text/html,x", None),
        ("file:///etc/passwd", None),
        ("http://[::1", None),
        ("http://e.org:99999/", None),
        ("http:///nohost", "http://e.org/nohost"),
        ("http://" + "a" * 9000, None),
        ("http://us er@e.org/", "http://e.org/"),
        ("http://e.org/a b?c d", "http://e.org/a%20b?c%20d"),
        ("http://e.org/100%", "http://e.org/100%"),
    ],
)
def test_what_stands_in_pages(href: str, expected: str | None) -> None:
    assert resolve("http://e.org/x/a", href) == expected


@given(st.text(max_size=60))
def test_nothing_in_a_page_breaks_resolving(href: str) -> None:
    found = resolve("http://e.org/a/b", href)
    if found is not None:
        assert found.isascii() and found.startswith(("http://", "https://")) and "#" not in found
        assert wire(found) == found
        assert identity(identity(found)) == identity(found)


PARTS = st.sampled_from(
    ["a", "B-1", "x.php", "..", ".", "", "?", "q=1&b=2", "/", "//", "./", "é", "%41", ":", "e.org", "http:"]
)


@given(st.lists(PARTS, max_size=7), st.sampled_from(["http://e.org/", "http://e.org:8080/a/b/", "https://e.org/x/"]))
def test_the_quick_way_to_join_is_the_long_way(parts: list[str], base: str) -> None:
    text = "".join(parts)
    quick = _join_plain(base, text)
    if quick is not None:
        assert quick == wire(urljoin(base, text))
