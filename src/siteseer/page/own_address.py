"""Finds the address that a page names as its own, for pages that come without one."""

from __future__ import annotations

from siteseer.model import Page
from siteseer.page.tree import tree


def own_address(page: Page) -> str:
    """Return the address that a saved page names as its own: canonical link or og:url; empty where it names none.

    >>> own_address(Page("", headers=(("Content-Type", "text/html"),), body=b"<link rel=canonical href=http://e.org/a>"))
    'http://e.org/a'
    """
    for element in tree(page).iter("link", "meta"):
        is_own = (element.get("rel") or "").lower() == "canonical" or element.get("property") == "og:url"
        address = (element.get("href") or element.get("content") or "").strip() if is_own else ""
        if address.startswith(("http://", "https://")):
            return address[:2_000]
    return ""
