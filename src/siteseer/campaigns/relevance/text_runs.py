"""Parses pieces of marked text into runs, cached because menus repeat on every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from siteseer.campaigns.relevance.text_marks import EDGE, END, LABEL, LINK, NAMED, PART, RULE, UNLINK, UNNAMED
from siteseer.page.links import MAX_TEXT
from siteseer.page.text_hash import hash_of
from siteseer.page.urls import origin_of, resolve, resolve_below

LONGEST_BLOCK = 20_000
AROUND_LINK = re.compile(f"{LINK}|({UNLINK})")
AROUND_NAMED = re.compile(f"{NAMED}|({UNNAMED})")
TO_SITE, TO_DIRECTORY, TO_PAGE = range(3)
"""What the addresses of a run are relative to: pages share what is remembered of the first two."""
_NEAR = 50
"""Blocks in which the end of a name is looked for."""
_SIZE, _MOST_KNOWN = 500, 20_000_000
"""Bytes: a run without its text, and all that are remembered, roughly."""
_OBJECTS = frozenset(
    ("post", "comment", "entry", "message", "reply", "hentry", "h-entry", "status", "answer", "review")
)
"""Classes of elements that are a text of somebody's own."""
_AUTHORS = frozenset(("author", "byline", "p-author", "username", "poster", "fn", "vcard", "nickname"))

_SPACED = bytes(ord(" ") if chr(code).isspace() and code < 128 else code for code in range(256))
"""Spaces for all that is blank in ASCII."""
_NO_CLASSES = b"  "
"""What stands there for a link without classes."""
_END, _LABEL, _LINK, _NAMED, _PART, _RULE, _UNLINK, _UNNAMED = (
    mark.encode() for mark in (END, LABEL, LINK, NAMED, PART, RULE, UNLINK, UNNAMED)
)
_MARK = PART.encode()[:2]
"""What all marks begin with."""
_ROLES = re.compile(f"(?:{NAMED}([^{PART}]*){PART}|{LINK}[^{PART}]*{PART}([^{LABEL}]*){LABEL})")
_RELATIVE = re.compile(f"{LINK}(?!/|https?:)".encode())
_OF_THE_PAGE = re.compile(f"{LINK}(?:{PART}|[?#])".encode())
_EDGES = re.compile(f"{END}|{EDGE}(?:{RULE}|(?:[^{PART}]*{PART}){{3}})")
_INLINE = re.compile(f"{LINK}[^{LABEL}]*{LABEL}|{NAMED}[^{PART}]*{PART}|[{UNLINK}{UNNAMED}]")


EMPTY, TEXT, LINKS, INVOLVED = range(4)
"""What a run holds: nothing, words, links as well, or names of authors and links that go on after it."""


@dataclass(slots=True, eq=False)
class Run:
    """Text up to the next edge of a block, with the elements that begin before it and end after it."""

    text: str
    key: int
    """Stands for the text."""
    kind: int
    anchors: tuple[tuple[str, str], ...] = ()
    """Addresses as they are written, with their texts."""
    step: str = ""
    """The block that begins with it, by tag and classes; empty where none does."""
    is_object: bool = False
    """Whether that block is somebody's text."""
    names_author: bool = False
    relative_to: int = TO_SITE
    names: tuple[tuple[str | None, re.Pattern[str], int], ...] = ()
    """Names of authors, what their elements begin and end with, and where in `words`; None where one ends later."""
    open_link: str = ""
    """The address of a link that goes on in the next runs, as cards do."""
    words: str = ""
    """The text with its marks, and what follows it, where a name or an open link is looked for in it."""
    ends: int = 0
    """How many blocks end after it."""
    rest: Run | None = None
    """The text after that, up to the next edge."""
    base: str = ""
    links: tuple[tuple[str, str], ...] = ()
    led: int = 0
    """The anchors as they were resolved last, to which base, and what stands for them."""
    is_abroad: bool = False
    """Whether it is known that some of them lead to other sites."""
    template: object = None
    """Whose template it is part of, so that it says nothing new there."""
    inherited: float = 0.0
    edition: int = 0
    """What its links inherited there at most, as of an edition of the term learner's weights."""

    def links_at(self, base: str) -> tuple[tuple[str, str], ...]:
        """Return the links of a run on a page with this URL."""
        if base != self.base:
            to = resolve if self.relative_to == TO_PAGE or "#" in base else resolve_below
            found = [(to(base, href), label) for href, label in self.anchors]
            self.base, self.links = base, tuple([(url, label) for url, label in found if url is not None])
            self.led, self.template, self.is_abroad = hash(self.links), None, False
        return self.links

    def fall_silent(self, template: object, inherited: float, edition: int) -> None:
        """Skip the links within the site from now on, unless a page passes on more than this score."""
        if not self.is_abroad:
            home = origin_of(self.base) + "/"
            self.is_abroad = not all(url.startswith(home) for url, _ in self.links)
        if not self.is_abroad:
            self.template, self.inherited, self.edition = template, inherited, edition


class Runs(dict[bytes, Run]):
    """A cache of parsed runs.

    >>> run = Runs()[f"p{PART}x{PART}{PART}Kelp {LINK}k{PART}  {LABEL}old{UNLINK}".encode()]
    >>> run.step, run.text, run.links_at("http://e.org/")
    ('p.x', 'Kelp old', (('http://e.org/k', 'old'),))
    """

    size = 0

    def __missing__(self, piece: bytes) -> Run:
        run = _parsed(piece)
        if len(piece) <= LONGEST_BLOCK:
            self.size += 2 * len(piece) + _SIZE
            if self.size > _MOST_KNOWN:
                self.clear()
                self.size = 0
            self[piece] = run
        return run


def _parsed(piece: bytes) -> Run:
    step, is_object, names_author, words = "", False, False, piece
    if piece.startswith(_RULE):
        words = piece[len(_RULE) :]
    elif len(begun := piece.split(_PART, 3)) == 4:
        step, is_object, names_author = _begun(begun[0], begun[1], begun[2])
        words = begun[3]
    parts = words.split(_END)
    last = len(parts) - 1
    while last and (not parts[last] or parts[last].isspace()):  # nearly always all but the first
        last -= 1
    run = _parsed_words(parts, last, len(parts) - 1 - last, None)
    ends = 1
    for place in range(last - 1, -1, -1):
        if not place or (parts[place] and not parts[place].isspace()):
            run, ends = _parsed_words(parts, place, ends, run), 0
        ends += 1
    run.step, run.is_object, run.names_author = step, is_object, names_author
    return run


@lru_cache(maxsize=10_000)
def _begun(tag: bytes, named: bytes, item: bytes) -> tuple[str, bool, bool]:
    """Return the step of a block, whether it is somebody's text, and whether it names who wrote it."""
    is_object, names_author = _roles(named)
    step = f"{tag.decode('utf-8', 'replace')}.{named.decode('utf-8', 'replace')[:60]}"
    return step, is_object or tag == b"article", names_author or item == b"author"


def _parsed_words(parts: list[bytes], place: int, ends: int, rest: Run | None) -> Run:
    """Return one part of a piece, so many blocks before the rest of it."""
    words = parts[place]
    if words.find(_MARK) < 0:
        text = _on_one_line(words)
        return Run(text, hash_of(text), TEXT if text else EMPTY, ends=ends, rest=rest)
    text, anchors, is_named = _read(words)
    made = Run(text, hash_of(text), LINKS if anchors else TEXT if text else EMPTY, anchors, ends=ends, rest=rest)
    if is_named:
        made.kind = INVOLVED
    if anchors:
        if _RELATIVE.search(words):
            made.relative_to = TO_PAGE if _OF_THE_PAGE.search(words) else TO_DIRECTORY
        if (begins := words.rfind(_LINK)) > words.rfind(_UNLINK):
            made.open_link = words[begins + len(_LINK) :].partition(_PART)[0].decode("utf-8", "replace")
            if made.open_link:
                made.kind = INVOLVED
    if made.kind == INVOLVED:
        made.words = _END.join(parts[place : place + _NEAR]).decode("utf-8", "replace")
        made.names = tuple(_names(words.decode("utf-8", "replace"), made.words)) if is_named else ()
    return made


def _names(words: str, following: str) -> Iterator[tuple[str | None, re.Pattern[str], int]]:
    """Return the names of authors that begin in these words, as `Run.names` has them."""
    for one in _ROLES.finditer(words):
        if _roles((one[1] or one[2] or "").encode("utf-8", "replace"))[1]:
            around = AROUND_NAMED if one[1] is not None else AROUND_LINK
            yield element_text(around, following[one.end() :]), around, one.end()


def _read(words: bytes) -> tuple[str, tuple[tuple[str, str], ...], bool]:
    """Return the text of marked words, the links in it, and whether it names an author."""
    is_named = False
    parts = words.replace(_UNNAMED, b"").split(_NAMED)
    if len(parts) > 1:
        for place in range(1, len(parts)):
            classes, _, parts[place] = parts[place].partition(_PART)
            is_named = is_named or _roles(classes)[1]
        words = b"".join(parts)
    else:
        words = parts[0]
    parts, anchors = words.split(_LINK), []
    for place in range(1, len(parts)):
        target, _, linked = parts[place].partition(_LABEL)
        label, _, after = linked.partition(_UNLINK)
        parts[place] = label + after
        href, _, classes = target.partition(_PART)
        is_named = is_named or (classes != _NO_CLASSES and _roles(classes)[1])
        if href:
            anchors.append((href.decode("utf-8", "replace"), _on_one_line(label)[:MAX_TEXT]))
    return _on_one_line(b"".join(parts).replace(_UNLINK, b"")), tuple(anchors), is_named


def _on_one_line(words: bytes) -> str:
    """Return a text with single spaces for all that is blank; it is not taken apart for that, as most are long."""
    words = words.translate(_SPACED).strip()
    while words.find(b"  ") >= 0:
        words = words.replace(b"  ", b" ")
    text = words.decode("utf-8", "replace")
    return (text if text.isascii() else " ".join(text.split()))[:LONGEST_BLOCK]


def element_text(around: re.Pattern[str], text: str) -> str | None:
    """Return the text of an element that begins with marked text, None where it does not end there."""
    depth = 1
    for mark in around.finditer(text):
        depth += -1 if mark[1] else 1
        if depth == 0:
            return " ".join(_INLINE.sub("", _EDGES.sub(" ", text[: mark.start()])).split())
    return None


@lru_cache(maxsize=10_000)
def _roles(named: bytes) -> tuple[bool, bool]:
    """Say whether an element of these classes is somebody's text, and whether it names who wrote it."""
    classes = named.decode("utf-8", "replace")[:200].lower().split()
    return not _OBJECTS.isdisjoint(classes), not _AUTHORS.isdisjoint(classes)
