"""Generates expressions of the fragment that select an element, the simplest first.

These are the expressions that a person would write: the tag with its class or id, inside the nearest named element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import html

from siteseer.extract.records.element_keys import tokens_of

MOST_STEPS = 4
BOXES = frozenset("div span p td th tr tbody table ul ol li center font body html".split())
"""Tags that tell nothing of what they hold: a page has many of them."""
ATTRIBUTES = {"published": ("datetime", "title", "content"), "permalink": ("href",), "author_url": ("href",)}
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_NUMBERED = re.compile(r"([A-Za-z_][\w-]{0,38}?[A-Za-z_-])\d+$")
_STEM = re.compile(r"[A-Za-z_][A-Za-z_-]{0,38}(?=\d+[-_.]\d+$)")
_LAST_NUMBER = re.compile(r"\d$")


def steps_of(element: html.HtmlElement) -> list[str]:
    """Return ways to write one element as a step: by id, by each telling class, by its tag.

    A number at the end of an id counts records; inside a name it is part of it.

    >>> steps_of(html.fromstring("<div id=post_12 class='css-1q8z odd'></div>"))
    ["div[starts-with(@id,'post_')]", 'div.css-1q8z', 'div']
    >>> steps_of(html.fromstring("<p id=r12-3></p>"))
    ["p[starts-with(@id,'r12-')]", "p[starts-with(@id,'r')]", 'p']
    """
    tag = str(element.tag)
    steps = []
    name = element.get("id") or ""
    numbered = _NUMBERED.match(name)
    if _NAME.fullmatch(name) and not numbered:
        steps.append(f"{tag}#{name}")
    elif numbered:
        stem = _STEM.match(name)
        steps += [f"{tag}[starts-with(@id,'{one}')]" for one in dict.fromkeys((numbered[1], stem[0] if stem else ""))]
        steps = [step for step in steps if not step.endswith(",'')]")]
    names = (element.get("class") or "").split()[:12]
    tokens = [token for token in names if _NAME.fullmatch(token) and tokens_of(token)]
    for token in sorted(tokens, key=lambda token: bool(_LAST_NUMBER.search(token)))[:3]:
        steps.append(f"{tag}.{token}")
    if (prop := element.get("itemprop")) and _NAME.fullmatch(prop):
        steps.append(f"{tag}[@itemprop='{prop}']")
    if (relation := element.get("rel")) and _NAME.fullmatch(relation):
        steps.append(f"{tag}[@rel='{relation}']")
    steps.append(tag)
    return steps


def inside(element: html.HtmlElement, scope: html.HtmlElement) -> Iterator[str]:
    """Yield expressions, relative to a scope, that select an element below it.

    >>> scope = html.fromstring("<div><p class=meta>by <b>Ann</b></p></div>")
    >>> list(inside(scope[0][0], scope))[:3]
    ['b', 'p.meta/b', 'p/b']
    """
    if element is scope:
        yield "."
        return
    own = steps_of(element)
    named = [step for step in own if step != element.tag]
    yield from named
    chain = _chain(element, scope)
    ordered = [(above, way) for above, way in zip(chain, range(len(chain)), strict=True)]
    if not named:
        yield str(element.tag)
    for above, distance in ordered[:MOST_STEPS]:
        for step in steps_of(above):
            for last in own:
                yield f"{step}/{last}" if distance == 0 else f"{step}//{last}"
    if named:
        yield str(element.tag)
    yield from _placed(element, scope)


def _chain(element: html.HtmlElement, scope: html.HtmlElement) -> list[html.HtmlElement]:
    found: list[html.HtmlElement] = []
    for above in element.iterancestors():
        if above is scope or len(found) >= MOST_STEPS:
            break
        found.append(above)
    return found


def _placed(element: html.HtmlElement, scope: html.HtmlElement) -> Iterator[str]:
    """Yield the path of children from the scope, each by its place: the last resort."""
    steps: list[str] = []
    at = element
    while at is not None and at is not scope and len(steps) < 8:
        before = sum(1 for one in at.itersiblings(at.tag, preceding=True))
        steps.append(f"{at.tag}[{before + 1}]")
        at = at.getparent()
    if at is scope:
        yield "./" + "/".join(reversed(steps))


def beside(element: html.HtmlElement, scope: html.HtmlElement, neighbour: html.HtmlElement) -> Iterator[str]:
    """Yield expressions, relative to a scope, that select an element in or at a neighbour of it.

    >>> scope = html.fromstring("<dl><dt><abbr>today</abbr></dt><dd>Hello</dd></dl>")
    >>> next(beside(scope[0][0], scope[1], scope[0]))
    './preceding-sibling::dt[1]/abbr'
    """
    axis = "preceding-sibling" if neighbour.getnext() is scope else "following-sibling"
    at = f"./{axis}::{neighbour.tag}[1]"
    if element is neighbour:
        yield at
        return
    is_child = element.getparent() is neighbour
    yield from (f"{at}{'/' if is_child else '//'}{step}" for step in steps_of(element))


def anywhere(element: html.HtmlElement) -> Iterator[str]:
    """Yield expressions that select an element (and its like) in a whole page, without the bare tag alone: inside
    another bare tag only where that tells something, as `form` does.
    """
    own = steps_of(element)
    yield from (step for step in own if step != element.tag)
    for distance, above in enumerate(islice(element.iterancestors(), MOST_STEPS)):
        for step in steps_of(above):
            for last in own:
                if step != above.tag or last != element.tag or above.tag not in BOXES:
                    yield f"{step}/{last}" if distance == 0 else f"{step}//{last}"
