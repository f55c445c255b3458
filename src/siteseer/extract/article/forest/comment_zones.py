"""Finds the elements of a page that hold comments, so that an article does not change when a comment arrives.

Reference: the thesis, section 2.5.1. Differs: an element with nearly all text of the page is none, whatever its name.
"""

from __future__ import annotations

import re

from lxml import html

from siteseer.extract.read_values import plain_text

_NAMED = re.compile(
    r"(?:^|[\s_-])(?:comments?|comment-?list|commentlist|respond|disqus|replies|discussion|responses)(?:$|[\s_-])"
)
_ZONES = frozenset("div section ol ul dl table aside article".split())
NEARLY_ALL = 0.85
_LONGEST = 200


def comment_zones(root: html.HtmlElement) -> set[html.HtmlElement]:
    """Return the outermost elements whose class or id says that they hold comments.

    >>> page = html.fromstring("<body><div id=a>one two three four</div><ol class=commentlist><li>Nice!</ol></body>")
    >>> [zone.tag for zone in comment_zones(page)]
    ['ol']
    """
    named = [element for element in root.iter(*_ZONES) if _is_named(element)]
    if not named:
        return set()
    chosen = set(named)
    outer = [zone for zone in named if not any(above in chosen for above in zone.iterancestors())]
    total = max(1, len(plain_text(root)))
    return {zone for zone in outer if len(plain_text(zone)) <= NEARLY_ALL * total}


def _is_named(element: html.HtmlElement) -> bool:
    said = f"{element.get('class') or ''} {element.get('id') or ''}"
    return said != " " and bool(_NAMED.search(said[:_LONGEST].lower()))
