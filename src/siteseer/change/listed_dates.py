"""Reads from a list the days of the pages that it links to: the day beside a link, or the days of neighbouring pages.

Lists are mostly in order of time: a page between two others was written between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from siteseer.change.change_signals import signals
from siteseer.change.dated_rows import dated_rows
from siteseer.model import Page

REACH = 5
"""Entries of a list that are looked at on either side."""


def listed_days(listing: Page) -> dict[str, str]:
    """Return the day that a list shows beside each page, by the page's identity.

    >>> rows = b"<li><a href=/a>Tea</a> 5 May 2015<li><a href=/b>Kites</a> 1 May 2015"
    >>> listed_days(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b"<ul>" + rows))
    {'http://e.org/a': '2015-05-05', 'http://e.org/b': '2015-05-01'}
    """
    return {row.links[0]: row.newest for row in dated_rows(listing) if row.links}


def list_order(listing: Page) -> list[str]:
    """Return the pages that a list links to, in its order."""
    return list(signals(listing))


def days_beside(order: Sequence[str], days: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Return the known days next to a page in a list, one before and one after as far as there are any.

    >>> days_beside(["a", "b", "c", "d"], {"a": "2015-05-09", "d": "2015-05-01"}, "c")
    ('2015-05-09', '2015-05-01')
    """
    if name not in order:
        return ()
    place = order.index(name)
    before = next((days[one] for one in reversed(order[max(0, place - REACH) : place]) if one in days), None)
    after = next((days[one] for one in order[place + 1 : place + 1 + REACH] if one in days), None)
    return tuple(day for day in (before, after) if day)
