"""The places of links in pages: what tells pages apart where their URLs are codes that say nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xxhash import xxh3_64_intdigest

from siteseer.examples.url_patterns import is_alike, without_codes
from siteseer.page.urls import identity, origin_of

Placed = dict[str, list[str]]
"""Place to the short names of the URLs that stand there."""


class LinkPlaces:
    """Knows the place of the first link to each URL.

    >>> places = LinkPlaces()
    >>> places.add(places.new([("http://e.org/p/9f06a2b1", "ul/li/a"), ("http://e.org/p/77aa0b1c", "ul/li/a")]))
    >>> places.is_named = False
    >>> places.is_related("http://e.org/p/77aa0b1c", "http://e.org/p/9f06a2b1")
    True
    >>> places.name("http://e.org/p/9f06a2b1")
    'http://e.org/ul/li/a/p/0'
    """

    def __init__(self) -> None:
        self.is_named = True
        """Whether URLs tell pages apart."""
        self._places: dict[str, str] = {}

    def is_known(self, url: str) -> bool:
        """Say whether a link to a URL was met before."""
        return _short(url) in self._places

    def new(self, links: Iterable[tuple[str, str]]) -> Placed:
        """Return the links that were not met before, by place."""
        placed: Placed = {}
        for url, place in links:
            if not self.is_known(url):
                placed.setdefault(place, []).append(_short(url))
        return placed

    def add(self, placed: Mapping[str, Sequence[str]]) -> None:
        """Take in links."""
        self._places.update((name, place) for place, names in placed.items() for name in names)

    def is_related(self, url: str, sample: str) -> bool:
        """Say whether a page is named like a sample or, where names say nothing, linked to from the same place."""
        if self.is_named:
            return is_alike(url, sample)
        place = self._places.get(_short(sample))
        return place is not None and place == self._places.get(_short(url))

    def name(self, url: str) -> str:
        """Return the name of a URL that says nothing: the place of the link that led to it, before its path."""
        place = self._places.get(_short(identity(url)), "nowhere")
        return f"{origin_of(url)}/{place}{without_codes(identity(url))}"


def _short(url: str) -> str:
    return format(xxh3_64_intdigest(url.encode("utf-8", "replace")) & 0xFFFFFFFFFF, "x")
