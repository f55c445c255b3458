"""Tries an expression on a page: lists what it selects, and highlights it in the page."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from siteseer.errors import SiteseerError
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise
from siteseer.model import Page, Recognition
from siteseer.page.tree import tree
from siteseer.web.service.page_view import HERE
from siteseer.xpath.evaluation import select_all
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax import Expression
from siteseer.xpath.virtual_document import matches_virtual_document, metadata

MOST_HITS = 200
MOST_PAGES = 20
"""Pages of trials that are kept to be shown."""
LONGEST = 2_000
"""Letters of an expression: a person writes a tenth of it."""
_GLOW = "outline:3px solid #0f766e;outline-offset:2px;background-color:#99f6e4"


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a trial."""

    number: str
    hits: tuple[str, ...]
    count: int
    holds: bool
    recognition: Recognition


class ExpressionTrial:
    """Tries expressions on pages and keeps the highlighted pages for a while."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._lock = Lock()

    def run(self, page: Page, written: str, knowledge: KnowledgeBase) -> Tried:
        """Evaluate an expression on a page; raise a SiteseerError with a caret where it cannot be read.

        >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b"<p class=a>x<p>y")
        >>> ExpressionTrial().run(page, "p.a", KnowledgeBase()).hits
        ('x',)
        """
        if len(written) > LONGEST:
            raise SiteseerError(f"the expression has {len(written):,} letters; at most {LONGEST:,} are read")
        expression = parse(written)
        recognition = recognise(page, knowledge)
        found = [*select_all(expression, metadata(page)), *select_all(expression, tree(page))]
        is_true = matches_virtual_document(expression, page)
        for number, element in enumerate(_elements(expression, page)):
            element.set("style", _GLOW)
            if number == 0:
                element.set("id", HERE)
        return Tried(self._keep(page), tuple(map(_said, found[:MOST_HITS])), len(found), is_true, recognition)

    def page(self, number: str) -> Page:
        """Return the page of a trial, its hits highlighted."""
        with self._lock:
            if number not in self._pages:
                raise SiteseerError("this trial is no longer kept; run it again")
            return self._pages[number]

    def _keep(self, page: Page) -> str:
        number = secrets.token_urlsafe(12)
        with self._lock:
            self._pages[number] = page
            while len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)
        return number


def _elements(expression: Expression, page: Page) -> list[Any]:
    """Return the elements to highlight: those selected, and those whose attributes or texts are."""
    paths = tuple(
        replace(path, steps=path.steps[:-1]) if path.steps[-1].test.startswith(("@", "text()")) else path
        for path in expression.alternatives
    )
    usable = Expression(tuple(path for path in paths if path.steps))
    found = select_all(usable, tree(page)) if usable.alternatives else []
    return [node for node in found if not isinstance(node, str)][:MOST_HITS]


def _said(node: Any) -> str:
    """Return a hit as text: the value, or what the element says."""
    if isinstance(node, str):
        return node[:500]
    said = " ".join("".join(node.itertext("*")).split())
    return said[:500] or f"<{node.tag}>"
