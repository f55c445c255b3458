"""Which URLs are one document, which one object, which are avoided; and the same rules for other crawlers."""

import re

import pytest
from lxml import etree

from siteseer.errors import UsageError
from siteseer.knowledge.avoid_rules import AvoidRules
from siteseer.knowledge.export_rules import export, url_expression
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.url_identity import clean_url, document_key, object_url

KNOWN = KnowledgeBase.shipped()
HOST = "http://e.org"


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("phpbb", "/viewtopic.php?f=2&t=5", "/viewtopic.php?t=5"),
        ("phpbb", "/viewtopic.php?t=5&start=0", "/viewtopic.php?t=5"),
        ("phpbb", "/viewforum.php?f=2&sid=0123456789abcdef0123456789abcdef", "/viewforum.php?f=2"),
        ("smf", "/index.php?topic=5.0", "/index.php?topic=5"),
        ("smf", "/index.php?topic=5.15;topicseen", "/index.php?topic=5.15"),
        ("wordpress", "/page/1/", "/"),
        ("fluxbb", "/viewtopic.php?id=4&p=1", "/viewtopic.php?id=4"),
        ("dokuwiki", "/doku.php?id=a&do=show", "/doku.php?id=a"),
    ],
)
def test_two_spellings_of_one_document(name: str, one: str, other: str) -> None:
    assert document_key(HOST + one, KNOWN[name]) == document_key(HOST + other, KNOWN[name])


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("phpbb", "/viewtopic.php?t=5&start=10", "/viewtopic.php?t=5"),
        ("phpbb", "/viewforum.php?f=2", "/viewforum.php?f=3"),
        ("smf", "/index.php?topic=5.15", "/index.php?topic=5.0"),
        ("wordpress", "/page/2/", "/"),
        ("wordpress", "/a/comment-page-2/", "/a/"),
    ],
)
def test_two_documents(name: str, one: str, other: str) -> None:
    assert document_key(HOST + one, KNOWN[name]) != document_key(HOST + other, KNOWN[name])


@pytest.mark.parametrize(
    ("name", "page", "whole"),
    [
        ("phpbb", "/viewtopic.php?t=5&start=10#p7", "/viewtopic.php?t=5#p7"),
        ("smf", "/index.php?topic=5.15", "/index.php?topic=5"),
        ("wordpress", "/a/comment-page-2/#comment-7", "/a/#comment-7"),
        ("wordpress", "/?p=5&cpage=2#comment-7", "/?p=5#comment-7"),
    ],
)
def test_pages_of_one_object(name: str, page: str, whole: str) -> None:
    assert object_url(HOST + page, KNOWN[name]) == HOST + whole


def test_session_ids_are_not_asked_for() -> None:
    assert clean_url(f"{HOST}/viewforum.php?f=2&sid=abc", KNOWN["phpbb"]) == f"{HOST}/viewforum.php?f=2"
    assert clean_url(f"{HOST}/viewtopic.php?f=2&t=5", KNOWN["phpbb"]) == f"{HOST}/viewtopic.php?f=2&t=5"


AVOIDED = [
    ("phpbb", "/posting.php?mode=reply&t=5", "writing form"),
    ("phpbb", "/viewtopic.php?t=5&view=print", "print view of a thread"),
    ("phpbb", "/viewtopic.php?p=7", "permalink of a post inside a thread that is fetched"),
    ("smf", "/index.php?action=printpage;topic=5.0", "print view of a thread"),
    ("wordpress", "/a/feed/", "feed of posts that have their own pages"),
    ("wordpress", "/a/?replytocom=7", "comment form that answers one comment"),
    ("dokuwiki", "/doku.php?id=a&rev=1400000000", "old revision of a page"),
]


@pytest.mark.parametrize(("name", "url", "because"), AVOIDED)
def test_avoided_with_a_reason(name: str, url: str, because: str) -> None:
    rule = AvoidRules(KNOWN[name].avoids).first(HOST + url)
    assert rule is not None
    assert rule.because == because


@pytest.mark.parametrize(("name", "url", "because"), AVOIDED)
def test_exported_expressions_say_the_same(name: str, url: str, because: str) -> None:
    rules = [rule for rule in KNOWN[name].avoids if rule.because == because]
    assert any(re.search(url_expression(rule), HOST + url) for rule in rules)


@pytest.mark.parametrize(
    ("name", "url"),
    [("phpbb", "/viewtopic.php?t=5"), ("smf", "/index.php?topic=5.0"), ("wordpress", "/2019/feeding-birds/")],
)
def test_content_is_not_avoided(name: str, url: str) -> None:
    assert AvoidRules(KNOWN[name].avoids).first(HOST + url) is None
    assert not any(re.search(url_expression(rule), HOST + url) for rule in KNOWN[name].avoids)


def test_exports_are_in_the_language_of_the_tool() -> None:
    browsertrix = export(KNOWN["phpbb"], "browsertrix")
    assert "exclude:" in browsertrix
    assert '"a.topictitle->href"' in browsertrix
    assert export(KNOWN["phpbb"], "wget").startswith("--regex-type=pcre --reject-regex='(posting")
    heritrix = etree.fromstring(export(KNOWN["phpbb"], "heritrix"))
    values = [value.text or "" for value in heritrix.iter("value")]
    assert any(re.fullmatch(value, f"{HOST}/posting.php?mode=reply") for value in values)
    wadl = etree.fromstring(export(KNOWN["phpbb"], "wadl"))
    types = [kind.get("id") for kind in wadl.iter("{http://wadl.dev.java.net/2009/02}resource_type")]
    assert types == [level.id for level in KNOWN["phpbb"].levels]
    with pytest.raises(UsageError, match="browsertrix"):
        export(KNOWN["phpbb"], "nutch")


@pytest.mark.parametrize("name", [application.id for application in KNOWN])
@pytest.mark.parametrize("tool", ["browsertrix", "heritrix", "wget", "wadl"])
def test_everything_can_be_exported(name: str, tool: str) -> None:
    assert len(export(KNOWN[name], tool)) > 20
