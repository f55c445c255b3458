"""Finds the list of records that the answers of a search have in common, by repeated structure.

Every parent whose children have the same structure is a candidate, named by the path to it; where a record is no
element of its own, repeated sequences of siblings are. `list_score` decides which is the one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from lxml import html

from siteseer.deepweb.records.cell_or_record import are_cells, is_header
from siteseer.deepweb.records.list_score import AnsweredQuery, Item, by_forest, score
from siteseer.deepweb.records.record_leaves import CONTROLS, DEEPEST, MOST_OF_PAGE, leaves, step
from siteseer.extract.records.element_keys import folded
from siteseer.model import Page
from siteseer.page.text import UNREAD
from siteseer.page.tree import tree

MOST_ELEMENTS = 30_000
MOST_SAMPLE = 12
"""Answers that are looked at to find the list."""
MOST_TURNS = 4
"""Elements that may take turns to make up a record."""
REGULAR = 0.8
"""This share of the records must be made up of all of them."""
CONSTANT = 0.6
"""Text on this share of the answers belongs to the template."""
PASSED = CONTROLS | {"br", "hr", "col", "colgroup"}
"""Elements that are never a record, nor a part of one that stands beside others."""


@dataclass(frozen=True, slots=True)
class ListKey:
    """The position of a list: the path to its parent, and the steps with which an item begins and may continue."""

    parent: str
    first: str
    others: tuple[str, ...] = ()


@dataclass(slots=True)
class _Candidate:
    items: dict[int, list[Item]] = field(default_factory=lambda: defaultdict(list))


def find_list(answers: Sequence[AnsweredQuery], empty: Sequence[Page] = ()) -> ListKey | None:
    """Return the list of records of the answers; `empty` are answers that find nothing.

    >>> rows = "".join(f"<tr><td>{name}<td>{year}" for name, year in (("Tea", 1901), ("Rye", 1920), ("Oak", 1933)))
    >>> body = f"<ul><li>Home<li>Help</ul><table>{rows}</table>".encode()
    >>> find_list([AnsweredQuery(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))]).first
    'tr'
    """
    sample = list(answers[:MOST_SAMPLE])
    if not sample:
        return None
    constant = _constant([one.page for one in sample], empty)
    found: dict[ListKey, _Candidate] = defaultdict(_Candidate)
    for number, one in enumerate(sample):
        for key, items in _lists(tree(one.page)):
            found[key].items[number] += items
    for key in _runs(sample):
        for number, one in enumerate(sample):
            found[key].items[number] += items_at(one.page, key)
    telling = [_varying(one, constant) for one in sample]
    held = by_forest(sample)
    scored = [
        (score(candidate.items, sample, telling, held), key)
        for key, candidate in found.items()
        if not are_cells(item for items in candidate.items.values() for item in items)
    ]
    best = max(scored, key=lambda one: (one[0], one[1].parent.count("/"), one[1].parent), default=None)
    return best[1] if best is not None and best[0] > 0 else None


def items_at(page: Page, key: ListKey) -> list[Item]:
    """Return the items of that list in a page, in order; there may be a single one."""
    found: list[Item] = []
    for parent, path in _parents(tree(page)):
        if path == key.parent:
            found += _grouped(parent, key)
    return found


# ── candidates ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _parents(root: html.HtmlElement) -> Iterator[tuple[html.HtmlElement, str]]:
    """Yield the elements that have children, each with the path to it; nothing inside forms."""
    body = next(root.iter("body"), root)
    stack: list[tuple[html.HtmlElement, str]] = [(body, "")]
    for _ in range(MOST_ELEMENTS):
        if not stack:
            return
        element, path = stack.pop()
        if not len(element) or path.count("/") >= DEEPEST:
            continue
        yield element, path
        for child in reversed(element):
            if isinstance(child.tag, str) and child.tag not in UNREAD and child.tag not in CONTROLS:
                stack.append((child, f"{path}/{_named(child)}"))


def _named(element: html.HtmlElement) -> str:
    if element.tag in ("tbody", "thead", "tfoot"):
        return str(element.tag)
    name = step(element)
    identity = element.get("id")
    return f"{name}#{folded(identity)}" if identity and not any(map(str.isdigit, identity)) else name


def _lists(root: html.HtmlElement) -> Iterator[tuple[ListKey, list[Item]]]:
    for parent, path in _parents(root):
        names = [step(child) for child in _elements(parent)]
        counts = Counter(names)
        repeated = [name for name, count in counts.items() if count > 1]
        if not repeated and len(names) > 1:
            continue
        for name in repeated[:4] or names:
            key = ListKey(path, name)
            yield key, _grouped(parent, key)


def _runs(sample: Sequence[AnsweredQuery]) -> list[ListKey]:
    """Return lists without an element for each record: steps that are repeated side by side, the first one first."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in sample:
        for parent, path in _parents(tree(one.page)):
            counts = Counter(step(child) for child in _elements(parent))
            repeated = [name for name, count in counts.items() if count > 1]
            if len(repeated) > 1:
                found[path, repeated[0]] |= set(repeated[1:9])
            elif len(repeated) == 1 and (turns := _turns(parent, repeated[0])):
                found[path, turns[0]] |= set(turns[1:])
    return [ListKey(path, first, tuple(sorted(others))) for (path, first), others in found.items()]


def _turns(parent: html.HtmlElement, name: str) -> list[str]:
    """Return the builds of elements of one step that take turns, as two rows of a table for each record do."""
    builds = [structure_of(child) for child in _elements(parent) if step(child) == name and not is_header(child)]
    kinds = list(dict.fromkeys(builds))
    if not 1 < len(kinds) <= MOST_TURNS or len(builds) < 2 * len(kinds):
        return []
    firsts = [at for at, build in enumerate(builds) if build == kinds[0]]
    parts = [builds[at:end] for at, end in zip(firsts, [*firsts[1:], len(builds)], strict=True)]
    is_regular = sum(part == kinds for part in parts) >= REGULAR * len(parts)
    return kinds if is_regular else []


def structure_of(element: html.HtmlElement) -> str:
    """Return the step of an element with its structure, two levels deep.

    >>> structure_of(html.fromstring("<tr><td colspan=2><i>1901</i></td></tr>"))
    'tr(td2(i))'
    """
    inner = (f"{one.tag}{one.get('colspan', '')}({','.join(_tags(one))})" for one in element if one.tag in ("td", "th"))
    return f"{step(element)}({','.join(inner) or ','.join(_tags(element))})"


def _tags(element: html.HtmlElement) -> list[str]:
    return [child.tag for child in islice(element, 20) if isinstance(child.tag, str)]


def _elements(parent: html.HtmlElement) -> Iterator[html.HtmlElement]:
    return (
        child
        for child in islice(parent, 2_000)
        if isinstance(child.tag, str) and child.tag not in UNREAD and child.tag not in PASSED
    )


def _grouped(parent: html.HtmlElement, key: ListKey) -> list[Item]:
    """Return the items of a parent: an element each, or runs of elements that begin with the first step."""
    items: list[list[html.HtmlElement]] = []
    name_of = structure_of if "(" in key.first else step
    for child in _elements(parent):
        name = name_of(child)
        if name == key.first:
            if not is_header(child):
                items.append([child])
        elif items and name in key.others:
            items[-1].append(child)
    return [tuple(item) for item in items]


# ── scores ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _constant(pages: Sequence[Page], empty: Sequence[Page]) -> set[str]:
    """Return the texts that belong to the template: on most answers, or on one that finds nothing."""
    known = {leaf.text for page in empty for leaf in leaves([_body(page)], most=MOST_OF_PAGE)}
    counts = Counter(
        text for page in pages for text in {leaf.text for leaf in leaves([_body(page)], most=MOST_OF_PAGE)}
    )
    if len(pages) > 2:
        known |= {text for text, count in counts.items() if count >= CONSTANT * len(pages)}
    return known


def _body(page: Page) -> html.HtmlElement:
    root = tree(page)
    return next(root.iter("body"), root)


def _varying(one: AnsweredQuery, constant: set[str]) -> set[str]:
    return {leaf.text for leaf in leaves([_body(one.page)], one.words, most=MOST_OF_PAGE) if leaf.text not in constant}
