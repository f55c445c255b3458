"""Extracts the leaves of a record: each piece of text with its path inside the record.

Reference: Oita's thesis, section 3.3: values under the same record-internal path are attributes of the same type.
Differs: what a search highlights (the words of the query in `b`, `em`, `mark`) does not break a text in two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree, html

from siteseer.extract.records.element_keys import tokens_of
from siteseer.page.text import UNREAD, WORD

MOST_LEAVES, MOST_OF_PAGE = 400, 6_000
"""Leaves of a record, and of a whole page."""
MOST_STEPS = 30
"""Elements to a leaf: more are a template without an end."""
LONGEST = 4_000
DEEPEST = 150
"""Pages for people are nested less deeply."""
CONTROLS = frozenset(("form", "select", "option", "button", "input", "datalist"))
"""What is sent, not said."""
EMPHASIS = frozenset(("b", "strong", "em", "i", "mark", "u", "font", "span", "big"))


@dataclass(frozen=True, slots=True)
class Leaf:
    """A piece of text."""

    path: str
    """From the record down: steps `tag.class`, numbered from the second of their like on."""
    kind: str
    """The same without numbers."""
    text: str
    link: str = ""
    """Where it leads, as written."""
    telling: str = ""
    """The class, itemprop or id that names the element, where it has one."""


def step(element: html.HtmlElement) -> str:
    """Return tag and characteristic classes of an element.

    >>> step(html.fromstring('<p class="by odd">x</p>'))
    'p.by'
    """
    return _step(str(element.tag), element.get("class") or "", element.get("itemprop") or "")


@lru_cache(maxsize=4_096)
def _step(tag: str, classes: str, itemprop: str) -> str:
    names = "".join(f".{name}" for name in tokens_of(classes)[:2])
    return tag + names + (f"[{itemprop[:40]}]" if itemprop else "")


def leaves(
    record: Sequence[html.HtmlElement],
    asked: Collection[str] = (),
    emphatic: Collection[str] = (),
    most: int = MOST_LEAVES,
) -> list[Leaf]:
    """Return the leaves of a record, which may be several elements in a row.

    `asked` are the words of the query; `emphatic` the kinds of leaves that the template always emphasises.

    >>> text = '<h3><a href="/1">Old <b>Tea</b></a></h3><p class=by>Ann</p><p>3.50<br>new</p>'
    >>> card = html.fromstring(f"<div>{text}</div>")
    >>> [(leaf.path, leaf.text) for leaf in leaves([card], {"tea"})]
    [('h3/a', 'Old Tea'), ('p.by', 'Ann'), ('p', '3.50'), ('p/1', 'new')]
    """
    found: list[Leaf] = []
    many = len(record) > 1
    for number, element in enumerate(record):
        first = _numbered(element, record[:number]) if many else ("", "")
        _Walk(found, asked, emphatic, most).walk(element, *first)
        if len(found) >= most:
            break
    return found[:most]


class _Walk:
    """Walks one element, gathering runs of text."""

    def __init__(self, found: list[Leaf], asked: Collection[str], emphatic: Collection[str], most: int) -> None:
        self.found, self.asked, self.emphatic, self.most = found, asked, emphatic, most

    def walk(self, root: html.HtmlElement, path: str, kind: str) -> None:
        """Gather the leaves below an element without recursion: pages may be nested deeply."""
        stack: list[_Frame] = [_Frame(root, path, kind, _href(root), _telling(root))]
        stack[0].say(root.text)
        for _ in range(MOST_STEPS * self.most):
            if not stack:
                return
            frame = stack[-1]
            child = next(frame.children, None)
            if child is None:
                self._end(stack.pop())
            elif not isinstance(child.tag, str) or child.tag in UNREAD or child.tag in CONTROLS:
                frame.say(child.tail)
            elif len(stack) >= DEEPEST:
                continue
            elif child.tag == "br":
                frame.cut()
                frame.say(child.tail)
            elif self._is_highlight(child, frame.kind):
                frame.say(child.text)
                frame.say(child.tail)
            else:
                frame.cut()
                inner = frame.into(child)
                inner.say(_shown(child))
                stack.append(inner)
                self._flush(frame)
                frame.say(child.tail)
            if len(self.found) >= self.most:
                return

    def _is_highlight(self, element: html.HtmlElement, kind: str) -> bool:
        if element.tag not in EMPHASIS or len(element) or not self.asked:
            return False
        if f"{kind}/{step(element)}".lstrip("/") in self.emphatic:
            return False
        words = WORD.findall((element.text or "")[:200].lower())
        return bool(words) and all(word in self.asked for word in words)

    def _flush(self, frame: _Frame) -> None:
        for leaf in frame.taken():
            self.found.append(leaf)

    def _end(self, frame: _Frame) -> None:
        frame.cut()
        self._flush(frame)


class _Frame:
    """An element on the way down, with the runs of its own text."""

    def __init__(self, element: html.HtmlElement, path: str, kind: str, link: str, telling: str) -> None:
        self.path, self.kind, self.link, self.telling = path, kind, link, telling
        self.children: Iterator[html.HtmlElement] = iter(element)
        self.runs: list[str] = []
        self.words: list[str] = []
        self.emitted = 0
        self._counts: dict[str, int] = {}

    def say(self, text: str | None) -> None:
        if text and (self.words or not text.isspace()):
            self.words.append(text[:LONGEST])

    def cut(self) -> None:
        """End a run of text."""
        if self.words:
            run = " ".join("".join(self.words).split())
            if run:
                self.runs.append(run[:LONGEST])
            self.words = []

    def taken(self) -> Iterator[Leaf]:
        """Return the runs that were ended since the last time."""
        for run in self.runs[self.emitted :]:
            number = f"/{self.emitted}" if self.emitted else ""
            yield Leaf((self.path + number).lstrip("/"), self.kind, run, self.link, self.telling)
            self.emitted += 1

    def into(self, child: html.HtmlElement) -> _Frame:
        name = step(child)
        place = self._counts.get(name, 0)
        self._counts[name] = place + 1
        numbered = f"{name}:{place}" if place else name
        path = f"{self.path}/{numbered}" if self.path else numbered
        kind = f"{self.kind}/{name}" if self.kind else name
        return _Frame(child, path, kind, _href(child) or self.link, _telling(child))


def _numbered(element: html.HtmlElement, before: Sequence[html.HtmlElement]) -> tuple[str, str]:
    name = step(element)
    place = sum(step(other) == name for other in before)
    return (f"{name}:{place}" if place else name), name


def _href(element: html.HtmlElement) -> str:
    return str(element.get("href", "")).strip()[:2_000] if element.tag == "a" else ""


def _telling(element: html.HtmlElement) -> str:
    names = tokens_of(element.get("class") or "")
    return str(element.get("itemprop") or (names[0] if names else "") or "")[:40]


def _shown(element: html.HtmlElement) -> str | None:
    """Return what an element says itself; a time says its date better in an attribute."""
    if element.tag == "time" and element.get("datetime"):
        return str(element.get("datetime"))
    return str(element.text) if element.text else None


def emphatic(records: Iterable[tuple[Sequence[html.HtmlElement], Collection[str]]]) -> frozenset[str]:
    """Return the kinds of leaves that the template emphasises, whatever the words of the queries are."""
    found: set[str] = set()
    for record, asked in records:
        for leaf in leaves(record):
            last = leaf.kind.rpartition("/")[2].partition(".")[0]
            if last in EMPHASIS and not all(word in asked for word in WORD.findall(leaf.text[:200].lower())):
                found.add(leaf.kind)
    return frozenset(found)


def text_of(record: Sequence[html.HtmlElement]) -> str:
    """Return all words of a record on one line."""
    parts: list[str] = []
    for element in record:
        for event, one in etree.iterwalk(element, events=("start", "end")):
            if event == "start" and isinstance(one.tag, str) and one.tag not in UNREAD and one.text:
                parts.append(one.text)
            elif event == "end" and one is not element and one.tail:
                parts.append(one.tail)
    return " ".join(" ".join(parts).split())
