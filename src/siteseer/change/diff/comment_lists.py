"""Finds the comments of a page by structure, in any language: similar blocks after the main text, signed and dated.

A block is a comment where a short line names somebody and a moment and prose stands beside it; a title that links to
another page makes it a teaser instead. Several such blocks under one parent are a list of comments; so are blocks
without a date, or a single one, beside a form to write a text. Names of classes are not read. A list that opens with
the main text itself is a thread: its first block is no comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from statistics import median
from typing import NamedTuple

from lxml import etree

from siteseer.change.link_context import shape_of
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.read_dates import find_dates
from siteseer.page.dates.relative_dates import may_be_relative
from siteseer.page.similarity.text_measures import count_words
from siteseer.page.text import UNREAD
from siteseer.page.urls import host_of, identity, resolve

LONGEST_NAME, LONGEST_REST, LONGEST_STAMP = 5, 9, 160
"""Words of a name, words beside a date in its line, letters of a line that bears a date."""
LEAST_TITLE = 4
"""Words of a link that is the title of another page."""
LEAST_BODY, LONGEST_TEASER = 2, 200
PROSE = 8
"""Words of a text that is prose."""
LEAST_BEFORE, ENOUGH_BEFORE = 12, 60
"""Words of prose that stand before comments at least; so many are always enough."""
MOST_LEVELS, MOST_DEPTH, MOST_BESIDE = 3, 200, 400
MOST_OF_A_KIND, NEARLY_ALL = 0.6, 0.9
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "legend"))
_PLACES = frozenset(("body", "html", "main"))
_UNWRITTEN = frozenset(("form", "select", "button", "label", "option", "nav"))
_AT_NO_TIME = datetime(2100, 1, 1, tzinfo=UTC)
"""Only whether a text is a date counts, not which: a page without a known moment is read at this one."""
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")


class Piece(NamedTuple):
    """A text of a page: its position, its words, and its possible role in a comment."""

    holder: etree._Element
    text: str
    words: int
    is_stamp: bool
    """Whether it is short and bears a number or a date."""
    is_date: bool
    rest: int
    """Words beside the date."""
    linked: bool
    away: bool
    """Whether it is the text of a link to another page."""


class CommentLists:
    """The comments of one page: `zones` are the elements that hold them and nothing else."""

    def __init__(self, root: etree._Element, url: str, now: datetime | None = None) -> None:
        self.root, self.url = root, url
        self._dates = DateContext(now=now or _AT_NO_TIME)
        self.pieces: list[Piece] = []
        self.extents: dict[etree._Element, tuple[int, int]] = {}
        self._fields: list[etree._Element] = []
        """Where a text can be written."""
        self._teasers: dict[tuple[etree._Element, str], bool] = {}
        self._read(root)
        self._prose = [0, *accumulate(p.words if p.words >= PROSE and not p.linked else 0 for p in self.pieces)]
        self._stamps = [0, *accumulate(int(piece.is_stamp) for piece in self.pieces)]
        self._words = [0, *accumulate(piece.words for piece in self.pieces)]
        self.zones = frozenset(self._find())

    # ── the texts of the page ─────────────────────────────────────────────────────────────────────────────────────

    def _read(self, root: etree._Element) -> None:
        """Read the page once: its texts in order, and which of them each element holds."""
        ids: set[str] = set()
        raw: list[tuple[etree._Element, str, etree._Element | None]] = []
        open_links: list[etree._Element] = []
        starts: list[int] = []
        walk = etree.iterwalk(root, events=("start", "end", "comment"))
        for event, element in walk:
            if event == "start":
                ids.update(filter(None, (element.get("id"), element.get("name"))))
                starts.append(len(raw))
                if element.tag == "textarea":
                    self._fields.append(element)
                if element.tag in UNREAD or element.tag in ("select", "button", "label", "option"):
                    walk.skip_subtree()
                    continue
                if element.tag == "a" and element.get("href"):
                    open_links.append(element)
                if element.text and element.text.strip():
                    raw.append((element, element.text, open_links[-1] if open_links else None))
                continue
            if event == "end":
                self.extents[element] = starts.pop(), len(raw)
                if open_links and open_links[-1] is element:
                    open_links.pop()
            if element.tail and element.tail.strip() and element is not root and element.getparent() is not None:
                raw.append((element.getparent(), element.tail, open_links[-1] if open_links else None))
        away = {id(link): self._leads_away(link, ids) for *_, link in raw if link is not None}
        self.pieces = [self._piece(*one, away) for one in raw]

    def _piece(self, holder: etree._Element, text: str, link: etree._Element | None, away: dict[int, bool]) -> Piece:
        text = " ".join(text.split())
        words, rest = count_words(text), 0
        is_short = len(text) <= LONGEST_STAMP and words <= LONGEST_NAME + LONGEST_REST
        is_date, is_stamp = holder.tag == "time", False
        if is_short and (is_date or _DIGIT.search(text) or may_be_relative(text)):
            found = find_dates(text, self._dates)
            is_date = is_date or bool(found)
            outside = text if not found else text[: found[0].span[0]] + text[found[0].span[1] :]
            rest = count_words(outside) if found else 0
            is_stamp = (is_date and rest <= LONGEST_REST) or (words <= LONGEST_NAME and bool(_DIGIT.search(text)))
        leads_away = link is not None and away[id(link)]
        return Piece(holder, text, words, is_stamp, is_date and is_stamp, rest, link is not None, leads_away)

    def _leads_away(self, link: etree._Element, ids: set[str]) -> bool:
        """Say whether a link leads to another page: not to a place of this one."""
        target = link.get("href") or ""
        place = target.partition("#")[2]
        if target.startswith(("#", "?", "javascript:", "mailto:")) or (place and place in ids):
            return False
        url = resolve(self.url, target)
        return url is not None and identity(url.partition("#")[0]) != identity(self.url)

    def _of(self, element: etree._Element) -> Sequence[Piece]:
        start, end = self.extents.get(element, (0, 0))
        return self.pieces[start:end]

    # ── one block ─────────────────────────────────────────────────────────────────────────────────────────────────

    def is_comment(self, element: etree._Element, must_be_dated: bool = True) -> bool:
        """Say whether an element looks like a comment: signed, dated, with prose, and no title of another page."""
        start, end = self.extents.get(element, (0, 0))
        if must_be_dated and self._stamps[end] == self._stamps[start]:
            return False
        return self._reads_as_comment(self.pieces[start:end], must_be_dated)

    def _reads_as_comment(self, pieces: Sequence[Piece], must_be_dated: bool) -> bool:
        if not pieces or any(map(self._is_title, pieces)):
            return False
        if not must_be_dated:
            name, *rest = pieces
            return name.words <= LONGEST_NAME and sum(p.words for p in rest if not p.linked) > LEAST_BODY
        for number, piece in enumerate(pieces):
            if not piece.is_stamp:
                continue
            beside = [*pieces[max(0, number - 2) : number], *pieces[number + 1 : number + 3]]
            signed = [p for p in beside if p.words <= LONGEST_NAME and not p.is_date and _LETTER.search(p.text)]
            if not signed and not (piece.is_date and 0 < piece.rest <= LONGEST_REST):
                continue
            body = sum(p.words for p in pieces if not p.linked and not p.is_stamp and p not in signed[:1])
            if body >= LEAST_BODY:
                return True
        return False

    def is_among_teasers(self, element: etree._Element) -> bool:
        """Say whether an element and most of its kind beside it show the titles of other pages, which they link to."""
        parent = element.getparent()
        if parent is None:
            return False
        key = parent, str(element.tag)
        if key not in self._teasers:
            alike = [one for one in _children(parent)[:MOST_BESIDE] if one.tag == element.tag and self._words_of(one)]
            teasers = sum(self._is_teaser(one) for one in alike)
            self._teasers[key] = teasers > 1 and teasers >= MOST_OF_A_KIND * len(alike)
        return self._teasers[key]

    def is_furniture(self, element: etree._Element) -> bool:
        """Say whether an element is one of several teasers that stand after the main text."""
        return self.is_among_teasers(element) and self._follows_prose([element])

    def _is_of_teaser(self, piece: Piece) -> bool:
        return any(self.is_among_teasers(one) for one in (piece.holder, *_above(piece.holder, 3)))

    def _is_teaser(self, element: etree._Element) -> bool:
        """Say whether an element shows the title of one other page; what shows several is a list of teasers."""
        if self._words_of(element) > LONGEST_TEASER:
            return False
        return 0 < len({piece.text for piece in self._of(element) if self._is_title(piece)}) <= 2

    def _is_title(self, piece: Piece) -> bool:
        """Say whether a link to another page is its title: long, or a heading, or to a page like this; not in prose."""
        if not piece.away or piece.is_stamp or piece.words < 3:
            return False
        link = next((one for one in (piece.holder, *piece.holder.iterancestors()) if one.tag == "a"), None)
        url = resolve(self.url, link.get("href") or "") if link is not None else None
        if link is None or url is None or host_of(url) != host_of(self.url) or _is_in_prose(link):
            return False
        is_heading = any(one.tag in _HEADINGS for one in (piece.holder, *_above(piece.holder, 2)))
        return piece.words >= LEAST_TITLE or is_heading or shape_of(identity(url)) == shape_of(identity(self.url))

    def holds_comments(self, element: etree._Element) -> bool:
        """Say whether all prose of an element is in comments: it came or went with the first or the last of them."""
        start, end = self.extents.get(element, (0, 0))
        inside = [extent for zone in self.zones if start <= (extent := self.extents[zone])[0] and extent[1] <= end]
        told = {number for first, last in inside for number in range(first, last)}
        rest = (p for n, p in enumerate(self.pieces[start:end], start) if n not in told)
        return bool(inside) and not any(p.words >= PROSE and not p.linked and not _is_in_form(p.holder) for p in rest)

    def text_before(self) -> etree._Element | None:
        """Return the element that holds most of the prose before the comments: the main object of the page."""
        first = min((self.extents[one][0] for one in self.zones), default=0)
        prose = [p for p in self.pieces[:first] if p.words >= PROSE and not p.linked and not self._is_of_teaser(p)]
        if not prose:
            return None
        total, place = sum(piece.words for piece in prose), max(prose, key=lambda piece: piece.words).holder
        for around in (place, *place.iterancestors()):
            if around.tag in _PLACES:
                break
            place, (start, end) = around, self.extents[around]
            held = sum(p.words for p in self.pieces[start : min(end, first)] if p.words >= PROSE and not p.linked)
            if held >= NEARLY_ALL * total:
                break
        return place

    # ── lists of them ─────────────────────────────────────────────────────────────────────────────────────────────

    def _find(self) -> Iterator[etree._Element]:
        for parent, depth in _parents(self.root):
            if depth > MOST_DEPTH:
                continue
            start, end = self.extents[parent]
            if self._stamps[end] - self._stamps[start] < 2:
                continue
            for run in (self._alike(parent), self._in_turns(parent)):
                if run and self._follows_prose(run):
                    yield from self._zone(parent, run)
                    break
        counted = [found for heading in self.root.iter(*_HEADINGS) if (found := tuple(self._after_count(heading)))]
        if len(counted) == 1:  # several are posts with headings of their own
            yield from counted[0]
        for field in self._fields:
            yield from self._beside_form(field)

    def _alike(self, parent: etree._Element, must_be_dated: bool = True) -> list[etree._Element]:
        """Return the children of an element from the first comment to the last, where most of a kind are comments."""
        children = _children(parent)
        found = [child for child in children if self.is_comment(child, must_be_dated)]
        if len(found) < 2:
            return []
        tag, count = Counter(child.tag for child in found).most_common(1)[0]
        first = next(n for n, child in enumerate(children) if child is found[0])
        last = next(n for n, child in enumerate(children) if child is found[-1])
        kind = [c for c in children[first : last + 1] if c.tag == tag and self._words_of(c) > LEAST_BODY]
        if count < 2 or count < MOST_OF_A_KIND * len(kind) or not self._is_signed_by_several(found):
            return []
        return children[first : last + 1]

    def _is_signed_by_several(self, blocks: Sequence[etree._Element]) -> bool:
        """Say whether the blocks differ in their short texts: what all have alike is a label, not a name."""
        short = [frozenset(p.text for p in self._of(one) if p.words <= LONGEST_NAME + LONGEST_REST) for one in blocks]
        return len(set(short)) > 1

    def _in_turns(self, parent: etree._Element) -> list[etree._Element]:
        """Return children that are comments in turns: a line with name and date, then text; as `dt` and `dd`."""
        children = _children(parent)
        lines = [n for n, child in enumerate(children) if self._is_line_of_date(child)]
        tags = Counter(children[n].tag for n in lines).most_common(1)
        if not tags or tags[0][1] < 2:
            return []
        lines = [n for n in lines if children[n].tag == tags[0][0]]
        head = self._lines_before(children, lines)
        starts = [n - head for n in lines]
        parts = [children[a:b] for a, b in zip(starts, [*starts[1:], self._end_of_turn(children, lines)], strict=True)]
        good = [part for part in parts if self._reads_as_comment([p for c in part for p in self._of(c)], True)]
        if len(good) < 2 or len(good) < MOST_OF_A_KIND * len(parts):
            return []
        return [child for part in parts for child in part]

    def _is_line_of_date(self, element: etree._Element) -> bool:
        pieces = self._of(element)
        return any(p.is_stamp for p in pieces) and sum(p.words for p in pieces) <= LONGEST_NAME + LONGEST_REST

    def _lines_before(self, children: Sequence[etree._Element], lines: Sequence[int]) -> int:
        """Return how many short elements before the line of the date belong to the same comment: the name."""
        count = 0
        while count < min(3, lines[0]):
            before = [children[n - count - 1] for n in lines]
            if len({one.tag for one in before}) > 1 or any(
                not 0 < self._words_of(one) <= LONGEST_NAME for one in before
            ):
                break
            count += 1
        return count

    def _end_of_turn(self, children: Sequence[etree._Element], lines: Sequence[int]) -> int:
        """Return where the last comment ends: it has no more elements than the one before."""
        return min(len(children), lines[-1] + max(2, lines[-1] - lines[-2]))

    def _words_of(self, element: etree._Element) -> int:
        start, end = self.extents.get(element, (0, 0))
        return self._words[end] - self._words[start]

    def _follows_prose(self, run: Sequence[etree._Element]) -> bool:
        """Say whether the main text stands before: else the first block is the main text of a thread.

        A heading of their own between the text and the comments parts them; without one the text must be the longer.
        """
        start = self.extents[run[0]][0]
        heading = self._own_heading(run[0])
        if heading is not None:
            return self._prose[self.extents[heading][0]] >= LEAST_BEFORE
        bodies = [self._words_of(one) for one in run if self._words_of(one) > LEAST_BODY]
        return self._prose[start] >= min(ENOUGH_BEFORE, max(LEAST_BEFORE, 1.5 * median(bodies or [0])))

    def _own_heading(self, element: etree._Element) -> etree._Element | None:
        """Return the heading right before an element, or before one that it opens."""
        for _ in range(MOST_LEVELS):
            before = next((one for one in element.itersiblings(preceding=True) if _is_read(one)), None)
            if before is not None:
                is_heading = before.tag in _HEADINGS and before.tag != "h1" and self._words_of(before) <= PROSE
                return before if is_heading else None
            parent = element.getparent()
            if parent is None or parent.tag in _PLACES:
                return None
            element = parent
        return None

    def _zone(self, parent: etree._Element, run: Sequence[etree._Element]) -> Iterator[etree._Element]:
        """Yield the parent where it holds nothing but comments, else its children; and the heading before them."""
        start, end = self.extents[parent]
        inside = self._prose[self.extents[run[-1]][1]] - self._prose[self.extents[run[0]][0]]
        if self._prose[end] - self._prose[start] <= inside and parent.tag not in _PLACES:
            yield parent
            yield from self._heading_before(parent)
            return
        yield from run
        yield from self._heading_before(run[0])

    def _heading_before(self, element: etree._Element) -> Iterator[etree._Element]:
        before = next((one for one in element.itersiblings(preceding=True) if _is_read(one)), None)
        if before is not None and before.tag in _HEADINGS and self._words_of(before) <= PROSE:
            yield before

    def _after_count(self, heading: etree._Element) -> Iterator[etree._Element]:
        """Yield a single comment after a heading that counts it."""
        pieces = self._of(heading)
        if heading.tag == "h1" or not 0 < self._words_of(heading) <= PROSE or any(piece.is_date for piece in pieces):
            return
        if not any(_DIGIT.search(piece.text) for piece in pieces):
            return
        after = next((one for one in heading.itersiblings() if _is_read(one)), None)
        if after is None or after.tag in ("p", *_HEADINGS):
            return
        if self.is_comment(after) and self._follows_prose([after]):
            yield heading
            yield after

    # ── beside a form ─────────────────────────────────────────────────────────────────────────────────────────────

    def _beside_form(self, field: etree._Element) -> Iterator[etree._Element]:
        """Yield what stands beside a form to write a text: a single comment, or comments without a date."""
        forms = (one for one in field.iterancestors() if one.tag == "form")
        place: etree._Element | None = next(forms, field)
        for _ in range(MOST_LEVELS):
            if place is None or place.tag in _PLACES:
                return
            beside = [*self._nearest(place, True), *self._nearest(place, False)]
            if beside:
                for one in beside:
                    yield one
                    yield from self._heading_before(one)
                return
            place = place.getparent()

    def _nearest(self, place: etree._Element, before: bool) -> Iterator[etree._Element]:
        """Yield the comments right before or after a place, as far as nothing else stands between."""
        headings = 0
        for number, one in enumerate(place.itersiblings(preceding=before)):
            if number > MOST_BESIDE:
                return
            if not _is_read(one) or not self._words_of(one):
                continue
            if one.tag in _HEADINGS and not headings and not before:
                headings += 1
                continue
            run = [one] if self._is_single(one) else self._alike(one, must_be_dated=False)
            if one.tag in _HEADINGS or not run or not self._follows_prose(run):
                return
            yield one

    def _is_single(self, element: etree._Element) -> bool:
        if element.tag in ("p", "form", *_HEADINGS):
            return False
        return self.is_comment(element) or self.is_comment(element, must_be_dated=False)


def _is_in_prose(link: etree._Element) -> bool:
    """Say whether a link is part of a sentence: words stand before or after it in the same element."""
    parent = link.getparent()
    if parent is None:
        return False
    beside = " ".join(filter(None, (parent.text, *(child.tail for child in parent))))
    return count_words(beside) >= LEAST_TITLE


def _is_in_form(element: etree._Element) -> bool:
    return any(one.tag == "form" for one in (element, *_above(element, 8)))


def _above(element: etree._Element, levels: int) -> Iterator[etree._Element]:
    for _, one in zip(range(levels), element.iterancestors(), strict=False):
        yield one


def _is_read(element: etree._Element) -> bool:
    return isinstance(element.tag, str) and element.tag not in UNREAD and element.tag not in ("br", "hr")


def _children(parent: etree._Element) -> list[etree._Element]:
    return [child for child in parent if _is_read(child) and child.tag not in _UNWRITTEN]


def _parents(root: etree._Element) -> Iterator[tuple[etree._Element, int]]:
    """Yield the elements that have several children, with their depth."""
    depth = 0
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            depth -= 1
            continue
        depth += 1
        if element.tag in UNREAD or element.tag in _UNWRITTEN:
            walk.skip_subtree()
        elif len(element) > 1:
            yield element, depth
