"""Identifies the list that a URL shows, whatever its order and page, so that other orders count as repetitions.

Software writes the usual order of a list into its URLs too (`/list?order=date&dir=desc`). Where nothing else shows that
list, the word for the order says nothing against it; every further order of the same list repeats it.
"""

from __future__ import annotations

import re

from siteseer.page.pagination.list_position import is_place_name

ORDERINGS = frozenset(
    "sort sortby sortdir sortorder sorting orderby order orderdir dir direction asc desc ascending descending reverse "
    "sk sd sortierung tri ordre orden ordenar ordine ordina volgorde sortera sortering kolejnosc sortuj".split()
)
MAX_PARTS = 40
_SEPARATOR = re.compile(r"[&;]")
_NOT_LETTERS = re.compile(r"(?:%[0-9a-f]{2}|[\W\d_])+", re.IGNORECASE)


class Lists:
    """The lists of a site, each with the URL that was met first for it.

    >>> lists = Lists()
    >>> for url in ("http://e.org/list?sort=date", "http://e.org/list?sort=name&page=2"): lists.meet(url)
    >>> lists.is_first_order("http://e.org/list?sort=date"), lists.is_first_order("http://e.org/list?sort=name&page=2")
    (True, False)
    """

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def meet(self, url: str) -> None:
        """Take in a URL."""
        self._first.setdefault(list_of(url), url)

    def is_first_order(self, url: str) -> bool:
        """Say whether a URL shows a list that no URL before it showed in any order."""
        return self._first.get(list_of(url)) == url


def list_of(url: str) -> str:
    """Return the URL without what it says of order and page, its other parameters sorted.

    >>> list_of("http://e.org/list?cat=3&@sort=-date&start=20")
    'http://e.org/list?cat=3'
    """
    head, _, query = url.partition("?")
    named = [(part, _letters(part.partition("=")[0])) for part in _SEPARATOR.split(query)[:MAX_PARTS] if part]
    rest = sorted(part for part, name in named if name not in ORDERINGS and not is_place_name(name))
    return f"{head}?{'&'.join(rest)}" if rest else head


def _letters(name: str) -> str:
    return _NOT_LETTERS.sub("", name).lower()
