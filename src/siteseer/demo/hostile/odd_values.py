"""Values that programs take for numbers, dates, names or addresses, and that are none: in headers, markup and JSON."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from siteseer.demo.hostile.broken_answers import PAGE
from siteseer.demo.site import SiteRequest, SiteResponse, html

Answer = Callable[[SiteRequest], SiteResponse]
Make = Callable[[], bytes]
ENDLESS_NUMBER = "9" * 5_000
"""More digits than Python makes an integer of."""
NOT_UTF_8 = "text/\udcb2\udcff; a=\udce9"
"""Bytes as they come from a server that writes its headers in another encoding."""
NUMBERS = (
    "²",
    "³¹",
    "①",
    "٣",
    "१२",
    "-1",
    "+1",
    "1e999",
    "nan",
    "inf",
    "0x10",
    "1_000",
    "",
    " ",
    "NaN",
    ENDLESS_NUMBER,
    "-" + ENDLESS_NUMBER,
)
DATES = (
    "0000-00-00", "9999-12-31T23:59:60Z", "10000-01-01", "-0044-03-15", "2020-02-30", "2020-01-01T25:61:61+99:99", "²⁰²⁰-⁰¹-⁰¹",
    "Thu, 99 Foo 99999 99:99:99 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Fri, 31 Dec 9999 23:59:59 -2359", "1" * 400, ENDLESS_NUMBER, "0", "\ud800",
)  # fmt: skip
NAMES = (
    "",
    " ",
    "\x00",
    "\ud800",
    "\udfff\ud800",
    "\u202e",
    "../../etc/passwd",
    "<script>",
    "'; DROP TABLE urls; --",
    "%s%n{0}",
    "x" * 100_000,
)
WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    1e308,
    [],
    {},
    [[]],
    [None],
    {"@id": None},
    {"@value": []},
    "\ud800",
    [{"@id": "\ud800"}],
    "",
    10**400,
)
"""Values of JSON of a type that nobody expects where a text stands."""
KEYS = (
    "@type", "@id", "@context", "@graph", "url", "headline", "name", "author", "datePublished", "dateModified", "articleBody", "text",
    "mainEntityOfPage", "comment", "image", "itemListElement", "keywords", "isPartOf", "identifier", "price", "offers",
)  # fmt: skip


def _each(piece: str, values: tuple[str, ...]) -> bytes:
    """Return a piece for each value, the value in place of each `#`."""
    return "\n".join(piece.replace("#", value) for value in values).encode("utf-8", "surrogatepass")


def value_baits() -> dict[str, dict[str, Make]]:
    """Return the makers of pages full of odd values, by their kind."""
    return {
        "odd numbers": {
            "pages": lambda: b"<div class=pagination>" + _each("<a href='?page=#'>#</a> <span>Page # of #</span>", NUMBERS) + b"</div>",
            "choices": lambda: b"<form action=/list><select name=page>" + _each("<option value='#'>#</option>", NUMBERS) + b"</select></form>",
            "spans": lambda: b"<table>" + _each("<tr><td colspan='#' rowspan='#'>#<td>#<td>#", NUMBERS) + b"</table>",
            "sizes": lambda: _each("<img src=/i.png width='#' height='#' srcset='/i.png #w, /j.png #x'>", NUMBERS),
            "counts": lambda: _each("<div class=post id='p#'><a href='/p/#'>Post #</a> <b># replies, # views, # comments</b> <p>Words of it.</p></div>", NUMBERS),
            "ago": lambda: _each("<div class=post><i>posted # days ago</i> <i># hours ago</i> <i>vor # Tagen</i> <i>il y a # jours</i><p>Words</p></div>", NUMBERS),
            "steps": lambda: _each("<a href='/t/#'>#</a> <a href='/t?start=#&limit=#'>next #</a> <a rel=next href='/t?p=#'>&raquo;</a>", NUMBERS),
            "lists": lambda: _each("<ol start='#'><li value='#'>#</ol>", NUMBERS) + _each("<input type=number min='#' max='#' step='#' maxlength='#' value='#'>", NUMBERS),
            "refresh": lambda: _each("<meta http-equiv=refresh content='#; url=/never/404'>", NUMBERS),
            "ports": lambda: _each("<a href='http://127.0.0.1:#/'>x</a><a href='//[::#]:#/'>x</a>", NUMBERS),
        },
        "odd dates": {
            "times": lambda: _each("<article><time datetime='#'>#</time> <a href='/a'>A title</a><p>Words</p></article>", DATES),
            "metas": lambda: _each("<meta property='article:published_time' content='#'><meta name=date content='#'>", DATES),
            "texts": lambda: _each("<div class=post>Posted on # by Ann, # at #<p>Words of the post</p></div>", DATES),
            "microdata": lambda: _each("<div itemscope itemtype=http://schema.org/Article><meta itemprop=datePublished content='#'><b itemprop=headline>#</b></div>", DATES),
            "links": lambda: _each("<a href='/2020/#/'>#</a>", DATES),
        },
        "odd names": {
            "ids": lambda: _each("<div class='#' id='#'><a name='#' href='#'>#</a><b data-id='#'>#</b></div>", NAMES),
            "titles": lambda: _each("<title>#</title><meta property='og:title' content='#'><link rel=canonical href='#'><base href='#'>", NAMES),
            "fields": lambda: b"<form method=post action=/never/404>" + _each("<label for='#'>#</label><input name='#' id='#' value='#'>", NAMES) + b"</form>",
            "frames": lambda: _each("<iframe src='#' srcdoc='#' name='#'></iframe>", NAMES),
            "styles": lambda: _each("<style>@import '#'; a{background:url(#)}</style><p style='background:url(#)'>x</p>", NAMES),
        },
    }  # fmt: skip


def type_baits() -> dict[str, SiteResponse]:
    """Return pages and feeds whose JSON has values of the wrong types."""
    nodes = [
        {"@context": "https://schema.org", "@type": "Article", "headline": "x", key: value}
        for key in KEYS
        for value in WRONG
    ]
    lists = [
        {"@type": ["Article", None, 7, []], "author": [{"name": value}, value], "comment": {"author": {"name": value}}}
        for value in WRONG
    ]
    wholes = "".join(
        f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in (*nodes, *lists, *WRONG)
    )
    items = [
        {"id": str(number), key: value}
        for key in ("id", "url", "external_url", "title", "content_html", "date_published", "authors", "tags")
        for number, value in enumerate(WRONG)
    ]
    feeds: dict[str, Any] = {
        "items.json": {"version": "https://jsonfeed.org/version/1.1", "items": items},
        "version.json": {"version": 5, "items": {"a": 1}},
        "next.json": {"version": "https://jsonfeed.org/version/1.1", "next_url": [], "home_page_url": 5, "items": [None, 1, [], "x"]},
    }  # fmt: skip
    rss = "<rss version='2.0'><channel><ttl>#</ttl>" + "".join(
        f"<item><guid>{number}</guid><pubDate>{date}</pubDate><link>http://[{number}</link></item>" for number, date in enumerate(DATES[:-1])
    )  # fmt: skip
    state = json.dumps({"props": {"pageProps": {key: list(WRONG) for key in KEYS}}})
    return {
        "nodes.html": html(f"<p>Words for people.</p>{wholes}"),
        "state.html": html(f'<p>Words.</p><script id="__NEXT_DATA__" type="application/json">{state}</script>'),
        "dates.rss": SiteResponse(200, (("Content-Type", "application/rss+xml"),), rss.encode()),
        "sitemap.xml": SiteResponse(200, (("Content-Type", "application/xml"),), _sitemap()),
        **{name: _json("application/feed+json", feed) for name, feed in feeds.items()},
    }


def _json(kind: str, value: Any) -> SiteResponse:
    return SiteResponse(200, (("Content-Type", kind),), json.dumps(value).encode())


def _sitemap() -> bytes:
    places = (*NAMES[6:], "http://[::1", "ftp://e.org/", *("/never/" + number for number in NUMBERS[:8]))
    urls = [f"<url><loc>{place.replace('<', '&lt;')}</loc><lastmod>{date}</lastmod><priority>{number}</priority></url>"
            for place in places for date, number in zip(DATES[:-1], NUMBERS, strict=False)]  # fmt: skip
    return ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" + "".join(urls) + "</urlset>").encode()


HEADERS = {
    "Age": NUMBERS[:12],
    "Last-Modified": DATES[:-2],
    "Date": DATES[:-2],
    "Expires": DATES[:-2],
    "Content-Language": ("", "²", "x" * 5_000, "\x0b"),
    "Content-Location": ("http://[::1", "//", "file:///etc/passwd", "/never/404"),
    "Content-Disposition": ("attachment; filename=../../../etc/passwd", "attachment; filename*=rot13''x", "attachment; " + "a=b; " * 5_000),
    "Content-Encoding": ("gzip, " * 5_000, ",,,", "²", "x" * 20_000, "identity;q=²"),
    "Content-Range": ("bytes ²-³/*", "bytes 0-99999999999999999999/1", "x"),
    "Content-Type": ("text/html; " + "a=b; " * 5_000, "text/html; charset=²", "text/" + "x" * 20_000, "²/²", "text/html; charset=\"", "application/json", "text/css", "application/xml"),
    "ETag": ("", "\"", "x" * 20_000, "\"²\"", "W/\"\"", "\"a\"b\"", "\t"),
    "Location": ("/never/404?\udce9", "//\udce9.invalid/", "/never/\u2028", "?\udce9=\udcff"),
    "Link": ("<" * 20_000, "<http://[::1>; rel=next", "<>; rel=canonical", "</never/404>; rel=" + "next " * 5_000, ", " * 20_000, "</a>; rel=\"" + "\\" * 20_000),
    "Refresh": ("²; url=/never/404", "0; url=javascript:alert(1)", "0; url=", "1e999; url=http://[::1", ENDLESS_NUMBER),
    "Strict-Transport-Security": ("max-age=" + ENDLESS_NUMBER,),
    "WWW-Authenticate": ("Basic realm=\"" + "x" * 20_000, "²", "Digest " + "a=b, " * 5_000, "Negotiate"),
    "X-Robots-Tag": ("none", "noindex, nofollow" * 1_000, "unavailable_after: " + DATES[5]),
}  # fmt: skip
"""Values of headers, each to be sent alone with an ordinary page."""
COOKIES = (
        "a=b; Max-Age=" + ENDLESS_NUMBER, "a=b; Max-Age=²", "a=b; Max-Age=1e999", "a=b; Max-Age=-99999999999999999999", "a=b; Max-Age=99999999999999999999",
        *(f"d=e; Expires={date}" for date in DATES[:-2]), "=x", "=", "", ";", "a", "²=²", "a=\"b", "a=b; Domain=com", "a=b; Domain=.", "a=b; Domain=[::1]",
        "a=b; Domain=" + "x." * 5_000, "a=b; Path=", "a=b; Path=" + "/x" * 5_000, "__proto__=1", "a=" + "v" * 50_000, "a=b; SameSite=²; Secure=no", "a b=c", "a=b; " * 5_000,
    )  # fmt: skip
STATUSES = (
    100,
    199,
    204,
    205,
    206,
    226,
    300,
    304,
    305,
    306,
    401,
    402,
    407,
    411,
    416,
    418,
    421,
    426,
    451,
    499,
    506,
    511,
    599,
    600,
    999,
)


FAR = (
    "999999999",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "Fri, 31 Dec 9999 23:59:59 -2359",
    "Sat, 01 Jan 10000 00:00:00 GMT",
)
"""Pauses that nobody waits for."""


def odd_headers() -> dict[str, Answer]:
    """Return path and answer of ordinary pages with one odd header; some with the status that it belongs to."""
    statuses = {"WWW-Authenticate": 401, "Content-Range": 206, "Location": 302}
    return {
        f"/header/{name.lower()}/{number}": _with_header(name, value, statuses.get(name, 200))
        for name, values in HEADERS.items()
        for number, value in enumerate((*values, NOT_UTF_8))
    }


def odd_cookies() -> dict[str, Answer]:
    """Return path and answer of pages that set cookies nobody can keep."""
    return {f"/cookie/{number}": _with_header("Set-Cookie", value) for number, value in enumerate(COOKIES)}


def odd_pauses() -> dict[str, Answer]:
    """Return path and answer of what asks, once, for a pause that is no number and no date."""
    asked: set[str] = set()

    def answer(value: str, request: SiteRequest) -> SiteResponse:
        if request.path in asked:
            return html("<title>Late</title><p>Words after a pause</p>")
        asked.add(request.path)
        return _with_header("Retry-After", value, 503)(request)

    return {f"/pause/{number}": partial(answer, value) for number, value in enumerate((*NUMBERS[:12], *DATES[:-6]))}


def long_pauses() -> dict[str, Answer]:
    """Return path and answer of what asks for a pause until the end of time."""
    return {f"/far/{number}": _with_header("Retry-After", value, 503) for number, value in enumerate(FAR)}


def odd_statuses() -> dict[str, Answer]:
    """Return path and answer of statuses that mean something else, or nothing, with a page."""
    return {f"/status/{status}": _with_header("X-Odd", "", status) for status in STATUSES}


def _with_header(name: str, value: str, status: int = 200) -> Answer:
    kind = "" if name == "Content-Type" else "Content-Type: text/html\r\n"
    first = f"HTTP/1.1 {status} OK\r\nContent-Length: {len(PAGE)}\r\nConnection: close\r\n{kind}{name}: "
    wire = (first.encode() + value.encode("utf-8", "surrogateescape") + b"\r\n\r\n" + PAGE,)
    return lambda request: SiteResponse(status, wire=wire)


SPELLINGS = (
    "127\u30020\u30020\u30021", "\u2460\u2461\u2466.\u24ea.\u24ea.\u2460", "\uff11\uff12\uff17.0.0.1", "0x7f.0.0.1", "0x7f000001", "0177.0.0.1", "017700000001",
    "127.0.1", "127.1", "2130706433", "%31%32%37.0.0.1", "127.0.0.1.", "LOCALHOST", "localhost.", "l\u2092calhost", "loc\u00adalhost", "[::1]", "[::]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::ffff:0:127.0.0.1]", "[64:ff9b:1::127.0.0.1]",
    "[fe80::1%25lo]", "[::1%25lo]", "user@127.0.0.1", "e.org@localhost", "0", "0.0.0.0", "127.255.255.254",
)  # fmt: skip
"""Names of this machine, as browsers, resolvers and careless programs understand them."""


SPELT = "/spelt/"


def spelt_hosts(port: int) -> dict[str, Answer]:
    """Return path and answer of redirects to a port of this machine, in every spelling; and a page of links to it."""
    targets = [f"http://{host}:{port}/admin" for host in SPELLINGS]
    targets += [
        scheme + f"127.0.0.1:{port}/admin"
        for scheme in ("http:\\\\", "http:/", "http:", "////", "\\\\", "/\t/", "hTTp:///")
    ]
    links = "".join(f"<a href='{one}'>x</a><img src='{one}'><iframe src='{one}'></iframe>" for one in targets)
    answers: dict[str, Answer] = {f"{SPELT}{number}": partial(_lead, one) for number, one in enumerate(targets)}
    return {**answers, f"{SPELT}links": lambda request: html(f"<p>Words</p>{links}")}


def _lead(target: str, request: SiteRequest) -> SiteResponse:
    place = target.encode("utf-8", "surrogatepass")
    return SiteResponse(
        302, wire=(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: " + place + b"\r\n\r\n",)
    )
