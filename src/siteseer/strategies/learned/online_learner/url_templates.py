"""Groups URLs into templates by counting the values of their parts, again and again as the site is discovered.

A segment that is one of many under the same prefix becomes a star, and so does a parameter value that is one of many.
The counts are kept; decisions are made again whenever the number of known URLs has grown by a quarter, and only URLs
whose template then changed are reported. Where most URLs of a site are of one template, as where every page is a number
or a hash, that template is divided by the places in which links to such URLs stand.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from siteseer.strategies.learned.online_learner.url_shapes import (
    Parts,
    is_counter,
    is_script,
    parts_of,
    segments_of,
    starred,
)
from siteseer.strategies.learned.online_learner.url_words import SOFTWARE_WORDS, TAXONOMIES

MANY_SEGMENTS = 8
"""A prefix with more different continuations than this holds names, not sections."""
MANY_VALUES = 6
RARE, RARE_SHARE, RARE_FACTOR = 3, 0.03, 3
"""Among many, a value stays itself if it has this many URLs and this share of them, others counting as three times as
many at most: a hundred links to last posts are a kind of URL beside a thousand links to single ones, too."""
FEWEST_NAMES = 3
"""Where so many continuations of a prefix are names of pages, others that look so are names, too."""
MOST_NAMES = 1_000
"""So many names of one shape are told apart."""
SETTLED = 1.05
"""What is rare is computed anew when the number of URLs has grown by this."""
GROWTH = 1.25
FIRST_REBUILD = 16
PARENTS = 3
"""A path word that continues this many different prefixes (`page`, `feed`) is a word of the software."""
ONE_KIND, FEWEST_URLS = 0.5, 40
"""Where one template holds more than this share of at least so many URLs, it tells nothing."""
AT = " at "
_TAG = re.compile(r"(?:^|(?<=>))[^#.>]+")


@dataclass(frozen=True, slots=True)
class Template:
    """The kind of a URL, from the closest to the widest circle of relatives."""

    name: str
    names: str
    skeleton: str
    path: str

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes under which a page of this template is counted, closest first."""
        return (f"L {self.name}", f"N {self.names}", f"K {self.skeleton}", f"P {self.path}")


class _Tally:
    """Counts values, and how many there are in all."""

    __slots__ = ("_least", "_settled_at", "counts", "total")

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.total = 0
        self._least, self._settled_at = RARE, 0.0

    def add(self, value: str, times: int) -> None:
        self.counts[value] = self.counts.get(value, 0) + times
        self.total += times
        head, colon, _ = value.partition(":")
        if colon:
            self.counts[head + colon] = self.counts.get(head + colon, 0) + times

    def is_rare(self, value: str, most: int | None = None) -> bool:
        """Say whether a value has too few URLs to be a kind; where it stands for names, they count, so many."""
        if self.total > self._settled_at:
            self._least, self._settled_at = self._fewest(), SETTLED * self.total
        count = self.counts.get(value, 0)
        return (count if most is None else min(count, most)) < self._least

    def _fewest(self) -> int:
        """Return how many URLs a value must have to stay itself: with more URLs its share can only be larger."""
        counts = sorted(count for value, count in self.counts.items() if value[-1:] != ":")
        smaller, at = 0, 0
        for fewest in sorted({count for count in self.counts.values() if count >= RARE}):
            while at < len(counts) and counts[at] <= RARE_FACTOR * fewest:
                smaller += counts[at]
                at += 1
            if fewest >= RARE_SHARE * (smaller + RARE_FACTOR * fewest * (len(counts) - at)):
                return fewest
        return max(RARE, self.total)

    def star(self, value: str, star: str = "*") -> str:
        """Return the star that stands for a value; one of a namespace (`Special:Pages`) keeps it where it has many."""
        head, colon, _ = value.partition(":")
        return f"{head}:*" if colon and not self.is_rare(head + colon) else star


class Templates:
    """The templates of all known URLs, by number.

    >>> templates = Templates()
    >>> templates.add("http://e.org/t?id=4"), templates.of(0).name
    (0, '/t?id=0')
    """

    def __init__(self) -> None:
        self.host: str | None = None
        self._parts: list[Parts] = []
        self._number: Counter[Parts] = Counter()
        """How many URLs have these parts: numbers in them are all alike."""
        self._same: dict[Parts, Parts] = {}
        self._places: list[str] = []
        self._divided: set[str] = set()
        self._templates: list[Template] = []
        self._segments: dict[tuple[str, ...], _Tally] = defaultdict(_Tally)
        self._values: dict[tuple[str, str], _Tally] = defaultdict(_Tally)
        self._parents: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._rebuild_at = FIRST_REBUILD
        self._made: dict[Parts, Template] = {}
        self._names: dict[str, set[str]] = defaultdict(set)
        """The segments that each shape with a number in it stands for: `tea-7` is a page however many views it has."""

    def __len__(self) -> int:
        return len(self._parts)

    @property
    def is_divided(self) -> bool:
        """Whether URLs alone do not tell the kinds of pages."""
        return bool(self._divided)

    def add(self, url: str, place: str = "") -> int:
        """Take in a URL, and where the link to it stands; return its number."""
        parts = self._parts_of(url)
        if self.host is None:
            self.host = parts.host
        self._parts.append(parts)
        self._places.append(place)
        self._count(parts)
        self._templates.append(self._placed(self._template(parts), place))
        return len(self._parts) - 1

    def of(self, number: int) -> Template:
        """Return the template of a URL by its number."""
        return self._templates[number]

    def rename(self, number: int, url: str) -> None:
        """Take in that a URL has another name now; decisions are made again at the next rebuild."""
        self._number[self._parts[number]] -= 1
        self._parts[number] = self._parts_of(url)
        self._rebuild_at = 0

    def rebuild(self) -> list[int]:
        """Decide again if enough was discovered; return the numbers of the URLs whose template changed."""
        if len(self._parts) < self._rebuild_at:
            return []
        self._rebuild_at = int(len(self._parts) * GROWTH) + 1
        self._count_again()
        self._made.clear()
        changed = []
        templates = [self._template(parts) for parts in self._parts]
        self._divide(templates)
        for number, template in enumerate(templates):
            new = self._placed(template, self._places[number])
            if new != self._templates[number]:
                self._templates[number] = new
                changed.append(number)
        return changed

    def _parts_of(self, url: str) -> Parts:
        """Take a URL apart and count it; equal parts are kept once."""
        parts = parts_of(url)
        for segment, name in zip(parts.segments, segments_of(url), strict=True):
            if "0" in segment and len(self._names[segment]) < MOST_NAMES:
                self._names[segment].add(name)
        self._number[parts] += 1
        return self._same.setdefault(parts, parts)

    def _divide(self, templates: list[Template]) -> None:
        """Find the template that holds most URLs; one that was divided stays so while it holds half as many."""
        counts = Counter(template.name for template in templates)
        total = max(FEWEST_URLS, len(templates))
        least = {name: ONE_KIND / 2 if name in self._divided else ONE_KIND for name in counts}
        self._divided = {name for name, count in counts.items() if count > least[name] * total}

    def _placed(self, template: Template, place: str) -> Template:
        if not place or template.name not in self._divided:
            return template
        tags = ">".join(_TAG.findall(place))
        return Template(template.name + AT + place, template.name + AT + tags, template.name + AT + tags, template.path)

    def _count_again(self) -> None:
        """Count level by level, as what a prefix is depends on the decisions about the levels above."""
        self._segments.clear()
        self._values.clear()
        self._parents.clear()
        counted = [(parts, times) for parts, times in self._number.items() if times]
        waiting: list[tuple[tuple[str, ...], tuple[str, ...], int]]
        waiting = [((parts.host,), parts.segments, times) for parts, times in counted]
        level = 0
        while waiting:
            for prefix, segments, times in waiting:
                self._count_segment(prefix, segments[level], times)
            waiting = [
                ((*prefix, self._segment(prefix, segments[level])), segments, times)
                for prefix, segments, times in waiting
                if len(segments) > level + 1
            ]
            level += 1
        for parts, times in counted:
            self._count_values(self._prefix(parts), parts, times)

    def _count(self, parts: Parts) -> None:
        prefix: tuple[str, ...] = (parts.host,)
        for segment in parts.segments:
            self._count_segment(prefix, segment, 1)
            prefix = (*prefix, self._segment(prefix, segment))
        self._count_values(prefix, parts, 1)

    def _count_segment(self, prefix: tuple[str, ...], segment: str, times: int) -> None:
        self._segments[prefix].add(segment, times)
        self._parents[segment].add(prefix)

    def _count_values(self, prefix: tuple[str, ...], parts: Parts, times: int) -> None:
        path = "/".join(prefix)
        for name, value in parts.parameters:
            if value is not None:
                self._values[path, name].add(value, times)

    def _prefix(self, parts: Parts) -> tuple[str, ...]:
        prefix: tuple[str, ...] = (parts.host,)
        for segment in parts.segments:
            prefix = (*prefix, self._segment(prefix, segment))
        return prefix

    def _segment(self, prefix: tuple[str, ...], segment: str) -> str:
        values = self._segments[prefix]
        if segment[:1] in "0*" or segment in SOFTWARE_WORDS or is_script(segment):
            return segment
        if prefix[-1] in TAXONOMIES:
            return starred(segment)
        if len(values.counts) <= MANY_SEGMENTS:
            named = sum(one.startswith("*") or self._is_name(one) for one in values.counts)
            return starred(segment) if self._is_name(segment) and named >= FEWEST_NAMES else segment
        if is_counter(segment) and not self._is_name(segment):
            return segment
        names = len(self._names[segment]) if "0" in segment else None
        return values.star(segment, starred(segment)) if values.is_rare(segment, names) else segment

    def _is_name(self, segment: str) -> bool:
        """Say whether a segment is words with a number that stand there so alone, as `old-tea-7` but not `page-2`."""
        is_numbered = "0" in segment and segment[:1] != "0"
        return is_numbered and len(self._names[segment]) == 1 and len(self._parents.get(segment, ())) < PARENTS

    def _value(self, path: str, name: str, value: str | None) -> str:
        if value is None:
            return name
        if name in TAXONOMIES and value[:1] != "0":
            return f"{name}=*"
        values = self._values[path, name]
        if len(values.counts) > MANY_VALUES and any(map(str.isalpha, value)) and not ("0" in value and len(value) <= 8):
            value = values.star(value) if values.is_rare(value) else value
        return f"{name}={value}"

    def _template(self, parts: Parts) -> Template:
        known = self._made.get(parts)
        if known is None:
            known = self._made[parts] = self._make(parts)
        return known

    def _make(self, parts: Parts) -> Template:
        prefix = self._prefix(parts)
        path = "/".join(prefix)
        shapes = "&".join(sorted(self._value(path, name, value) for name, value in parts.parameters))
        names = "&".join(sorted({name for name, _ in parts.parameters}))
        shown = path.removeprefix(self.host or "") if parts.host == self.host else f"//{path}"
        query, keys = f"?{shapes}" if shapes else "", f"?{names}" if names else ""
        return Template(shown + query, shown + keys, self._skeleton(prefix, shown) + keys, shown)

    def _skeleton(self, prefix: tuple[str, ...], path: str) -> str:
        segments = prefix[1:]
        if len(segments) < 2 or is_script(segments[-1]):
            return path
        return "/" + "/".join(
            one if one in ("", "0") or len(self._parents.get(one, ())) >= PARENTS else starred(one) for one in segments
        )
