"""A feed item in, what it says itself out: the baseline DESCRIPTION of Oita's thesis, section 2.6.3."""

from __future__ import annotations

from siteseer.page.feeds import FeedItem, plain


def description(item: FeedItem) -> str:
    """Return title and description, without markup.

    >>> description(FeedItem("1", title="Kites", description="<p>They <b>fly</b></p>"))
    'Kites\\nThey fly'
    """
    return "\n".join(part for part in (item.title, plain(item.description or item.content)) if part)
