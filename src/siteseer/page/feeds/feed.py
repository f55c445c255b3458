"""The values of a feed: a channel and its items, whatever the dialect."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from lxml import etree, html

from siteseer.page.text import text_below

LONGEST_MARKUP = 2 << 20
"""Characters of one description that are looked at."""

_MARKUP = re.compile(r"<[a-zA-Z/!]|&(?:[a-zA-Z]{2,8}|#\d{1,6}|#x[0-9a-fA-F]{1,6});")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item or entry; what the feed does not say is empty.

    `description` and `content` are HTML, `title` is plain text, `link` is absolute, dates are ISO 8601 in UTC (a day
    alone where the feed has no time).
    """

    id: str
    link: str = ""
    title: str = ""
    description: str = ""
    content: str = ""
    published: str | None = None
    modified: str | None = None
    author: str = ""
    tags: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    comments: str = ""
    """Where the comments are read (`comments`, `rel=replies`)."""
    comment_feed: str = ""
    comment_count: int | None = None

    @property
    def when(self) -> str | None:
        """The date of publication, or of the last change where only that is told."""
        return self.published or self.modified


@dataclass(frozen=True, slots=True)
class Feed:
    """A channel: `type` is such as `RSS 2.0`, `RSS 1.0`, `Atom 1.0`, `JSON Feed 1.1`."""

    url: str
    type: str
    title: str = ""
    link: str = ""
    """The page that the feed is of."""
    description: str = ""
    language: str = ""
    updated: str | None = None
    minutes: int | None = None
    """How long the publisher says that the feed may be kept (`ttl`, `sy:updatePeriod`)."""
    next: str = ""
    """The page of older items, where the feed has several."""
    hub: str = ""
    items: tuple[FeedItem, ...] = ()
    malformed: bool = False


def plain(markup: str) -> str:
    """Return the words that a reader sees of a piece of HTML, spaces folded.

    >>> plain("<p>Ham &amp; <b>eggs</b><script>x()</script>")
    'Ham & eggs'
    """
    markup = markup[:LONGEST_MARKUP]
    if not _MARKUP.search(markup):
        return " ".join(markup.split())
    if "<" not in markup:
        return " ".join(unescape(markup).split())
    try:
        root = html.fromstring(f"<div>{markup.replace(chr(0), '')}</div>")
    except (etree.LxmlError, ValueError):
        return " ".join(re.sub(r"<[^<>]{0,2000}>", " ", markup).split())
    return " ".join(text_below(root).split())
