"""Limits the size of bodies and trees, so that no page costs unbounded time or memory, and reports what is left off.

Pages for people have a few thousand tags, of a few attributes each, nested a few dozen levels deep. A tree costs some
300 bytes of memory for each tag; libxml2 needs time that grows with the square of the number of attributes of a tag,
and gives up where tags nest more than 2,048 levels deep; whoever asks for the ancestors of each element multiplies
depth by size. So tags and attributes beyond a number are left off, and what nests deeper than browsers allow is moved
up.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import numpy as np
from lxml import etree

MAX_BYTES = 16 * 2**20
MAX_TAGS = 250_000
MAX_ATTRIBUTES = 256
MAX_DEPTH = 512
"""As in Chromium, which moves up what nests deeper, too."""
PARSER_DEPTH = 2_048
MANY_TAGS = 20_000
"""A tree with fewer can be as deep as it likes."""
MANY_COMMENTS = 2_000
"""With more, walking a tree takes time that grows with the square of their number: they are left out of it."""
_LONG_TAG = 2_048
"""Bytes: shorter tags are not looked at, as they cannot hold attributes enough to matter."""
_SMALL = 65_536
"""Bytes: a smaller page is parsed at once, whatever is in it; that takes a fifth of a second at worst."""
_TAG = re.compile(rb"""<[a-zA-Z](?>[^"'>=]++|=\s*+(?>"[^"]*+"|'[^']*+')?+|["'])*+""")
"""A start tag without its `>`; possessive throughout, so that no tag is read twice."""
_FORMATTING = re.compile(
    rb"</?(?:abbr|acronym|b|bdo|big|blink|center|em|font|i|nobr|s|small|span|strike|strong|sub|sup|tt|u)(?:\s[^<>]{0,500})?>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(rb"""(?<=[\s/])[^\s/>=]++(?:\s*+=\s*+(?>"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+""")


def within_length(body: bytes) -> tuple[bytes, str]:
    """Return the part of a body that is read, and why it ends there; an empty reason: it is the whole.

    >>> within_length(b"<p>one<p>two")
    (b'<p>one<p>two', '')
    """
    because = f"it is longer than {MAX_BYTES >> 20} MB" if len(body) > MAX_BYTES else ""
    body = body[:MAX_BYTES] if because else body
    if len(body) <= MAX_TAGS or body.count(b"<") <= MAX_TAGS:
        return body, because
    end = int(np.flatnonzero(np.frombuffer(body, np.uint8) == ord("<"))[MAX_TAGS])
    return body[:end], f"it has more than {MAX_TAGS:,} tags"


def within_attributes(body: bytes) -> tuple[bytes, str]:
    """Return a body whose tags have no more attributes than are read, and why some were left off."""
    if len(body) <= _SMALL or max(map(len, _TAG.findall(body)), default=0) <= _LONG_TAG:
        return body, ""
    left_off = 0

    def shorten(tag: re.Match[bytes]) -> bytes:
        nonlocal left_off
        if tag.end() - tag.start() <= _LONG_TAG:
            return tag[0]
        surplus = next(islice(_ATTRIBUTE.finditer(tag[0]), MAX_ATTRIBUTES, None), None)
        if surplus is None:
            return tag[0]
        left_off += 1
        return tag[0][: surplus.start()]

    body = _TAG.sub(shorten, body)
    return body, f"a tag has more than {MAX_ATTRIBUTES} attributes" if left_off else ""


def without_formatting(body: bytes) -> bytes:
    """Return a body without the tags that only change the look of words: sloppy pages open thousands and close none.

    >>> without_formatting(b"<p><FONT size=2><b>one</font><br>two")
    b'<p>one<br>two'
    """
    return _FORMATTING.sub(b"", body)


def has_many_comments(body: bytes) -> bool:
    """Say whether a body has so many comments that walking its tree would take long."""
    return body.count(b"!") > MANY_COMMENTS and body.count(b"<!") > MANY_COMMENTS


def is_nested_too_deep(root: etree._Element) -> bool:
    """Say whether the parser stopped because tags nest too deep: what was open last has no end."""
    depth, last = 1, root
    while len(last):
        depth, last = depth + 1, last[-1]
    return depth >= PARSER_DEPTH - 1


def move_up(root: etree._Element) -> None:
    """Make what nests too deep a sibling of its ancestor at the last level that is allowed, in page order."""
    deep: list[tuple[Any, Any]] = []
    depth, anchor = 0, root
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            depth -= 1
            continue
        depth += 1
        if depth == MAX_DEPTH:
            anchor = element
        elif depth > MAX_DEPTH:
            deep.append((anchor, element))
    for anchor, element in reversed(deep):
        anchor.addnext(element)
