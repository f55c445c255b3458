"""Induces ranked expressions for the link to the next page from marked links.

Besides names and positions, the text of the link may identify it (`Next`), and the element that it follows (the number
of the current page). Links to the same address are the same link: one above and one below a list are both right, and
the first of them is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml import html

from siteseer.errors import UsageError
from siteseer.wrapper.induction.candidates.ancestor_paths import own_tests
from siteseer.wrapper.induction.candidates.search import Search, Sought
from siteseer.wrapper.induction.candidates.substring import Cut
from siteseer.wrapper.induction.compose_wrapper import ADDRESS
from siteseer.wrapper.induction.element_tables import ElementTables, clean, is_plain_tag
from siteseer.wrapper.induction.evaluate_with_lxml import nodes
from siteseer.wrapper.induction.induce_attributes import Document, view_of
from siteseer.wrapper.induction.induced_xpath import Expression, Leaf, Move, Test
from siteseer.wrapper.induction.marked_examples import Mark, locate_mark
from siteseer.wrapper.induction.scoring import Example
from siteseer.wrapper.induction.shortlist import Ranked, Site, shortlist_json
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.syntax import Number, Path, Predicate, Step
from siteseer.wrapper.oxpath.language.syntax_error import WrapperSyntaxError
from siteseer.wrapper.oxpath.language.uses_position import is_positional

CLICKED = ("a", "button", "input", "area", "link")
_NO_TARGET = re.compile(r"\s*(?:#|javascript:|\Z)", re.IGNORECASE)
LAST_PAGE = 0.7
"""What an empty answer is worth: every list ends."""
UP = 2
"""How far above a link its siblings may tell it: the list item around it, and what is around that."""
BELOW = ("child", "descendant")


def induce_next(
    pages: Sequence[Document], marks: Sequence[Mark], unmarked: Sequence[Document] = ()
) -> tuple[Ranked, ...]:
    """Return expressions for the link to the next page, best first.

    >>> page = b"<p><a href=/1>1</a> <b>2</b> <a href=/3>3</a>"
    >>> induce_next([page], [Mark(0, "next", "//a[2]")])[0].xpath
    '//b/following-sibling::a[1]'
    """
    if not marks:
        raise UsageError("no next link is marked; mark at least one")
    used = sorted({mark.page for mark in marks})
    if used[0] < 0 or used[-1] >= len(pages):
        raise UsageError(f"a next link is marked on page {used[-1] + 1}, but there are {len(pages)} pages")
    views = [view_of(pages[page]) for page in used]
    rest = [page for number, page in enumerate(pages) if number not in used] + list(unmarked)
    examples = [
        _example(view, [mark for mark in marks if mark.page == page]) for view, page in zip(views, used, strict=True)
    ]
    search = _NextSearch("next", examples, Site(views).words, Sought(of_elements=True, attribute=_target(examples)))
    site = Site(views, list(map(view_of, rest)))
    found = search.run(site.unmarked)
    for one in found:
        one.expression = replace(one.expression, leaf=Leaf("element"))
    if expressions := shortlist_json(found, site, Cut()):
        return tuple(_one_link(one, site, ADDRESS if search.sought.attribute else one.value) for one in expressions)
    raise UsageError("no expression selects the marked next link; mark the link itself")


def _one_link(one: Ranked, site: Site, value: str) -> Ranked:
    """Return an expression that finds one of several equal links, and says what tells where it leads."""
    xpath = first_of(one.xpath, [view.root for view in site.views])
    hits = one.hits if xpath == one.xpath else tuple(page[:1] for page in one.hits)
    return replace(one, xpath=xpath, parts=(xpath,), value=value, hits=hits)


def _example(view: ElementTables, marks: Sequence[Mark]) -> Example:
    links = frozenset(_link(view, one) for mark in marks for one in _elements(view, mark))
    return Example(view, frozenset(_href(view, one) or view.string(one) for one in links), links)


def _elements(view: ElementTables, mark: Mark) -> set[int]:
    found = locate_mark(mark, view)
    return {view.owners[one] if found.kind == "text" else one for one in found.numbers}


def _link(view: ElementTables, element: int) -> int:
    """Return the link or button around a marked element, or the element where there is none."""
    return next((one for one in (element, *view.ancestors(element)) if view.tags[one] in CLICKED), element)


def _href(view: ElementTables, element: int) -> str:
    target = view.nodes[element].get("href") or ""
    return "" if _NO_TARGET.match(target) else clean(target)


def _target(examples: Sequence[Example]) -> str:
    """Return href where all marked links have an address."""
    links = [(one.view, number) for one in examples for number in one.nodes or ()]
    return "href" if all(_href(view, number) for view, number in links) else ""


class _NextSearch(Search):
    """Also tries what a link says, and what it follows; any link to the same address is right."""

    own_text = True
    missing = LAST_PAGE

    def _measured(self) -> Sequence[Example]:
        return [replace(one, nodes=None) if self.sought.attribute else one for one in self.examples]

    def _more(self, view: ElementTables, element: int, end: Leaf) -> Iterator[Expression]:
        inside = [element, *view.ancestors(element)]
        for up, one in enumerate(inside[: UP + 1]):
            parent = view.parents[one]
            if parent < 0 or not is_plain_tag(view.tags[one]):
                return
            down = tuple(Move("child", Test(view.tags[below])) for below in reversed(inside[:up]))
            before = [other for other in view.children[parent] if other < one]
            for other in reversed(before[-2:]):
                later = [x for x in view.children[parent] if other < x <= one and view.tags[x] == view.tags[one]]
                across = Move("following-sibling", Test(view.tags[one]), len(later))
                tests = own_tests(view, other, self.words)
                for test in tests if view.tags[other] != view.tags[one] else [test for test in tests if test.attribute]:
                    yield Expression(None, (Move("descendant", test), across, *down), end)


def first_of(xpath: str, roots: Sequence[html.HtmlElement]) -> str:
    """Return an expression for the first node that another expression selects; that one itself where it selects a
    single node.

    >>> page = html.fromstring("<div><p><a>next</a></p><ul></ul><p><a>next</a></p></div>")
    >>> first_of("//p/a", [page]), first_of("//p", [page]), first_of("//ul", [page])
    ('/descendant::a[parent::p][1]', '/descendant::p[1]', '//ul')
    """
    found = [nodes(xpath, root) for root in roots]
    if all(len(one) < 2 for one in found):
        return xpath
    narrowed = _narrowed(xpath)
    if narrowed is None or any(nodes(narrowed, root) != one[:1] for root, one in zip(roots, found, strict=True)):
        return xpath
    return narrowed


def _narrowed(xpath: str) -> str | None:
    """Write the steps before the last as conditions; None where places among siblings forbid it."""
    try:
        path = parse(xpath)
    except WrapperSyntaxError:
        return None
    if not isinstance(path, Path) or path.start != "/" or not path.moves:
        return None
    made: Step | None = None
    for step in path.moves:
        if not isinstance(step, Step) or step.axis not in BELOW or any(map(is_positional, step.qualifiers)):
            return None
        far = step.deep or step.axis == "descendant"
        if made is None and not far:
            return None
        around = () if made is None else (Predicate(Path("", (replace(made, axis="ancestor" if far else "parent"),))),)
        made = Step(step.test, "descendant", qualifiers=(*step.qualifiers, *around))
    assert made is not None
    return str(Path("/", (replace(made, qualifiers=(*made.qualifiers, Predicate(Number("1")))),)))
