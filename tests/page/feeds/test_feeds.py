"""Every dialect of feeds, whole and broken."""

import json
import random
import time
from datetime import UTC, datetime

import pytest

from siteseer.model import Page
from siteseer.page.feeds import Feed, feed_links, is_feed, plain, read_feed

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:wfw="http://wellformedweb.org/CommentAPI/"
  xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
<channel><title>River news</title><atom:link href="http://e.org/feed/" rel="self" type="application/rss+xml"/>
<link>http://e.org</link><description>All about rivers</description><language>en-GB</language>
<lastBuildDate>Tue, 05 May 2015 15:12:00 +0000</lastBuildDate>
<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>
<image><title>Not the title</title><url>http://e.org/i.png</url></image>
<item><title>Ham &amp;amp; eggs</title><link>http://e.org/ham?a=1&amp;b=2</link>
<dc:creator><![CDATA[Ann Lee]]></dc:creator>
<pubDate>Tue, 05 May 2015 17:12:00 +0200</pubDate><category>Food</category><category><![CDATA[Trips]]></category>
<guid isPermaLink="false">http://e.org/?p=7</guid><comments>http://e.org/ham#comments</comments>
<description><![CDATA[<p>Short &hellip;</p>]]></description>
<content:encoded><![CDATA[<p>Long text.</p>]]></content:encoded>
<wfw:commentRss>http://e.org/ham/feed/</wfw:commentRss><slash:comments>3</slash:comments>
<enclosure url="/ham.mp3" length="1" type="audio/mpeg"/></item>
<item><title>Two</title><guid>http://e.org/two</guid><pubDate>Mon, 04 May 2015 09:00:00 GMT</pubDate></item>
</channel></rss>"""

ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0"
  xml:base="http://e.org/blog/" xml:lang="en"><title type="html">R &amp;lt;3</title><subtitle>Sub</subtitle>
<link rel="self" href="http://e.org/atom.xml"/><link href="http://e.org/blog/"/><link rel="next" href="http://e.org/p2"/>
<updated>2015-05-05T15:12:00Z</updated><author><name>Owner</name></author>
<entry><id>tag:e.org,2015:1</id><title type="text">Less &lt;b&gt; more</title><link rel="alternate" href="one.html"/>
<link rel="enclosure" href="http://e.org/a.ogg"/><link rel="replies" href="http://e.org/c" thr:count="4"/>
<published>2015-05-04T10:00:00+02:00</published><updated>2015-05-05T10:00:00Z</updated>
<author><name>Ann Lee</name><uri>http://e.org/ann</uri></author><category term="food" label="Food"/>
<summary>1 &lt; 2</summary><content type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml"><p>Hello <b>you</b></p></div></content>
</entry></feed>"""

RDF = """<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="http://e.org/"><title>Old</title><link>http://e.org/</link>
<items><rdf:Seq><rdf:li rdf:resource="http://e.org/1"/></rdf:Seq></items></channel>
<item rdf:about="http://e.org/1"><title>One</title><link>http://e.org/1</link><dc:date>2004-02-03T04:05:06Z</dc:date></item>
</rdf:RDF>"""

RSS_091 = """<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/rss-0.91.dtd">
<rss version="0.91"><channel><title>T</title><link>http://e.org/</link><item><title>Caf&eacute;</title><link>/c</link></item>
</channel></rss>"""

JSON_FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "J",
    "home_page_url": "http://e.org/",
    "items": [
        {
            "id": 1,
            "url": "/1",
            "title": "One",
            "content_html": "<p>x</p>",
            "date_published": "2020-02-03T04:05:06-01:00",
        },
        {"id": "2", "url": "http://e.org/2", "content_text": "a < b", "authors": [{"name": "Ann"}], "tags": ["t", 3]},
    ],
}


def feed_of(body: str | bytes, url: str = "http://e.org/feed") -> Feed:
    raw = body.encode() if isinstance(body, str) else body
    found = read_feed(
        Page(url, headers=(("Content-Type", "text/xml"),), body=raw, fetched_at=datetime(2016, 1, 1, tzinfo=UTC))
    )
    assert found is not None
    return found


def test_rss_2_with_its_modules() -> None:
    feed = feed_of(RSS)
    assert (feed.type, feed.title, feed.link, feed.language) == ("RSS 2.0", "River news", "http://e.org/", "en-gb")
    assert (feed.updated, feed.minutes, feed.malformed) == ("2015-05-05T15:12:00Z", 30, False)
    ham, two = feed.items
    assert (ham.id, ham.link, ham.title) == ("http://e.org/?p=7", "http://e.org/ham?a=1&b=2", "Ham & eggs")
    assert (ham.published, ham.author, ham.tags) == ("2015-05-05T15:12:00Z", "Ann Lee", ("Food", "Trips"))
    assert (plain(ham.description), plain(ham.content)) == ("Short …", "Long text.")
    assert (ham.comments, ham.comment_feed, ham.comment_count) == ("http://e.org/ham", "http://e.org/ham/feed/", 3)
    assert ham.media == ("http://e.org/ham.mp3",)
    assert two.link == "http://e.org/two"


def test_atom() -> None:
    feed = feed_of(ATOM)
    assert (feed.type, feed.title, feed.link, feed.next) == (
        "Atom 1.0",
        "R <3",
        "http://e.org/blog/",
        "http://e.org/p2",
    )
    (entry,) = feed.items
    assert (entry.title, entry.link) == ("Less <b> more", "http://e.org/blog/one.html")
    assert (entry.published, entry.modified) == ("2015-05-04T08:00:00Z", "2015-05-05T10:00:00Z")
    assert (entry.author, entry.tags, entry.comment_count) == ("Ann Lee", ("Food",), 4)
    assert plain(entry.description) == "1 < 2"
    assert plain(entry.content) == "Hello you"


def test_rdf_and_rss_0_91() -> None:
    rdf = feed_of(RDF)
    assert (rdf.type, rdf.title, rdf.items[0].published) == ("RSS 1.0", "Old", "2004-02-03T04:05:06Z")
    old = feed_of(RSS_091)
    assert (old.type, old.items[0].title, old.items[0].link) == ("RSS 0.91", "Café", "http://e.org/c")


def test_json_feed_whole_and_broken_off() -> None:
    text = json.dumps(JSON_FEED)
    feed = feed_of(text)
    assert (feed.type, feed.malformed, len(feed.items)) == ("JSON Feed 1.1", False, 2)
    assert (feed.items[0].link, feed.items[0].published) == ("http://e.org/1", "2020-02-03T05:05:06Z")
    assert (feed.items[1].author, plain(feed.items[1].content), feed.items[1].tags) == ("Ann", "a < b", ("t",))
    broken = feed_of(text[:-30])
    assert broken.malformed
    assert [item.title for item in broken.items] == ["One"]
    assert len(feed_of(text.replace("}]}", "},],}")).items) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("&amp;b=2", "&b=2"),
        lambda text: text.replace('xmlns:content="http://purl.org/rss/1.0/modules/content/"', ""),
        lambda text: text.replace("<![CDATA[<p>Short &hellip;</p>]]>", "<p>Short <br>&hellip;"),
        lambda text: text.replace("</channel></rss>", ""),
        lambda text: text[: text.index("</item>\n</channel>")],
        lambda text: "\n\n<!-- served by x -->" + text.replace("Ann Lee", "Ann\x0b Lee"),
        lambda text: text.replace("All about rivers", "All <b>about & rivers"),
    ],
)
def test_damage_loses_no_item(damage) -> None:  # type: ignore[no-untyped-def]
    feed = feed_of(damage(RSS))
    assert [item.link for item in feed.items] == ["http://e.org/ham?a=1&b=2", "http://e.org/two"]
    assert feed.title == "River news"
    assert [item.published for item in feed.items] == ["2015-05-05T15:12:00Z", "2015-05-04T09:00:00Z"]
    assert feed.items[0].title == "Ham & eggs"
    assert plain(feed.items[0].description).startswith("Short")
    assert plain(feed.items[0].content) == "Long text."


def test_encodings() -> None:
    latin = RSS_091.replace("&eacute;", "é").replace(
        "<!DOCTYPE", '<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE'
    )
    assert feed_of(latin.encode("latin-1")).items[0].title == "Café"


def test_what_is_no_feed() -> None:
    assert read_feed(Page("http://e.org/", body=b"<!DOCTYPE html><html><body><feed><p>x</p></body></html>")) is None
    assert read_feed(Page("http://e.org/", body=b'{"items": []}')) is None
    assert not is_feed(Page("http://e.org/", body=b"<urlset><url><loc>http://e.org/a</loc></url></urlset>"))


def test_entities_are_not_expanded() -> None:
    bomb = (
        '<!DOCTYPE rss [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>'
        + "<rss><channel><item><title>&b;</title></item></channel></rss>"
    )
    assert feed_of(bomb).items[0].title in ("", "&b;")


@pytest.mark.parametrize(
    "body",
    [
        "<rss>" + "<item>" * 60_000,
        "<rss><channel>" + "<title>" * 200_000,
        "<rss><item>" + "<a:b " * 100_000,
        "<feed>" + "<x>" * 100_000,
        '{"version": "https://jsonfeed.org/version/1", "items": ' + "[" * 100_000,
        "<rss><channel><item><description>" + "<![CDATA[" * 100_000 + "</description>",
    ],
)
def test_hostile_feeds_cost_little(body: str) -> None:
    start = time.process_time()
    read_feed(Page("http://e.org/feed", body=body.encode()))
    assert time.process_time() - start < 5


def test_random_damage_raises_nothing_and_keeps_most_items() -> None:
    chance = random.Random(7)
    items = "".join(f"<item><title>T{n}</title><link>http://e.org/{n}</link></item>" for n in range(30))
    whole = f"<rss version='2.0'><channel><title>T</title>{items}</channel></rss>"
    kept = 0
    for _ in range(200):
        text = list(whole)
        for _ in range(3):
            text[chance.randrange(60, len(text))] = chance.choice('<>&"x\x00é]')
        kept += len({item.link for item in feed_of("".join(text)).items} & {f"http://e.org/{n}" for n in range(30)})
    assert kept >= 200 * 27


def test_feeds_are_found_in_pages() -> None:
    head = (
        b"<link rel='alternate' type='application/json' href='/wp-json/posts/1'>"
        b"<link rel='ALTERNATE feed' type='application/atom+xml' href='atom.xml'><a href='?feed=rss2'>x</a>"
        b"<a href='/xml'>About</a>"
    )
    page = Page("http://e.org/b/", headers=(("Content-Type", "text/html"),), body=head)
    assert feed_links(page) == ["http://e.org/b/atom.xml", "http://e.org/b/?feed=rss2"]
