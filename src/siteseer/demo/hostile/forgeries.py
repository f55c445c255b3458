"""Sites that forge what archives are written in, answer what nobody asked, and pack or name more than anybody can hold."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from urllib.parse import quote

from siteseer.demo.hostile.broken_answers import PAGE
from siteseer.demo.site import SiteRequest, SiteResponse, html

Answer = Callable[[SiteRequest], SiteResponse | None]
Respond = Callable[[SiteRequest], SiteResponse]
RECORD = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://forged.example/\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"
QUAD = "<urn:a> <urn:b> <urn:c> .\n"
LINES = (
    "\r\nWARC-Type: forged",
    '"}\n{"url": "http://forged.example/"}',
    f"> .\n{QUAD}",
    "\u2028\u2029\x85\x0b\x0c",
    "\x00\ufffe\U000e0001",
    "\\u003e\\",
    "]]>-->",
    "@en .\n",
)
"""Texts that end a header, a line of JSON, a statement or a tag where they are not escaped."""
SITEMAP_MEGABYTES = 300
KINDS = 4_000
PICTURES = 20_000


def forged_records() -> dict[str, Respond]:
    """Return path and answer of pages that look like the records, lines and statements of an archive."""
    made: dict[str, Respond] = {
        "/forged/record": lambda request: _typed("application/warc", RECORD * 3),
        "/forged/packed-record": lambda request: _typed("application/warc", gzip.compress(RECORD)),
        "/forged/record.html": lambda request: _typed("text/html", b"\r\n\r\n" + RECORD + PAGE),
        "/forged/type": lambda request: _typed('text/html" 200 "\t {"url": "http://forged.example/"}', PAGE),
        "/forged/post.html": _forged_post,
    }
    made |= {f"/forged/{text}": lambda request: html(f"<title>{request.path}</title><p>A page.</p>") for text in LINES}
    return {quote(path): answer for path, answer in made.items()}


def _forged_post(request: SiteRequest) -> SiteResponse:
    posts = "".join(
        f'<article class="h-entry" id="{text}"><h2 class="p-name">{text}</h2><a class="u-url" href="/forged/post.html#{text}">link</a>'
        f'<a class="p-author h-card" rel="author" href="http://e.example/{text}">{text}</a>'
        f'<time class="dt-published" datetime="2020-01-0{number + 1}T{text}">{text}</time>'
        f'<div class="e-content"><p>Said {text} on the day of the harbour.</p></div></article>'
        for number, text in enumerate(text.replace('"', "&quot;").replace("<", "&lt;") for text in LINES)
    )
    return html(f"<title>Posts</title><base href='/forged/'>{posts}")


def unasked_answers() -> dict[str, Respond]:
    """Return path and answer of what answers another question, or a second one at once."""
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s"
    ahead = whole % (len(PAGE), PAGE) + whole % (6, b"forged") * 5
    heads: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {
        "not-modified": (304, (("ETag", '"1"'),)),
        "part": (206, (("Content-Range", "bytes 100-200/100000"), ("Content-Type", "text/html"))),
        "parts": (206, (("Content-Type", "multipart/byteranges; boundary=x"),)),
        "no-range": (416, (("Content-Range", "bytes */10"),)),
        "precondition": (412, ()),
        "too-early": (425, (("Retry-After", "0"),)),
        "reset-content": (205, ()),
        "many-answers": (300, (("Location", "/unasked/many-answers"),)),
        "use-proxy": (305, (("Location", "http://127.0.0.1:9/"),)),
        "log-in": (511, (("WWW-Authenticate", "Negotiate, Basic realm=\u00e9, NTLM"),)),
    }
    made: dict[str, Respond] = {
        f"/unasked/{name}": lambda request, status=status, fields=fields: SiteResponse(status, fields, PAGE)  # type: ignore[misc]
        for name, (status, fields) in heads.items()
    }
    made["/unasked/ahead"] = lambda request: SiteResponse(200, wire=(ahead,))
    made["/unasked/ahead-a-little-later"] = lambda request: SiteResponse(
        200, wire=(ahead[:-200], ahead[-200:]), pause=0.2
    )
    return made


def packed_sitemaps(request: SiteRequest) -> SiteResponse | None:
    """Name sitemaps that are small as files, and hundreds of megabytes as text."""
    if request.path == "/robots.txt":
        names = "".join(f"Sitemap: {request.origin}/maps/{number}.xml.gz\n" for number in range(12))
        return _typed("text/plain", f"User-agent: *\nAllow: /\n{names}".encode())
    if request.path == "/maps/":
        return html("<title>Maps</title><p>The maps of this site.</p>")
    return _typed("application/gzip", _packed_sitemap()) if request.path.startswith("/maps/") else None


@cache
def _packed_sitemap() -> bytes:
    start = b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return gzip.compress(
        start + b"<url><loc>http://elsewhere.example/a</loc></url>" * (SITEMAP_MEGABYTES * 2**20 // 48)
    )


def kinds_without_number() -> dict[str, Respond]:
    """Return path and answer of a page whose links are each of a kind of their own."""

    def link(number: int) -> str:
        folders = "/".join(f"{name}{number * 7919 % 10_007:x}" for name in "abcdefgh"[: 2 + number % 7])
        query = "&".join(f"k{number * 31 % 997 + more}={number}" for more in range(number % 6))
        return f'<a class="c{number}" href="/kinds/{folders}.{number % 89}x?{query}">{number}</a>'

    return {"/kinds/": lambda request: html(f"<title>Kinds</title>{''.join(map(link, range(KINDS)))}")}


def media_without_number() -> dict[str, Respond]:
    """Return path and answer of pages that are made of more pictures, sources and data than they have words."""
    sources = ", ".join(f"/media/set-{number}.png {number}w" for number in range(1, PICTURES))
    data = "data:image/png;base64," + "iVBORw0KGgo" * 500
    made: Mapping[str, Callable[[], str]] = {
        "/media/source-set": lambda: f"<p>One picture.</p><img alt='' srcset='{sources}'>",
        "/media/data": lambda: "".join(
            chain(["<p>Data.</p>"], (f"<img alt='' src='{data}{n}'>" for n in range(1_500)))
        ),
        "/media/scripts": lambda: "".join(
            f"<a href='javascript:go({n})'>{n}</a><a href='blob:x{n}'>b</a>" for n in range(PICTURES)
        ),
        "/media/maps": lambda: (
            f"<map name=m>{''.join(f'<area href=#{n} shape=poly coords={n}>' for n in range(PICTURES))}</map>"
        ),
    }
    return {path: lambda request, make=make: html(f"<title>Media</title>{make()}") for path, make in made.items()}  # type: ignore[misc]


def _typed(content_type: str, body: bytes) -> SiteResponse:
    return SiteResponse(200, (("Content-Type", content_type),), body)
