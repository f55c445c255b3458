"""Tells whether a URL names a later position in the list that a page shows: a page number, an offset or a cursor.

A position is one that the page itself does not have: `page=2`, `start=40`, `/page/3/`, `after=t3_x1`. How many entries
a page shows (`pagesize=50`) is none.
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_PARTS = 40
_SEPARATOR = re.compile(r"[&;]")
_NUMBER = re.compile(r"\d{1,9}")
_NOT_LETTERS = re.compile(r"[\W\d_]+")
_SEGMENT = re.compile(r"([a-z]{0,14})[-_.,=]?(\d{1,7})(?:\.[a-z]{2,5})?", re.IGNORECASE)
_ESCAPED = re.compile(r"%(?:40|5b|5d|3a|2e)", re.IGNORECASE)
SIZE_WORD = re.compile(
    r"(?:page|batch|list|result|chunk)?s?(?:size|length)|(?:per|pro|par|por)?pages?per|\w*perpage|\w*propage|limit|ipp|"
    r"rpp|count|anzahl|show|num(?:results)?|hits|rows|max\w*|nombre"
)
PLACE_WORD = re.compile(
    r"page|paged|pages|p|pg|pn|pno|pageno|pagenr|pagenum|pagenumber|pageindex|currentpage|cpage|commentpage|"
    r"seite|blatt|s|pagina|pag|paged|pagine|str|strana|strona|stranica|sayfa|sida|side|sivu|oldal|halaman|trang|lk|"
    r"\w{0,3}start\w{0,8}|offset|off|from|skip|begin\w{0,5}|first\w{0,7}|limitstart|index|idx|list|st|o|pos|position|"
    r"row|rec|recno|record|debut|inicio|ab|von"
)
CURSOR_WORD = re.compile(
    r"after|before|cursor|continue\w{0,6}|\w{0,3}continue|(?:page|next)token|maxid|sinceid|updatedmax|startafter|lastid|"
    r"next(?:cursor|page|key|id)|marker|bookmark"
)


def names_position(url: str, here: str) -> bool:
    """Say whether a URL names a later position in a list of which the page at `here` shows another part.

    >>> here = "http://e.org/list?sort=date"
    >>> names_position("http://e.org/list?sort=date&page=2", here), names_position("http://e.org/list?sort=name", here)
    (True, False)
    >>> names_position("http://e.org/issue?@startwith=50&@pagesize=50", "http://e.org/")
    True
    >>> names_position("http://e.org/list?pagesize=50", here), names_position("http://e.org/topic/17", here)
    (False, False)
    """
    (place, path, query), (place_here, path_here, query_here) = _parts(url), _parts(here)
    if place != place_here:
        return False
    known = set(query_here)
    for name, value in query:
        if (name, value) not in known and _is_place(name, value, path == path_here):
            return True
    return path != path_here and _is_further_path(path, path_here)


def position_of(url: str) -> int | None:
    """Return the page number or offset that a URL names by a word for it.

    >>> position_of("http://e.org/list?start=40"), position_of("http://e.org/list/page/3/"), position_of("http://e.org/7")
    (40, 3, None)
    """
    _, path, query = _parts(url)
    for name, value in query:
        if PLACE_WORD.fullmatch(name) and _NUMBER.fullmatch(value):
            return int(value)
    before = ""
    for segment in path:
        found = _SEGMENT.fullmatch(segment)
        if found and PLACE_WORD.fullmatch((found[1] or before).lower()):
            return int(found[2])
        before = segment
    return None


def is_place_name(name: str) -> bool:
    """Say whether a parameter has a usual name of page numbers and offsets.

    >>> is_place_name("@startwith"), is_place_name("pagesize"), is_place_name("id")
    (True, False, False)
    """
    return bool(PLACE_WORD.fullmatch(_letters(name)))


def _is_place(name: str, value: str, same_path: bool) -> bool:
    if CURSOR_WORD.fullmatch(name):
        return bool(value)
    if not _NUMBER.fullmatch(value) or SIZE_WORD.fullmatch(name):
        return False
    return same_path or bool(PLACE_WORD.fullmatch(name))


def _is_further_path(path: tuple[str, ...], here: tuple[str, ...]) -> bool:
    """Say whether a path goes on from another one by a number: `/list` to `/list/page/3`, `/p2.html` to `/p3.html`."""
    shared = 0
    while shared < min(len(path), len(here)) and path[shared] == here[shared]:
        shared += 1
    rest, rest_here = path[shared:], here[shared:]
    if not 1 <= len(rest) <= 2 or len(rest_here) > 2:
        return False
    found = _SEGMENT.fullmatch(rest[-1])
    if found is None:
        return False
    word = found[1] or (rest[0] if len(rest) == 2 else "")
    if word and PLACE_WORD.fullmatch(_letters(word)):
        return True
    theirs = _SEGMENT.fullmatch(rest_here[-1]) if len(rest_here) == len(rest) else None
    if theirs is not None:
        return theirs[1] == found[1] and rest[:-1] == rest_here[:-1]
    return len(rest) == 1 and (not rest_here or rest_here[0].partition(".")[0] == found[1])


@lru_cache(maxsize=2_000)
def _parts(url: str) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return host, path segments without empty ones, and parameters with the letters of their names."""
    host, _, rest = url.partition("#")[0].partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    if not query and ";" in path:
        path, _, query = path.partition(";")
    pairs = [part.partition("=")[::2] for part in _SEPARATOR.split(query)[:MAX_PARTS] if part]
    segments = tuple(part for part in path.split("/")[:MAX_PARTS] if part)
    return host, segments, tuple((_letters(name), value) for name, value in pairs)


def _letters(name: str) -> str:
    return _NOT_LETTERS.sub("", _ESCAPED.sub("", name)).lower()
