"""Bytes and headers in, the name of the character encoding out: header, byte order mark, meta, then detection.

Reference: the order of the HTML standard (byte order mark first, then the transport layer, then `meta`).
"""

from __future__ import annotations

import codecs
import re

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, resolve_encoding

from siteseer.model import Page
from siteseer.page.memo import cached

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_HIGH = re.compile(rb"[\x80-\xff]")


def decode_name(page: Page) -> str:
    """Return the encoding to read the page with; always one that Python and libxml2 know.

    >>> decode_name(Page("http://e.org/", headers=(("Content-Type", "text/html; charset=ISO-8859-1"),), body=b"x"))
    'cp1252'
    """
    head = page.body[:4096]
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    declared = http_content_type_encoding(page.header("content-type")) or html_body_declared_encoding(head)
    if declared and _can_read(page, declared):
        return "utf-8" if declared == "ascii" else declared
    return _detect(page)


@cached
def is_utf8(page: Page) -> bool:
    """Say whether the body is UTF-8 to its last byte.

    >>> [is_utf8(Page("http://e.org/", body="café".encode(name))) for name in ("utf-8", "cp1252")]
    [True, False]
    """
    if page.body.isascii():
        return True
    try:
        page.body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def decode(page: Page) -> str:
    """Return the body as text; bytes that do not fit become replacement characters."""
    return page.body.decode(decode_name(page), "replace")


def _can_read(page: Page, name: str) -> bool:
    """Reject names that libxml2 cannot use and UTF-8 that is none: a declared encoding is a claim, not a fact."""
    if resolve_encoding(name) is None:
        return False
    if name in ("utf-8", "ascii"):
        return _is_nearly_utf8(page)
    return not name.startswith("utf-16") or b"\x00" in page.body[:512]


def _is_nearly_utf8(page: Page) -> bool:
    """Say whether a body is UTF-8 but for a few bytes."""
    if is_utf8(page):
        return True
    start = page.body[: 1 << 20]
    wrong = start.decode("utf-8", "replace").count("�")
    return wrong <= 2 or wrong * 200 < len(_HIGH.findall(start))


def _detect(page: Page) -> str:
    body = page.body
    if len(body) >= 8 and body[:512].count(b"\x00") * 4 > len(body[:512]):
        return "utf-16le" if body[1:2] == b"\x00" else "utf-16be"
    if _is_nearly_utf8(page):
        return "utf-8"
    from charset_normalizer import from_bytes

    best = from_bytes(body[: 1 << 15]).best()
    name = best.encoding if best else "cp1252"
    return name if resolve_encoding(name) else "cp1252"
