"""Returns the rarest terms of pages, which are worth searching for (Vidal et al., section 5.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import islice

from siteseer.model import Page
from siteseer.page.text import words

TERMS = 10
"""The number of terms that the authors found enough."""
MOST_WORDS = 50_000
_TERM = re.compile(r"[^\W\d_]{4,20}")


def terms_of(page: Page) -> Counter[str]:
    """Return the words of a page that may be searched for, each with how often it occurs, in page order."""
    return Counter(word for word in islice(words(page), MOST_WORDS) if _TERM.fullmatch(word))


def rarest(counts: Mapping[str, int], most: int = TERMS) -> list[str]:
    """Return the least frequent terms; among equally rare ones the longest, then the first.

    >>> body = b"<p>tea and coffee, tea and chocolate, tea and marmalade"
    >>> rarest(terms_of(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)), 2)
    ['chocolate', 'marmalade']
    """
    order = {word: place for place, word in enumerate(counts)}
    return sorted(counts, key=lambda word: (counts[word], -len(word), order[word]))[:most]
