"""Controls of a form in, what is written about them out: labels, hints, texts on one line."""

from __future__ import annotations

from itertools import islice

from lxml import etree, html

from siteseer.page.text import UNREAD

MOST_TEXT = 300
"""Characters of a label, value or text that are read."""
CONTROLS = frozenset(("input", "select", "textarea", "button"))


def labels_of(root: html.HtmlElement) -> dict[str, str]:
    """Return the text that label elements, and whatever aria-labelledby names, give to an id."""
    found: dict[str, str] = {}
    for label in islice(root.iter("label"), 5_000):
        if (target := label.get("for")) and target not in found:
            found[target] = text_of(label)
    named = {one for many in root.xpath("//@aria-labelledby")[:500] for one in str(many).split()[:5]}
    if named:
        for element in islice(root.xpath("//*[@id]"), 20_000):
            if element.get("id") in named:
                found["#" + element.get("id")] = text_of(element)
    return found


def said_of(element: html.HtmlElement, labels: dict[str, str]) -> str:
    """Return what is said to be the label: label for, label around, aria, placeholder, title."""
    wrapping = next(element.iterancestors("label", "form"), None)
    candidates = (
        labels.get(element.get("id") or "\0", ""),
        text_of(wrapping) if wrapping is not None and wrapping.tag == "label" else "",
        " ".join(labels.get("#" + one, "") for one in element.get("aria-labelledby", "").split()[:5]),
        element.get("aria-label", ""),
        element.get("placeholder", ""),
        element.get("title", ""),
        element.get("alt", "") if element.get("type", "").lower() == "image" else "",
    )
    return next((short for one in candidates if (short := clean(one).strip(" :*"))), "")


def text_of(element: html.HtmlElement) -> str:
    """Return the words below an element, without those of controls inside it."""
    if not len(element):
        return clean(element.text or "")
    found: list[str] = []
    length = 0
    walk = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, one in walk:
        words = one.text if event == "start" else one.tail if one is not element else None
        if event == "start" and one is not element and (one.tag in UNREAD or one.tag in CONTROLS):
            walk.skip_subtree()
            words = None
        if words and (words := clean(words)):
            found.append(words)
            length += len(words)
        if length > MOST_TEXT:
            break
    return " ".join(found)[:MOST_TEXT]


def clean(text: str, most: int = MOST_TEXT) -> str:
    """Return text on one line, short, without control characters."""
    short = " ".join(text[: most * 4].split())[:most]
    return short if short.isprintable() else "".join(one if one.isprintable() else " " for one in short).strip()
