"""Generates an expression that selects exactly one element, to record actions on a page.

Names that a person gave come first (id, name, the text of a button), positions among siblings last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import html

from siteseer.errors import UsageError
from siteseer.wrapper.designer.expression_wording import readable_expression
from siteseer.wrapper.designer.page_snapshot import Snapshot
from siteseer.wrapper.induction import Mark, induce_next
from siteseer.wrapper.induction.element_tables import clean
from siteseer.wrapper.induction.evaluate_with_lxml import nodes

_MADE = re.compile(r"\d{3,}|^[0-9a-f-]{8,}$")
"""Ids with numbers like these are made by machines, and change."""
_TAG = re.compile(r"[a-z][a-z0-9-]*\Z")
LONGEST = 60


def expression_for(snapshot: Snapshot, number: int) -> str:
    """Return an expression that selects one element of a page, starting at the root.

    >>> from siteseer.wrapper.designer.page_snapshot import read_snapshot
    >>> nodes = [[1, "html", "", [], {}], [2, "input", "", ["name", "q"], {}], 0, 0]
    >>> expression_for(read_snapshot({"url": "http://e.org/", "nodes": nodes}), 2)
    "//input[@name='q']"
    """
    element = snapshot.element(number)
    if not isinstance(element.tag, str) or not _TAG.match(element.tag):
        return expression_for(snapshot, snapshot.numbers[element.getparent()])
    for xpath in _ways(snapshot, element):
        if nodes(xpath, snapshot.root) == [element]:
            return readable_expression(xpath)
    return str(element.getroottree().getpath(element))


def _ways(snapshot: Snapshot, element: html.HtmlElement) -> Iterator[str]:
    tag = element.tag
    for name in ("id", "name", "aria-label", "placeholder", "value"):
        value = element.get(name) or ""
        if value and len(value) <= LONGEST and "'" not in value and not (name == "id" and _MADE.search(value)):
            yield f"//{tag}[@{name}='{value}']"
    said = clean(element.text_content()) if tag in ("a", "button", "label", "summary") else ""
    if said and len(said) <= LONGEST and "'" not in said:
        yield f"//{tag}[normalize-space(.)='{said}']"
    try:
        yield from (one.xpath for one in induce_next([snapshot.root], [Mark(0, "place", element)]))
    except UsageError:
        return


def clicked_element(snapshot: Snapshot, number: int) -> int:
    """Return the number of the element that a click means: the link, button or field around the clicked one."""
    element = snapshot.element(number)
    for one in (element, *element.iterancestors()):
        if one.tag in ("a", "button", "select", "input", "textarea", "label", "summary"):
            return snapshot.numbers[one]
        if one.get("role") in ("button", "link", "tab", "menuitem") or one.get("onclick"):
            return snapshot.numbers[one]
    return number


def element_name(snapshot: Snapshot, number: int) -> str:
    """Return what a person would call an element."""
    element = snapshot.element(number)
    names = [element.get(name) or "" for name in ("aria-label", "placeholder", "name", "id", "value")]
    written = " ".join(element.text_content().split()) if element.tag not in ("select", "textarea") else ""
    return next((one for one in (written, *names) if one), element.tag)[:60]
