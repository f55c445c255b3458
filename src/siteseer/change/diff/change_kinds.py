"""Classifies the changes between two matched trees: content, structure, attribute, element type, links.

Scripts and data in the page are compared by `script_changes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lxml import etree

from siteseer.change.diff.tree_matching import Matching, attributes, collapse_spaces, own_text
from siteseer.page.text import text_below

Kind = Literal["content", "structure", "attribute", "type", "links", "script", "data"]
Region = Literal["object", "comment", "counter", "advert", "template"]
LONGEST_SHOWN = 2_000
"""Letters of a text in the list of changes; texts are compared whole."""
LINKED = ("href", "src", "srcset", "poster", "action", "data")


@dataclass(frozen=True, slots=True)
class Change:
    """One change: `what` happened, where (`xpath` in the old page, or in the new one for additions), and to what.

    `region` is the part of the page that it is in: only `object` and `comment` are content for people.
    """

    kind: Kind
    what: Literal["added", "removed", "changed", "moved"]
    xpath: str
    old: str = ""
    new: str = ""
    region: Region = "template"


@dataclass(frozen=True, slots=True)
class Edit:
    """A change before its region is known: the element of the old and of the new page, as far as there is one."""

    kind: Kind
    what: Literal["added", "removed", "changed", "moved"]
    before: etree._Element | None
    after: etree._Element | None
    old: str = ""
    new: str = ""


def edits(matching: Matching) -> Iterator[Edit]:
    """Return the changes, by kind."""
    for a, b in matching.changed:
        yield from _changed(a, b)
    for a, b in matching.moved:
        yield Edit("structure", "moved", a, b, readable_text(a), readable_text(b))
    for element in matching.removed:
        yield from _whole(element, "removed")
    for element in matching.added:
        yield from _whole(element, "added")


def readable_text(element: etree._Element) -> str:
    """Return the visible text of an element."""
    return collapse_spaces(text_below(element))


def _changed(a: etree._Element, b: etree._Element) -> Iterator[Edit]:
    if a.tag != b.tag:
        yield Edit("type", "changed", a, b, str(a.tag), str(b.tag))
    old, new = attributes(a), attributes(b)
    for name in [*old, *(name for name in new if name not in old)]:
        if old.get(name) != new.get(name):
            kind: Kind = "links" if name in LINKED else "attribute"
            before, after = (
                f'{name}="{value}"'[:300] if value is not None else "" for value in (old.get(name), new.get(name))
            )
            yield Edit(kind, "changed", a, b, before, after)
    before, after = own_text(a), own_text(b)
    if is_reordered(before, after):
        yield Edit("structure", "moved", a, b, before, after)
        return
    if before.replace("□", "").split() != after.replace("□", "").split():
        yield Edit("content", "changed", a, b, before, after)


def is_reordered(old: str, new: str) -> bool:
    """Say whether two texts have the same parts between their child elements, in another order.

    >>> is_reordered("One. □ □ Two.", "Two. □ □ One."), is_reordered("One. □ Two.", "One. □ Three.")
    (True, False)
    """
    if old == new or "□" not in old:
        return False
    before, after = ([part.strip() for part in text.split("□") if part.strip()] for text in (old, new))
    return before != after and sorted(before) == sorted(after)


def _whole(element: etree._Element, what: Literal["added", "removed"]) -> Iterator[Edit]:
    """An element that came or went changes the structure, the content where it has words, and the links that it has."""
    text = readable_text(element)
    before, after = (element, None) if what == "removed" else (None, element)
    old, new = (text, "") if what == "removed" else ("", text)
    yield Edit("structure", what, before, after, f"<{element.tag}>" if old else "", f"<{element.tag}>" if new else "")
    if text:
        yield Edit("content", what, before, after, old, new)
    links = sorted({str(link.get("href")) for link in element.iter("a") if link.get("href")})
    if links:
        listed = "\n".join(links)
        yield Edit("links", what, before, after, listed if old else "", listed if new else "")
