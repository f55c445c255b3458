"""Generates path expressions along a marked node's ancestors, by names and positions.

Expressions of one or two tests are all tried: their number is at most quadratic in the depth, so that the best of them
is found for certain. Longer ones are found by a beam search that extends to the left what is not yet exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from siteseer.wrapper.induction.element_tables import ElementTables, is_plain_tag
from siteseer.wrapper.induction.induced_xpath import Expression, Leaf, Move, Test
from siteseer.wrapper.induction.site_vocabulary import Vocabulary

ANCESTORS = 13
BEAM = 10
DEPTH = 3
"""Levels of the beam beyond the expressions of two tests."""
MAX_ABSOLUTE = 150
MAX_WORD = 40
STRUCTURAL = frozenset("tr li dl table ul ol h1 h2 h3 a td dd article section main".split())
"""Tags that say something about an ancestor even without a name."""
Judge = Callable[[Expression], float]
"""The order of the beam; positive infinity for an expression that is exact already."""


def own_tests(view: ElementTables, element: int, words: Vocabulary, own_text: bool = False) -> list[Test]:
    """Return the tests that hold for an element."""
    tag = view.tags[element] if is_plain_tag(view.tags[element]) else "*"
    tests = [Test(tag)] if tag != "*" else []
    for test in _named(view, element, words):
        tests.append(test)
        if test.attribute == "class" and tag != "*":
            tests.append(Test(tag, test.attribute, test.value))
    if tag != "*" and view.alike[element] > 1:
        tests.append(Test(tag, position=view.places[element]))
        if view.places[element] == view.alike[element]:
            tests.append(Test(tag, position=-1))
    if own_text and tag != "*" and _is_word(text := view.string(element)):
        tests.append(Test(tag, text=text))
    return tests


def _is_word(text: str) -> bool:
    """Say whether a link's text may be the same on other pages: a number never is."""
    return 0 < len(text) <= MAX_WORD and text.isprintable() and not any(map(str.isdigit, text))


def _named(view: ElementTables, element: int, words: Vocabulary) -> Iterator[Test]:
    for atom in view.atoms[element]:
        if words.is_stable(atom):
            yield Test("*", *atom)


def leaves(view: ElementTables, text: int) -> list[Leaf]:
    """Return the ways to select a text from its parent."""
    own = view.own[view.owners[text]]
    if len(own) == 1:
        return [Leaf("child"), Leaf("inside")]
    place = own.index(text) + 1
    return [Leaf("child"), Leaf("child", place)] + ([Leaf("child", -1)] if place == len(own) else [])


def paths(
    view: ElementTables, element: int, ends: list[Leaf], words: Vocabulary, judge: Judge, own_text: bool
) -> Iterator[Expression]:
    """Yield expressions for one node: all of one and two tests, those of the beam search, the absolute path."""
    starts: list[tuple[Expression, int]] = []
    if view.is_record:
        yield from (Expression(None, (), end) for end in ends if element == 0)
    for test in own_tests(view, element, words, own_text) if element or not view.is_record else ():
        for end in ends:
            starts.append((Expression(None, (Move("descendant", test),), end), element))
    level = [(one, top) for start, top in starts for one, top in [(start, top), *_longer(view, start, top, words)]]
    for depth in range(DEPTH):
        judged = []
        for one, top in level:
            yield one
            if (order := judge(one)) < float("inf"):
                judged.append((order, one, top))
        if depth + 1 < DEPTH:
            judged.sort(key=lambda row: -row[0])
            level = [longer for _, one, top in judged[:BEAM] for longer in _longer(view, one, top, words)]
    yield from (absolute(view, element, end) for end in ends if len(view.tag_path(element)) <= MAX_ABSOLUTE)


def _longer(view: ElementTables, one: Expression, top: int, words: Vocabulary) -> Iterator[tuple[Expression, int]]:
    """Yield an expression extended to the left: by a parent, or by an ancestor that has a name."""
    first, rest = one.moves[0].test, one.moves[1:]
    for distance, ancestor in enumerate(view.ancestors(top)):
        if distance >= ANCESTORS or (view.is_record and ancestor == 0):
            break
        tests = own_tests(view, ancestor, words) if distance == 0 else []
        for test in tests:
            yield Expression(None, (Move("descendant", test), Move("child", first), *rest), one.leaf), ancestor
        wide = list(_named(view, ancestor, words))
        if view.tags[ancestor] in STRUCTURAL:
            wide.append(Test(view.tags[ancestor]))
        for test in wide:
            yield Expression(None, (Move("descendant", test), Move("descendant", first), *rest), one.leaf), ancestor


def absolute(view: ElementTables, element: int, end: Leaf) -> Expression:
    """Return the path of positions from the root, as a browser's inspector copies it.

    >>> from lxml import html
    >>> view = ElementTables(html.document_fromstring("<p>a<p>b"))
    >>> print(absolute(view, 3, Leaf("child")))
    /html/body/p[2]/text()
    """
    chain = [element, *view.ancestors(element)][::-1]
    steps = []
    for one in chain[1:] if view.is_record else chain:
        tag = view.tags[one] if is_plain_tag(view.tags[one]) else "*"
        steps.append(Move("child", Test(tag, position=view.places[one] if view.alike[one] > 1 else 0)))
    return Expression(None, tuple(steps), end)
