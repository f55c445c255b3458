"""Learns the parts of URLs that do not change the page, such as session ids and sort parameters.

A part is a query parameter or a path segment. Two fetched pages whose URLs differ only in one part confirm that it is
idle if they show the same, and refute it if they do not. What was confirmed twice and never refuted is dropped from
then on: a parameter with one value (`start=0`), with any value on one kind of path (`highlight`), on all paths if its
values look like session ids, or a segment (`print`, `comment-page-1`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from siteseer.page.urls import SESSION_PARAMETERS, TRACKING_PARAMETERS, identity
from siteseer.strategies.learned.online_learner.url_shapes import segment_shape

CONFIRMATIONS = 2
ANY = "*"
MAX_PARTS = 12
MAX_NAMES = 200_000
_TOKEN = re.compile(r"(?=[^0-9]*[0-9])[0-9a-zA-Z_-]{8,128}")
_NOISE = "|".join(sorted({*SESSION_PARAMETERS, *TRACKING_PARAMETERS, "s"}))
_NEEDS_CARE = re.compile(rf"[%#]|^[^?]*;|[?&](?:$|&|(?i:utm_|(?:{_NOISE})(?:=|&|$)))|^[^/]*//[^/]*$")
_SEPARATOR = re.compile(r"([&;])")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a URL: where it stands (path kind), its name and its value; a segment is its own value.

    >>> str(Part("/view.php", "sid", "*")), str(Part("", "print", "print"))
    ('parameter sid on /view.php', 'path segment print')
    """

    path: str
    name: str
    value: str

    def __str__(self) -> str:
        if not self.path:
            return f"path segment {self.name}"
        shown = f"{self.name}={self.value}" if self.value != ANY else self.name
        return f"parameter {shown}" + ("" if self.path == ANY else f" on {self.path}")


class Identities:
    """What is known about idle parts of a site's URLs.

    >>> known = Identities(lambda one, other: True)
    >>> for number, url in enumerate(["http://e.org/a", "http://e.org/a?x=1", "http://e.org/a?x=2"]):
    ...     _ = known.observe(number, url)
    >>> known.reduced("http://e.org/a?x=7&y=1"), [str(part) for part in known.idle]
    ('http://e.org/a?y=1', ['parameter x on /a'])
    """

    def __init__(self, is_same: Callable[[int, int], bool]) -> None:
        self._is_same = is_same
        self._observed: list[tuple[int, str]] = []
        self._numbers: dict[str, int] = {}
        self._shortened: dict[str, list[tuple[int, Part]]] = defaultdict(list)
        self._names: dict[str, str] = {}
        self._idle_names: set[str] = set()
        self._confirmed: Counter[Part] = Counter()
        self._refuted: set[Part] = set()
        self._values: dict[Part, set[str]] = defaultdict(set)
        self.idle: dict[Part, None] = {}

    def assume(self, idle: Iterable[Part]) -> None:
        """Take over parts that an earlier crawl found idle."""
        self.idle.update(dict.fromkeys(idle))
        self._register_again()

    def observe(self, number: int, url: str) -> list[Part]:
        """Take in that a page was fetched under a URL; return the parts that were found idle thereby."""
        before = len(self.idle)
        self._observed.append((number, url))
        url = self.reduced(url)
        for other, part in self._shortened.get(url, ())[:MAX_PARTS]:
            self._compare(number, other, part, None)
        for part, shorter in parts(url):
            if (other_number := self._numbers.get(shorter)) is not None:
                self._compare(number, other_number, part, None)
            for other, theirs in self._shortened.get(shorter, ())[-2:]:
                if theirs.name == part.name and theirs.value != part.value and theirs.path and part.path:
                    self._compare(number, other, part, theirs)
        self._register(number, url)
        found = list(self.idle)[before:]
        if found:
            self._register_again()
        return found

    def undecided(self, url: str, others: Iterable[str]) -> set[Part]:
        """Return the parts on which the page of a URL will decide, as it differs only there from known or other ones.

        >>> known = Identities(lambda one, other: False)
        >>> list(map(str, known.undecided("http://e.org/a?x=1", ["http://e.org/a?x=2"])))
        ['parameter x on /a']
        >>> known.observe(0, "http://e.org/a?x=2"), known.observe(1, "http://e.org/a?x=3")
        ([], [])
        >>> known.undecided("http://e.org/a?x=1", [])
        set()
        """
        url, whole, shortened = self.reduced(url), set[str](), set[tuple[str, str]]()
        for other in map(self.reduced, others):
            whole.add(other)
            shortened.update((part.name, shorter) for part, shorter in parts(other) if part.path)
        found: set[Part] = set()
        for part, shorter in parts(url):
            general = Part(part.path, part.name, ANY) if part.path else part
            if shorter in whole or shorter in self._numbers:
                found |= {general, part}
            elif part.path and ((part.name, shorter) in shortened or self._is_observed(part, shorter)):
                found.add(general)
        return found - self._refuted

    def _is_observed(self, part: Part, shorter: str) -> bool:
        return any(theirs.name == part.name and theirs.path for _, theirs in self._shortened.get(shorter, ())[-2:])

    def reduced(self, url: str) -> str:
        """Return the URL without its idle parts."""
        if not self.idle:
            return url
        known = self._names.get(url)
        if known is None:
            if len(self._names) >= MAX_NAMES:
                self._names.clear()
            known = self._names[url] = self._reduce(url)
        return known

    def _reduce(self, url: str) -> str:
        for part, shorter in parts(url):
            if part.name in self._idle_names and not self._candidates(part).isdisjoint(self.idle):
                return self._reduce(shorter)
        return url

    def _register(self, number: int, url: str) -> None:
        for part, shorter in parts(url):
            self._shortened[shorter].append((number, part))
        self._numbers.setdefault(url, number)

    def _register_again(self) -> None:
        """Know all URLs by their new, shorter names."""
        self._idle_names = {part.name for part in self.idle}
        self._names.clear()
        self._numbers.clear()
        self._shortened.clear()
        for number, url in self._observed:
            self._register(number, self.reduced(url))

    def _compare(self, number: int, other: int, part: Part, theirs: Part | None) -> None:
        general = Part(part.path, part.name, ANY) if part.path else part
        pair = (general,) if theirs else (general, part)
        if all(one in self._refuted for one in pair):
            return
        if not self._is_same(number, other):
            self._refuted.update(pair)
            return
        self._values[general].update(one.value for one in (part, theirs) if one)
        for one in dict.fromkeys(pair):
            self._confirmed[one] += 1
            self._conclude(one)

    def _conclude(self, part: Part) -> None:
        if self._confirmed[part] < CONFIRMATIONS or part in self._refuted:
            self._conclude_everywhere(part.name)
        elif part.value != ANY or len(self._values[part]) > 1:
            self.idle[part] = None
            self._conclude_everywhere(part.name)

    def _conclude_everywhere(self, name: str) -> None:
        """Drop a parameter on all paths if it is idle on two of them and its values are tokens, as session ids are."""
        found = [part for part in self._confirmed if part.name == name and part.value == ANY]
        values = [value for part in found for value in self._values[part]]
        refuted = any(part.name == name and part.value == ANY for part in self._refuted)
        if len(found) > 1 and len(set(values)) > 1 and not refuted and all(map(_TOKEN.fullmatch, values)):
            self.idle[Part(ANY, name, ANY)] = None

    @staticmethod
    def _candidates(part: Part) -> set[Part]:
        if not part.path:
            return {part}
        return {part, Part(part.path, part.name, ANY), Part(ANY, part.name, ANY)}


def parts(url: str) -> Iterator[tuple[Part, str]]:
    """Return the parts of a URL that may be idle, each with the URL that is left without it.

    >>> [(str(part), left) for part, left in parts("http://e.org/m/7?a=1;b=2")]
    [('parameter a=1 on /m/0', 'http://e.org/m/7?b=2'), ('parameter b=2 on /m/0', 'http://e.org/m/7?a=1'), \
('path segment m', 'http://e.org/7?a=1;b=2')]
    """
    head, question, query = url.partition("?")
    scheme, _, rest = head.partition("://")
    host, _, path = rest.partition("/")
    segments = path.split("/")
    shape = "/" + "/".join(map(segment_shape, segments))
    if question:
        pieces = _SEPARATOR.split(query)
        for place in range(0, min(len(pieces), 2 * MAX_PARTS), 2):
            name, _, value = pieces[place].partition("=")
            left = pieces[:place] + pieces[place + 2 :] if place + 1 < len(pieces) else pieces[: max(0, place - 1)]
            yield Part(shape, name, value), head + ("?" + "".join(left) if left else "")
    for place, segment in enumerate(segments[:MAX_PARTS]):
        if len(segments) > 1 and len(segment) <= 24 and any(map(str.isalpha, segment)):
            left = segments[:place] + segments[place + 1 :]
            yield Part("", segment, segment), f"{scheme}://{host}/{'/'.join(left)}{question}{query}"


@lru_cache(maxsize=20_000)
def name_of(url: str) -> str:
    """Return the identity of a URL as it goes on the wire, at once where nothing in it can need to be dropped.

    >>> name_of("http://e.org/a?t=1"), name_of("http://e.org/a?t=1&utm_source=x")
    ('http://e.org/a?t=1', 'http://e.org/a?t=1')
    """
    return identity(url) if _NEEDS_CARE.search(url) else url
