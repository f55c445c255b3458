"""A page of a known application in, the version of that application out, where the page says it."""

from __future__ import annotations

from siteseer.knowledge.match import selected
from siteseer.knowledge.types import Application, regex
from siteseer.model import Page

NUMBER = r"(?:^|[^0-9.])v?([0-9]{1,4}(?:\.[0-9]{1,4}){1,4})"
"""A version where its pattern says no more: the first number with a point in it."""
LONGEST = 40
MOST_NODES, MOST_TEXT = 20, 20_000


def version_of(page: Page, application: Application) -> str | None:
    """Return the version of the application that made a page; None where the page does not say it.

    >>> from siteseer.knowledge.base import KnowledgeBase
    >>> html = b'<meta name="generator" content="MediaWiki 1.39.17">'
    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=html)
    >>> version_of(page, KnowledgeBase.shipped()["mediawiki"])
    '1.39.17'
    """
    for pattern in application.version_patterns:
        for node in selected(pattern.text, page)[:MOST_NODES]:
            text = node if isinstance(node, str) else "".join(node.itertext())
            found = regex(pattern.regex or NUMBER).search(" ".join(text[:MOST_TEXT].split()))
            if found and (version := found.group(1 if found.groups() else 0)):
                return str(version)[:LONGEST]
    return None
