"""Extracts the facts that the learner keeps of a page's links: URL, text, kind of link."""

from __future__ import annotations

import re
from dataclasses import dataclass

from siteseer.model import Link, Page
from siteseer.page.links import links, placed_links
from siteseer.page.pagination.further_pages import further_pages
from siteseer.page.tree import cached, tree
from siteseer.strategies.learned.online_learner.url_shapes import digitless
from siteseer.strategies.learned.online_learner.url_words import is_pager

NOFOLLOW, PAGER, PLACE, LISTED, ONWARD = 1, 2, 4, 8, 16
"""What is known of a link: the site asks not to follow it; it seems to go on in a list; it leads to a place inside a
page; a sitemap lists it; it surely leads to a further page of the list that shows it."""
MAX_TEXT = 60
OTHER_FILES = frozenset(
    "jpg jpeg png gif webp svg ico bmp tif tiff avif heic pdf ps eps doc docx xls xlsx ppt pptx odt ods "
    "odp rtf csv zip gz tgz bz2 xz 7z rar tar jar exe msi dmg deb rpm apk iso mp3 mp4 m4a m4v ogg oga ogv "
    "wav flac avi mov mkv webm wmv swf css js mjs map woff woff2 ttf otf eot torrent ics vcf bib".split()
)
"""Names that end so are files, not pages."""
PLACE_STEPS, LONGEST_PLACE = 3, 120
_NUMBERS = re.compile(r"\d+")
_NOINDEX = re.compile(r"\b(?:noindex|none)\b", re.IGNORECASE)
_RESERVED = re.compile(r"[/?&\s]")


@dataclass(frozen=True, slots=True)
class FoundLink:
    """One URL that a page links to, all its links taken together."""

    url: str
    text: str
    flags: int


@cached
def found_links(page: Page) -> tuple[FoundLink, ...]:
    """Return the URLs that a page links to, in page order.

    >>> body = b'<a href="/t?p=7#p7">#7</a> <a href="/x" rel=nofollow>x</a> <a href="/x">X</a>'
    >>> found_links(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    (FoundLink(url='http://e.org/t?p=7', text='#7', flags=4), FoundLink(url='http://e.org/x', text='x', flags=0))
    """
    together: dict[str, FoundLink] = {}
    for link in links(page):
        if link.kind in ("alternate", "canonical") or is_other_file(link.url):
            continue
        flags, text = _flags(link), link.text[:MAX_TEXT]
        before = together.get(link.url)
        if before is not None:
            flags = (flags & before.flags) | ((flags | before.flags) & PAGER)
            text = before.text or text
        together[link.url] = FoundLink(link.url, text, flags)
    for further in further_pages(page):
        known = together.get(further.url, FoundLink(further.url, further.text[:MAX_TEXT], 0))
        together[further.url] = FoundLink(known.url, known.text, known.flags | PAGER | ONWARD)
    return tuple(together.values())


@cached
def is_unlisted(page: Page) -> bool:
    """Say whether a page asks search engines not to list it.

    >>> body = b'<head><meta name=robots content="NOINDEX, follow"></head>'
    >>> is_unlisted(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    True
    """
    said = [page.header("x-robots-tag")]
    for element in tree(page).iterfind("head/meta[@name][@content]"):
        if element.get("name").lower() in ("robots", "googlebot"):
            said.append(element.get("content"))
    return any(_NOINDEX.search(one[:300]) for one in said)


@cached
def places(page: Page) -> dict[str, str]:
    """Return where each URL's first anchor stands: the last steps of its tag path, numbers written 0.

    >>> body = b'<body><div class="post b"><h3 id=p7><a href=/x>x</a></h3></div>'
    >>> places(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    {'http://e.org/x': 'div.post.b>h0#p0>a'}
    """
    found: dict[str, str] = {}
    for link in placed_links(page):
        if link.url not in found:
            found[link.url] = _RESERVED.sub("", digitless(">".join(link.path[-PLACE_STEPS:])))[:LONGEST_PLACE]
    return found


def _flags(link: Link) -> int:
    flags = NOFOLLOW if "nofollow" in link.rel or "ugc" in link.rel else 0
    if link.kind in ("next", "prev") or is_pager(link.text, link.rel):
        flags |= PAGER
    return flags | (PLACE if leads_into_page(link.url, link.fragment) else 0)


def leads_into_page(url: str, fragment: str) -> bool:
    """Say whether the fragment repeats a number of the URL: the URL is then one post of a page that has another name.

    >>> leads_into_page("http://e.org/t?p=123", "p123"), leads_into_page("http://e.org/t?start=20", "p123")
    (True, False)
    """
    numbers = _NUMBERS.findall(fragment[:60])
    return len(numbers) == 1 and numbers[0] in _NUMBERS.findall(url.partition("://")[2].partition("/")[2])


def is_other_file(url: str) -> bool:
    """Say whether a URL is by its name a file that is no page.

    >>> is_other_file("http://e.org/a/tea.JPG"), is_other_file("http://e.org/view.php?f=tea.jpg")
    (True, False)
    """
    name = url.partition("://")[2].partition("/")[2].partition("?")[0].rpartition("/")[2]
    return name.rpartition(".")[2].lower() in OTHER_FILES and "." in name
