"""An element and what lies around it in, expressions of the fragment that select it out, the plainest first.

These are the expressions that a person would write: the tag with its class or id, inside the nearest thing with a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import html

from siteseer.extract.records.keys import tokens_of

MOST_STEPS = 4
ATTRIBUTES = {"published": ("datetime", "title", "content"), "permalink": ("href",), "author_url": ("href",)}
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_NUMBERED = re.compile(r"([A-Za-z_][\w-]{0,38}?[A-Za-z_-])\d+$")
_LAST_NUMBER = re.compile(r"\d$")


def steps_of(element: html.HtmlElement) -> list[str]:
    """Return ways to write one element as a step: by id, by each telling class, by its tag.

    A number at the end of an id counts records; inside a name it is part of it.

    >>> steps_of(html.fromstring("<div id=post_12 class='css-1q8z odd'></div>"))
    ["div[starts-with(@id,'post_')]", 'div.css-1q8z', 'div']
    """
    tag = str(element.tag)
    steps = []
    name = element.get("id") or ""
    numbered = _NUMBERED.match(name)
    if _NAME.fullmatch(name) and not numbered:
        steps.append(f"{tag}#{name}")
    elif numbered:
        steps.append(f"{tag}[starts-with(@id,'{numbered[1]}')]")
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


def anywhere(element: html.HtmlElement) -> Iterator[str]:
    """Yield expressions that select an element (and its like) in a whole page, without the bare tag alone."""
    own = steps_of(element)
    yield from (step for step in own if step != element.tag)
    for distance, above in enumerate(islice(element.iterancestors(), MOST_STEPS)):
        for step in steps_of(above):
            for last in own:
                if step != above.tag or last != element.tag:
                    yield f"{step}/{last}" if distance == 0 else f"{step}//{last}"
