"""Among expressions of one or two tests the best is found: nothing that enumeration finds scores higher."""

from __future__ import annotations

import itertools

import pytest
from lxml import html

from siteseer.wrapper.induction.candidates.ancestor_paths import STRUCTURAL, own_tests
from siteseer.wrapper.induction.candidates.search import Search
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.induced_xpath import Expression, Leaf, Move
from siteseer.wrapper.induction.ranking import Candidate
from siteseer.wrapper.induction.robustness import robustness
from siteseer.wrapper.induction.scoring import Example, accuracy
from siteseer.wrapper.induction.site_vocabulary import Vocabulary

PAGES = (
    "<div id=m><ul class=l><li class=r><b>A</b><i>1</i><li class=r><b>B</b></ul></div><ul><li><b>C</b></ul>",
    "<table><tr><td class=k>x<td class=v>A<tr><td class=k>y<td class=v>B</table><table><tr><td>z</table>",
    "<div><p class='a b'>A</p><p class=b>B</p></div><div class=side><p class=a>C</p></div>",
)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("text", [0, 1, 2])
def test_the_best_short_path_is_in_the_pool(page: str, text: int) -> None:
    view = ElementTables(html.document_fromstring(page))
    words = Vocabulary([view])
    examples = [Example(view, frozenset((view.texts[text],)), frozenset((text,)))]
    search = Search("x", examples, words)
    found = {one.expression: one for one in search.run(())}
    best = max(one.first_look for one in found.values())
    element = view.owners[text]
    ancestors = list(view.ancestors(element))
    for own in own_tests(view, element, words):
        for leaf in (Leaf("child"), Leaf("inside")):
            for moves in _short(view, own, ancestors, words):
                one = Expression(None, moves, leaf)
                twin = Candidate(one, accuracy(one, examples), robustness(one, "x"))
                assert twin.first_look <= best + 1e-9, str(one)


def _short(view, own, ancestors, words):  # type: ignore[no-untyped-def]
    yield (Move("descendant", own),)
    for axis, (distance, above) in itertools.product(("child", "descendant"), enumerate(ancestors)):
        for test in own_tests(view, above, words):
            named = (test.attribute and test.tag == "*") or (
                test.tag in STRUCTURAL and not test.position and not test.attribute
            )
            if (axis == "child" and distance == 0) or (axis == "descendant" and named):
                yield (Move("descendant", test), Move(axis, own))
