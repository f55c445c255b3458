"""Stores what was learned about a site as lines of JSON that people can read and a later crawl starts from.

One JSON object a line: a URL template with what it leads to, what its pages were worth and what they cost; a part of
URLs that is idle; the sitemaps that listed pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from siteseer.errors import ConfigurationError
from siteseer.strategies.learned.online_learner.identity_rules import Part

MAX_LINES = 100_000
CLEARLY = 0.3
"""Pages worth this much on average are worth following however few of them were fetched."""


@dataclass(frozen=True, slots=True)
class LinkPattern:
    """One kind of URL of a site."""

    template: str
    leads_to: str
    """`content`, `lists`, `nothing new`, `nothing tried`, or `other name of TEMPLATE`."""
    worth: float
    """Mean worth of its pages, from 0 to 1."""
    pages: int
    urls: int
    requests: int
    label: str = ""
    """The text of one link that led to it."""

    @property
    def is_followed(self) -> bool:
        """Whether such URLs are worth their requests: what was given up on the way is not, whatever it began with."""
        was_given_up = 2 * self.requests < self.urls and self.worth < CLEARLY
        return self.leads_to in ("content", "lists") and not was_given_up


@dataclass(frozen=True, slots=True)
class Patterns:
    """All that one crawl hands to the next."""

    links: tuple[LinkPattern, ...] = ()
    idle: tuple[Part, ...] = ()
    sitemaps: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the lines of the file, the most worthwhile kinds of URL first."""
        rows: list[object] = [asdict(one) for one in sorted(self.links, key=lambda one: -one.worth * one.pages)]
        rows += [{"idle": asdict(part), "means": f"{part} does not change the page"} for part in self.idle]
        rows += [{"sitemap": url} for url in self.sitemaps]
        return [json.dumps(row, ensure_ascii=False) for row in rows]


def write_patterns(path: Path, patterns: Patterns) -> None:
    """Write patterns to a file."""
    path.write_text("".join(line + "\n" for line in patterns.lines()), encoding="utf-8")


def read_patterns(path: Path) -> Patterns:
    """Read the patterns that `write_patterns` wrote; lines of other strategies are passed over."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()[:MAX_LINES]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: the patterns cannot be read: {error}") from error
    return parse_patterns(lines, str(path))


def parse_patterns(lines: Iterable[str], where: str = "patterns") -> Patterns:
    """Read patterns from lines.

    >>> parse_patterns(['{"sitemap": "http://e.org/map.xml"}']).sitemaps
    ('http://e.org/map.xml',)
    """
    links: list[LinkPattern] = []
    idle: list[Part] = []
    sitemaps: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line) if line.strip() else {}
            if "template" in row:
                links.append(_link(row))
            elif "idle" in row:
                idle.append(Part(*(str(row["idle"][key]) for key in ("path", "name", "value"))))
            elif "sitemap" in row:
                sitemaps.append(str(row["sitemap"]))
        except (ValueError, TypeError, KeyError) as error:
            raise ConfigurationError(f"{where}, line {number}: this is no navigation pattern: {error}") from error
    return Patterns(tuple(links), tuple(idle), tuple(sitemaps))


def _link(row: dict[str, object]) -> LinkPattern:
    pages, urls, requests = (int(str(row.get(name, 0))) for name in ("pages", "urls", "requests"))
    worth = min(max(float(str(row.get("worth", 0))), 0.0), 1.0)
    leads_to, label = str(row.get("leads_to", "")), str(row.get("label", ""))
    return LinkPattern(str(row["template"]), leads_to, worth, pages, urls, requests, label)


class PatternMatcher:
    """Finds the stored pattern for a template that was just met, which may be more literal than the stored one.

    >>> stored = LinkPattern("/tag/*/?page=0", "nothing new", 0.0, 4, 9, 4)
    >>> matcher = PatternMatcher([stored])
    >>> matcher.find("/tag/tea/?page=0") is stored, matcher.find("/tag/tea/")
    (True, None)
    """

    def __init__(self, links: Sequence[LinkPattern]) -> None:
        self._exact = {one.template: one for one in links}
        self._by_size: dict[tuple[int, int], list[tuple[int, list[str], LinkPattern]]] = {}
        self._found: dict[str, LinkPattern | None] = {}
        for one in links:
            pieces, size = _pieces(one.template)
            self._by_size.setdefault(size, []).append((sum("*" in piece for piece in pieces), pieces, one))
        for candidates in self._by_size.values():
            candidates.sort(key=lambda candidate: candidate[0])

    def find(self, template: str) -> LinkPattern | None:
        """Return the closest stored pattern, or None."""
        if template not in self._found:
            self._found[template] = self._exact.get(template) or self._search(template)
        return self._found[template]

    def _search(self, template: str) -> LinkPattern | None:
        pieces, size = _pieces(template)
        for _, stored, pattern in self._by_size.get(size, ()):
            if all(map(_fits, stored, pieces)):
                return pattern
        return None


def _pieces(template: str) -> tuple[list[str], tuple[int, int]]:
    path, _, query = template.partition("?")
    segments, parameters = path.split("/"), query.split("&") if query else []
    return [*segments, *parameters], (len(segments), len(parameters))


def _fits(stored: str, piece: str) -> bool:
    head, star, tail = stored.partition("*")
    return stored == piece or (bool(star) and bool(piece) and piece.startswith(head) and piece.endswith(tail))
