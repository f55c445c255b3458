"""Reads values from elements: text with line breaks, HTML, URLs, dates and numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any, TypeAlias

from lxml import etree, html

from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.read_dates import read_stamp
from siteseer.page.text import BLOCKS, UNREAD
from siteseer.page.urls import resolve

Node: TypeAlias = Any
"""An element, or the value of an attribute or text node."""

MAX_TEXT = 1_000_000
"""Characters of one value; no post is longer."""
_SAME_LINE = {ord("\n"): " "}
_NUMBER = re.compile(r"-?\d[\d.,\u00a0\u202f]*")
_REPLY = re.compile(r"^(?:(?:re|aw|sv|antw|odp|rv|vs)(?:\[\d+\])?\s*[:：]\s*)+", re.IGNORECASE)
_DATES: Any = etree.XPath(
    ".//time/@datetime | .//abbr[@class='published' or @class='bbc_timestamp']/@title"
    " | .//@data-time | .//@data-timestamp | .//@data-epoch",
    smart_strings=False,
)
_STAMPED = re.compile(r"data-.*(?:time|date|stamp|epoch|created|posted)")


def plain_text(element: html.HtmlElement, excluded: Collection[html.HtmlElement] = ()) -> str:
    """Return the text as people read it: blocks and `br` end a line, spaces are folded, what is excluded is left out.

    >>> plain_text(html.fromstring("<div>One <b>two</b><br>three<p>four  five</p><script>x</script></div>"))
    'One two\\nthree\\nfour five'
    """
    parts: list[str] = []
    preformatted = 0
    walk = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, one in walk:
        tag = one.tag
        if event == "start":
            if tag in UNREAD or (one is not element and one in excluded):
                walk.skip_subtree()
                continue
            if tag in BLOCKS:
                parts.append("\n")
                preformatted += tag == "pre"
            if one.text:
                parts.append(one.text if preformatted else one.text.translate(_SAME_LINE))
            continue
        if event == "end" and tag in BLOCKS:
            parts.append("\n")
            preformatted -= tag == "pre" and preformatted > 0
        if one is not element and one.tail:
            parts.append(one.tail if preformatted else one.tail.translate(_SAME_LINE))
    lines = (" ".join(line.split()) for line in "".join(parts)[:MAX_TEXT].split("\n"))
    return "\n".join(line for line in lines if line)


def one_line(node: Node, excluded: Collection[html.HtmlElement] = ()) -> str:
    """Return the text of a node on one line."""
    if not isinstance(node, str):
        is_leaf = not len(node) and node.tag not in UNREAD
        node = (node.text or "") if is_leaf else plain_text(node, excluded)
    return " ".join(node.split())[:MAX_TEXT]


def inner_html(element: html.HtmlElement) -> str:
    """Return what stands inside an element, as HTML."""
    text = html.tostring(element, encoding="unicode", with_tail=False)
    start, end = text.find(">") + 1, text.rfind("<")
    return text[start:end].strip()[:MAX_TEXT] if end >= start else ""


def read_url(node: Node, base: str) -> str | None:
    """Return an absolute URL with its fragment, from an attribute value or from an element that has one."""
    if not isinstance(node, str):
        node = node.get("href") or node.get("src") or node.get("content") or node.get("data-src") or ""
    address, mark, fragment = node.strip().partition("#")
    if not (address or fragment):
        return None
    url = resolve(base, address) if address else base.partition("#")[0]
    return f"{url}{mark}{fragment.strip()}" if url else None


def date_texts(node: Node) -> list[str]:
    """Return the texts of a node that may hold its date, the most exact first."""
    if isinstance(node, str):
        return [node]
    machine = [node.get("datetime"), node.get("content"), *_stamps(node), *(_DATES(node)[:3] if len(node) else ())]
    return [text for text in (*machine, node.get("title"), one_line(node)) if text]


def _stamps(node: html.HtmlElement) -> list[str]:
    return [value for name, value in node.items() if name.startswith("data-") and _STAMPED.match(name[:60])][:3]


def read_dates(texts: Iterable[str], context: DateContext) -> str | None:
    """Return the first date that can be read, as ISO 8601 in UTC."""
    for text in texts:
        if found := read_stamp(text, context):
            return found.iso
    return None


def read_number(text: str) -> str | None:
    """Return the first number of a text, without separators of thousands.

    >>> read_number("about 1,234 views")
    '1234'
    """
    found = _NUMBER.search(text)
    return re.sub(r"[^\d-]", "", found[0]) if found else None


def without_reply_prefix(title: str) -> str:
    """Return a title without the `Re:` that software puts before it.

    >>> without_reply_prefix("Re: RE[2]: Lens choice")
    'Lens choice'
    """
    return _REPLY.sub("", title).strip() or title
