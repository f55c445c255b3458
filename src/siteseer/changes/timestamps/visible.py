"""A page in, its dates as people see them out: where each stands, on what kind of line, in what part of the page.

One walk over the tree makes one text, a new line at every edge of a block, and knows for every place the element it
came from. Classes and ids are read only around dates, and only up to the first element that also holds the title or
half of the page: that keeps words such as `has-sidebar` on a wrapper from speaking about the article.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

from lxml import etree, html

from siteseer.changes.timestamps.written import Written, day_of_value, days_in_text, plain_digits
from siteseer.page.text import BLOCKS

UNREAD = frozenset(("head", "script", "style", "noscript", "template", "svg", "iframe", "textarea"))
_HEADINGS = frozenset(("h1", "h2", "h3"))
MOST_ELEMENTS = 100_000
MOST_STAMPS = 500
MOST_CLIMBED = 60
LINE_REACH = 600
"""Characters on either side of a date in which its line is measured."""

_TAGGED = ("//time", "//abbr[@title]", "//span[@title]")
_DATA = tuple(f"data-{name}" for name in "date datetime time timestamp published publish-date utime pubdate".split())
_DATA_NAME = re.compile(r"data-(?:date|time|pub|utime)[a-z-]{0,12}")
_WORDS = re.compile(r"\w+")
_OUTSIDE = re.compile(
    r"sidebar|related|recommend|teaser|widget|recent|latest|popular|trending|archive|calendar|event|promo|(?<![a-z])nav|menu|list"
    r"|card|next|prev|pager|(?<![a-z])ads?(?![a-z])|advert|twitter|aside|more-|similar|mostread|ticker|newsletter|tags|slider|carousel",
)
_COMMENT = re.compile(r"comment|kommentar|repl(?:y|ies)|respond|disqus|comentario|guestbook")
_FOOT = re.compile(r"foot(?!age)|copyright|impressum|colophon")
_DATE_CLASS = re.compile(r"date|datum|time|fecha|data(?![a-z-])|stamp|dat[ae]-|when|day")
_PUBLISH_CLASS = re.compile(r"publi|posted|pubdate|entry-date|post-date|created|erstellt|dateline")
_MODIFIED_CLASS = re.compile(r"updat|modif|edited|revis|geaendert")
_WRAPPED = {"aside": "N", "nav": "N", "select": "N", "footer": "F", "time": "T", "a": "A"}

MODIFIED_WORDS = re.compile(
    r"updat|aktualisier|ge[äa]e?ndert|[äa]nderung|modifi|mis(?:e)? [àa] jour|actualiz|atualiz|aggiorna|bijgewerkt"
    r"|gewijzigd|обновл|измен|güncel|revised|edited|bearbeitet|letzte|last (?:change|edit)|uppdater|opdater"
    r"|oppdater|zmienion|aktualiz|更新|수정|최종",
    re.I,
)
PUBLISHED_WORDS = re.compile(
    r"publish|posted|ver[öo]e?ffentlicht|erstellt|publi[ée]|publicad|pubblicat|gepubliceerd|geplaatst|opublikowan|опубликован|yayın"
    r"|publicerad|udgivet|julkaistu|zveřejněn|発行|公開|发布|发表|등록|입력|\b(?:vom|am|le|on|by|from|von|par|por|di|el)\s?$",
    re.I,
)
BAD_WORDS = re.compile(
    r"copyright|©|\(c\)|\bborn\b|geboren|retrieved|abgerufen|accessed|until|\bbis\b|since|seit|depuis|valid|deadline|expire|joined|member"
    r"|founded|gegründet|established|\bevent|from \d|\bab\b|est\.",
    re.I,
)
_CLOCK_AFTER = re.compile(r"[\s,|\-–—at@umàlesh.]{0,12}\d{1,2}[:.h]\d{2}")


@dataclass(frozen=True, slots=True)
class Seen:
    """A date of the visible text: `distance` is counted from the end of the title, None without title."""

    written: Written
    distance: int | None
    line: int
    """Characters of its line."""
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stamp:
    """A date in an attribute: `source` is its kind, such as `time_pub`."""

    source: str
    written: Written
    distance: int | None
    flags: frozenset[str]


@dataclass(slots=True)
class View:
    """What people see of a page: the text, dates in it, dates in attributes."""

    text: str = ""
    has_title: bool = False
    seen: list[Seen] = field(default_factory=list)
    stamps: list[Stamp] = field(default_factory=list)


def look(root: html.HtmlElement, title: str, source: str) -> View:
    """Return the dates that a page shows, each with its surroundings; `source` is its text as received."""
    return _Look(root, title).view(_dated(source))


def _dated(source: str) -> etree.XPath:
    """Return what finds the elements that may carry a date, leaving out attributes that do not occur."""
    attributes = {found[0] for found in _DATA_NAME.finditer(source)} & set(_DATA)
    attributes.update(name for name in ("itemprop", "property") if name in source)
    return _finder(tuple(sorted(attributes)))


@lru_cache(maxsize=64)
def _finder(attributes: tuple[str, ...]) -> etree.XPath:
    return etree.XPath(" | ".join((*_TAGGED, *(f"//*[@{name}]" for name in attributes))))


class _Look:
    def __init__(self, root: html.HtmlElement, title: str) -> None:
        self.root = root
        self.pieces: list[str] = []
        self.starts: list[int] = []
        self.holders: list[etree._Element] = []
        self.extents: dict[etree._Element, tuple[int, int]] = {}
        self.headings: list[etree._Element] = []
        self._walk()
        self.text = plain_digits("".join(self.pieces))
        self.title = self._title(title)
        self._context: dict[etree._Element, frozenset[str]] = {}

    def _walk(self) -> None:
        """Make the text and remember where each element begins and ends in it."""
        offset, count = 0, 0
        opened: list[int] = []
        pieces, starts, holders, extents = self.pieces, self.starts, self.holders, self.extents
        walk = etree.iterwalk(self.root, events=("start", "end", "comment"))
        for event, element in walk:
            if event == "start":
                tag = element.tag
                count += 1
                if tag in UNREAD or count > MOST_ELEMENTS:
                    walk.skip_subtree()
                    opened.append(-1)
                    continue
                if tag in BLOCKS:
                    pieces.append("\n")
                    offset += 1
                    if tag in _HEADINGS:
                        self.headings.append(element)
                opened.append(offset)
                text, holder = element.text, element
            else:
                text = element.tail
                if event == "end" and (start := opened.pop()) >= 0:
                    extents[element] = (start, offset)
                    if element.tag in BLOCKS:
                        pieces.append("\n")
                        offset += 1
                if not text or element is self.root:
                    continue
                holder = element.getparent()
            if text:
                pieces.append(text)
                starts.append(offset)
                holders.append(holder)
                offset += len(text)
        self.length = offset

    def _title(self, title: str) -> tuple[int, int] | None:
        """Return where the title stands: the heading that shares most words with it, else the first h1."""
        if not title:
            named = next(self.root.iter("title"), None)
            title = (named.text or "") if named is not None else ""
        wanted = set(_WORDS.findall(title.lower()))
        best, score = None, 0.0
        for heading in self.headings[:60]:
            start, end = self.extents.get(heading, (0, 0))
            words = set(_WORDS.findall(self.text[start : min(end, start + 500)].lower()))
            if not words:
                continue
            alike = len(words & wanted) / len(words | wanted)
            rated = alike + (0.12 if heading.tag == "h1" else 0)
            if rated > score and alike > 0:
                best, score = heading, rated
            if alike >= 0.5:
                break
        if score < 0.2:
            best = next((one for one in self.headings if one.tag == "h1" and self._has_words(one)), None)
        return self.extents.get(best) if best is not None else None

    def _has_words(self, element: etree._Element) -> bool:
        start, end = self.extents.get(element, (0, 0))
        return bool(self.text[start:end].strip())

    def view(self, dated: etree.XPath) -> View:
        view = View(self.text, self.title is not None)
        for written in days_in_text(self.text):
            view.seen.append(self._seen(written))
        view.stamps.extend(self._stamps(dated))
        return view

    def _distance(self, offset: int) -> int | None:
        return None if self.title is None else offset - self.title[1]

    def _seen(self, written: Written) -> Seen:
        text = self.text
        low, high = max(0, written.offset - LINE_REACH), min(len(text), written.end + LINE_REACH)
        start = max(low, text.rfind("\n", low, written.offset) + 1)
        end = text.find("\n", written.end, high)
        end = high if end < 0 else end
        before = text[max(start, written.offset - 45) : written.offset]
        if not before.strip():
            above = text[max(0, start - 120) : start].rstrip()
            line = above[above.rfind("\n") + 1 :]
            before = line if len(line) < 30 else ""
        flags = set(self.context(self._holder(written.end - 1)))
        for name, words in (("mod", MODIFIED_WORDS), ("pub", PUBLISHED_WORDS), ("bad", BAD_WORDS)):
            if words.search(before):
                flags.add(name)
        if _CLOCK_AFTER.match(text, written.end):
            flags.add("clock")
        return Seen(written, self._distance(written.offset), len(" ".join(text[start:end].split())), frozenset(flags))

    def _holder(self, offset: int) -> etree._Element:
        place = bisect_right(self.starts, offset) - 1
        return self.holders[max(0, place)]

    def context(self, element: etree._Element | None) -> frozenset[str]:
        """Return what classes, ids and tags around an element say of the part of the page it is in."""
        if element is None:
            return frozenset()
        if element not in self._context:
            self._context[element] = frozenset(self._climb(element))
        return self._context[element]

    def _climb(self, element: etree._Element) -> Iterator[str]:
        current: etree._Element | None = element
        for height in range(MOST_CLIMBED):
            if current is None or self._is_wide(current):
                return
            names = f"{current.get('class') or ''} {current.get('id') or ''}"[:300].lower()
            if wrapped := _WRAPPED.get(current.tag):
                yield wrapped
            if len(names) > 1:
                yield from _region(names)
                if height < 3:
                    yield from _role(names)
            current = current.getparent()

    def _is_wide(self, element: etree._Element) -> bool:
        start, end = self.extents.get(element, (0, 0))
        if self.title is not None and start <= self.title[0] and end >= self.title[1]:
            return True
        return (end - start) * 2 > self.length

    def _stamps(self, dated: etree.XPath) -> Iterator[Stamp]:
        for count, element in enumerate(cast("list[etree._Element]", dated(self.root))):
            if count >= MOST_STAMPS:
                return
            extent = self.extents.get(element)
            read = _stamp(element, self.text[extent[0] : extent[1]] if extent else "")
            if read is None:
                continue
            source, written = read
            flags = self.context(element) if extent else frozenset[str]()
            if source == "time" and extent and (kind := self._kind_of_time(element, extent[0], flags)):
                source = kind
            yield Stamp(source, written, self._distance(extent[0]) if extent else None, flags)

    def _kind_of_time(self, element: etree._Element, start: int, flags: frozenset[str]) -> str | None:
        own = f"{element.get('class') or ''} {element.get('itemprop') or ''}".lower()
        if element.get("pubdate") is not None or _PUBLISH_CLASS.search(own):
            return "time_pub"
        if _MODIFIED_CLASS.search(own) or MODIFIED_WORDS.search(self.text[max(0, start - 25) : start]):
            return "time_mod"
        return None


def _region(names: str) -> Iterator[str]:
    if _OUTSIDE.search(names):
        yield "N"
    if _COMMENT.search(names):
        yield "C"
    if _FOOT.search(names):
        yield "F"


def _role(names: str) -> Iterator[str]:
    if _DATE_CLASS.search(names):
        yield "date"
    if _PUBLISH_CLASS.search(names):
        yield "clspub"
    if _MODIFIED_CLASS.search(names):
        yield "clsmod"


def _stamp(element: etree._Element, text: str) -> tuple[str, Written] | None:
    """Return the kind and the day of an element that may carry one in an attribute."""
    key = (element.get("itemprop") or element.get("property") or "").lower()
    if key and element.tag != "meta":
        source = "ip_mod" if _MODIFIED_CLASS.search(key) else "ip_pub" if re.search(r"publ|created|issued", key) else ""
        source = source or ("ip_oth" if "date" in key or "time" in key else "")
        value = element.get("content") or element.get("datetime") or element.get("title") or text[:60]
        if source and (written := day_of_value(value)):
            return source, written
    if element.tag == "time" and (
        written := day_of_value(element.get("datetime") or element.get("title") or text[:60])
    ):
        return "time", written
    if element.tag in ("abbr", "span") and (written := day_of_value(element.get("title") or "")):
        return "abbr", written
    for name in _DATA:
        if written := day_of_value(element.get(name) or ""):
            return "data", written
    return None
