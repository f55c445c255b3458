"""Pages with their links in, paths through them out: sequences of nodes, a node being pages that are alike.

Reference: Vidal et al., Structure-based crawling in the hidden Web, Definition 1. Differs: a node that follows itself
becomes one that repeats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from siteseer.examples.navigation import Step


@dataclass(frozen=True, slots=True)
class MapPage:
    """A page that was fetched: whether it is wanted, and where it links to: URL and place of the link."""

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
    """Return how paths go on behind a node of targets, as from the first page of a thread to the next.

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
    """Return the targets and the other pages that one meets along a path."""
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
