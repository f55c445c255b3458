"""Tells whether a detection pattern matches a page.

Most patterns concern either the HTML or URL and headers alone: these are evaluated on that part, so that the virtual
document, a copy of the page, is made only for a pattern that mixes both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from siteseer.knowledge.alternatives import every_selection, fitting
from siteseer.knowledge.types import Detection, Pattern, Template
from siteseer.model import Page
from siteseer.page.links import base, canonical
from siteseer.page.tree import cached, tree
from siteseer.page.urls import host_of, resolve
from siteseer.xpath.evaluation import matcher, select_all
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax import Expression
from siteseer.xpath.virtual_document import metadata, virtual_document


def pattern_matches(pattern: Pattern, page: Page) -> bool:
    """Say whether a pattern matches a page (an absence pattern: whether the thing that it names is there)."""
    if not _selects(pattern, page):
        return False
    return not pattern.same_site or is_on_own_host(pattern, page)


def detects(detection: Detection, page: Page) -> Pattern | None:
    """Return the pattern with which a level's detection recognises a page, or None."""
    wanted = [pattern for pattern in detection.patterns if not pattern.is_absence]
    if any(pattern.is_absence and pattern_matches(pattern, page) for pattern in detection.patterns):
        return None
    if detection.needs == "all":
        return wanted[0] if wanted and all(pattern_matches(pattern, page) for pattern in wanted) else None
    return next((pattern for pattern in wanted if pattern_matches(pattern, page)), None)


def templates_of(templates: tuple[Template, ...], page: Page) -> frozenset[str]:
    """Return the ids of the templates whose patterns hold; one without patterns only names its actions, and counts."""
    return frozenset(
        template.id
        for template in templates
        if not template.patterns or any(pattern_matches(pattern, page) for pattern in template.patterns)
    )


def _selects(pattern: Pattern, page: Page) -> bool:
    expression = pattern.expression
    part = _looks_at(expression)
    if part == "html":
        return any(one.select(page) for one in fitting(pattern.text, page))
    return bool(matcher(expression, "virtual")(metadata(page) if part == "http" else virtual_document(page)))


def selected(text: str, page: Page) -> list[Any]:
    """Return the nodes that the alternatives of an expression select in a page or in its HTTP metadata."""
    expression = parse(text)
    part = _looks_at(expression)
    if part == "html":
        return every_selection(text, page)
    return list(select_all(expression, metadata(page) if part == "http" else virtual_document(page)))


@lru_cache(maxsize=16384)
def _looks_at(expression: Expression) -> str:
    first = {path.steps[0].test.startswith("http-") for path in expression.alternatives if path.steps}
    return "both" if len(first) != 1 else "http" if first.pop() else "html"


def is_on_own_host(pattern: Pattern, page: Page) -> bool:
    """Say whether a URL that the pattern selects lies on the page's own host."""
    own = own_hosts(page)
    return any(_is_own(str(value), own, page) for value in every_selection(pattern.text, page))


def _is_own(value: str, own: frozenset[str], page: Page) -> bool:
    if not own and "//" not in value[:9]:
        return True
    url = resolve(base(page), value)
    return url is not None and host_of(url).removeprefix("www.") in own


@cached
def own_hosts(page: Page) -> frozenset[str]:
    """Return the page's own hosts: that of its URL, and the one that the page declares."""
    if page.url.startswith(("http://", "https://")):
        return frozenset((host_of(page.url).removeprefix("www."),))
    said = [canonical(page) or ""]
    said += tree(page).xpath("//meta[@property='og:url']/@content | //link[@rel='home' or @rel='pingback']/@href")[:5]
    return frozenset(urlsplit(url).netloc.lower().removeprefix("www.") for url in said if "//" in url[:9]) - {""}
