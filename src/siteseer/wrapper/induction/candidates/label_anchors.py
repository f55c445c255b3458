"""Generates expressions anchored at a label near the marked node: a constant text off the path from the root.

All pairs of a label in the window and a relation are tried; their number is bounded, so that the best is found for
certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from siteseer.wrapper.induction.candidates.ancestor_paths import own_tests
from siteseer.wrapper.induction.element_tables import ElementTables, is_plain_tag
from siteseer.wrapper.induction.induced_xpath import Expression, Label, Leaf, Move, Test
from siteseer.wrapper.induction.site_vocabulary import Vocabulary, could_be_label

BEFORE, KEEP_BEFORE = 8, 3
AFTER, KEEP_AFTER = 3, 1
FAR = 4
"""Texts between a label and the value, at most."""
SCOPES = 3
IsLabel = Callable[[str], bool]


def nearby_labels(view: ElementTables, first: int, last: int, is_label: IsLabel) -> Iterator[int]:
    """Yield labels around the texts from first up to last: nearest first, those before the value first."""
    for row, keep in (
        (range(first - 1, max(-1, first - 1 - BEFORE), -1), KEEP_BEFORE),
        (range(last, min(len(view.texts), last + AFTER)), KEEP_AFTER),
    ):
        found = [one for one in row if could_be_label(view.texts[one]) and is_label(view.texts[one])]
        yield from found[:keep]


def anchored(
    view: ElementTables, element: int, ends: list[Leaf], text: int | None, words: Vocabulary, is_label: IsLabel
) -> Iterator[Expression]:
    """Yield the expressions from labels to one text, or to one element where no text is given."""
    first, last = (text, text + 1) if text is not None else view.spans[element]
    for at in nearby_labels(view, first, last, is_label):
        label = Label(view.texts[at])
        if text is not None:
            yield from _by_texts(view, label, at, text)
        tests = [test for test in own_tests(view, element, words) if test.position >= 0]
        for end in ends:
            yield from _by_siblings(view, label, at, element, tests, end)
            yield from _by_container(view, label, at, element, tests, end)
            if view.after[at] <= element:
                yield from _by_next(view, label, at, element, tests, end)


def scoped(view: ElementTables, one: Expression, element: int, words: Vocabulary) -> Iterator[Expression]:
    """Yield an expression whose label is only looked for inside the nearest ancestors that have a name."""
    found = 0
    for ancestor in view.ancestors(element):
        for atom in view.atoms[ancestor]:
            if words.is_stable(atom) and found < SCOPES and one.label:
                found += 1
                yield Expression(Label(one.label.text, Test("*", *atom)), one.moves, one.leaf)


def _by_texts(view: ElementTables, label: Label, at: int, text: int) -> Iterator[Expression]:
    distance = text - at
    if 0 < distance <= FAR:
        yield Expression(label, (), Leaf("following", distance))
    if 0 < -distance <= FAR:
        yield Expression(label, (), Leaf("preceding", -distance))
    own = view.own[view.owners[at]]
    if distance > 0 and text in own:
        yield Expression(label, (), Leaf("sibling", own.index(text) - own.index(at)))


def _by_siblings(
    view: ElementTables, label: Label, at: int, element: int, tests: list[Test], end: Leaf
) -> Iterator[Expression]:
    """Through the lowest common ancestor: up from the label to one of its children, across, down to the value."""
    up = [view.owners[at], *view.ancestors(view.owners[at])]
    down = [element, *view.ancestors(element)]
    common = next((one for one in up if one in set(down)), None)
    if common is None:
        return
    if common == element:
        yield from _around_label(view, label, up[: up.index(common)], element, end)
        return
    b = down[down.index(common) - 1]
    across: tuple[Move, ...]
    if view.owners[at] == common:
        rest = [one for one in view.children[common] if one >= view.after[at]]
        across = ()
    else:
        a = up[up.index(common) - 1]
        if not is_plain_tag(view.tags[a]):
            return
        rest = [one for one in view.children[common] if one > a]
        across = (Move("ancestor", Test(view.tags[a]), 1),)
    if b not in rest or not is_plain_tag(view.tags[b]):
        return
    same = [one for one in rest if view.tags[one] == view.tags[b]]
    across = (*across, Move("following-sibling", Test(view.tags[b]), same.index(b) + 1))
    if b == element:
        yield Expression(label, across, end)
    else:
        for test in tests:
            yield Expression(label, (*across, Move("descendant", test)), end)
    if end.kind != "element" and view.spans[b][0] in view.own[element]:
        yield Expression(label, across, Leaf("inside", 1))


def _around_label(view: ElementTables, label: Label, up: list[int], element: int, end: Leaf) -> Iterator[Expression]:
    """The value is a text beside an element that holds the label, in one parent with it."""
    if not up or end.kind != "child" or not is_plain_tag(view.tags[up[-1]]):
        return
    later = [text for text in view.own[element] if text >= view.spans[up[-1]][1]]
    climb = Move("ancestor", Test(view.tags[up[-1]]), 1)
    wanted = view.own[element][end.nth - 1 if end.nth > 0 else -1] if end.nth or len(view.own[element]) == 1 else -1
    if wanted in later:
        yield Expression(label, (climb,), Leaf("sibling", later.index(wanted) + 1))
    if is_plain_tag(view.tags[element]):
        yield Expression(label, (Move("ancestor", Test(view.tags[element]), 1),), end)


def _by_container(
    view: ElementTables, label: Label, at: int, element: int, tests: list[Test], end: Leaf
) -> Iterator[Expression]:
    """Down from the smallest element that holds both."""
    inside = {element, *view.ancestors(element)}
    common = next((one for one in (view.owners[at], *view.ancestors(view.owners[at])) if one in inside), None)
    if common is None or common == element or not is_plain_tag(view.tags[common]) or common == 0:
        return
    for test in tests:
        yield Expression(label, (Move("ancestor", Test(view.tags[common]), 1), Move("descendant", test)), end)


def _by_next(
    view: ElementTables, label: Label, at: int, element: int, tests: list[Test], end: Leaf
) -> Iterator[Expression]:
    """The next element after the label for which a test holds."""
    for test in tests:
        if not test.position:
            yield Expression(label, (Move("following", test, 1),), end)
