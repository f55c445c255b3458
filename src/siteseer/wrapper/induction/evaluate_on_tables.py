"""Evaluates induced expressions on the tables of a page. The slow twin is lxml on the printed expression.

Every test of the fragment is local to an element, so that the elements for which it holds are looked up, and a move
only filters or walks. What a prefix selects is remembered in the view: thousands of candidates share their prefixes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from siteseer.wrapper.induction.element_tables import ElementTables, clean
from siteseer.wrapper.induction.induced_xpath import Expression, Label, Leaf, Move, Test

Numbers = tuple[int, ...]
MAX_LABELS = 60
"""A text that occurs more often on a page marks nothing."""


def holding(view: ElementTables, test: Test) -> Numbers:
    """Return the elements for which a test holds, in document order."""
    known = view.memo.get(test)
    if known is None:
        known = view.memo[test] = tuple(_holding(view, test))
    return known


def _holding(view: ElementTables, test: Test) -> Iterable[int]:
    found: Iterable[int]
    if test.attribute:
        found = view.by_atom.get((test.attribute, test.value), ())
        found = found if test.tag == "*" else [one for one in found if view.tags[one] == test.tag]
    else:
        found = range(len(view.nodes)) if test.tag == "*" else view.by_tag.get(test.tag, ())
    if test.position:
        found = [one for one in found if view.places[one] == (test.position if test.position > 0 else view.alike[one])]
    if test.text:
        found = [one for one in found if view.string(one) == test.text]
    return found


def evaluate(view: ElementTables, expression: Expression) -> Numbers:
    """Return what an expression selects: texts, or elements where its leaf is the element."""
    if expression.leaf.kind in ("following", "preceding", "sibling") and not expression.moves:
        assert expression.label
        return _beside(view, labels(view, expression.label), expression.leaf)
    found = elements(view, expression.label, expression.moves)
    if expression.leaf.kind == "attribute":
        return tuple(one for one in found if view.nodes[one].get(expression.leaf.name))
    return found if expression.leaf.kind == "element" else _inside(view, found, expression.leaf)


def values(view: ElementTables, expression: Expression) -> tuple[str, ...]:
    """Return the values that an expression selects."""
    read = reader(view, expression.leaf)
    return tuple(value for one in evaluate(view, expression) if (value := read(one)))


def reader(view: ElementTables, leaf: Leaf) -> Callable[[int], str]:
    """Return the function that reads the value of an element or text for a leaf."""
    if leaf.kind == "attribute":
        return lambda one: clean(view.nodes[one].get(leaf.name) or "")
    return view.string if leaf.kind == "element" else view.texts.__getitem__


def labels(view: ElementTables, label: Label) -> Numbers:
    """Return the texts that equal a label."""
    found = (view.by_fold if label.folded else view.by_text).get(label.text, [])
    if label.scope:
        around = [view.spans[one] for one in holding(view, label.scope)]
        found = [one for one in found if any(start <= one < end for start, end in around)]
    return tuple(found) if len(found) <= MAX_LABELS else ()


def elements(view: ElementTables, label: Label | None, moves: tuple[Move, ...]) -> Numbers:
    """Return the elements to which moves lead, from a label or from the root."""
    key = (label, moves)
    known = view.memo.get(key)
    if known is None:
        known = view.memo[key] = _elements(view, label, moves)
    return known


def _elements(view: ElementTables, label: Label | None, moves: tuple[Move, ...]) -> Numbers:
    if not moves:
        return (0,)
    last = moves[-1]
    if len(moves) > 1 or (label is None and view.is_record):
        before = elements(view, label, moves[:-1])
        return _moved(view, before, last) if before else ()
    if label is None:
        wanted = holding(view, last.test)
        return wanted if last.axis == "descendant" else tuple(one for one in wanted if one == 0)
    return _from_texts(view, labels(view, label), last)


def _from_texts(view: ElementTables, texts: Numbers, move: Move) -> Numbers:
    if move.axis == "ancestor":
        around = ((owner, *view.ancestors(owner)) for owner in (view.owners[one] for one in texts))
        return _nearest(view, around, move)
    if move.axis == "following":
        return _nearest_later(view, (view.after[one] for one in texts), move)
    if move.axis == "following-sibling":
        beside = (
            [child for child in view.children[view.owners[one]] if child >= view.after[one]] for one in texts
        )  # fmt: skip
        return _nearest(view, beside, move)
    raise ValueError(f"{move.axis} does not start at a label")


def _moved(view: ElementTables, before: Numbers, move: Move) -> Numbers:
    wanted = holding(view, move.test)
    if move.axis == "child":
        parents = set(before)
        return tuple(one for one in wanted if view.parents[one] in parents)
    if move.axis == "descendant":
        return _covered(view, before, wanted)
    if move.axis == "following":
        return _nearest_later(view, (view.ends[one] + 1 for one in before), move)
    if move.axis == "ancestor":
        return _nearest(view, (view.ancestors(one) for one in before), move)
    return _nearest(view, (_siblings(view, one, move.axis == "following-sibling") for one in before), move)


def _siblings(view: ElementTables, element: int, later: bool) -> Iterable[int]:
    parent = view.parents[element]
    family = view.children[parent] if parent >= 0 else []
    return [one for one in family if one > element] if later else [one for one in reversed(family) if one < element]


def _covered(view: ElementTables, around: Numbers, wanted: Numbers) -> Numbers:
    """Return the wanted elements that lie properly inside one of the others; both in document order."""
    found, at, reach = [], 0, -1
    for one in wanted:
        while at < len(around) and around[at] < one:
            reach = max(reach, view.ends[around[at]])
            at += 1
        if one <= reach:
            found.append(one)
    return tuple(found)


def _nearest(view: ElementTables, rows: Iterable[Iterable[int]], move: Move) -> Numbers:
    """Return the nth element of each row that passes the test, or all that pass."""
    passing, found = set(holding(view, move.test)), set()
    for row in rows:
        left = move.nth
        for one in row:
            if one in passing:
                left -= 1
                if left <= 0:
                    found.add(one)
                if left == 0:
                    break
    return tuple(sorted(found))


def _nearest_later(view: ElementTables, starts: Iterable[int], move: Move) -> Numbers:
    wanted = list(holding(view, move.test))
    return tuple(sorted({one for start in starts if (one := view.first_after(wanted, start)) >= 0}))


def _beside(view: ElementTables, texts: Numbers, leaf: Leaf) -> Numbers:
    if leaf.kind == "sibling":
        rows = ([other for other in view.own[view.owners[one]] if other > one] for one in texts)
        return tuple(sorted({row[leaf.nth - 1] for row in rows if len(row) >= leaf.nth}))
    step = leaf.nth if leaf.kind == "following" else -leaf.nth
    return tuple(sorted({one + step for one in texts if 0 <= one + step < len(view.texts)}))


def _inside(view: ElementTables, around: Numbers, leaf: Leaf) -> Numbers:
    found: set[int] = set()
    for one in around:
        texts = _texts(view, one, leaf)
        if not leaf.nth:
            found.update(texts)
        elif len(texts) >= leaf.nth and texts:
            found.add(texts[leaf.nth - 1 if leaf.nth > 0 else -1])
    return tuple(sorted(found))


def _texts(view: ElementTables, element: int, leaf: Leaf) -> Sequence[int]:
    if leaf.kind == "child":
        return view.own[element]
    if leaf.kind == "sibling":
        parent = view.parents[element]
        return [text for text in view.own[parent] if text >= view.spans[element][1]] if parent >= 0 else []
    return range(*view.spans[element])
