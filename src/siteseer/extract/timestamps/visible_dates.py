"""Finds the visible dates of a page, with their surroundings: position, kind of line, part of the page.

Classes and ids are read only around dates, and only up to the first element that also holds the title or half of the
page: that keeps words such as `has-sidebar` on a wrapper from speaking about the article.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, cast

from lxml import etree, html

from siteseer.extract.timestamps.date_regions import (
    MODIFIED_CLASS,
    PUBLISH_CLASS,
    WRAPPED,
    is_beside_place,
    region,
    role,
    tells_capture,
    words_before,
)
from siteseer.extract.timestamps.structured_dates import StatedDay, stated
from siteseer.extract.timestamps.text_with_offsets import lay
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.read_dates import ReadDate, find_dates

MOST_STAMPS = 500
ROLE_REACH = 3
"""How many elements around a date may be named for it."""
NO_FLAGS: frozenset[str] = frozenset()
ALONE = 6
"""Characters beside a date with which it still stands alone in its line."""
LINE_REACH = 600
"""Characters on either side of a date in which its line is measured."""
ROW_REACH, BANNER_REACH = 60, 200
"""Characters on either side of a date in which the next row of a table or list, and the banner of an archive stand."""

_TAGGED = ("//time", "//abbr/@title/..", "//span/@title/..")
_DATA = tuple(f"data-{name}" for name in "date datetime time timestamp published publish-date utime pubdate".split())
_PROPERTIES = ("itemprop", "property")
_NO_META = "parent::*[not(self::meta)]"
EVENT_KEYS = ("startdate", "enddate", "doortime", "dtstart", "dtend")
"""Names of properties under which events tell when they take place."""
_DATA_NAME = re.compile(r"data-(?:date|time|pub|utime)[a-z-]{0,12}")
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Seen:
    """A date of the visible text: `distance` is counted from the end of the title, None without title."""

    written: ReadDate
    distance: int | None
    line: int
    """Characters of its line."""
    flags: frozenset[str]
    in_title: bool = False


@dataclass(frozen=True, slots=True)
class Stamp:
    """A date in an attribute: `source` is its kind, such as `time_pub`."""

    source: str
    written: StatedDay
    distance: int | None
    flags: frozenset[str]


@dataclass(slots=True)
class View:
    """The visible content of a page: its text, the dates in it, and dates in attributes."""

    text: str = ""
    seen: list[Seen] = field(default_factory=list)
    stamps: list[Stamp] = field(default_factory=list)


def look(root: html.HtmlElement, title: str, source: str, context: DateContext) -> View:
    """Return the dates that a page shows, each with its surroundings; `source` is that of `source_of`."""
    return _Look(root, title, context).view(_attributes(source))


def _attributes(source: str) -> tuple[str, ...]:
    """Return the attributes that may hold a date and occur in a page."""
    named = {found[0] for found in _DATA_NAME.finditer(source)}
    return tuple(name for name in _DATA if name in named) + tuple(name for name in _PROPERTIES if name in source)


@lru_cache(maxsize=64)
def _finder(attributes: tuple[str, ...]) -> etree.XPath:
    found = (f"//@{name}/{_NO_META if name in _PROPERTIES else '..'}" for name in attributes)
    return etree.XPath(" | ".join((*_TAGGED, *found)))


class _Around(NamedTuple):
    """What an element and all around it say of a part of the page, what it says itself of a date, what is around it."""

    regions: frozenset[str]
    roles: tuple[str, ...]
    outer: _Around | None


class _Look:
    def __init__(self, root: html.HtmlElement, title: str, context: DateContext) -> None:
        self.root = root
        self.dates = context
        self.laid = lay(root)
        self.text = self.laid.text
        self.title = self._title(title)
        self._known: dict[etree._Element | None, _Around] = {}

    def _title(self, title: str) -> tuple[int, int] | None:
        """Return where the title stands: the heading that shares most words with it, else the first h1."""
        if not title:
            named = next(self.root.iter("title"), None)
            title = (named.text or "") if named is not None else ""
        wanted = set(_WORDS.findall(title.lower()))
        best: tuple[int, int] | None = None
        score = 0.0
        headings = [(one, extent) for one in self.root.iter("h1", "h2", "h3") if (extent := self.laid.extent(one))]
        for heading, (start, end) in headings[:60]:
            words = set(_WORDS.findall(self.text[start : min(end, start + 500)].lower()))
            if not words:
                continue
            alike = len(words & wanted) / len(words | wanted)
            rated = alike + (0.12 if heading.tag == "h1" else 0)
            if rated > score and alike > 0:
                best, score = (start, end), rated
            if alike >= 0.5:
                break
        if score < 0.2:
            tops = (extent for heading, extent in headings if heading.tag == "h1")
            best = next((extent for extent in tops if self.text[slice(*extent)].strip()), None)
        return best

    def view(self, attributes: tuple[str, ...]) -> View:
        view = View(self.text)
        last = 0
        for read in find_dates(self.text, self.dates):
            if not read.relative:
                view.seen.append(self._seen(read, last))
                last = read.span[1]
        view.stamps.extend(self._stamps(attributes))
        return view

    def _distance(self, offset: int) -> int | None:
        return None if self.title is None else offset - self.title[1]

    def _seen(self, written: ReadDate, last: int) -> Seen:
        """Return a date with its surroundings; what stands before the one that ends at `last` is not about it."""
        text = self.text
        offset, stop = written.span
        low, high = max(0, offset - LINE_REACH), min(len(text), stop + LINE_REACH)
        start = max(low, text.rfind("\n", low, offset) + 1)
        end = text.find("\n", stop, high)
        end = high if end < 0 else end
        before = text[max(start, offset - 45, last) : offset]
        if not before.strip() and last <= start:
            above = text[max(0, start - 120) : start].rstrip()
            line = above[above.rfind("\n") + 1 :]
            before = line if len(line) < 30 else ""
        flags = self.context(self.laid.holder(stop - 1)).union(words_before(before))
        if written.is_exact:
            flags |= {"clock"}
        if is_beside_place(text[max(0, offset - ROW_REACH) : offset], text[stop : stop + ROW_REACH]):
            flags |= {"event"}
        if self._is_above(offset) and tells_capture(text[max(0, offset - BANNER_REACH) : stop + ROW_REACH]):
            flags |= {"bad"}
        line_length = len(" ".join(text[start:end].split()))
        in_title = self.title is not None and self.title[0] <= offset < self.title[1]
        if flags & {"date", "T", "clspub"} or line_length <= stop - offset + ALONE:
            in_title = False  # a byline inside the heading
        return Seen(written, self._distance(offset), line_length, flags, in_title)

    def _is_above(self, offset: int) -> bool:
        return self.title is None or offset < self.title[0]

    def context(self, element: etree._Element | None) -> frozenset[str]:
        """Return what classes, ids and tags say of the part of the page that an element is in, and of a date there."""
        self._climb(element)
        around = self._known.get(element)
        flags = around.regions if around else NO_FLAGS
        for _ in range(ROLE_REACH):
            if around is None:
                break
            flags = flags.union(around.roles)
            around = around.outer
        return flags

    def _climb(self, element: etree._Element | None) -> None:
        """Read an element and those around it, each once, up to one that is wide."""
        known, inner = self._known, []
        while element is not None and element not in known and not self._is_wide(element):
            inner.append(element)
            element = element.getparent()
        around = known.get(element)
        for one in reversed(inner):
            names = f"{one.get('class', '')} {one.get('id', '')}"[:300].lower()
            outer = around.regions if around else NO_FLAGS
            flags = outer.union(region(names), WRAPPED.get(one.tag, ""))
            around = known[one] = _Around(flags, role(names), around)

    def _is_wide(self, element: etree._Element) -> bool:
        start, end = self.laid.extent(element) or (0, 0)
        if self.title is not None and start <= self.title[0] and end >= self.title[1]:
            return True
        return (end - start) * 2 > len(self.text)

    def _stamps(self, attributes: tuple[str, ...]) -> Iterator[Stamp]:
        for element in cast("list[etree._Element]", _finder(attributes)(self.root))[:MOST_STAMPS]:
            extent = self.laid.extent(element)
            read = _stamp(element, self.text[extent[0] : min(extent[1], extent[0] + 60)] if extent else "", self.dates)
            if read is None:
                continue
            source, written = read
            flags = self.context(element) if extent else NO_FLAGS
            if source == "time" and extent and (kind := self._kind_of_time(element, extent[0], flags)):
                source = kind
            yield Stamp(source, written, self._distance(extent[0]) if extent else None, flags)

    def _kind_of_time(self, element: etree._Element, start: int, flags: frozenset[str]) -> str | None:
        own = f"{element.get('class') or ''} {element.get('itemprop') or ''}".lower()
        if element.get("pubdate") is not None or PUBLISH_CLASS.is_in(own):
            return "time_pub"
        if MODIFIED_CLASS.is_in(own) or "mod" in words_before(self.text[max(0, start - 25) : start]):
            return "time_mod"
        return None


def _stamp(element: etree._Element, text: str, context: DateContext) -> tuple[str, StatedDay] | None:
    """Return the kind and the day of an element that may carry one in an attribute, or at least in its first words."""
    key = (element.get("itemprop") or element.get("property") or "").lower()
    if key and element.tag != "meta":
        source = "ip_mod" if MODIFIED_CLASS.is_in(key) else "ip_pub" if re.search(r"publ|created|issued", key) else ""
        if not source and ("date" in key or "time" in key or key.endswith(EVENT_KEYS)):
            source = "ip_event" if key.endswith(EVENT_KEYS) else "ip_oth"
        value = element.get("content") or element.get("datetime") or element.get("title") or text
        if source and (written := stated(value, context)):
            return source, written
    if element.tag == "time" and (written := stated(element.get("datetime") or element.get("title") or text, context)):
        return "time", written
    if element.tag in ("abbr", "span") and (written := stated(element.get("title") or "", context)):
        return "abbr", written
    for name in _DATA:
        if written := stated(element.get(name) or "", context):
            return "data", written
    return None
