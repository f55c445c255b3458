"""The page model of the record learner: elements and texts of a page as flat lists.

Elements are numbered in document order; `stop[i]` is the number after the last descendant of element i. Every element
and every text also has a *position*, a running number over both, so that "before", "inside" and "after" are
comparisons of numbers. What nobody reads as content (scripts, form controls) is left out; forms stay, as some
software wraps all posts of a thread in one. The shared tree of the page is only read, never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree, html

from siteseer.extract.records.bodies.mail_head import split_head
from siteseer.model import Page
from siteseer.page.tag_policies import UNREAD_IN
from siteseer.page.tree import cached, tree

LEFT_OUT = UNREAD_IN["records"]
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
    line_starts: list[int] = field(default_factory=list)
    """Positions of the lines of mails' heads, and of the texts after them."""
    paths: frozenset[int] = frozenset()
    """The root paths of the page, once they were asked for."""
    _children: dict[int, list[int]] = field(default_factory=dict)

    @property
    def page_language(self) -> str | None:
        """The language that the page says it is written in."""
        return self.elements[0].get("lang") if self.elements else None

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
    """Return the page model of a page.

    One long function: it runs for every element of every page, and a call for each would double its time.
    """
    doc, stack, position = Document(page), [-1], 0
    elements, parent, start_at, first_text = doc.elements, doc.parent, doc.start_at, doc.first_text
    texts, owner, after, text_at = doc.texts, doc.owner, doc.after, doc.text_at
    stop, end_at, stop_text = doc.stop, doc.end_at, doc.stop_text
    walk = etree.iterwalk(tree(page), events=("start", "end", "comment"))
    number, skipped = -1, False
    for event, element in walk:
        closed = -1
        if event == "start":
            if element.tag in LEFT_OUT or len(stack) > DEEPEST or number >= MOST_ELEMENTS - 1:
                walk.skip_subtree()
                skipped = True
                continue
            number += 1
            elements.append(element)
            parent.append(stack[-1])
            start_at.append(position)
            first_text.append(len(texts))
            stop.append(0)
            end_at.append(0)
            stop_text.append(0)
            stack.append(number)
            position += 1
            text = element.text
        else:
            if event == "end" and not skipped:
                closed = stack.pop()
                stop[closed], end_at[closed], stop_text[closed] = number + 1, position, len(texts)
            skipped = False
            text = element.tail
        if text and event == "start" and element.tag == "pre" and ":" in text[:60]:
            lines, text = split_head(text)
            for line in lines:
                texts.append(line)
                owner.append(stack[-1])
                after.append(-1)
                text_at.append(position)
                doc.line_starts.append(position)
                position += 1
            if lines:
                doc.line_starts.append(position)
        if text and stack[-1] >= 0 and (text := " ".join(text.split())):
            texts.append(text)
            owner.append(stack[-1])
            after.append(closed)
            text_at.append(position)
            position += 1
    doc.tags = [element.tag for element in elements]
    doc.ids = [element.get("id") for element in elements]
    doc.classes = [element.get("class") for element in elements]
    return doc
