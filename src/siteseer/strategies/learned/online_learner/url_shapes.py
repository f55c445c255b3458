"""Computes the shapes of a URL's parts: what two URLs of one kind have in common whatever the numbers in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

MAX_PARTS = 24
"""Longer paths and queries are cut: nobody names documents so."""

_DIGITS = re.compile(r"\d+")
_SCRIPT = re.compile(r"\.(?:php\d?|phtml|aspx?|cgi|jspx?|pl|cfm|do|exe|dll)$", re.IGNORECASE)
_EXTENSION = re.compile(r"\.(?:[xs]?html?|xml|txt)$", re.IGNORECASE)
_VIEW = re.compile(r"\.(?:0|[a-z]{2,10})$")
_NUMBERED_SLUG = re.compile(r"\d+[-_.][^\W\d].*|[^\W\d].{10,}[-_.]\d{2,}")
_TOKEN = re.compile(r"(?=[a-f]*\d)[0-9a-f]{8,64}|(?=[a-zA-Z]*\d+[a-zA-Z]+\d+[a-zA-Z])[0-9a-zA-Z]{8,64}")
_COUNTER = re.compile(r"(?:[a-z]{0,8}[-_])?[a-z]{0,5}[-_]?0(?:\.[a-z]{2,5})?", re.IGNORECASE)
_MESSAGE_ID = re.compile(r"[^@]+(?:@|%40)[^@]+")
_SEPARATOR = re.compile(r"[&;]")


@dataclass(frozen=True, slots=True)
class Parts:
    """A URL taken apart: host, segments by shape, parameters as (name, value shape); a keyless one has no value."""

    host: str
    segments: tuple[str, ...]
    parameters: tuple[tuple[str, str | None], ...]


def parts_of(url: str) -> Parts:
    """Take a URL apart.

    >>> parts_of("http://e.org/forum/viewtopic.php?t=12&start=30&12-x")
    Parts(host='e.org', segments=('forum', 'viewtopic.php'), parameters=(('t', '0'), ('start', '0'), ('0-x', None)))
    """
    host, _, rest = url.partition("://")[2].partition("/")
    query = rest.partition("?")[2]
    segments = tuple(map(segment_shape, segments_of(url)))
    return Parts(host, segments, tuple(map(_parameter, _SEPARATOR.split(query)[:MAX_PARTS])) if query else ())


def segments_of(url: str) -> list[str]:
    """Return the segments of a URL's path as they stand there.

    >>> segments_of("http://e.org/wiki/Talk%3ATea?action=edit")
    ['wiki', 'Talk:Tea']
    """
    path = url.partition("://")[2].partition("/")[2].partition("?")[0]
    return [_colons(segment) for segment in path.split("/")[:MAX_PARTS]]


def _colons(text: str) -> str:
    """Return a piece of a URL with its colons plain: they part namespaces from names."""
    return text.replace("%3A", ":").replace("%3a", ":") if "%3" in text else text


def _parameter(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    return digitless(name[:60]), (value_shape(_colons(value)) if equals else None)


@lru_cache(maxsize=10_000)
def value_shape(value: str) -> str:
    """Return the shape of a parameter's value: a token or a URL inside the URL becomes a star.

    >>> [value_shape(one) for one in ("12.msg7", "0eb52fa99c", "%2Findex.php%3Ft%3D4", "title")]
    ['0.msg0', '*', '*', 'title']
    """
    if len(value) > 40 or value.count("%") >= 2 or is_token(value):
        return "*"
    return digitless(value)


@lru_cache(maxsize=10_000)
def digitless(text: str) -> str:
    """Return the text with every number written 0.

    >>> digitless("12.msg345")
    '0.msg0'
    """
    return _DIGITS.sub("0", text)


def numbers_of(url: str) -> tuple[str, ...]:
    """Return the numbers in a URL, those of its host left out.

    >>> numbers_of("http://e.org:8080/thread/104-on-tea?page=2")
    ('104', '2')
    """
    return tuple(_DIGITS.findall(url.partition("://")[2].partition("/")[2]))


@lru_cache(maxsize=10_000)
def segment_shape(segment: str) -> str:
    """Return the shape of a path segment: scripts stay, numbers become 0, obvious titles become a star.

    >>> [segment_shape(one) for one in ("view.php", "2020", "12-a-title.html", "on-the-long-road", "page2", "4f1a09bc")]
    ['view.php', '0', '*.html', '*', 'page0', '*']
    >>> [segment_shape(one) for one in ("12-a-title.2.html", "12-a-title.print.html", "Tea;past=3", "8b1.4@e.org")]
    ['*.0.html', '*.print.html', 'Tea;past=0', '*']
    """
    segment, semicolon, rest = segment.partition(";")
    if semicolon:
        name, _, value = rest.partition("=")
        semicolon += digitless(name[:60]) + (f"={value_shape(value)}" if value else "")
    if _SCRIPT.search(segment):
        return segment + semicolon
    stem = _EXTENSION.sub("", segment)
    extension = segment[len(stem) :].lower() + semicolon
    if _MESSAGE_ID.fullmatch(segment):
        return "*" + semicolon
    if sum(map(stem.count, "-_%")) >= 3 or _NUMBERED_SLUG.fullmatch(stem[:200]) or is_token(stem):
        view = _VIEW.search(digitless(stem[-20:]))
        return "*" + (view[0] if view else "") + extension
    return digitless(stem) + extension


def is_token(text: str) -> bool:
    """Say whether a text is a hash or another name that no person chose.

    >>> [is_token(one) for one in ("4f1a09bc", "dQw4w9WgXcQ", "20240511", "page2", "windows95")]
    [True, True, False, False, False]
    """
    return bool(_TOKEN.fullmatch(text)) and not text.isdigit()


def is_script(segment: str) -> bool:
    """Say whether a path segment names a program.

    >>> is_script("index.php"), is_script("12-php")
    (True, False)
    """
    return bool(_SCRIPT.search(segment))


def is_counter(segment: str) -> bool:
    """Say whether a shape is a number with a short word: a page of a list rather than a name.

    >>> [is_counter(one) for one in ("P0.html", "page0", "comment-page-0", "0", "tea0house")]
    [True, True, True, True, False]
    """
    return bool(_COUNTER.fullmatch(segment))


def starred(segment: str) -> str:
    """Return the star that stands for a segment; its extension is kept, and what names a page or a view of it.

    >>> starred("about.html"), starred("tea"), starred("tea.0.html"), starred("Tea;past=0")
    ('*.html', '*', '*.0.html', '*;past=0')
    """
    name, semicolon, rest = segment.partition(";")
    stem = _EXTENSION.sub("", name)
    view = _VIEW.search(stem) if len(stem) < len(name) else None
    return "*" + (view[0] if view else "") + name[len(stem) :].lower() + semicolon + rest
