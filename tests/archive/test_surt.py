"""SURTs: the published examples, the edges of real URLs, and the keys that other tools make of the same URLs."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from siteseer.archive.surt import search_key, surt

PUBLISHED = {  # the examples of webarchive-commons, where the Wayback Machine's keys are defined, and of CDXJ
    "": "-",
    "dskgfljsdlkgjslkj": "dskgfljsdlkgjslkj)/",
    "filedesc:foo.arc.gz": "filedesc:foo.arc.gz",
    "filedesc://foo.arc.gz": "filedesc://foo.arc.gz",
    "warcinfo:foo.warc.gz": "warcinfo:foo.warc.gz",
    "http://archive.org/": "org,archive)/",
    "http://archive.org/goo/": "org,archive)/goo",
    "http://archive.org/goo/?": "org,archive)/goo",
    "http://archive.org/goo/?b&a": "org,archive)/goo?a&b",
    "http://archive.org/goo/?a=2&b&a=1": "org,archive)/goo?a=1&a=2&b",
    "http://archive.org:/": "org,archive)/",
    "https://34.203.211.192/robots.txt": "192,211,203,34)/robots.txt",
    "https://[2600:1f18:200d:fb00:2b74:867c:ab0c:150a]/robots.txt": (
        "2600:1f18:200d:fb00:2b74:867c:ab0c:150a)/robots.txt"
    ),
    "http://1kr.ua/newslist.html?tag=%E4%EE%F8%EA": "ua,1kr)/newslist.html?tag=%e4%ee%f8%ea",
    "http://www.aluroba.com/tags/%C3%CE%CA%C7%D1%E5%C7.htm": "com,aluroba)/tags/%c3%ce%ca%c7%d1%e5%c7.htm",
    "https://www.insbase.ac/xpwiki/?%A4%D5%A4": "ac,insbase)/xpwiki?%a4%d5%a4",
}
LEFT_OUT = {
    "HTTP://User:pass@WWW2.Example.org.:80/A//B/./c/../d#top": "org,example)/a/b/d",
    "https://example.org:443/": "org,example)/",
    "http://example.org:443/": "org,example:443)/",
    "http://example.org/a?PHPSESSID=0123456789abcdefghijklemopqrstuv&action=profile;u=4221": (
        "org,example)/a?action=profile;u=4221"
    ),
    "http://example.org/a?x=1&jsessionid=0123456789abcdefghijklemopqrstuv&y=1": "org,example)/a?x=1&y=1",
    "http://example.org/a?ASPSESSIONIDAQBSDSRT=EOHBLBDDPFCLHKPGGKLILNAM": "org,example)/a",
    "http://example.org/a?CFID=1169580&CFTOKEN=48630702&y=1": "org,example)/a?y=1",
    "http://example.org/a?sid=0123&y=1": "org,example)/a?sid=0123&y=1",
    "http://example.org/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx": "org,example)/mileg.aspx",
    "http://example.org/(4hqa0555fwsecu455xqckv45)/mileg.aspx?x": "org,example)/mileg.aspx?x",
    "http://b\u00fccher.example/%C3%BC?\u00fc": "example,xn--bcher-kva)/%c3%bc?%c3%bc",
    "http://example.org/a?q.2_=wine&q=red&q": "org,example)/a?q&q=red&q.2_=wine",
    "http://example.org/a%252Fb%zz": "org,example)/a/b%25zz",
    "http://3279880203/blah": "11,0,127,195)/blah",
    "urn:rendered:http://e.org/X Y": "urn:rendered:http://e.org/x%20y",
    "urn:pageinfo:http://E.org/b/": "urn:pageinfo:http://e.org/b",
}


@pytest.mark.parametrize(("url", "key"), [*PUBLISHED.items(), *LEFT_OUT.items()])
def test_published_examples_and_what_is_left_out(url: str, key: str) -> None:
    assert surt(url) == key


@pytest.mark.parametrize("url", ["http://e.org:99999/x", "http://e.org:a/x", "http:///", "http://\xff%FF/x"])
def test_what_cannot_be_taken_apart_still_has_a_key(url: str) -> None:
    with pytest.raises(ValueError):
        surt(url)
    assert search_key(url) and " " not in search_key(url)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_a_key_of_one_word(text: str) -> None:
    key = search_key(f"http://{text}")
    assert not set(key) & {" ", "\n", "\r", "\t"}


HOSTS = "example.org www.Example.org:8080 WWW2.a.org 127.0.0.1 b\u00fccher.de x.org:80 u:p@e.org a.b.co.uk:443".split()
PIECES = (
    "a B www. / // /./ %2e %2F %20 ? & = # b=1 C=2 sid= 0123456789abcdefghijklemopqrstuv % %25 %2525 \u00fc %C3%BC "
    "%FF ; jsessionid= : @ + ~ [ ] \\ ' \" cfid=1&cftoken=2 (S(4hqa0555fwsecu455xqckv45)) x.aspx \u65e5 %00 * ! $ , "
    "b.2_=1"
).split()


@settings(max_examples=1_000, deadline=None)
@given(st.sampled_from(["http://", "https://"]), st.sampled_from(HOSTS), st.lists(st.sampled_from(PIECES), max_size=8))
@example("http://", "example.org", ["a", "?", "b=1", "&", "sid=", "0123456789abcdefghijklemopqrstuv", "&", "C=2"])
def test_other_tools_make_the_same_keys(scheme: str, host: str, pieces: list[str]) -> None:
    theirs = pytest.importorskip("pywb.utils.canonicalize", reason="the comparison needs pywb")
    url = f"{scheme}{host}/{''.join(pieces)}"
    expected = theirs.canonicalize(url)
    assume(")/.." not in expected)  # no browser asks for what lies above the root
    assert surt(url) == expected
