"""Finds the feeds of a page: those that it declares first, then the usual URLs."""

from __future__ import annotations

from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.page.urls import origin_of, resolve

FEED_TYPES = frozenset(
    ("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json")
    + ("text/xml", "application/xml", "application/x.atom+xml", "application/x-atom+xml", "text/rss+xml", "text/rss")
)
USUAL_PLACES = (
    "feed/",
    "feed",
    "rss.xml",
    "atom.xml",
    "index.xml",
    "feed.xml",
    "rss",
    "feeds/posts/default",
    "index.rdf",
) + ("feed.json", "?feed=rss2", "rss/", "index.rss", "backend.php")
_WORDS = ("rss", "atom", "feed", "rdf", "syndication")
_ENDS = (
    ".rss",
    ".rdf",
    ".atom",
    "/feed",
    "/feed/",
    "/rss",
    "/rss/",
    "/atom",
    "rss.xml",
    "atom.xml",
    "feed.xml",
    "index.xml",
)


def feed_links(page: Page) -> list[str]:
    """Return the feeds that a page names, in its own order: `rel=alternate` in the head, then links called so.

    >>> head = b"<link rel=alternate type=application/rss+xml href=/feed><a href=/x>x</a><a href=/atom.xml>Atom</a>"
    >>> feed_links(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=head))
    ['http://e.org/feed', 'http://e.org/atom.xml']
    """
    found: dict[str, None] = {}
    root = tree(page)
    base = next((href for one in root.iter("base") if (href := one.get("href"))), "")
    start = (resolve(page.url, base) if base else None) or page.url
    for one in root.iter("link", "a"):
        href = one.get("href") or ""
        named = _is_declared(one.get("rel", ""), one.get("type", "")) if one.tag == "link" else _is_called(one, href)
        if href and named and (url := resolve(start, href)):
            found[url] = None
    return list(found)[:50]


def feed_guesses(url: str) -> list[str]:
    """Return where a feed of a site would usually be, most usual first, for a page that names none.

    >>> feed_guesses("http://e.org/blog/")[:2]
    ['http://e.org/blog/feed/', 'http://e.org/blog/feed']
    """
    folder = url.partition("?")[0].rpartition("/")[0] + "/"
    bases = dict.fromkeys((folder, origin_of(url) + "/"))
    return list(dict.fromkeys(base + place for base in bases for place in USUAL_PLACES))


def _is_declared(rel: str, kind: str) -> bool:
    words, kind = rel.lower().split(), kind.partition(";")[0].strip().lower()
    if "feed" in words:
        return True
    return "alternate" in words and kind in FEED_TYPES


def _is_called(link: object, href: str) -> bool:
    path = href.partition("#")[0].partition("?")[0].lower()
    if path.endswith(_ENDS):
        return True
    query = href.lower().partition("?")[2]
    if "feed=" in query or "format=feed" in query:
        return True
    text = " ".join(str(getattr(link, "text", "") or "").split()).lower()
    return text in _WORDS or text in ("rss feed", "atom feed", "rss 2.0", "xml feed", "feeds")
