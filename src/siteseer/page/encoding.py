"""Determines the character encoding of a page: byte order mark, HTTP header, `meta`, then detection.

Reference: the HTML standard for the order (byte order mark first, then the transport layer, then `meta`), the Encoding
standard of the WHATWG for what is an encoding. Differs: two of the encodings that browsers refuse since they are used
to attack readers are read, as old pages are written in them; a declaration that the bytes contradict is not believed.
"""

from __future__ import annotations

import codecs
import re

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, resolve_encoding

from siteseer.model import Page
from siteseer.page.page_cache import cached

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
ENCODINGS = frozenset(
    ("ascii", "big5hkscs", "cp866", "cp874", "cp932", "cp949", "euc_jp", "gb18030", "iso2022_jp", "koi8-r", "koi8-u")
    + ("mac-cyrillic", "mac-roman", "utf-8", "utf-16", "utf-16-be", "utf-16-le", "hz", "iso2022_kr")
    + tuple(f"cp125{number}" for number in range(9))
    + tuple(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16))
)
"""Python's names of the encodings of the Web. Python knows more (rot13, zlib, idna): those are no encodings of text, or
fail on some bytes, and a page that names one of them names none."""
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
    for declared in (http_content_type_encoding(page.header("content-type")), html_body_declared_encoding(head)):
        if declared and _can_read(page, declared):
            return "utf-8" if declared == "ascii" else declared
    return _detect(page)


def web_encoding(label: str) -> str | None:
    """Return Python's name of an encoding by one of its labels; None where it is no encoding of the Web.

    >>> web_encoding("Latin1"), web_encoding("shift_jis"), web_encoding("rot13"), web_encoding("idna")
    ('cp1252', 'cp932', None, None)
    """
    name = resolve_encoding(label)
    return name if name in ENCODINGS else None


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
    """Reject what is no encoding of the Web, and UTF-8 that is none: a declared encoding is a claim, not a fact."""
    if name not in ENCODINGS:
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
