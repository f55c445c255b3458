"""Tells why a page is not content of the site: a form to edit, or an older version.

Kept and skipped pages are measured alike, so that the share of what is missing is a share of one thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations

from lxml import etree

from siteseer.model import Page
from siteseer.page.links import Query
from siteseer.page.tree import tree
from siteseer.page.urls import identity
from siteseer.strategies.learned.online_learner.link_facts import is_unlisted
from siteseer.strategies.learned.online_learner.url_words import suspicious_word

IsKnown = Callable[[str], bool]
"""Says of a URL whether the crawl met it."""
UNLISTED = "asks not to be indexed"
PREFILLED = 20
"""A field that holds so many words when the page comes is there to edit them."""
MOST_PARAMETERS = 6
_WRITTEN: Query = etree.XPath("//textarea", smart_strings=False)
_SCRIPT = re.compile(r"/(?:index\.\w+)?$|\.(?:php\d?|cgi|pl|aspx?|jsp|do)$", re.IGNORECASE)


def beside_content(page: Page, text: str, is_known: IsKnown) -> str:
    """Return why a page is no content of the site, though its words are new; empty where it is.

    `text` is that of a link to it.
    """
    kind, _ = suspicious_word(page.url, text)
    if kind == "older" and any(_is_now(url) and is_known(url) for url in base_urls(page.url)):
        return "an older version"
    if any(len((field.text or "").split()) >= PREFILLED for field in _WRITTEN(tree(page))):
        return "a form to edit"
    return ""


def _is_now(url: str) -> bool:
    return suspicious_word(url, "")[0] != "older"


def is_aside(page: Page, text: str = "") -> bool:
    """Say whether its URL calls a page a function or an older version, and the page asks not to be indexed."""
    return is_unlisted(page) and suspicious_word(page.url, text)[0] in ("function", "older")


def base_urls(url: str) -> Iterator[str]:
    """Return the URLs of which another one may be a version: without some parameters, or without the end of the path.

    >>> list(base_urls("http://e.org/w.php?id=tea&rev=3"))
    ['http://e.org/w.php?id=tea', 'http://e.org/w.php?rev=3']
    >>> list(base_urls("http://e.org/wiki/Tea?oldid=3")), list(base_urls("http://e.org/wiki/Tea/history"))
    (['http://e.org/wiki/Tea'], ['http://e.org/wiki/Tea', 'http://e.org/wiki/Tea/'])
    """
    path, _, query = identity(url).partition("?")
    parameters = query.split("&") if query else []
    for count in range(len(parameters) - 1, 0, -1) if len(parameters) <= MOST_PARAMETERS else ():
        yield from (f"{path}?{'&'.join(chosen)}" for chosen in combinations(parameters, count))
    if query and not _SCRIPT.search(path):
        yield path
    above = path.rstrip("/").rpartition("/")[0]
    if not query and above.count("/") > 3:
        yield from (above, f"{above}/")
