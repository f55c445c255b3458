"""An expression for several equal links in, one for the first of them out.

A link above a list and one below it lead to the same page: following both would cost twice as much, and a page that is
turned in place cannot be turned back. XPath counts places among siblings, so the steps before the last become
conditions of it: `//div.pages/a` is `/descendant::a[parent::div.pages]`, and of these `[1]` is the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lxml import html

from siteseer.wrappers.complain import WrapperSyntaxError
from siteseer.wrappers.induce.read import nodes
from siteseer.wrappers.parse import parse
from siteseer.wrappers.positions import is_positional
from siteseer.wrappers.syntax import Number, Path, Predicate, Step

BELOW = ("child", "descendant")


def first_of(xpath: str, roots: Sequence[html.HtmlElement]) -> str:
    """Return an expression for the first node that another one finds, where it finds several; else that one.

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
