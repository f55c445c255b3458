"""Groups similar URLs, and generalises a group to one regular expression.

Reference: Vidal et al., Structure-based crawling in the hidden Web, sections 4.3 and 4.4 and Algorithm 3. A URL is a
sequence of levels; tokens of a level that differ are generalised by the deepest common ancestor in a regex tree.
Differs: a query is split by parameter, each value a level; the expression is prefix, pattern, suffix in this order; a
token that some URLs lack becomes optional instead of repeated; literals are escaped; where the number of tokens varies
much, the whole level becomes one class, as people would write it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

K = 2
"""In how many levels alike URLs may differ."""
MAX_LEVELS = 12
MAX_LENGTH = 2_000
VARYING, MANY_TOKENS = 2, 8
"""More tokens than that, or a number of them that varies more, are a title: the level becomes one class."""

CODE = 8
"""Letters and digits mixed, of this length, are a code that says nothing."""

_TOKENS = re.compile(r"[A-Za-z]+|\d+|(?:%[0-9A-Fa-f]{2})+|.", re.DOTALL)
_SPECIAL = re.compile(r"[.\\+*?\[\](){}^$|]")
_PARENTS = {"letters": "word", "digits": "word", "word": "name", "escape": "name", "name": "any", "sign": "any"}
_EXPRESSIONS = {
    "letters": "[A-Za-z]+",
    "digits": r"\d+",
    "word": r"\w+",
    "escape": "(?:%[0-9A-Fa-f]{2})+",
    "name": r"[\w%]+",
    "any": "[^/?&]+",
}
"""The regex tree: leaves are letters, digits, percent escapes and single signs; each inner node joins its children."""


@dataclass(frozen=True, slots=True)
class Levels:
    """A URL split into scheme and host, path segments, and the parameters of its query.

    >>> Levels.of("http://e.org/a/b?x=1&y")
    Levels(host='http://e.org', path=('a', 'b'), names=('x', 'y'), values=('1', None))
    """

    host: str
    path: tuple[str, ...]
    names: tuple[str, ...] = ()
    values: tuple[str | None, ...] = ()

    @classmethod
    def of(cls, url: str) -> Levels:
        """Split a URL into its levels."""
        scheme, _, rest = url[:MAX_LENGTH].partition("://")
        host, _, rest = rest.partition("/")
        path, _, query = rest.partition("?")
        pairs = [part.partition("=") for part in query.split("&")] if query else []
        values = tuple(value if equals else None for _, equals, value in pairs)
        return cls(f"{scheme}://{host}", tuple(path.split("/")), tuple(name for name, _, _ in pairs), values)

    @property
    def shape(self) -> tuple[object, ...]:
        """What URLs must have in common to be alike at all: host, levels that are not empty, names of parameters."""
        return self.host, tuple(map(bool, self.path)), self.names, tuple(value is None for value in self.values)

    @property
    def levels(self) -> tuple[str, ...]:
        """All levels behind the host."""
        return (*self.path, *(value or "" for value in self.values))


def is_similar(one: str, other: str, k: int = K) -> bool:
    """Say whether two URLs are alike: same host, same number of levels, at most k of them different.

    >>> is_similar("http://e.org/film/1/a", "http://e.org/film/2/b"), is_similar("http://e.org/a/b/c", "http://e.org/")
    (True, False)
    """
    a, b = Levels.of(one), Levels.of(other)
    return a.shape == b.shape and sum(x != y for x, y in zip(a.levels, b.levels, strict=True)) <= k


def is_alike(one: str, other: str) -> bool:
    """Say whether two URLs could name pages of one kind: numbers, such as dates, may differ anywhere, and one name.

    The path before a query names a program, and must be the same.

    >>> is_alike("http://e.org/20/no-tea", "http://e.org/21/a-cup"), is_alike("http://e.org/7", "http://e.org/a")
    (True, False)
    """
    a, b = Levels.of(one), Levels.of(other)
    if a.shape != b.shape or (a.names and a.path != b.path):
        return False
    different = [(x, y) for x, y in zip(a.levels, b.levels, strict=True) if x != y]
    if any(_form(x) != _form(y) for x, y in different):
        return False
    return sum(not x.isdigit() for x, _ in different) <= 1


def is_sibling(one: str, other: str) -> bool:
    """Say whether two URLs could name two pages of one kind by a number or a name that differs, and by no code.

    >>> is_sibling("http://e.org/d/12", "http://e.org/d/13"), is_sibling("http://e.org/d/12", "http://e.org/d/12?x=1")
    (True, False)
    >>> is_sibling("http://e.org/d/12?k=9f06a2b1", "http://e.org/d/12?k=77aa0b1c")
    False
    """
    pairs = zip(Levels.of(one).levels, Levels.of(other).levels, strict=False)
    return is_alike(one, other) and any(x != y and _form(x)[0] != "code" for x, y in pairs)


def is_coded(url: str) -> bool:
    """Say whether a URL names its page by a meaningless code.

    >>> is_coded("http://e.org/p/9f06a2b1"), is_coded("http://e.org/p/9"), is_coded("http://e.org/p/a-title")
    (True, False, False)
    """
    return any(_form(level)[0] == "code" for level in Levels.of(url).levels)


def without_codes(url: str) -> str:
    """Return path and query of a URL with every code written 0.

    >>> without_codes("http://e.org/p/9f06a2b1?id=9f06a2b1&x")
    '/p/0?id=0&x'
    """
    parts = Levels.of(url)
    path, values = (
        ["0" if one and _form(one)[0] == "code" else one for one in part] for part in (parts.path, parts.values)
    )
    query = "&".join(name if one is None else f"{name}={one}" for name, one in zip(parts.names, values, strict=True))
    return "/" + "/".join(map(str, path)) + (f"?{query}" if query else "")


def _form(level: str) -> tuple[str, bool]:
    """Return how a level begins, and whether signs part its words: a title looks unlike a name or a number.

    >>> _form("12-a-long-title"), _form("P9"), _form("9"), _form("9f06a2b1")
    (('digits', True), ('letters', False), ('digits', False), ('code', False))
    """
    if len(level) >= CODE and level.isalnum() and not level.isalpha() and not level.isdigit():
        return "code", False
    return _leaf(level) if level else "", any(sign in level for sign in "-_+%")


def group(urls: Sequence[str], k: int = K) -> list[list[str]]:
    """Group similar URLs (the partition of Algorithm 2), in the order of their first members.

    >>> group(["http://e.org/a/1", "http://e.org/b/x/y", "http://e.org/a/2"])
    [['http://e.org/a/1', 'http://e.org/a/2'], ['http://e.org/b/x/y']]
    """
    leader: dict[str, str] = {}

    def find(url: str) -> str:
        while leader.setdefault(url, url) != url:
            leader[url] = leader[leader[url]]
            url = leader[url]
        return url

    masked: dict[object, str] = {}
    for url in urls:
        parts = Levels.of(url)
        levels = parts.levels[:MAX_LEVELS]
        for places in combinations(range(len(levels)), min(k, len(levels))):
            key = parts.shape, places, tuple(one for place, one in enumerate(levels) if place not in places)
            first, other = find(masked.setdefault(key, url)), find(url)
            leader[other] = first
    groups: dict[str, list[str]] = defaultdict(list)
    for url in dict.fromkeys(urls):
        groups[find(url)].append(url)
    return list(groups.values())


def url_pattern(urls: Iterable[str]) -> str:
    """Return one expression for URLs of one shape (URLPATTERN of Algorithm 3).

    >>> url_pattern(["http://e.org/t.php?id=1&s=x", "http://e.org/t.php?id=22&s=x"])
    'http://e\\\\.org/t\\\\.php\\\\?id=\\\\d+&s=x'
    """
    taken = [Levels.of(url) for url in dict.fromkeys(urls)]
    first = taken[0]
    levels = [level_pattern([one.levels[place] for one in taken]) for place in range(len(first.levels))]
    path = "/".join(levels[: len(first.path)])
    query = "&".join(
        literal(name) + ("" if value is None else "=" + level)
        for name, value, level in zip(first.names, first.values, levels[len(first.path) :], strict=True)
    )
    return literal(first.host) + "/" + path + (r"\?" + query if query else "")


def level_pattern(values: Sequence[str]) -> str:
    """Return one expression for the values at one level of several URLs.

    >>> level_pattern(["page-1.html", "page-20.html"])
    'page-\\\\d+\\\\.html'
    """
    if len(set(values)) == 1:
        return literal(values[0])
    prefix, suffix, infixes = _trimmed(values)
    rows = [_TOKENS.findall(infix) for infix in infixes]
    longest, shortest = max(map(len, rows)), min(map(len, rows))
    if longest > MANY_TOKENS or longest - shortest > VARYING:
        pattern = _title_pattern(rows)
    else:
        columns = [[row[place] if place < len(row) else "" for row in rows] for place in range(longest)]
        pattern = "".join(map(token_pattern, columns))
    return literal(prefix) + pattern + literal(suffix)


def _title_pattern(rows: Sequence[Sequence[str]]) -> str:
    """Return one expression for titles: how they all begin, and the class of what follows."""
    begin = 0
    shortest = min(map(len, rows))
    while begin < min(2, shortest) and len({_leaf(row[begin]) for row in rows}) == 1 and rows[0][begin] != "%":
        begin += 1
    head = "".join(token_pattern([row[place] for row in rows]) for place in range(begin))
    rest = {token for row in rows for token in row[begin:]}
    return head + _class_of(rest) + ("+" if shortest > begin else "*")


def literal(text: str) -> str:
    """Return the expression that matches this text only, escaped no more than it must be.

    >>> literal("a-b.html?c")
    'a-b\\\\.html\\\\?c'
    """
    return _SPECIAL.sub(r"\\\g<0>", text)


def token_pattern(tokens: Sequence[str]) -> str:
    """Return one expression for the tokens of a column (TOKENREGEX); an empty one is missing.

    >>> token_pattern(["8", "D", ""]), token_pattern(["_", "_", ""]), token_pattern(["a", "b"])
    ('\\\\w*', '_?', '[A-Za-z]+')
    """
    present = {token for token in tokens if token}
    if len(present) == 1:
        token = present.pop()
        found = literal(token)
        return found if all(tokens) else (f"{found}?" if len(token) == 1 else f"(?:{found})?")
    expression = _EXPRESSIONS.get(_ancestor([_leaf(token) for token in present]), _EXPRESSIONS["any"])
    return expression if all(tokens) else expression[:-1] + "*"


def _leaf(token: str) -> str:
    if token[0].isascii() and token[0].isalpha():
        return "letters"
    if token[0].isdigit():
        return "digits"
    return "escape" if len(token) > 1 and token[0] == "%" else "sign"


def _ancestor(leaves: Sequence[str]) -> str:
    """Return the deepest node of the regex tree above all leaves."""
    chains = []
    for leaf in leaves:
        chain = [leaf]
        while chain[-1] in _PARENTS:
            chain.append(_PARENTS[chain[-1]])
        chains.append(chain)
    if chains[0][0] == "sign":
        return "any"
    return next(node for node in chains[0] if all(node in chain for chain in chains))


def _class_of(tokens: set[str]) -> str:
    """Return the class of all characters of tokens: words, and the signs between them."""
    signs = sorted({token for token in tokens if _leaf(token) == "sign"})
    percent = "%" if any(_leaf(token) == "escape" for token in tokens) else ""
    return "[\\w" + "".join(map(re.escape, signs)) + percent + "]"


def _trimmed(values: Sequence[str]) -> tuple[str, str, list[str]]:
    """Take the common prefix and suffix off; neither cuts a word or a number in two."""
    prefix = _common(values)
    while prefix and any(_splits(value, len(prefix)) for value in values):
        prefix = prefix[:-1]
    rests = [value[len(prefix) :] for value in values]
    suffix = _common([rest[::-1] for rest in rests])[::-1]
    while suffix and any(_splits(rest, len(rest) - len(suffix)) for rest in rests):
        suffix = suffix[1:]
    return prefix, suffix, [rest[: len(rest) - len(suffix)] for rest in rests]


def _common(values: Sequence[str]) -> str:
    """Return what all values begin with."""
    first, last = min(values), max(values)
    length = next((place for place, one in enumerate(first) if one != last[place : place + 1]), len(first))
    return first[:length]


def _splits(text: str, place: int) -> bool:
    if not 0 < place < len(text):
        return False
    return (text[place - 1].isdigit() and text[place].isdigit()) or (
        text[place - 1].isalpha() and text[place].isalpha()
    )
