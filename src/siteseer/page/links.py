"""Extracts the links of a page: anchors, frames, page requisites, and neighbours named in the head."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from lxml import etree, html

from siteseer.model import Link, Page
from siteseer.page.encoding import decode
from siteseer.page.tree import cached, content_type, is_html, tree
from siteseer.page.urls import resolve

Query = Callable[[html.HtmlElement], Any]

MAX_LINKS = 20_000
"""A page with more links than this is no page for people; the rest is not read."""
MOST_ANCHORS = 2 * MAX_LINKS
"""Anchors that are looked at, with a reference or without."""
MAX_TEXT = 200

_HEAD: Query = etree.XPath("head//link[@href][@rel] | body/link[@href][@rel]")
_REQUISITES: Query = etree.XPath(
    "//img/@src | //input[@type='image']/@src | //script/@src | //embed/@src | //audio/@src | //video/@src | "
    "//source/@src | //track/@src | //object/@data | //video/@poster | //body/@background | //table/@background | "
    "//td/@background | //img/@data-src",
    smart_strings=False,
)
_REFRESHES: Query = etree.XPath("head//meta[@http-equiv] | body/meta[@http-equiv]")
_SETS: Query = etree.XPath("//img/@srcset | //source/@srcset", smart_strings=False)
_STYLES: Query = etree.XPath("//style/text() | //@style", smart_strings=False)
_SHEETS = frozenset(("stylesheet", "icon", "shortcut", "apple-touch-icon", "preload", "modulepreload", "manifest"))
_NO_DOCUMENTS = _SHEETS | frozenset(("dns-prefetch", "preconnect", "prefetch", "prerender", "mask-icon", "profile"))
_CSS_URL = re.compile(r"url\(\s*['\"]?([^'\")\s]{1,2000})['\"]?\s*\)|@import\s+['\"]([^'\"]{1,2000})['\"]")
_REFRESH = re.compile(r"^\s*[\d.]*\s*[;,]?\s*url\s*=\s*['\"]?([^'\"]{1,4000})", re.IGNORECASE)
_LINK_HEADER = re.compile(r"<([^>]{1,4000})>((?:\s*;\s*[a-zA-Z*]+\s*=\s*(?:\"[^\"]*\"|[^\s;,]*))*)")
_REL = re.compile(r"rel\s*=\s*\"?([^\";]+)", re.IGNORECASE)
_KINDS = {"next": "next", "prev": "prev", "previous": "prev", "canonical": "canonical", "alternate": "alternate"}


@cached
def base(page: Page) -> str:
    """Return the base URL of relative references: the first usable base element, else the page's URL."""
    element = tree(page).find(".//base[@href]")
    found = resolve(page.url, element.get("href")) if element is not None else None
    return found or page.url


@cached
def links(page: Page) -> tuple[Link, ...]:
    """Return the links that people follow (anchors, frames, refresh, head), in page order, without their tag path.

    >>> page = Page("http://e.org/a", headers=(("Content-Type", "text/html"),), body=b"<a href=b>B")
    >>> [link.url for link in links(page)]
    ['http://e.org/b']
    """
    if not is_html(page):
        return ()
    found = [link for _, link in _anchors(page)]
    where = base(page)
    for source in frames(page):
        if url := resolve(where, source):
            found.append(Link(url, kind="frame"))
    found.extend(head_links(page))
    if target := refresh(page):
        found.append(Link(target, kind="refresh"))
    return tuple(found)


@cached
def targets(page: Page) -> tuple[str, ...]:
    """Return only the targets of links, each URL once, in page order: for crawls that follow every link."""
    if not is_html(page):
        return ()
    where = base(page)
    known = _resolved_below(where.partition("?")[0].rpartition("/")[0])
    urls: dict[str, None] = {}
    for href in hrefs(page):
        url = known.get(href, "")
        if url == "":
            url = resolve(where, href)
            if href[:1] not in ("", "?", "#"):
                known[href] = url
        if url is not None:
            urls[url] = None
    if len(known) > _MOST_KNOWN:
        known.clear()
    urls.update(dict.fromkeys(url for source in frames(page) if (url := resolve(where, source))))
    urls.update(dict.fromkeys(link.url for link in head_links(page)))
    urls.update(dict.fromkeys(_other_documents(page)))
    if target := refresh(page):
        urls[target] = None
    return tuple(urls)


_MOST_KNOWN = 10_000


@lru_cache(maxsize=16)
def _resolved_below(directory: str) -> dict[str, str | None]:
    """Return what references of pages in this directory lead to, as far as it is known: menus repeat on every page."""
    return {}


@cached
def placed_links(page: Page) -> tuple[Link, ...]:
    """Return the anchors with their tag path from the root, steps written `tag#id.class.class`."""
    steps: dict[html.HtmlElement, tuple[str, ...]] = {}
    return tuple(
        Link(link.url, link.text, link.rel, tag_path(element, steps), link.kind, link.fragment)
        for element, link in _anchors(page)
    )


def tag_path(element: html.HtmlElement, known: dict[html.HtmlElement, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the steps from the root to an element; `known` keeps the paths of elements met before."""
    chain = []
    while element is not None and element.tag != "page" and element not in known:
        chain.append(element)
        element = element.getparent()
    path: tuple[str, ...] = known.get(element, ())
    for one in reversed(chain):
        path = (*path, step(one))
        known[one] = path
    return path


def step(element: html.HtmlElement) -> str:
    """Return one step of a tag path.

    >>> step(html.fromstring('<div id="x" class="b a">'))
    'div#x.b.a'
    """
    name = str(element.tag)
    if identifier := element.get("id"):
        name += "#" + "".join(identifier.split())
    if classes := element.get("class"):
        name += "." + ".".join(classes.split())
    return name


def hrefs(page: Page) -> list[str]:
    """Return the references of anchors, in page order, as they are written."""
    # an XPath of `//` takes three times as long, and a hundred times where there is none of the elements
    said = (element.get("href") for element in islice(tree(page).iter("a", "area"), MOST_ANCHORS))
    return [href for href in said if href is not None][:MAX_LINKS]


def frames(page: Page) -> list[str]:
    """Return the references of frames, in page order, as they are written."""
    said = (element.get("src") for element in islice(tree(page).iter("frame", "iframe"), MAX_LINKS))
    return [source for source in said if source is not None]


def _anchors(page: Page) -> Iterator[tuple[html.HtmlElement, Link]]:
    where = base(page)
    for element in islice(tree(page).iter("a", "area"), MOST_ANCHORS):
        href = element.get("href")
        if href is None:
            continue
        url = resolve(where, href)
        if url is None:
            continue
        rel = element.get("rel")
        words = " ".join(element.itertext()) if len(element) else element.text
        label = " ".join(words.split())[:MAX_TEXT] if words else element.get("title", "")[:MAX_TEXT]
        fragment = href.partition("#")[2] if "#" in href and "#" not in url else ""
        yield element, Link(url, label, tuple(rel.lower().split()) if rel else (), (), "anchor", fragment)


@cached
def head_links(page: Page) -> tuple[Link, ...]:
    """Return the neighbours that the head and the Link header name: next, prev, canonical, alternate."""
    return tuple(_read_head_links(page))


def _read_head_links(page: Page) -> Iterator[Link]:
    where = base(page)
    for element in _HEAD(tree(page))[:500]:
        rel = tuple(element.get("rel").lower().split())
        kind = next((_KINDS[word] for word in rel if word in _KINDS), None)
        if kind and (url := resolve(where, element.get("href"))):
            yield Link(url, element.get("title", "")[:MAX_TEXT], rel, (), kind)  # type: ignore[arg-type]
    for name, value in page.headers:
        if name.lower() == "link":
            yield from _link_header(page, value)


def _other_documents(page: Page) -> Iterator[str]:
    """Yield what the head and the Link header name besides: short links, interfaces, descriptions."""
    for element in _HEAD(tree(page))[:500]:
        rel = element.get("rel").lower().split()
        if not _NO_DOCUMENTS.intersection(rel) and (url := resolve(base(page), element.get("href"))):
            yield url
    for name, value in page.headers:
        if name.lower() == "link":
            for target, _ in _LINK_HEADER.findall(value[:8_000]):
                if url := resolve(page.url, target):
                    yield url


def _link_header(page: Page, value: str) -> Iterator[Link]:
    """Read a Link header (RFC 8288)."""
    for target, parameters in _LINK_HEADER.findall(value[:8_000]):
        found = _REL.search(parameters)
        rel = tuple(found[1].lower().split()) if found else ()
        kind = next((_KINDS[word] for word in rel if word in _KINDS), None)
        if kind and (url := resolve(page.url, target)):
            yield Link(url, "", rel, (), kind)  # type: ignore[arg-type]


@cached
def canonical(page: Page) -> str | None:
    """Return the URL that the page calls its canonical one."""
    return next((link.url for link in head_links(page) if link.kind == "canonical"), None)


@cached
def refresh(page: Page) -> str | None:
    """Return the target of a meta refresh, if there is one."""
    for element in _REFRESHES(tree(page)):
        if element.get("http-equiv", "").lower() == "refresh":
            match = _REFRESH.match(element.get("content", "")[:5_000])
            if match and (url := resolve(base(page), match[1].strip())) and url != page.url:
                return url
    return None


@cached
def requisites(page: Page) -> tuple[str, ...]:
    """Return the URLs that a browser needs to show the page: pictures, styles, scripts, fonts, frames.

    For a style sheet these are what it imports and the pictures and fonts that it names.
    """
    if content_type(page) == "text/css":
        return _distinct(page.url, _css(decode(page)))
    if not is_html(page):
        return ()
    root = tree(page)
    found: list[str] = list(_REQUISITES(root))
    for candidates in _SETS(root):
        found.extend(part.split()[0] for part in candidates.split(",") if part.split())
    for element in _HEAD(root):
        if _SHEETS.intersection(element.get("rel").lower().split()):
            found.append(element.get("href"))
    for style in _STYLES(root):
        if "(" in style or "@import" in style:
            found.extend(_css(style))
    return _distinct(base(page), found)


def _css(sheet: str) -> list[str]:
    return [url or imported for url, imported in _CSS_URL.findall(sheet[: 4 << 20])]


def _distinct(where: str, references: list[str]) -> tuple[str, ...]:
    resolved = (resolve(where, reference) for reference in references[:MAX_LINKS])
    return tuple(dict.fromkeys(url for url in resolved if url))
