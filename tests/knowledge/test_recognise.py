"""A type is claimed only with evidence of two kinds; mentions, links and embeds prove nothing."""

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load_bytes
from siteseer.knowledge.recognise import recognise, recognise_in_full
from siteseer.knowledge.recognise_application import type_index
from siteseer.model import Page

HTML = (("Content-Type", "text/html; charset=utf-8"),)
KNOWN = KnowledgeBase.shipped()


def page(body: str, url: str = "http://news.example/story", headers: tuple[tuple[str, str], ...] = HTML) -> Page:
    return Page(url, 200, headers, body.encode())


@pytest.mark.parametrize(
    "body",
    [
        "<p>Our blog runs WordPress now, and the forum runs phpBB and SMF. Powered by WordPress!</p>",
        '<img src="http://blog.example/wp-content/uploads/a.png"><p>A borrowed picture</p>',
        '<script src="http://blog.example/wp-includes/js/x.js"></script><p>A borrowed script</p>',
        '<a href="http://phpbb.com/">phpBB</a> <a href="http://board.example/viewtopic.php?t=5">a thread</a>',
        '<a href="https://mastodon.example/share?text=x">Share</a>',
        '<iframe src="http://talk.example/embed/comments?topic_id=4"></iframe><div id="discourse-comments"></div>',
        '<meta name="generator" content="WordPress 5.0">',
        '<div class="hentry"><p class="entry-content">words</p></div>',
    ],
)
def test_mentions_prove_nothing(body: str) -> None:
    assert recognise(page(body), KNOWN).application is None


@pytest.mark.parametrize(
    ("body", "url", "name"),
    [
        (
            '<link rel=stylesheet href="/wp-content/themes/a/s.css"><body class="single postid-4">',
            "http://b.example/x",
            "wordpress",
        ),
        (
            '<link rel=stylesheet href="/wp-content/themes/a/s.css"><meta name="generator" content="WordPress 6">',
            "http://b.example/x",
            "wordpress",
        ),
        ("<body id=phpbb>", "http://b.example/", "phpbb"),
        ("<body id=smf>", "http://b.example/", "smf"),
    ],
)
def test_two_kinds_or_one_decisive(body: str, url: str, name: str) -> None:
    found = recognise(page(body, url), KNOWN)
    assert found.application == name
    kinds = {evidence.where for evidence in found.evidence if not evidence.where.startswith("level")}
    assert len(kinds) >= 2 or max(evidence.weight for evidence in found.evidence) > 1


def test_headers_and_cookies_are_evidence() -> None:
    headers = (
        *HTML,
        ("Link", '<http://b.example/wp-json/>; rel="https://api.w.org/"'),
        ("Set-Cookie", "wp-settings-1=x"),
    )
    assert recognise(page("<p>bare", "http://b.example/", headers), KNOWN).application == "wordpress"


def test_a_known_site_needs_less_evidence() -> None:
    weak = page('<a href="./ucp.php?mode=login">Login</a><table class=print></table>', "http://b.example/x")
    assert recognise(weak, KNOWN).application is None
    assert recognise(weak, KNOWN, expected="phpbb").application == "phpbb"


def test_generic_entries_rank_below_named_software() -> None:
    body = (
        '<link rel=stylesheet href="/wp-content/themes/a/s.css"><meta property="og:type" content="article">'
        '<body class="single single-post postid-1"><article class="hentry type-post" itemscope '
        'itemtype="http://schema.org/BlogPosting"><h1>T</h1><div itemprop="articleBody">x</div></article>'
    )
    assert recognise(page(body), KNOWN).application == "wordpress"
    assert (
        recognise(
            page(body.replace("wp-content", "c").replace("type-post", "").replace("postid-1", "")), KNOWN
        ).application
        == "generic-article"
    )


def test_absence_patterns_refuse() -> None:
    files = [
        b'<application id="a" category="blog"><detect><pattern decisive="yes">div.x</pattern>'
        b'<pattern absent="yes">div.y</pattern>'
        b"</detect></application>"
    ]
    known = KnowledgeBase([load_bytes(file, "a.xml") for file in files])
    assert recognise(page("<div class=x>"), known).application == "a"
    assert recognise(page("<div class=x><div class=y>"), known).application is None
    assert recognise(page("<div class=x><div class=y>"), known, expected="a").application is None


def test_levels_by_priority_and_needs_all() -> None:
    file = b"""<application id="a" category="blog"><detect><pattern decisive="yes">div.x</pattern></detect>
    <level id="list" kind="intermediate"><detect priority="1"><pattern>p</pattern></detect></level>
    <level id="post" kind="terminal"><detect priority="2" needs="all"><pattern>p</pattern><pattern>h1</pattern></detect>
    <extract type="record" of="post" scope="div"><field type="body">p</field></extract></level></application>"""
    known = KnowledgeBase([load_bytes(file, "a.xml")])
    assert recognise(page("<div class=x><p>"), known).level == "list"
    found = recognise(page("<div class=x><p></p><h1>T</h1>"), known)
    assert (found.level, found.terminal) == ("post", True)
    assert recognise(page("<div class=x>"), known).level is None


def test_a_known_host_is_proof() -> None:
    file = b"""<application id="a" category="blog"><detect><pattern decisive="yes">div.x</pattern></detect>
    <site host="b.example"><avoid><url contains="z" because="z"/></avoid></site></application>"""
    known = KnowledgeBase([load_bytes(file, "a.xml")])
    seen = recognise_in_full(page("<p>", "http://b.example/q"), known)
    assert seen.recognition.application == "a"
    assert seen.application is not None
    assert seen.application.avoids[0].contains == "z"
    assert recognise(page("<p>", "http://c.example/q"), known).application is None


@pytest.mark.parametrize("body", [b"", b"\x00\x01", b"<" * 50_000, b"<div>" * 30_000, b"\xff\xfe<html>"])
def test_hostile_pages_are_unknown(body: bytes) -> None:
    assert recognise(Page("http://h.example/", 200, HTML, body), KNOWN).application is None


def test_the_index_is_made_once() -> None:
    assert type_index(KNOWN) is type_index(KNOWN)
