"""Pages in, words worth searching for out: the least frequent terms, as in Vidal et al., section 5.2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from siteseer.model import Page
from siteseer.page.text import words

TERMS = 10
"""The number of terms that the authors found enough."""
_TERM = re.compile(r"[^\W\d_]{4,20}")


def rare_terms(pages: Iterable[Page], count: int = TERMS) -> list[str]:
    """Return the least frequent terms of some pages; among equally rare ones the longest, then the first.

    >>> body = b"<p>tea and coffee, tea and chocolate, tea and marmalade"
    >>> rare_terms([Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)], 2)
    ['chocolate', 'marmalade']
    """
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update(word for word in words(page)[:50_000] if _TERM.fullmatch(word))
    order = {word: place for place, word in enumerate(counts)}
    return sorted(counts, key=lambda word: (counts[word], -len(word), order[word]))[:count]
