"""Endless demo sites: every page leads to pages that nobody has seen, each in its own way."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from itertools import chain, count
from zlib import crc32

from siteseer.demo.prose import Prose
from siteseer.demo.site import SiteRequest, SiteResponse, document, html, redirect

Answer = Callable[[SiteRequest], SiteResponse | None]
_NUMBER = re.compile(r"\d+")


def _links(*hrefs: str) -> str:
    return " ".join(f'<a href="{href}">{number} more</a>' for number, href in enumerate(hrefs))


def _page(title: str, *hrefs: str, head: str = "") -> SiteResponse:
    words = Prose("hostile", 0, len(title)).passage(1, 1).text
    return html(f"<html><head><title>{title}</title>{head}</head><body><h1>{title}</h1><p>{words}</p>{_links(*hrefs)}")


def _number(request: SiteRequest) -> int:
    found = _NUMBER.findall(request.target[-300:])
    return int(found[-1][-9:]) if found else 0


def endless_pages(request: SiteRequest) -> SiteResponse:
    """Lead from each page to three new ones."""
    number = _number(request)
    return _page(f"Page {number}", *(f"/p/{3 * number + more}" for more in (1, 2, 3)))


def calendar(request: SiteRequest) -> SiteResponse:
    """Lead from each day to the next and the last, for all time."""
    day = _number(request)
    return _page(f"Events of day {day}", f"/calendar?day={day + 1}", f"/calendar?day={max(day - 1, 0)}&view=week")


def session_ids(request: SiteRequest, counted: count[int] = count(1)) -> SiteResponse:  # noqa: B008 - one for the site
    """Give every link a session of its own."""
    sid = f"{next(counted):032x}"
    return _page("Start", *(f"/s/{page}?PHPSESSID={sid}" for page in range(5)), f"/s/0;jsessionid={sid}")


def deeper_folders(request: SiteRequest) -> SiteResponse:
    """Link relatively, so that each page lies a folder deeper."""
    return _page("Deeper", "again/", "about/again/", "./../again/again/")


def growing_urls(request: SiteRequest) -> SiteResponse:
    """Add to the query of the page."""
    query = request.target.partition("?")[2]
    return _page("Filter", *(f"/g?{query}&colour={colour}" for colour in ("red", "blue", "x" * 2_000)))


def base_loop(request: SiteRequest) -> SiteResponse:
    """Name a base that makes each link longer."""
    return _page("Base", "b/", "../b/b/", head=f'<base href="{request.path.rstrip("/")}/b/">')


def refresh_loop(request: SiteRequest) -> SiteResponse:
    """Send on by meta refresh, for ever."""
    return _page("Wait", head=f'<meta http-equiv="refresh" content="0; url=/r/{_number(request) + 1}">')


def redirect_chain(request: SiteRequest) -> SiteResponse | None:
    """Send on by redirect, for ever, now and then without a scheme or in another spelling."""
    if request.path == "/robots.txt":
        return None
    number = _number(request) + 1
    return redirect(
        (f"/c/{number}", f"//{request.headers.get('host', '')}/c/{number}", f"/C/../c/{number}")[number % 3]
    )


def cookie_per_page(request: SiteRequest) -> SiteResponse:
    """Set a hundred new cookies with every page, some of them of four kilobytes."""
    number = _number(request)
    cookies = tuple(("Set-Cookie", f"c{number}-{n}={'v' * (4000 if n % 9 == 0 else 20)}; Path=/") for n in range(100))
    answer = _page(f"Page {number}", f"/p/{number + 1}", f"/p/{number + 2}")
    return SiteResponse(200, (*answer.headers, *cookies), answer.body)


def cookie_wall(request: SiteRequest) -> SiteResponse:
    """Redirect to the page itself with a new cookie, for ever."""
    if request.path == "/w":
        return SiteResponse(302, (("Location", request.target), ("Set-Cookie", f"seen={len(str(request.headers))}")))
    return _page("Wall", "/w", "/w?a", "/w?b")


def endless_list(request: SiteRequest) -> SiteResponse:
    """Serve a list whose next page is always there, with rel=next."""
    page = _number(request) or 1
    items = [f"/item/{page * 10 + n}" for n in range(10)] if request.path.startswith("/list") else ["/list?page=1"]
    return _page(f"List {page}", *items, f"/list?page={page + 1}", head=f'<link rel=next href="/list?page={page + 1}">')


def everything_exists(request: SiteRequest) -> SiteResponse:
    """Answer 200 with the same words to everything, and name what does not exist."""
    return _page("Welcome", *(f"/{crc32(f'{request.path} {n}'.encode())}.html" for n in range(5)))


def frames_in_frames(request: SiteRequest) -> SiteResponse:
    """Show frames in frames in frames."""
    number = _number(request)
    frames = "".join(f"<frame src=/f/{2 * number + n}><iframe src=/f/{2 * number + n}?i></iframe>" for n in (1, 2))
    return html(f"<html><head><title>Frames {number}</title></head><frameset cols=50%,50%>{frames}</frameset></html>")


def many_hosts(request: SiteRequest) -> SiteResponse:
    """Link to a thousand hosts of a domain, all of which are this one."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return _page("Hosts", *(f"http://host{n}.{_number(request)}.localhost:{port}/p/{n}" for n in range(1_000)))


def slow_down_for_ever(request: SiteRequest) -> SiteResponse:
    """Ask for a pause of a second at every third request, and never get enough."""
    number = _number(request)
    if number % 3 == 2:
        return SiteResponse(429, (("Retry-After", "1"), ("Content-Type", "text/html")), b"<p>Too many requests")
    return _page(f"Page {number}", f"/p/{number + 1}", f"/p/{number + 2}")


def sitemap_loop(request: SiteRequest) -> SiteResponse | None:
    """Name sitemaps that name themselves, each other and ever more."""
    if request.path == "/robots.txt":
        return document(f"User-agent: *\nAllow: /\nSitemap: {request.origin}/sitemap-0.xml\n", "text/plain")
    if not request.path.startswith("/sitemap"):
        return None
    places = (request.path, *(f"/sitemap-{2 * _number(request) + n}.xml" for n in (1, 2)))
    maps = "".join(f"<sitemap><loc>{request.origin}{place}</loc></sitemap>" for place in places)
    return document(f"<sitemapindex>{maps}</sitemapindex>", "application/xml")


def feed_loop(request: SiteRequest) -> SiteResponse | None:
    """Serve feeds whose older items are always on a next page, and whose items lead to feeds."""
    if request.path != "/feed":
        return _page("Blog", "/feed?page=1", head="<link rel=alternate type=application/atom+xml href=/feed?page=1>")
    page = _number(request)
    entries = "".join(
        f"<entry><id>{n}</id><link href='/post/{page}-{n}'/><title>Post</title></entry>" for n in range(20)
    )
    following = f"<link rel='next' href='/feed?page={page + 1}'/>"
    return document(f"<feed xmlns='http://www.w3.org/2005/Atom'>{following}{entries}</feed>", "application/atom+xml")


def robots_without_end(request: SiteRequest) -> SiteResponse | None:
    """Send a robots.txt of a gigabyte."""
    if request.path != "/robots.txt":
        return None
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /closed\n"
    rules = (b"Disallow: /never/%d/*$\n" % number * 1_000 for number in range(40_000))
    return SiteResponse(200, wire=chain([start], rules))


def costly_robots(request: SiteRequest) -> SiteResponse | None:
    """Send a robots.txt whose patterns cost careless matchers time without end."""
    if request.path != "/robots.txt":
        return None
    stars = "\n".join(f"Disallow: /{'*a' * 200}{number}$" for number in range(1_000))
    return document(f"User-agent: *\n{stars}\nCrawl-delay: 1e999\nSitemap: {'x' * 100_000}\n", "text/plain")


def style_sheets(request: SiteRequest) -> SiteResponse | None:
    """Serve style sheets that import style sheets and show pictures, for ever."""
    if not request.path.startswith("/css/"):
        return _page("Styles", head="<link rel=stylesheet href=/css/1><style>@import '/css/2';</style>")
    number = _number(request)
    rules = "".join(f"@import url(/css/{2 * number + n});a{{background:url(/css/{number}/{n}.css)}}" for n in (1, 2))
    return document(rules, "text/css")


def headers_lead_on(request: SiteRequest) -> SiteResponse:
    """Name the next page in headers only: Refresh, Link and Content-Location."""
    number = _number(request) + 1
    links = ", ".join(f"</h/{number + more}>; rel={word}" for more, word in enumerate(("next", "canonical", "preload")))
    more = (("Refresh", f"0; url=/h/{number}"), ("Link", links), ("Content-Location", f"/h/{number}"))
    return SiteResponse(200, (("Content-Type", "text/html"), *more), b"<title>Page</title><p>Words of it</p>")


def frames_inside(request: SiteRequest) -> SiteResponse:
    """Show frames whose content is written in the page, each with the next inside, and the first of the next page."""
    inner = f"<a href=/i/{_number(request) + 1}>more</a>"
    for _ in range(9):
        inner = f'<iframe srcdoc="{escape(inner)}"></iframe>'
    return html(f"<title>Inside</title>{inner}<a href=/i/{_number(request) + 1}>more</a>")


def secure_port_that_is_none(request: SiteRequest) -> SiteResponse:
    """Lead to a port for TLS that speaks without it, and to pages that do."""
    host, number = request.headers.get("host", ""), _number(request)
    return _page("Secure", f"https://{host}/s/{number}", f"//{host}/p/{number + 1}", f"wss://{host}/w/{number}")


ENDLESS: Sequence[tuple[Answer, str]] = (
    (endless_pages, "/p/1"), (calendar, "/calendar?day=1"), (session_ids, "/s/1"), (deeper_folders, "/deep/"),
    (growing_urls, "/g?a=1"), (base_loop, "/b/"), (refresh_loop, "/r/0"), (redirect_chain, "/c/0"),
    (cookie_per_page, "/p/1"), (cookie_wall, "/wall"), (endless_list, "/list?page=1"), (everything_exists, "/any"),
    (frames_in_frames, "/f/1"), (many_hosts, "/hosts/1"), (slow_down_for_ever, "/p/0"),
    (sitemap_loop, "/sitemap-0.xml"), (feed_loop, "/blog"), (robots_without_end, "/closed"),
    (costly_robots, "/" + "a" * 1_000), (style_sheets, "/styled"), (headers_lead_on, "/h/1"), (frames_inside, "/i/1"),
    (secure_port_that_is_none, "/p/1"),
)  # fmt: skip
"""Each with the page by which a crawl comes to it."""
