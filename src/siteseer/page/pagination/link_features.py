"""Computes the features of links that may be pagination, for a linear model.

A page has some 170 links, and few of them may be such: only those are looked at closely.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise

from lxml import html

from siteseer.page.pagination import link_words as words
from siteseer.page.pagination.list_position import names_position

MOST_LINKS = 5_000
MOST_CANDIDATES = 400
LONGEST_TEXT = 30
CONTAINER_LEVELS = 4
_DIGITS = re.compile(r"\d+")
_REST = re.compile(r"^[/?&;_.\-=,]*(?:[a-z_]{0,16}[=/_.\-,]?\d{0,7})?[/]?(?:\.html?|\.php|\.aspx?)?$", re.IGNORECASE)
_STEPS = (0, 1, 2, 3, 10, 31, 100, 1899)
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(slots=True, eq=False)
class Candidate:
    """A link that may be pagination."""

    element: html.HtmlElement
    href: str
    text: str
    order: int
    url: str = ""
    number: int | None = None
    marks: frozenset[str] = frozenset()
    """What its text says: num, next, prev, first, last, range, empty."""
    above: list[html.HtmlElement] = field(default_factory=list)


@dataclass(slots=True)
class Container:
    """The nearest element that holds several candidates."""

    members: list[Candidate]
    features: frozenset[str]


def candidates(root: html.HtmlElement) -> list[Candidate]:
    """Return the links whose text or attributes could be those of a pagination link."""
    found: list[Candidate] = []
    for order, element in enumerate(islice(root.iter("a"), MOST_LINKS)):
        text = "".join(islice(element.itertext(), 12)) if len(element) else element.text
        if text and len(text) > LONGEST_TEXT:
            text = " ".join(text[:200].split())
            if len(text) > LONGEST_TEXT:
                continue
        text = text.strip().lower() if text else ""
        marks, number = text_marks(text) if text else ((), None)
        if not marks:
            rel = element.get("rel")
            by_rel = ("rel",) if rel is not None and ("next" in rel or "prev" in rel) else ()
            if not text and (text := _spoken(element)):
                marks, number = text_marks(text)
                marks = (*marks, *by_rel, "empty") if marks or by_rel else ()
            else:
                marks = by_rel
        if marks and len(found) < MOST_CANDIDATES:
            found.append(Candidate(element, element.get("href", "").strip(), text, order, "", number, frozenset(marks)))
    for one in found:
        one.above = list(islice(one.element.iterancestors(), CONTAINER_LEVELS))
    return found


@lru_cache(maxsize=20_000)
def text_marks(text: str) -> tuple[tuple[str, ...], int | None]:
    """Return the features of a link's text, and the number in it.

    >>> sorted(text_marks("next »")[0]), text_marks("[1,390]")
    (['arrow-next', 'next'], (('num',), 1390))
    """
    first, last = text[0], text[-1]
    if first.isdigit() or last.isdigit() or last in "])页頁":
        if found := words.NUMBER.match(text):
            return ("num",), int(re.sub(r"\D", "", found[1]))
        if words.RANGE.match(text):
            return ("range",), None
    marks = [mark for word in text.split() if (mark := words.MARKS.get(word)) is not None]
    if not text.isascii():
        marks += [words.MARKS[part] for size in (1, 2, 3) if (part := text[:size]) in words.MARKS]
    if not (first.isalnum() and last.isalnum()):
        if words.ARROW_NEXT.intersection((first, last)):
            marks.append("arrow-next")
        if words.ARROW_PREVIOUS.intersection((first, last)):
            marks.append("arrow-prev")
        if not marks:
            marks += [mark for word in words.TOKEN.findall(text) if (mark := words.MARKS.get(word)) is not None]
    return tuple(marks), None


def _spoken(element: html.HtmlElement) -> str:
    """Return what a link without text says: the text of its picture, its title, the names of its classes."""
    for one in islice(element.iter(), 4):
        if isinstance(one.tag, str) and (said := one.get("alt") or one.get("title") or one.get("aria-label")):
            return " ".join(said[:LONGEST_TEXT].split()).lower()
    named = " ".join(one.get("class", "")[:60] for one in islice(element.iter(), 3) if isinstance(one.tag, str))
    return re.sub(r"[^a-z]+", " ", named.lower()).strip()


# ── features ──────────────────────────────────────────────────────────────────────────────────────────────────────


def all_features(found: list[Candidate], here: str, links: int) -> list[frozenset[str]]:
    """Return the features of each candidate; `here` is the URL of the page, `links` how many links it has."""
    containers = _containers(found, here)
    made = []
    for one in found:
        own = {*_text(one), *_address(one, here), *_classes(one), f"pos={one.order * 5 // max(1, links)}"}
        own |= containers[one].features if one in containers else {"alone"}
        made.append(frozenset(own | set(_conjunctions(one, own))))
    return made


def _text(one: Candidate) -> Iterator[str]:
    for mark in one.marks:
        yield f"t:{mark}"
    if words.says_only_direction(one.text):
        yield "t:only"
    if one.number is not None:
        yield f"num={next((step for step in _STEPS if one.number <= step), 'large')}"
        return
    letters = len(_LETTERS.findall(one.text))
    yield f"len={'0' if not letters else '8' if letters <= 8 else '16' if letters <= 16 else 'long'}"
    yield f"words={min(4, len(one.text.split()))}"


def _address(one: Candidate, here: str) -> Iterator[str]:
    href, url = one.href, one.url
    if rel := one.element.get("rel"):
        yield from (f"rel={word}" for word in rel.lower().split() if word in ("next", "prev", "nofollow"))
    if not url:
        yield "h:#" if href.startswith("#") else "h:js" if href.lower().startswith("javascript") else "h:none"
        return
    a, b = url.partition("://")[2], here.partition("://")[2]
    if url == here:
        yield "h:#" if href.startswith("#") else "h:self"
    elif a.partition("/")[0] != b.partition("/")[0]:
        yield "h:ext"
        return
    if names_position(url, here):
        yield "u:place"
    before, after = _rests(a, b)
    if _REST.match(before) and _REST.match(after):
        yield "u:numdiff"
    if a.partition("?")[0].rstrip("/") == b.partition("?")[0].rstrip("/"):
        yield "u:samepath"
    if a.startswith(b.rstrip("/")):
        yield "u:below"
    if len(before) > 60:
        yield "u:far"
    if words.SIZES.search(before):
        yield "u:size"
    found = words.PAGE_WORD_IN_URL.search(before) or words.PAGE_WORD_IN_URL.search(a.partition("/")[2])
    if found:
        yield "u:pageword"
        if one.number is not None and found[1] and int(found[1]) in (one.number, one.number - 1):
            yield "u:eqnum"
    numbers = _DIGITS.findall(before)
    if numbers:
        yield "u:hasnum"
        if one.number is not None and str(one.number) in numbers:
            yield "u:numtext"
        others = _DIGITS.findall(after)
        if len(numbers) == 1 and len(others) == 1:
            yield "u:num->num"
            step = int(numbers[0][:9]) - int(others[0][:9])
            yield "u:+1" if step == 1 else "u:-1" if step == -1 else "u:+" if step > 0 else "u:-"


def _rests(a: str, b: str) -> tuple[str, str]:
    """Return what two addresses do not share, whole numbers kept.

    >>> _rests("e.org/list/12.html", "e.org/list/17.html"), _rests("e.org/l?p=2", "e.org/l")
    (('12', '17'), ('?p=2', ''))
    """
    start = _shared(a, b)
    while start and a[start - 1].isdigit():
        start -= 1
    a, b = a[start:], b[start:]
    end = _shared(a[::-1], b[::-1])
    while end and a[len(a) - end].isdigit():
        end -= 1
    return a[: len(a) - end], b[: len(b) - end]


def _shared(a: str, b: str) -> int:
    """Return how many characters two texts begin with together, found by halving."""
    if a == b:
        return len(a)
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _classes(one: Candidate) -> Iterator[str]:
    yield from _names_on(one.element, "c0")
    for child in islice(one.element, 2):
        if isinstance(child.tag, str):
            yield from _names_on(child, "c0")
    if one.above:
        yield from _names_on(one.above[0], "c1")
        if one.above[0].tag == "li" or one.above[0].tag == "nav":
            yield "in-list"
        for element in one.above[1:]:
            yield from _names_on(element, "c2")


def _names_on(element: html.HtmlElement, place: str) -> tuple[str, ...]:
    named, identifier = element.get("class"), element.get("id")
    if named is None and identifier is None:
        return ()
    return _names_in(f"{named or ''} {identifier or ''}"[:200], place)


@lru_cache(maxsize=10_000)
def _names_in(text: str, place: str) -> tuple[str, ...]:
    """Return what classes and ids say: pag, next, prev, other; each with the place where it is said."""
    low = text.lower()
    return tuple(f"{place}:{name}" for name, expression in _CLASSES if expression.search(low))


_CLASSES = (
    ("pag", words.PAGER_CLASS), ("next", words.NEXT_CLASS), ("prev", words.PREVIOUS_CLASS),
    ("other", words.OTHER_CLASS),
)  # fmt: skip


def _containers(found: list[Candidate], here: str) -> dict[Candidate, Container]:
    """Return for each candidate the nearest element above it that holds another one too."""
    below: dict[html.HtmlElement, list[Candidate]] = {}
    for one in found:
        for element in one.above:
            below.setdefault(element, []).append(one)
    made: dict[html.HtmlElement, Container] = {}
    chosen: dict[Candidate, Container] = {}
    for one in found:
        best = next((element for element in one.above if len(below[element]) > 1), None)
        if best is None:
            continue
        if best not in made:
            made[best] = Container(below[best], frozenset(_container(best, below[best])))
        chosen[one] = made[best]
    return chosen


def _container(element: html.HtmlElement, members: list[Candidate]) -> Iterator[str]:
    numbered = [one for one in members if one.number is not None]
    numbers = [one.number for one in numbered if one.number is not None]
    yield f"k:num={min(4, len(numbers))}"
    others = [one for one in members if one.number is None]
    marks = Counter(mark for one in others for mark in one.marks)
    if marks["next"] or marks["arrow-next"]:
        yield "k:has-next"
    if marks["prev"] or marks["arrow-prev"]:
        yield "k:has-prev"
    if marks["first"] or marks["last"]:
        yield "k:has-ends"
    links = sum(1 for _ in islice(element.iter("a"), 200))
    share = len(members) / max(1, links)
    yield "k:pure" if share > 0.9 else "k:most" if share > 0.6 else "k:some" if share > 0.25 else "k:few"
    if not numbers:
        return
    yield "k:numbers"
    if len(numbers) >= 25 and max(numbers) <= 31:
        yield "k:calendar"
    if len(numbers) > 1 and all(a < b for a, b in pairwise(numbers)):
        yield "k:asc"
    if len(numbers) != len(set(numbers)):
        yield "k:repeated"
    if min(numbers) <= 2:
        yield "k:from-start"
    length = sequence(numbered)
    if length >= 2:
        yield "k:seq"
    if length >= 3:
        yield "k:seq3"
    plain = _unlinked_number(element)
    if plain is not None:
        yield "k:cur-num"
        if plain not in numbers and (plain + 1 in numbers or plain - 1 in numbers):
            yield "k:cur-fits"


def sequence(numbered: list[Candidate]) -> int:
    """Return how many links have a number in their URL that grows evenly with the number in their text."""
    by_template: dict[str, list[tuple[int, list[int]]]] = {}
    for one in numbered:
        if one.url and one.number is not None:
            template = _DIGITS.sub("#", one.url)
            values = [int(part[:9]) for part in _DIGITS.findall(one.url)]
            by_template.setdefault(template, []).append((one.number, values))
    best = 0
    for rows in by_template.values():
        if len(rows) < 2:
            continue
        for column in range(min(8, len(rows[0][1]))):
            pairs = sorted({(number, values[column]) for number, values in rows})
            best = max(best, _even(pairs))
    return best


def _even(pairs: list[tuple[int, int]]) -> int:
    """Return the length of a sequence x = a + b * number with b > 0, 0 where it is none."""
    (n0, x0), (n1, x1) = pairs[0], pairs[-1]
    if n1 == n0 or x1 <= x0:
        return 0
    fits = all((x - x0) * (n1 - n0) == (n - n0) * (x1 - x0) for n, x in pairs)
    return len(pairs) if fits else 0


def _unlinked_number(element: html.HtmlElement) -> int | None:
    """Return the first number that stands in an element by itself and is no link: the current page."""
    linked: html.HtmlElement | None = None
    for one in islice(element.iter(), 60):
        if one.tag == "a":
            linked = one
        texts = (one.tail if one is not element else None, None if _is_below(one, linked) else one.text)
        for text in texts:
            if text and len(text) < 40 and (found := words.NUMBER.match(" ".join(text.split()).lower())):
                return int(re.sub(r"\D", "", found[1]))
    return None


def _is_below(element: html.HtmlElement, link: html.HtmlElement | None) -> bool:
    return link is not None and (element is link or element.getparent() is link)


def _conjunctions(one: Candidate, own: set[str]) -> Iterator[str]:
    """Yield pairs of facts: without them a linear model cannot tell a page number from any other number."""
    kinds = []
    if one.number is not None:
        kinds.append("num")
    if one.marks & {"next", "arrow-next"}:
        kinds.append("next")
    if one.marks & {"prev", "arrow-prev"}:
        kinds.append("prev")
    if one.marks & {"first", "last"}:
        kinds.append("end")
    if "empty" in one.marks:
        kinds.append("empty")
    pager = not own.isdisjoint(_PAGER)
    facts = own & _FACTS if kinds else own
    for kind in kinds:
        if pager:
            yield f"{kind}&pag"
        for fact in facts:
            yield f"{kind}&{fact}"
        if pager and "u:numdiff" in own:
            yield f"{kind}&pag&numdiff"


_PAGER = frozenset(("c0:pag", "c1:pag", "c2:pag"))
_FACTS = frozenset((
    "k:seq", "k:seq3", "k:calendar", "k:numbers", "k:cur-num", "k:cur-fits", "k:pure", "k:few", "k:has-next",
    "k:has-prev", "u:numdiff", "u:pageword", "u:eqnum", "u:numtext", "u:+1", "u:-1", "u:samepath", "u:hasnum",
    "u:size", "h:js", "h:ext", "h:#", "alone", "c1:other", "c2:other", "c0:other", "words=1", "len=0", "in-list",
))  # fmt: skip
