"""Computes the skeleton that URLs of one shape share, and a regular expression over path and query that fits them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

MOST_URLS = 200
SCRIPTS = frozenset("php php3 php5 asp aspx jsp cgi pl cfm do".split())
"""Programs: another name is another function."""
LONGEST_SCRIPT = 24
_MODE = re.compile(r"^(?:do|act|action|op|task|cmd|func|view|sa|type|format|tab|what)$|mode|sort|order", re.I)
"""Parameters that say what shall be done, not with what: another value is another function."""
_SLUG = re.compile(r"[^-_%]+[-_%][^-_%]+[-_%]")
"""Made from a title: it stands for one page, not for a kind."""
_NUMBER = re.compile(r"\d+")
_SPECIAL = re.compile(r"([\\.^$*+?{}\[\]|()])")


@lru_cache(maxsize=50_000)
def skeleton(url: str) -> str:
    """Return the shape of a URL: numbers folded, slugs and words each as one letter, parameters by name.

    >>> skeleton("http://e.org/archives/150-As-blah.html?page=2")
    '/w/N-s.html?page=N'
    >>> skeleton("http://e.org/t/a-long-title") == skeleton("http://e.org/t/another-one")
    True
    """
    parts = urlsplit(url)
    segments = [_segment(segment) for segment in parts.path.split("/")]
    query = sorted((name, _value(name, value)) for name, value in parse_qsl(parts.query.replace(";", "&"), True))
    text = "/".join(segments) or "/"
    return text + ("?" + "&".join(f"{name}={value}" for name, value in query) if query else "")


def _segment(segment: str) -> str:
    if not segment:
        return ""
    stem, dot, ending = segment.rpartition(".")
    if not dot or not ending.isalpha() or len(ending) > 5:
        stem, dot, ending = segment, "", ""
    return segment if ending in SCRIPTS and len(segment) <= LONGEST_SCRIPT else _word(stem) + dot + ending


def _word(word: str) -> str:
    if word.isdigit():
        return "N"
    if found := re.match(r"\d+[-_.]", word):
        return "N" + found[0][-1] + "s"
    if found := re.search(r"[-_.]\d+$", word):
        return "s" + found[0][0] + "N"
    if found := re.fullmatch(r"([A-Za-z]{1,12})(\d+)", word):
        return found[1] + "N"
    return "s" if re.search(r"[-_%+ ]", word) or len(word) > 24 else "w"


def _value(name: str, value: str) -> str:
    if value.isdigit():
        return "N"
    if _MODE.search(name):
        return value if len(value) <= 12 else "s"
    if any(letter.isalpha() for letter in value):
        return "w"
    return _NUMBER.sub("N", value)[:24]


def expression_of(urls: Iterable[str]) -> str:
    """Return a regular expression over path and query that all URLs of one skeleton match, as narrow as they show.

    >>> expression_of(["http://e.org/archives/150-As-blah.html", "http://e.org/archives/3-Our.html"])
    '^/archives/[0-9]+-[^/?]+\\\\.html$'
    >>> expression_of(["http://e.org/view.php?t=5", "http://e.org/view.php?t=17"])
    '^/view\\\\.php\\\\?t=[0-9]+$'
    """
    parts = [urlsplit(url) for url in list(dict.fromkeys(urls))[:MOST_URLS]]
    rows = [part.path.split("/") for part in parts]
    path = "/".join(_common([row[place] for row in rows]) for place in range(len(rows[0]))) if rows else ""
    queries = {part.query for part in parts}
    if queries == {""}:
        return f"^{path}$"
    columns = [re.split(r"([&;=])", part.query) for part in parts]
    if len({len(column) for column in columns}) != 1:
        return f"^{path}\\?"
    query = ""
    for place in range(len(columns[0])):
        values = [column[place] for column in columns]
        is_name = columns[0][place + 1 : place + 2] == ["="] and len(set(values)) == 1
        query += escaped(values[0]) if is_name else _common(values)
    return f"^{path}\\?{query}$"


def _common(values: Sequence[str]) -> str:
    """Return an expression for the values of one place."""
    if len(set(values)) == 1 and not _NUMBER.search(values[0]) and not re.search(r"[-_%]", values[0][1:-1]):
        return escaped(values[0])
    folded = {_NUMBER.sub("0", value) for value in values}
    if len(folded) == 1 and (len(set(values)) > 1 or not re.search(r"[A-Za-z]{2,}[-_]|[-_][A-Za-z]{2,}", values[0])):
        return re.sub("0", "[0-9]+", escaped(folded.pop()))
    if len(set(values)) == 1 and len(values) > 2 and not _SLUG.search(values[0]):
        return escaped(values[0])
    stems = [value.rpartition(".") for value in values]
    ending = stems[0][2] if all(dot and tail == stems[0][2] and tail.isalpha() for _, dot, tail in stems) else ""
    bare = [stem for stem, _, _ in stems] if ending else list(values)
    end = f"\\.{ending}" if ending else ""
    if all(re.match(r"\d+-", value) for value in bare):
        return f"[0-9]+-[^/?]+{end}"
    if all(re.search(r"-\d+$", value) for value in bare):
        return f"[^/?]+-[0-9]+{end}"
    if all(re.search(r"\.\d+$", value) for value in bare):
        return f"[^/?]+\\.[0-9]+{end}"
    return f"[^/?&;]+{end}"


def path_and_query(url: str) -> str:
    """Return path and query of a URL.

    >>> path_and_query("http://e.org/a?b=c")
    '/a?b=c'
    """
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def escaped(text: str) -> str:
    """Escape what means something in a regular expression."""
    return _SPECIAL.sub(r"\\\1", text)


def differs_in_one_number(one: str, other: str) -> bool:
    """Say whether two URLs are the same but for one number, or but for one number that only one of them has.

    >>> differs_in_one_number("http://e.org/a?page=2", "http://e.org/a?page=11")
    True
    >>> differs_in_one_number("http://e.org/a/", "http://e.org/a/page/2/")
    True
    """
    if one == other:
        return False
    if _NUMBER.sub("0", one) == _NUMBER.sub("0", other):
        left, right = _NUMBER.findall(one), _NUMBER.findall(other)
        return [a != b for a, b in zip(left, right, strict=True)].count(True) == 1
    short, long = sorted((one, other), key=len)
    before = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    tail = short[before:]
    middle = long[before : len(long) - len(tail)] if long.endswith(tail) else ""
    return 0 < len(middle) <= 24 and len(_NUMBER.findall(middle)) == 1
