"""Marked records in, all elements out that are built like them: what a person would have marked with more patience.

Two elements are alike when the same tags and names stand inside them, at the same places below the same tags.
"""

from __future__ import annotations

from collections.abc import Iterable

from siteseer.wrappers.induce.view import View

DEPTH = 4
MOST_INSIDE = 400
"""Elements looked at inside a record."""
ALIKE = 0.5
Build = frozenset[tuple[str, ...]]


def build(view: View, element: int) -> Build:
    """Return how an element is built: the tag paths inside it, and the class words of the tags."""
    found: set[tuple[str, ...]] = set()
    paths: dict[int, tuple[str, ...]] = {element: ()}
    for one in range(element + 1, min(view.ends[element], element + MOST_INSIDE) + 1):
        above = paths.get(view.parents[one])
        if above is not None and len(above) < DEPTH:
            paths[one] = (*above, view.tags[one])
            found.add(paths[one])
            found.update((*paths[one], value) for name, value in view.atoms[one] if name in ("class", "itemprop"))
    found.update(("", value) for name, value in view.atoms[element] if name in ("class", "itemprop"))
    return frozenset(found)


def likeness(one: Build, other: Build) -> float:
    """Return the share of what is in the smaller of two builds that is in both; empty builds are alike."""
    return len(one & other) / max(1, min(len(one), len(other))) if one or other else 1.0


def kin(view: View, places: Iterable[tuple[str, ...]], builds: Iterable[Build]) -> frozenset[int]:
    """Return the elements at one of the tag paths that are built like one of the marked ones.

    >>> from lxml import html
    >>> view = View(html.fromstring("<ul><li><b>1</b><i>a</i><li><b>2</b><li><img></ul>"))
    >>> sorted(kin(view, [("ul", "li")], [build(view, 1)]))
    [1, 4]
    """
    paths, known = set(places), list(builds)
    found = set()
    for tag in {path[-1] for path in paths}:
        for one in view.by_tag.get(tag, ()):
            if view.tag_path(one) in paths and any(likeness(build(view, one), other) >= ALIKE for other in known):
                found.add(one)
    return frozenset(found)
