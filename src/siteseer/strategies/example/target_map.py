"""Builds the target pages map of a site, and derives the navigation patterns that lead to the targets.

Reference: Vidal et al., Structure-based crawling in the hidden Web, section 4.2, Definitions 1 and 2, Algorithm 2. The
target pages map is the breadth-first tree of the site, cut back to the paths that end in targets; pages whose URLs are
alike become one node. Differs: a node that follows itself (the pages of a list) becomes one step that repeats, so that
lists may grow; and where one path leaves targets out, further paths are taken until all are reached.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace

from siteseer.strategies.example.link_paths import (
    Pages,
    Path,
    collapsed,
    edges,
    is_chained,
    lists_among,
    met_along,
    path_to,
    repeating,
    tails_of,
)
from siteseer.strategies.example.navigation_patterns import NavigationPattern, Step, matches
from siteseer.strategies.example.url_patterns import Levels, group, url_pattern

LEAST_PURE = 0.9
"""An expression that leads elsewhere more often than this allows is helped by the places of the links."""
MOST_PATTERNS = 12
MOST_PLACES = 6
MOST_LITERAL = 4
HUBS_PER_TARGET = 2
"""A further path may cost so many pages for each target that it adds."""
CHAINED = 0.95
"""A path from target to target breaks where one is gone: another one that leads to nearly as many is preferred."""
_NUMBER = re.compile(r"\d+")


def target_pages_map(pages: Pages, entry: str) -> dict[str, str]:
    """Return the target pages map as the parent of every page on a path to a target (Algorithm 1, lines 12 to 17).

    >>> from siteseer.strategies.example.link_paths import MapPage
    >>> site = {"/": MapPage(False, (("/a", ""), ("/b", ""))), "/a": MapPage(False, (("/1", ""),)),
    ...         "/b": MapPage(False), "/1": MapPage(True)}
    >>> target_pages_map(site, "/")
    {'/1': '/a', '/a': '/'}
    """
    parents = {entry: ""}
    waiting = deque([entry])
    while waiting:
        url = waiting.popleft()
        for target, _ in pages[url].links:
            if target in pages and target not in parents:
                parents[target] = url
                waiting.append(target)
    kept: dict[str, str] = {}
    for url in parents:
        while pages[url].is_target and url != entry and url not in kept:
            kept[url] = parents[url]
            url = parents[url] if pages[parents[url]].is_target else _climb(parents, kept, parents[url], entry)
    return kept


def _climb(parents: dict[str, str], kept: dict[str, str], url: str, entry: str) -> str:
    """Keep the way from a page up to the entry point."""
    while url != entry and url not in kept:
        kept[url] = parents[url]
        url = parents[url]
    return entry


def group_pages(urls: Sequence[str], pages: Pages) -> dict[str, int]:
    """Return the node of every page: targets of one shape are one node, other pages whose URLs are alike another."""
    nodes: dict[str, int] = {}
    shapes: dict[object, list[str]] = defaultdict(list)
    masks: dict[str, list[str]] = defaultdict(list)
    for url in urls:
        if pages[url].form is not None:
            shapes[pages[url].form, pages[url].is_target].append(url)
        elif pages[url].is_target:
            shapes[Levels.of(url).shape].append(url)
        else:
            masks[_NUMBER.sub("0", url)].append(url)
    others = [[url for mask in alike for url in masks[mask]] for alike in group(list(masks), 1)]
    for number, members in enumerate([*shapes.values(), *others]):
        nodes.update(dict.fromkeys(members, number))
    return nodes


def navigation_patterns(pages: Pages, entry: str) -> list[NavigationPattern]:
    """Return the navigation patterns of a site, the one that leads to most targets first (Definition 2)."""
    parents = target_pages_map(pages, entry)
    nodes = _with_more({**group_pages([url for url in parents if url != entry], pages), entry: -1}, pages)
    paths = Counter(collapsed(path_to(url, parents, nodes, entry)) for url in parents if pages[url].is_target)
    kinds = {node: pages[url].is_target for url, node in nodes.items()}
    chosen: list[NavigationPattern] = []
    taken: list[Path] = []
    covered: set[str] = set()
    visited: set[str] = set()
    lists = lists_among(pages, nodes)
    common = [path for path, _ in paths.most_common(50)]
    tails = tails_of(common, kinds)
    longer = [path + tails.get(path[-1][0], ()) for path in common]
    candidates = dict.fromkeys(path for one in longer for path in (one, repeating(one, lists)))
    reach = {path: met_along(path, pages, nodes, entry) for path in candidates}
    while reach and len(chosen) < MOST_PATTERNS:
        best = max(
            reach,
            key=lambda path: (
                len(reach[path][0] - covered) * (CHAINED if is_chained(path, kinds) else 1.0),
                -len(reach[path][1] - visited),
            ),
        )
        targets, hubs = reach.pop(best)
        new = targets - covered
        if not new:
            break
        if chosen and len(hubs - visited) > HUBS_PER_TARGET * len(new):
            continue
        covered |= targets
        visited |= hubs
        taken.append(best)
        for path in taken:
            covered |= _beyond(path, visited, covered, pages, nodes)
        steps = tuple(_step(path, pages, nodes) for path in edges(best))
        chosen.append(NavigationPattern(entry, steps, len(targets), len(hubs)))
    return chosen


def _with_more(nodes: dict[str, int], pages: Pages) -> dict[str, int]:
    """Add the hubs whose URLs differ from those on the map only in numbers: the end of a list may lie off all paths."""
    masks = {_NUMBER.sub("0", url): node for url, node in nodes.items() if node >= 0 and not pages[url].is_target}
    more = {
        url: masks[mask]
        for url, page in pages.items()
        if url not in nodes and not page.is_target and page.form is None and (mask := _NUMBER.sub("0", url)) in masks
    }
    return {**nodes, **more}


def _beyond(path: Path, visited: set[str], covered: set[str], pages: Pages, nodes: dict[str, int]) -> set[str]:
    """Return the targets that stand on list pages which were not fetched, as they were known from elsewhere by then."""
    for place, (node, repeats) in enumerate(path[:-1]):
        members = [url for url in visited if nodes[url] == node]
        if not repeats or not members or pages[members[0]].is_target or pages[members[0]].form is not None:
            continue
        expression, listed = url_pattern(members), path[place + 1][0]
        unread = {to for url in members for to, _ in pages[url].links if to not in pages and matches(expression, to)}
        most = max(sum(nodes.get(target) == listed for target, _ in pages[url].links) for url in members)
        left = {url for url, one in nodes.items() if one == listed and pages[url].is_target} - covered
        if len(left) <= len(unread) * most:
            after = {following for following, _ in path[place + 1 :]}
            return {url for url, one in nodes.items() if one in after and pages[url].is_target}
    return set()


def _step(edge: tuple[int, int, bool], pages: Pages, nodes: dict[str, int]) -> Step:
    """Return the step that leads from one node to the next."""
    before, node, repeats = edge
    members = [url for url, one in nodes.items() if one == node]
    sources = [url for url, one in nodes.items() if one == before or (repeats and one == node)]
    is_target, form = pages[members[0]].is_target, pages[members[0]].form
    if form is not None:
        return replace(form, is_target=is_target)
    expression = url_pattern(members)
    if not is_target and len(members) <= MOST_LITERAL:
        expression = _literal_if_sharper(expression, members, sources, pages)
    return Step(expression, _places(expression, set(members), sources, pages), repeats, is_target)


def _literal_if_sharper(expression: str, members: list[str], sources: list[str], pages: Pages) -> str:
    """Return the URLs themselves where their common expression also matches as many others."""
    met = {target for url in sources for target, _ in pages[url].links if matches(expression, target)}
    if len(met - set(members)) < len(members):
        return expression
    return "|".join(url_pattern([url]) for url in members)


def _places(expression: str, members: set[str], sources: list[str], pages: Pages) -> tuple[str, ...]:
    """Return the places of the links to follow, where the expression alone would lead elsewhere too often."""
    right: dict[str, set[str]] = defaultdict(set)
    wrong: dict[str, set[str]] = defaultdict(set)
    for url in sources:
        for target, place in pages[url].links:
            if matches(expression, target):  # what was left alone on a complete crawl leads elsewhere, too
                (right if target in members else wrong)[place].add(target)
    reached, astray = (set().union(*found.values()) for found in (right, wrong))
    if len(reached) >= LEAST_PURE * len(reached | astray):
        return ()
    pure = (place for place, urls in right.items() if len(urls) >= LEAST_PURE * len(urls | wrong[place]))
    good = sorted(pure, key=lambda place: -len(right[place]))[:MOST_PLACES]
    return tuple(good) if set().union(*(right[place] for place in good)) == reached else ()
