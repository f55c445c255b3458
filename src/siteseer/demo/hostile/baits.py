"""Documents that bait what reads them: regular expressions, recursion, records, dates, forms, feeds and sitemaps.

Each is of one or two megabytes, and says the same thing very often, very deep or very long.
"""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import gzip
from collections.abc import Callable

from siteseer.demo.hostile.documents import BOMB, LATIN
from siteseer.demo.site import SiteResponse

MANY = 20_000
DEEP = 50_000
Make = Callable[[], bytes]


def _each(piece: str, times: int = MANY) -> bytes:
    """Return a piece so many times, its number in place of each `#`."""
    return "".join(piece.replace("#", str(number)) for number in range(times)).encode()


def _script(kind: str, content: str) -> bytes:
    return f'<script type="{kind}">{content}</script><p>Some words for people to read.</p>'.encode()


def html_baits() -> dict[str, dict[str, Make]]:
    """Return the makers of pages, by what they bait."""
    nested = '{"@type":"Article","a":' * DEEP + "1" + "}" * DEEP
    return {
        "dates": {
            "digits": lambda: b"<p>" + b"1" * 500_000,
            "almost": lambda: b"<p>" + b"12.12.12.12.12." * 40_000,
            "months": lambda: b"<p>" + b"12 January 2 January 20 January " * 20_000,
            "times": lambda: _each("<time datetime='2020-01-01T00:00:#'>99:99:99</time>"),
            "years": lambda: b"<p>published on " + b"2020-" * 200_000,
            "far": lambda: _each("<span class=date>#-99-99</span> <b>0000-00-00</b> 31 February 999#"),
        },
        "pagination": {
            "numbers": lambda: b"<div class=pagination>" + _each("<a href='?page=#'>#</a>", 5_000),
            "next": lambda: _each("<a rel=next href='?page=#'>next</a>", 5_000),
            "text": lambda: b"<div class=pager>Page " + b"1 of " * 200_000,
            "negative": lambda: _each("<a href='?page=-#&start=99999999999999999999#'>&raquo;</a>", 5_000),
        },
        "expressions": {
            "spaces": lambda: b"<p>" + b" " * 1_000_000 + b"x",
            "brackets": lambda: b"<p>" + b"<" * 300_000 + b">" * 300_000,
            "quotes": lambda: b"<p title='" + b'"' * 500_000,
            "mail": lambda: b"<p>" + b"a@" * 300_000 + b" " + b"a." * 300_000,
            "urls": lambda: b"<p>" + b"http://" * 150_000,
            "script": lambda: b"<script>" + b"var a = '" * 100_000,
            "style": lambda: b"<style>" + b"a{background:url(" * 60_000,
            "class": lambda: _each("<p class='" + "a-" * 2_000 + "#'>x</p>", 200),
            "labels": lambda: b"<p>" + b"By: " * 200_000 + b"Posted by " * 20_000,
        },
        "forms": {
            "inputs": lambda: b"<form action=/search>" + _each("<label for=i#>Name #</label><input id=i# name=n#>"),
            "options": lambda: b"<form action=/search><select name=s>" + _each("<option value=#>Choice #", 100_000),
            "forms": lambda: _each("<form action=/search/#><input name=q><input type=submit></form>"),
            "nested": lambda: b"<form><fieldset>" * 20_000,
        },
        "records": {
            "posts": lambda: _each("<div class=post id=p#><h2><a href=/p/#>Post #</a></h2><p>Words of post #.</p></div>"),
            "same-ids": lambda: _each("<div id=a><p id=a>row #<a id=a href=/never/404>x</a></p></div>"),
            "comments": lambda: _each("<li class=comment><b>Ann</b> <i>1 May 2020</i><p>I agree with #.</p></li>"),
            "signed": lambda: _each("<p>Words --<a href=/User:A>A</a> 12:00, 1 May 2020 (UTC)</p>"),
            "alternating": lambda: _each("<dl><dt>#<dd>#<table><tr><td>#<ul><li>#</ul></table></dl>", 8_000),
        },
        "tables": {
            "rows": lambda: b"<table>" + _each("<tr><td>#<td>#<td>#", 50_000),
            "columns": lambda: b"<table><tr>" + _each("<th>c#", 100_000) + b"<tr>" + _each("<td>#", 50_000),
            "spans": lambda: b"<table>" + _each("<tr><td colspan=9999999 rowspan=9999999>#", 5_000),
            "in-tables": lambda: b"<table><tr><td>" * 5_000 + b"bottom",
        },
        "json": {
            "deep": lambda: _script("application/ld+json", nested),
            "lists": lambda: _script("application/ld+json", "[" * 200_000),
            "numbers": lambda: _script("application/ld+json", '{"@type":"Article","wordCount":' + "9" * 200_000 + "}"),
            "state": lambda: _script("application/json", "[" * 1_000 + "1" + "]" * 1_000 + "," + nested),
            "many": lambda: _each('<script type="application/ld+json">{"@type":"Article","headline":"#"}</script>'),
            "surrogates": lambda: _script("application/ld+json", '{"@type":"Article","headline":"' + "\\ud800" * 10_000 + '"}'),
            "graph": lambda: _script("application/ld+json", '{"@graph":[' + ",".join(['{"@id":"#a","author":{"@id":"#a"}}'] * 9_000) + "]}"),
        },
        "microdata": {
            "deep": lambda: b"<div itemscope itemtype=http://schema.org/Article itemprop=a>" * 5_000 + b"x",
            "many": lambda: _each("<div itemscope itemtype=http://schema.org/Article><b itemprop=name>#</b></div>"),
            "refs": lambda: b"<div itemscope itemref='" + b"a " * 50_000 + b"'><b id=a itemprop=name>x</b></div>",
            "formats": lambda: _each("<div class='h-entry hentry'><a class='u-url p-name' href=/p/#>#</a></div>"),
        },
        "head": {
            "metas": lambda: _each("<meta property='og:title' content='#'><meta name=author content='A #'>", 40_000),
            "long": lambda: b"<meta name=description content='" + b"words " * 300_000 + b"'>",
            "links": lambda: _each("<link rel=alternate hreflang=x# href=/x/#><link rel=canonical href=/c/#>"),
            "feeds": lambda: _each("<link rel=alternate type=application/rss+xml href=/feed/#>"),
            "generators": lambda: _each("<meta name=generator content='WordPress # Drupal # MediaWiki # phpBB'>"),
            "styles": lambda: _each("<link rel=stylesheet href=/s/#.css><script src=/s/#.js></script>", 500),
        },
        "media": {
            "srcset": lambda: b"<img srcset='" + _each("/i/#.png #w, ", 1_000) + b"'>",
            "images": lambda: _each("<img src=/i/#.png alt='picture #' srcset='/i/# 1x, /j/# 2x'>", 500),
            "data": lambda: b"<img src='data:image/png;base64," + b"A" * 1_000_000 + b"'>" * 1,
            "svg": lambda: b"<svg>" * 3_000 + b"<use href='#a'/><a xlink:href=/never/404>x</a>",
            "math": lambda: b"<math><mtext><mglyph><style><!--</style><img title='--&gt;&lt;img src=1&gt;'>" * 3_000,
            "templates": lambda: b"<template><template>" * 3_000 + b"<a href=/never/404>x",
            "noscript": lambda: b"<noscript><p title='</noscript><a href=/never/404>'>" * 5_000,
        },
        "markup": {
            "cdata": lambda: b"<![CDATA[" * 30_000 + b"<a href=/never/404>x</a>]]>",
            "conditional": lambda: b"<!--[if IE]><p><![endif]--><![if !IE]><p>x<![endif]>" * 10_000,
            "instructions": lambda: b"<?php echo '<a href=/never/404>' ?>" * 20_000,
            "doctypes": lambda: b"<!DOCTYPE html><html><head><body>" * 10_000,
            "line-ends": lambda: b"<p>one\r<p>two\r\n<p>three\n\r<p>four\x0b\x0c\x85" * 10_000,
            "plaintext": lambda: b"<plaintext><xmp><listing><title><textarea>" * 3_000,
            "tables-in-links": lambda: b"<a href=/never/404><table><a><tr><td></a>" * 5_000,
            "end-tags": lambda: b"</p></br></body></html></a></div>" * 20_000,
        },
        "texts": {
            "one-word": lambda: b"<p>" + b"w" * 2_000_000,
            "marks": lambda: b"<p>" + "a\u0301\u0302\u0303".encode() * 100_000,
            "right-to-left": lambda: b"<p>" + "\u202e\u2066\u05d0\u200f".encode() * 80_000,
            "emoji": lambda: b"<p>" + "👨‍👩‍👧‍👦".encode() * 40_000,
            "ideographs": lambda: b"<p>" + "漢字、。".encode() * 80_000,
            "entities": lambda: b"<p>" + b"&#1114112;&#xD800;&#0;&lt&gt&notit;" * 30_000,
            "short": lambda: _each("<p>#</p>", 60_000),
        },
    }  # fmt: skip


def charset_baits() -> dict[str, SiteResponse]:
    """Return pages whose bytes are not what they say."""
    wide = "<html><title>Wide</title><p>Wide words</p>"
    return {
        "bom-lies": _typed("text/html; charset=utf-8", b"\xff\xfe" + LATIN),
        "bom-and-latin": _typed("text/html; charset=latin1", b"\xef\xbb\xbf" + LATIN),
        "utf-32": _typed("text/html", b"\xff\xfe\x00\x00" + wide.encode("utf-32-le")),
        "odd-utf-16": _typed("text/html; charset=utf-16", wide.encode("utf-16")[:-1]),
        "shift-in": _typed("text/html; charset=iso-2022-jp", b"\x1b$B" + bytes(range(33, 127)) * 3_000),
        "hz": _typed("text/html; charset=hz-gb-2312", b"~{" * 50_000),
        "utf-7": _typed("text/html; charset=utf-7", b"+ADw-script+AD4-alert(1)+ADw-/script+AD4-" * 1_000),
        "cut": _typed("text/html; charset=utf-8", ("é" * 100_000).encode()[:-1]),
        "overlong": _typed("text/html; charset=utf-8", b"\xc0\xaf\xe0\x80\xaf\xed\xa0\x80\xf8\x88" * 20_000),
        "long-name": _typed("text/html; charset=" + "x" * 20_000, LATIN),
        "meta": _typed("text/html", b"<meta charset=" * 5_000 + b"rot13>" + LATIN),
    }


def _typed(kind: str, body: bytes) -> SiteResponse:
    return SiteResponse(200, (("Content-Type", kind),), body)


def xml_baits() -> dict[str, SiteResponse]:
    """Return feeds, sitemaps and pages in XML that explode, nest, or never end."""
    rss, atom = "application/rss+xml", "application/atom+xml"
    urls = _each("<url><loc>http://example.org/#</loc><lastmod>2020-01-01</lastmod></url>", 60_000)
    items = _each("<item><guid>#</guid><title>Item #</title><link>/post/#</link></item>", 30_000)
    entities = f"<rss><channel><title>&l9;</title>{'<item><title>&l9;&file;</title></item>' * 100}</channel></rss>"
    return {
        "entities.rss": _typed(rss, (BOMB.replace("DOCTYPE html", "DOCTYPE rss") + entities).encode()),
        "items.rss": _typed(rss, b"<rss version='2.0'><channel>" + items + b"</channel></rss>"),
        "deep.rss": _typed(rss, b"<rss version='2.0'><channel>" + b"<item>" * 100_000),
        "broken.rss": _typed(rss, b"<rss><channel><item><title>a & b <b></item>" * 20_000),
        "attributes.atom": _typed(atom, b"<feed xmlns='http://www.w3.org/2005/Atom' " + _each("a#='1' ", 50_000) + b"/>"),
        "prefixes.atom": _typed(atom, b"<feed " + _each("xmlns:a#='http://e.org/#' ", 20_000) + b"><entry/></feed>"),
        "content.atom": _typed(atom, b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><content type='html'>" + b"&lt;div&gt;" * 80_000 + b"</content></entry></feed>"),
        "feed.json": _typed("application/feed+json", b'{"version":"https://jsonfeed.org/version/1.1","items":' + b"[" * 100_000),
        "sitemap-urls.xml": _typed("application/xml", b"<urlset>" + urls + b"</urlset>"),
        "sitemap-deep.xml": _typed("application/xml", b"<urlset>" + b"<url><loc>" * 50_000),
        "sitemap-entities.xml": _typed("application/xml", (BOMB.replace("DOCTYPE html", "DOCTYPE urlset") + "<urlset><url><loc>&l9;</loc></url></urlset>").encode()),
        "sitemap.xml.gz": _typed("application/gzip", gzip.compress(b"<urlset>" + b"<url><loc>http://example.org/</loc></url>" * 500_000)),
        "page.xhtml": _typed("application/xhtml+xml", (BOMB + "<html><body><p>&l9;</p></body></html>").encode()),
        "quadratic.xhtml": _typed("application/xhtml+xml", b"<!DOCTYPE html [<!ENTITY a '" + b"a" * 50_000 + b"'>]><html><p>" + b"&a;" * 50_000),
    }  # fmt: skip


def link_baits() -> dict[str, Make]:
    """Return pages full of links that cost, deceive or lead nowhere."""
    schemes = "javascript:a(#) data:text/html,# vbscript:# blob:# intent:# tel:# mailto:a# about:# file:///# ws://h/#"
    return {
        "schemes": lambda: b"".join(_each(f"<a href='{scheme}'>x</a>", 2_000) for scheme in schemes.split()),
        "homographs": lambda: _each("<a href='http://exаmple#.org/'>x</a><a href='http://xn--exmple-4nf#.org/'>y</a>", 5_000),
        "giant": lambda: _each("<a href='/never/" + "x" * 20_000 + "#'>x</a>", 60),
        "queries": lambda: _each("<a href='/never?" + "&a=b" * 3_000 + "#'>x</a>", 60),
        "dots": lambda: _each("<a href='" + "../" * 5_000 + "never/#'>x</a>", 60),
        "percent": lambda: _each("<a href='/never/" + "%25" * 3_000 + "#'>x</a>", 60),
        "case": lambda: _each("<a href='/Never/#'>x</a><a href='/nEVER/#'>y</a><a href='/never//#/.'>z</a>", 200),
        "fragments": lambda: _each("<a href='#!/view/#'>x</a><a href='#?#'>y</a>", 10_000),
        "hosts": lambda: _each("<a href='http://h#.example.org:#/'>x</a><a href='http://127.0.0.1:#/'>y</a>", 10_000),
        "handlers": lambda: _each("<a onclick='location=\"/never/#\"' data-href='/never/#'>x</a>", 2_000),
    }  # fmt: skip
