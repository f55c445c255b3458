"""Well delivered documents with hostile content: huge, deep, mislabelled, full of impossible links, exploding."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

from collections.abc import Callable

from siteseer.demo.site import SiteResponse

LINKS_PER_MEGABYTE = 100_000
NO_ENCODINGS = (
    "rot13", "zlib", "hex", "base64", "bz2", "quopri", "uu", "punycode", "idna", "unicode_escape", "raw_unicode_escape",
    "undefined", "mbcs", "utf-7",
)  # fmt: skip
"""What Python takes for an encoding, and the Web does not."""
LATIN = "Grüße aus dem Café, naïve señor! ".encode("latin-1") * 20
LAUGHS = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10))
BOMB = f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY l0 "ha">{LAUGHS}<!ENTITY file SYSTEM "file:///etc/passwd">]>'
IMPOSSIBLE = (
    "http://[::1", "http://[zz::1]/", "http://", "http:///path", "//", "///", "http://exa mple.org/", "http://example.org:99999/",
    "http://example.org:-1/", "http://example.org:port/", "http://üñí.example.org/", "http://xn--/", "http://xn--a/", "http://.../",
    "http://-.example.org/", "http://" + "a" * 300 + ".example.org/", "data:text/html,<a href=/>x</a>", "mailto:someone@example.org",
    "tel:+441234", "javascript:void(0)", "JAVASCRIPT:alert(1)", " javascript:alert(2)", "about:blank", "blob:x", "file:///etc/passwd",
    "/never/404?a b c", "/never/404\x01\x02", "/never/404\u202eevil", "/never/404\n/two/lines", "/never/%zz%", "/never/%00", "/never/%ff%fe",
    "/../../../etc/passwd", "/never/" + "../" * 50, "/" + "y" * 100_000, "?" + "q=1&" * 5_000, "#", "", " ", "\\\\host\\share", "http:\\\\example.org\\",
    "http://user:pass@example.org/", "http://0x7f.1/", "http://2130706433/", "http://0177.0.0.1/", "http://[fe80::1%25eth0]/", "http://example.org?x",
    "http://%31%32%37.0.0.1/", "http:never", "https:/never", "HTTP://EXAMPLE.ORG/", "gopher://example.org/", "ws://example.org/", "/never/404;a=b;c",
)  # fmt: skip


def odd_page(
    content: bytes, title: bytes = b"Odd document", content_type: str = "text/html; charset=utf-8"
) -> SiteResponse:
    """Return a page around some content."""
    headers = (("Content-Type", content_type),) if content_type else ()
    return SiteResponse(
        200, headers, b"<!DOCTYPE html><html><head><title>" + title + b"</title></head><body>" + content
    )


def _xml(content: str, content_type: str) -> SiteResponse:
    return SiteResponse(200, (("Content-Type", content_type),), (BOMB + content).encode())


def impossible_links() -> SiteResponse:
    """Return the page of links that are no links."""
    links = "".join('<a href="{}">x</a>\n'.format(link.replace('"', "&quot;")) for link in IMPOSSIBLE)
    return odd_page(
        links.encode() + b'<base href="http://[broken"><img src="http://[::"><form action="http://[::"></form>'
    )


def _numbered(piece: bytes, count: int) -> bytes:
    """Return a piece of markup so many times, its number in place of each `#`."""
    return b"".join(piece.replace(b"#", b"%d" % number) for number in range(count))


def tricky_markup(count: int) -> dict[str, Callable[[], bytes]]:
    """Return the makers of markup that costs careless programs time by the square of its size; each has so many of a thing."""
    return {
        "attributes": lambda: b"<p " + _numbered(b"a#=# ", count) + b">x</p>",
        "attribute-names": lambda: b"<p " + _numbered(b"a# ", count) + b">x</p>",
        "attributes-of-many-tags": lambda: (b"<p " + _numbered(b"a#='>' ", count // 100) + b">x</p>") * 100,
        "classes": lambda: b'<p class="' + _numbered(b"c# ", count) + b'">x</p>',
        "spaces-in-a-tag": lambda: b"<p" + b" " * (5 * count) + b">x</p>",
        "nested": lambda: b"<div>" * count + b"the bottom",
        "nested-with-spaces": lambda: b"<script>append()</script>" + b"<div> " * count + b"the bottom",
        "leaves-of-a-deep-tree": lambda: b"<script>append()</script>" + b"<div>" * 2_000 + b"<br> " * count + b"the bottom",
        "nested-lists": lambda: b"<ul><li>" * (count // 2) + b"the bottom",
        "unclosed-fonts": lambda: _numbered(b"<p><font size=2>row # <a href=/l/#>link</a>", 5_000) + b"<p>the bottom",
        "end-tags": lambda: b"<div>" * (count // 2) + b"</b>" * (count // 2),
        "metas": lambda: _numbered(b"<meta name=n# content=c#>", count),
        "bases": lambda: _numbered(b"<base href=/never/#/>", count) + b"<a href=404>x</a>",
        "link-elements": lambda: _numbered(b"<link rel=prefetch href=/l/#.css>", count),
        "comments": lambda: b"<p>before" + b"<!--x-->" * count + b"<p>after",
        "open-comments": lambda: b"<p>before" + b"<!-- <p>" * count,
        "entities": lambda: b"<p>" + b"&amp;&#x41;&eacute;&nosuch; " * (count // 4),
        "ampersands": lambda: b"<p>" + b"&" * count,
        "cells": lambda: b"<table><tr>" + b"<td>x" * count,
        "long-values": lambda: b'<p id="' + b"i" * (5 * count) + b'" title="' + b"t " * (2 * count) + b'">x</p>',
        "inputs": lambda: b"<form action=/never/404>" + _numbered(b"<input name=n#>", count) + b"</form>",
        "short-words": lambda: b"<p>" + b"1.1." * (2 * count),
        "no-utf-8": lambda: b"<p>" + b"\xff\xfe\x80 abc " * (count // 2),
    }  # fmt: skip


def odd_documents(megabytes: int) -> dict[str, Callable[[], SiteResponse]]:
    """Return path and maker of every odd document; made when asked for, as some are large."""
    deep = 20_000
    tricky = {
        f"/doc/tricky/{name}": lambda make=make: odd_page(make())
        for name, make in tricky_markup(LINKS_PER_MEGABYTE * megabytes).items()
    }
    charsets = {
        f"/doc/charset/{name}": lambda name=name: odd_page(LATIN, content_type=f"text/html; charset={name}")
        for name in NO_ENCODINGS
    }
    return {
        **tricky,
        **charsets,
        "/doc/huge": lambda: odd_page(b"<p>A long paragraph that goes on and on. </p>\n" * (megabytes * 2**20 // 46)),
        "/doc/one-line": lambda: odd_page(b"<p>" + b"word " * (megabytes * 2**20 // 5)),
        "/doc/million-links": lambda: odd_page(
            b"".join(b"<a href=/l/%d>%d</a> " % (n, n) for n in range(LINKS_PER_MEGABYTE * megabytes))
        ),
        "/doc/deep": lambda: odd_page(b"<div>" * deep + b"the bottom" + b"</div>" * deep),
        "/doc/deep-tables": lambda: odd_page(b"<table><tr><td>" * deep + b"the bottom"),
        "/doc/deep-inline": lambda: odd_page(b"<b><i>" * deep + b"the bottom"),
        "/doc/unclosed": lambda: odd_page(b"<p <b <a href='/never/404 <!-- never closed <script> if (a < b) " * 200),
        "/doc/many-attributes": lambda: odd_page(b"<p " + b" ".join(b"a%d=%d" % (n, n) for n in range(20_000)) + b">x</p>"),
        "/doc/wrong-charset": lambda: odd_page(LATIN),
        "/doc/unknown-charset": lambda: odd_page(LATIN, content_type="text/html; charset=x-klingon-8"),
        "/doc/empty-charset": lambda: odd_page(LATIN, content_type="text/html; charset="),
        "/doc/two-charsets": lambda: odd_page(b'<meta charset="utf-16">' + LATIN, content_type="text/html; charset=latin1, utf-8"),
        "/doc/utf16": lambda: SiteResponse(
            200, (("Content-Type", "text/html"),), "<html><title>Wide</title><p>Sixteen bits, no mark.</p></html>".encode("utf-16-le")
        ),
        "/doc/nul": lambda: odd_page(b"<p>before\x00after \x00\x00 <a href='/never\x00/404'>x</a></p>", b"NUL \x00 title"),
        "/doc/controls": lambda: odd_page(bytes(range(1, 32)) * 50 + b"\xef\xbf\xbf\xed\xa0\x80\xf4\x90\x80\x80"),
        "/doc/escapes": lambda: odd_page(b"<p>Escapes</p>", b"\x1b[2J\x1b[31mRed\x1b]0;owned\x07 \xc2\x9b31m \xe2\x80\xae reversed"),
        "/doc/no-type": lambda: odd_page(b"<p>No content type.</p>", content_type=""),
        "/doc/wrong-type": lambda: odd_page(b"<p>Not a picture.</p>", content_type="image/png"),
        "/doc/bad-type": lambda: odd_page(b"<p>Not a type.</p>", content_type=";;;===/"),
        "/doc/binary": lambda: SiteResponse(200, (("Content-Type", "text/html"),), bytes(range(256)) * 400),
        "/doc/impossible-links": impossible_links,
        "/doc/long-title": lambda: odd_page(b"<p>Short text.</p>", b"T" * 500_000),
        "/doc/bomb.xhtml": lambda: _xml("<html><head><title>&l9;</title></head><body><p>&l9;&file;</p></body></html>", "application/xhtml+xml"),
        "/sitemap.xml": lambda: _xml("<urlset><url><loc>&l9;</loc></url><url><loc>&file;</loc></url></urlset>", "application/xml"),
        "/feed.rss": lambda: _xml("<rss version='2.0'><channel><title>&l9;</title><item><link>&file;</link></item></channel></rss>", "application/rss+xml"),
        "/feed.atom": lambda: _xml("<feed xmlns='http://www.w3.org/2005/Atom'><title>&l9;</title></feed>", "application/atom+xml"),
    }  # fmt: skip
