"""Computes the paths through a site as sequences of nodes, a node being a group of similar pages.

Reference: Vidal et al., Structure-based crawling in the hidden Web, Definition 1. Differs: a node that follows itself
becomes one that repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from xxhash import xxh3_64_intdigest

from siteseer.page.urls import identity, origin_of
from siteseer.strategies.example.navigation_patterns import Step
from siteseer.strategies.example.url_patterns import is_alike, without_codes

Placed = dict[str, list[str]]
"""Place to the short names of the URLs that stand there."""


@dataclass(frozen=True, slots=True)
class MapPage:
    """A fetched page: whether it is wanted, and its links, each with URL and position."""

    is_target: bool
    links: tuple[tuple[str, str], ...] = ()
    form: Step | None = None
    """The step that a form makes, where the page answers one: all answers of a form are one node."""


Pages = Mapping[str, MapPage]
Path = tuple[tuple[int, bool], ...]
"""The nodes of a path, each with whether it repeats."""


def path_to(url: str, parents: dict[str, str], nodes: dict[str, int], entry: str) -> list[int]:
    """Return the nodes from the entry point to a page."""
    path = []
    while url != entry:
        path.append(nodes[url])
        url = parents[url]
    return [-1, *reversed(path)]


def collapsed(path: list[int]) -> Path:
    """Write a node that follows itself once.

    >>> collapsed([-1, 4, 4, 4, 2])
    ((-1, False), (4, True), (2, False))
    """
    found: list[tuple[int, bool]] = []
    for node in path:
        if found and found[-1][0] == node:
            found[-1] = (node, True)
        else:
            found.append((node, False))
    return tuple(found)


def tails_of(paths: Sequence[Path], kinds: dict[int, bool]) -> dict[int, Path]:
    """Return how paths continue after a node of targets, as from the first page of a thread to the next.

    >>> tails_of([((-1, False), (4, False), (2, False), (3, True))], {4: False, 2: True, 3: True})
    {2: ((3, True),)}
    """
    found: dict[int, Path] = {}
    for path in paths:
        for place, (node, _) in enumerate(path[1:-1], 1):
            if kinds[node]:
                found.setdefault(node, path[place + 1 :])
    return found


def lists_among(pages: Pages, nodes: dict[str, int]) -> set[int]:
    """Return the nodes of hubs that link to each other, as the pages of a list do."""
    return {
        node
        for url, node in nodes.items()
        if not pages[url].is_target
        and any(nodes.get(target) == node and target != url for target, _ in pages[url].links)
    }


def repeating(path: Path, lists: set[int]) -> Path:
    """Return the path with its lists followed to their end."""
    return tuple((node, repeats or node in lists) for node, repeats in path)


def is_chained(path: Path, kinds: dict[int, bool]) -> bool:
    """Say whether a path goes from target to target."""
    return any(repeats and kinds[node] for node, repeats in path)


def edges(path: Path) -> list[tuple[int, int, bool]]:
    """Return the steps of a path: node before, node, whether it repeats."""
    return [(before, node, repeats) for (before, _), (node, repeats) in pairwise(path)]


def met_along(path: Path, pages: Pages, nodes: dict[str, int], entry: str) -> tuple[set[str], set[str]]:
    """Return the targets and the other pages on a path."""
    met: set[tuple[str, int]] = {(entry, 0)}
    waiting = [(entry, 0)]
    while waiting:
        url, place = waiting.pop()
        node, repeats = path[place]
        for target, _ in pages[url].links:
            found = nodes.get(target)
            onward = [(target, place)] if repeats and found == node else []
            if place + 1 < len(path) and found == path[place + 1][0]:
                onward.append((target, place + 1))
            for one in onward:
                if one not in met:
                    met.add(one)
                    waiting.append(one)
    urls = {url for url, _ in met}
    return {url for url in urls if pages[url].is_target}, {url for url in urls if not pages[url].is_target}


class LinkPlaces:
    """The position of the first link to each URL.

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
        """Say whether a link to a URL was seen before."""
        return _short(url) in self._places

    def new(self, links: Iterable[tuple[str, str]]) -> Placed:
        """Return the links that were not seen before, by position."""
        placed: Placed = {}
        for url, place in links:
            if not self.is_known(url):
                placed.setdefault(place, []).append(_short(url))
        return placed

    def add(self, placed: Mapping[str, Sequence[str]]) -> None:
        """Add links."""
        self._places.update((name, place) for place, names in placed.items() for name in names)

    def is_related(self, url: str, sample: str) -> bool:
        """Say whether a page has a URL like a sample's or, where URLs are codes, is linked from the same position."""
        if self.is_named:
            return is_alike(url, sample)
        place = self._places.get(_short(sample))
        return place is not None and place == self._places.get(_short(url))

    def name(self, url: str) -> str:
        """Return the name of a URL that is a code: the position of the link that led to it, before its path."""
        place = self._places.get(_short(identity(url)), "nowhere")
        return f"{origin_of(url)}/{place}{without_codes(identity(url))}"


def _short(url: str) -> str:
    return format(xxh3_64_intdigest(url.encode("utf-8", "replace")) & 0xFFFFFFFFFF, "x")
