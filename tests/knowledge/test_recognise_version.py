"""A page says which version of its software made it: in its generator, a footer, an asset's query or a header."""

from dataclasses import replace

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load_bytes, read
from siteseer.knowledge.merge import merge
from siteseer.knowledge.recognise import recognise, recognise_in_full, recognise_without_version, version_of
from siteseer.knowledge.save import to_xml
from siteseer.model import Page

KNOWN = KnowledgeBase.shipped()
SAID = [
    ("mediawiki", '<meta name="generator" content="MediaWiki 1.39.17">', "1.39.17"),
    ("mediawiki", '<meta name="generator" content="MediaWiki 1.42.0-wmf.9">', "1.42.0-wmf.9"),
    ("wordpress", '<meta name="generator" content="WordPress 6.1.9" />', "6.1.9"),
    ("wordpress", '<link rel="stylesheet" href="/wp-includes/css/dist/block-library/style.css?ver=6.4.2">', "6.4.2"),
    ("wordpress", r'<script>_wpemojiSettings={"c":"\/js\/wp-emoji-release.min.js?ver=5.8.1"}</script>', "5.8.1"),
    ("wordpress", '<script src="/wp-content/plugins/slider/a.js?ver=3.3"></script>', None),
    ("drupal", '<meta name="Generator" content="Drupal 7 (http://drupal.org)">', "7"),
    ("drupal", '<script src="/core/misc/drupal.js?v=9.5.3"></script>', "9.5.3"),
    ("joomla", '<meta name="generator" content="Joomla! 1.5 - Open Source Content Management">', "1.5"),
    ("joomla", '<meta name="generator" content="Joomla! - Open Source Content Management">', None),
    ("ghost", '<meta name="generator" content="Ghost 5.24">', "5.24"),
    ("discourse", '<meta name="generator" content="Discourse 2.9.0.beta4 - github.com/x">', "2.9.0.beta4"),
    ("dokuwiki", '<meta name="generator" content="DokuWiki Release 2009-12-25c">', "2009-12-25c"),
    ("dokuwiki", '<meta name="generator" content="DokuWiki">', None),
    ("fluxbb", '<div id="brdfooter"><p>Powered by <a href="/">FluxBB</a> 1.5.11</p></div>', "1.5.11"),
    ("punbb", '<div id="brd-about"><p>Powered by <strong>PunBB</strong> 1.4.2</p></div>', "1.4.2"),
    ("invision", '<p id="copyright">Powered By <a>IP.Board</a> 3.4.6</p>', "3.4.6"),
    ("mastodon", '<script id="initial-state" type="json">{"meta":{"version":"4.2.1"}}</script>', "4.2.1"),
    ("movabletype", '<meta name="generator" content="Movable Type Pro 5.2.3">', "5.2.3"),
    ("mybb", '<div id="copyright">Powered By <a>MyBB</a> 1.6.5, © 2002-2012</div>', "1.6.5"),
    ("phpbb2", '<span class="copyright">Powered by <a>phpBB</a> 2.0.22 &copy; 2001</span>', "2.0.22"),
    ("phpbb", '<div id="page-footer" class="copyright">Powered by phpBB® Forum Software © phpBB Limited</div>', None),
    ("serendipity", '<meta name="generator" content="Serendipity v.2.6.1">', "2.6.1"),
    ("smf", '<div id="footer"><a href="?action=credits">SMF 2.1.4 &copy; 2023</a></div>', "2.1.4"),
    (
        "smf",
        '<div id="footerarea"><a href="http://www.simplemachines.org/">Powered by SMF 1.1 RC3</a></div>',
        "1.1 RC3",
    ),
    ("vbulletin", '<meta name="generator" content="vBulletin 3.8.4">', "3.8.4"),
    (
        "vbulletin",
        '<div class="smallfont">Powered by vBulletin&reg; Version 4.2.2 Patch Level 1</div>',
        "4.2.2 Patch Level 1",
    ),
    ("xenforo", '<div id="copyright">Forum software by XenForo™ ©2010-2013 XenForo Ltd.</div>', None),
]


def page(body: str, headers: tuple[tuple[str, str], ...] = ()) -> Page:
    return Page("http://site.example/a", 200, (("Content-Type", "text/html; charset=utf-8"), *headers), body.encode())


@pytest.mark.parametrize(("application", "body", "version"), SAID)
def test_versions_of_shipped_software(application: str, body: str, version: str | None) -> None:
    assert version_of(page(body), KNOWN[application]) == version


def test_a_header_says_the_version() -> None:
    assert version_of(page("<p>A", (("X-Garden-Version", "Vanilla 2.3.1"),)), KNOWN["vanilla"]) == "2.3.1"
    assert version_of(page("<p>A", (("X-Generator", "Drupal 10 (https://www.drupal.org)"),)), KNOWN["drupal"]) == "10"


def test_what_people_write_about_versions_is_not_read() -> None:
    text = '<body class="mediawiki"><div id="mw-content-text">We moved from MediaWiki 1.15.1 to MediaWiki 1.39.</div>'
    found = recognise(page(text), KNOWN)
    assert (found.application, found.version) == ("mediawiki", None)


OWN = b"""<application id="pinboard" category="forum">
  <detect><pattern decisive="yes">body#pinboard</pattern></detect>
  <version regex="Pinboard ([0-9.]+)">.about</version>
  <version>meta[@name='pinboard']/@content</version>
</application>"""


def test_alternatives_are_tried_in_order_and_written_back() -> None:
    own = load_bytes(OWN, "pinboard.xml")
    assert (
        version_of(page("<p class=about>Pinboard</p><meta name=pinboard content='release 7.2.1 of May'>"), own)
        == "7.2.1"
    )
    assert version_of(page("<p class=about>Pinboard 3.1</p><meta name=pinboard content=7.2>"), own) == "3.1"
    assert load_bytes(to_xml(own), "again.xml").version_patterns[0].regex == own.version_patterns[0].regex
    assert [one.text for one in merge(own, own).version_patterns] == [one.text for one in own.version_patterns] * 2


def test_a_wrong_expression_is_named_with_its_line() -> None:
    wrong = OWN.replace(b"Pinboard ([0-9.]+)", b"Pinboard ([0-9.]+").replace(b".about", b"p[")
    said = [str(problem) for problem in read(wrong, "pinboard.xml").problems]
    assert any("pinboard.xml:3" in one and "regular expression" in one for one in said)
    assert any("pinboard.xml:3" in one and "outside the fragment" in one for one in said)


def test_a_page_is_recognised_the_same_without_its_version() -> None:
    body = b'<body class="mediawiki"><meta name="generator" content="MediaWiki 1.39.17"><div id="mw-content-text">'
    page = Page("http://e.org/wiki/A", headers=(("Content-Type", "text/html"),), body=body)
    whole, rest = recognise_in_full(page, KNOWN), recognise_without_version(page, KNOWN)
    assert (whole.recognition.version, rest.recognition.version) == ("1.39.17", None)
    assert (rest.application, rest.level) == (whole.application, whole.level)
    assert replace(whole.recognition, version=None) == rest.recognition
