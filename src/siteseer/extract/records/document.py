"""A page in, its elements and texts as flat lists out: the page model of the record learner.

Elements are numbered in document order; `stop[i]` is the number after the last descendant of element i. Every element
and every text also has a *position*, a running number over both, so that "before", "inside" and "after" are
comparisons of numbers. What nobody reads as content (scripts, form controls) is left out; forms stay, as some
software wraps all posts of a thread in one. The shared tree of the page is only read, never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.tree import cached, tree

LEFT_OUT = frozenset(
    ("head", "script", "style", "noscript", "template", "svg", "select", "textarea", "option", "button", "iframe",
     "object", "math", "canvas", "audio", "video")
)  # fmt: skip
DEEPEST = 150
"""Levels of nesting that are looked at: nobody honest goes deeper."""
MOST_ELEMENTS = 60_000
"""Elements of a page that are looked at."""


@dataclass(slots=True)
class Document:
    """The elements and texts of one page; all lists of elements run in parallel, and so do those of texts."""

    page: Page
    elements: list[html.HtmlElement] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    ids: list[str | None] = field(default_factory=list)
    classes: list[str | None] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    stop: list[int] = field(default_factory=list)
    start_at: list[int] = field(default_factory=list)
    end_at: list[int] = field(default_factory=list)
    first_text: list[int] = field(default_factory=list)
    stop_text: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    text_at: list[int] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    """The element that directly contains the text."""
    after: list[int] = field(default_factory=list)
    """The element whose tail the text is, or -1."""
    _children: dict[int, list[int]] = field(default_factory=dict)

    def children(self, element: int) -> list[int]:
        """Return the numbers of the element's children."""
        known = self._children.get(element)
        if known is None:
            known, child = [], element + 1
            while child < self.stop[element]:
                known.append(child)
                child = self.stop[child]
            self._children[element] = known
        return known

    def string(self, element: int) -> str:
        """Return all text of the element, its pieces joined by spaces."""
        return " ".join(self.texts[self.first_text[element] : self.stop_text[element]])


@cached
def document(page: Page) -> Document:
    """Return the page model of a page."""
    doc, stack, position = Document(page), [-1], 0
    root = tree(page)
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    skipped = False
    for event, element in walk:
        if event == "start":
            if element.tag in LEFT_OUT or len(stack) > DEEPEST or len(doc.tags) >= MOST_ELEMENTS:
                walk.skip_subtree()
                skipped = True
                continue
            number = len(doc.tags)
            _add_element(doc, element, stack[-1], position)
            stack.append(number)
            position += 1
            if element.text and (text := " ".join(element.text.split())):
                _add_text(doc, text, number, -1, position)
                position += 1
            continue
        closed = -1
        if event == "end" and not skipped:
            closed = stack.pop()
            doc.stop[closed], doc.end_at[closed], doc.stop_text[closed] = len(doc.tags), position, len(doc.texts)
        skipped = False
        if element.tail and stack[-1] >= 0 and (text := " ".join(element.tail.split())):
            _add_text(doc, text, stack[-1], closed, position)
            position += 1
    return doc


def _add_element(doc: Document, element: html.HtmlElement, parent: int, position: int) -> None:
    doc.elements.append(element)
    doc.tags.append(element.tag)
    doc.ids.append(element.get("id"))
    doc.classes.append(element.get("class"))
    doc.parent.append(parent)
    doc.start_at.append(position)
    doc.first_text.append(len(doc.texts))
    doc.stop.append(0)
    doc.end_at.append(0)
    doc.stop_text.append(0)


def _add_text(doc: Document, text: str, owner: int, after: int, position: int) -> None:
    doc.texts.append(text)
    doc.owner.append(owner)
    doc.after.append(after)
    doc.text_at.append(position)
