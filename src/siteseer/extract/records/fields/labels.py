"""Finds the labelled values of a document: what follows `From:`, `Author:`, `Von`, `Posted by`, `Date:`.

Mail archives, trackers, catalogues and imprints write `label: value` as items of lists (`<li><em>From</em>: Ann</li>`),
definition lists, rows of tables, bold words in a line, or plain lines above the text. A label alone says what its value
is; that it is a field of a record is told by its coming back at the same place of other records.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from siteseer.extract.records.fields.label_words import LABELS, LONGEST_LABEL, NEEDS_COLON, PANEL, PREPOSITIONS, Role
from siteseer.extract.records.record_document import Document
from siteseer.page.dates.month_names import fold
from siteseer.page.text import BLOCKS

LONGEST_VALUE = 160
MOST_PIECES = 8
"""Texts of which a value may consist: a name, an address in a link, brackets."""
MOST_CELLS = 4
MOST_HEAD_LINES = 30
NEAR = 5
BESIDE = 4
"""Texts around a label in which others may tell what it means."""
NOUN, PREPOSITION = 1.2, 0.95
"""Weights of labels before authors."""
_COLONS = ":："
_DIVIDER = re.compile(r"\s*(?:[|•·;/]|\s[–—-]\s|,\s)\s*(?=[^\W\d][^:：|•·;]{0,30}[:：])")
_DATED_END = re.compile(r"(?:\s*[|•·–—;]|\s+-\s|[\s,]+(?:on|am|le|el|il|em|den|vom|at|@)\s|,)\s*(?=[^|•·]*\d).*$", re.I)
_LABELLED = re.compile(rf"([^:：]{{1,{LONGEST_LABEL}}}?)\s*[:：]\s*(.*)", re.S)
_BRACKETED = re.compile(r"<[^<>]*>?|\[[^\[\]]*(?:@|mailto| at )[^\[\]]*\]|\([^()]*(?:@| at |_at_)[^()]*\)")
_ADDRESS_AND_NAME = re.compile(r"\S+(?:@| at | \(at\) |_at_)\S+\s*\(([^()]{2,60})\)")
_QUOTES = "\"'“”„«»‘’ \t,;:·•|–—-"


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value, its label, and the place of both."""

    label: str
    role: Role
    cell: int
    """1 for the value itself, 2 and so on for further cells of its row."""
    at: int
    element: int
    """The element that holds the value."""
    holder: int
    """The element that holds the label."""
    value: str

    @property
    def way(self) -> str:
        """How an atom of this label is called."""
        return f"label:{self.label}" if self.cell == 1 else f"label:{self.label}:{self.cell}"


def role_of(way: str) -> Role | None:
    """Return what the label in the name of an atom says of its value.

    >>> role_of("label:from"), role_of("label:author:2"), role_of("string")
    ('author', 'other', None)
    """
    if not way.startswith("label:"):
        return None
    _, label, *cell = way.split(":")
    return "other" if cell else LABELS.get(label)


def label_weight(way: str) -> float:
    """Return how good authors behind a label are: `From` stands before places, too."""
    return PREPOSITION if way.partition(":")[2] in PREPOSITIONS else NOUN


def labelled_values(doc: Document) -> Iterator[LabelledValue]:
    """Yield the labelled values of a document, in order."""
    if not doc.texts:
        return
    lines = _lines_of(doc)
    for number, text in enumerate(doc.texts):
        parts = _parts(text) if len(text) <= LONGEST_LABEL + LONGEST_VALUE else []
        for place, part in enumerate(parts, 1):
            if (found := _split(part)) and (found[0] not in PREPOSITIONS or not _is_in_panel(doc, number)):
                yield from _values(doc, lines, number, *found, is_last=place == len(parts))


def _parts(text: str) -> list[str]:
    """Return the parts of a text that holds several labels.

    >>> _parts("Author: Ann Lee | Date: 5 May 2015"), _parts("Author: Ann | 5 May")
    (['Author: Ann Lee', 'Date: 5 May 2015'], ['Author: Ann | 5 May'])
    >>> _parts("Author: Ann Lee | Filed under:")
    ['Author: Ann Lee', 'Filed under:']
    """
    parts = _DIVIDER.split(text) if _DIVIDER.search(text) else []
    labels = sum(1 for part in parts if _LABELLED.match(part))
    return parts if labels > 1 and any(_LABELLED.match(part) and _split(part) for part in parts) else [text]


def _is_in_panel(doc: Document, number: int) -> bool:
    """Say whether a text stands among labels of a member, at their level: `From: Oslo`, `Joined: 2015`, `Posts: 12`."""
    for other in range(max(0, number - BESIDE), min(len(doc.texts), number + BESIDE + 1)):
        label = fold(doc.texts[other][:LONGEST_LABEL].partition(":")[0].strip())
        if label in PANEL and other != number and _are_level(doc, doc.owner[number], doc.owner[other]):
            return True
    return False


def _are_level(doc: Document, one: int, other: int) -> bool:
    """Say whether two elements stand at like places: the same tags lead to them from what holds both."""
    for _ in range(NEAR):
        if one == other:
            return True
        if one < 0 or other < 0 or doc.tags[one] != doc.tags[other]:
            return False
        one, other = doc.parent[one], doc.parent[other]
    return False


def stands_in_panel(doc: Document, at: int) -> bool:
    """Say whether what stands at a position of a page is told of a member, not of a post."""
    number = bisect_left(doc.text_at, at)
    return number < len(doc.texts) and _is_in_panel(doc, number)


def _split(text: str) -> tuple[str, str | None] | None:
    """Return label and rest of a text that begins with a label; no rest where it is nothing but a label.

    >>> _split("Author: Ann"), _split("Von"), _split("From the sea: a tale")
    (('author', 'Ann'), ('von', None), None)
    """
    plain = fold(text.strip(_COLONS + " "))
    if plain in LABELS:
        return plain, "" if text.rstrip()[-1:] in _COLONS else None
    match = _LABELLED.match(text)
    label = fold(match[1].strip()) if match else ""
    return (label, match[2]) if match and label in LABELS else None


def _values(
    doc: Document, lines: list[int], number: int, label: str, rest: str | None, *, is_last: bool
) -> Iterator[LabelledValue]:
    """Yield the values of a label; what follows a text belongs to the last label in it."""
    role, holder = LABELS[label], doc.owner[number]
    if rest:
        more = _pieces(doc, lines, number + 1, lines[number]) if is_last and len(rest) <= LONGEST_VALUE else []
        yield _value(doc, (label, role, 1), number, holder, [rest, *(doc.texts[n] for n in more)])
        return
    place = number + 1
    if place >= len(doc.texts):
        return
    if lines[place] == lines[number]:
        pieces = _pieces(doc, lines, place, lines[number])
        if pieces and (rest is not None or doc.texts[place][:1] in _COLONS or _may_lack_colon(doc, number, label)):
            yield _value(doc, (label, role, 1), place, holder, [doc.texts[n] for n in pieces])
        return
    for cell, value in enumerate(_cells_after(doc, _box(doc, holder), has_colon=rest is not None), 1):
        first = doc.first_text[value]
        pieces = _pieces(doc, lines, first, lines[first]) if first < doc.stop_text[value] else []
        if pieces and pieces[-1] < doc.stop_text[value]:
            yield _value(doc, (label, role, cell), first, holder, [doc.texts[n] for n in pieces])


def _value(doc: Document, known: tuple[str, Role, int], number: int, holder: int, pieces: list[str]) -> LabelledValue:
    label, role, cell = known
    value = " ".join(pieces).lstrip(_COLONS + " ")
    if role == "author" and cell == 1:
        value = person_name(value)
    return LabelledValue(label, role, cell, doc.text_at[number], doc.owner[number], holder, value)


def _may_lack_colon(doc: Document, number: int, label: str) -> bool:
    """Say whether a label without colon is one: it stands in an element of its own, before its value.

    So is one of several words (`posted by`) before a value that has an element of its own.
    """
    holder = doc.owner[number]
    if " " in label and doc.owner[number + 1] != holder and doc.after[number + 1] < 0:
        return True
    return label not in NEEDS_COLON and doc.after[number] < 0 and doc.stop_text[holder] - doc.first_text[holder] == 1


def _pieces(doc: Document, lines: list[int], start: int, line: int) -> list[int]:
    """Return the texts of one line from `start` on, up to the next label."""
    found: list[int] = []
    for number in range(start, min(len(doc.texts), start + MOST_PIECES)):
        text = doc.texts[number]
        if lines[number] != line or len(text) > LONGEST_VALUE or _is_label(text):
            break
        found.append(number)
    return found


def _is_label(text: str) -> bool:
    found = _split(text) if len(text) <= LONGEST_LABEL + LONGEST_VALUE else None
    return found is not None and (found[1] is not None or LABELS[found[0]] != "author")


def _lines_of(doc: Document) -> list[int]:
    """Return for every text the number of its line: blocks and line breaks begin new ones."""
    breaks = [at for n, tag in enumerate(doc.tags) if tag in BLOCKS for at in (doc.start_at[n], doc.end_at[n])]
    breaks = sorted(breaks + doc.line_starts)
    return [bisect_right(breaks, at) for at in doc.text_at]


def _box(doc: Document, element: int) -> int:
    """Return the block around a label that holds nothing else."""
    own = doc.first_text[element], doc.stop_text[element]
    for _ in range(NEAR):
        above = doc.parent[element]
        if above < 0 or (doc.first_text[above], doc.stop_text[above]) != own:
            return element
        element = above
    return element


def _cells_after(doc: Document, box: int, *, has_colon: bool) -> list[int]:
    """Return the elements after a label that may hold its value: the cells of its row, or the next element."""
    above, tag = doc.parent[box], doc.tags[box]
    if above < 0:
        return []
    after = [child for child in doc.children(above) if child > box][:MOST_CELLS]
    if tag == "dt":
        return [child for child in after[:1] if doc.tags[child] == "dd"]
    if tag == "th":
        return list(takewhile(lambda child: doc.tags[child] == "td", after))
    if tag == "td":
        first = doc.children(above)[0]
        if first != box:  # a row of several labels, each written like the first one
            is_label = doc.classes[box] is not None and doc.classes[box] == doc.classes[first]
            return [child for child in after[:1] if is_label and doc.classes[child] != doc.classes[box]]
        return [child for child in (*after, *_cells_below(doc, above)) if doc.tags[child] == "td"]
    return after[:1] if has_colon or tag in ("label", "dfn") else []


def _cells_below(doc: Document, row: int) -> list[int]:
    """Return the cells of the next row where it goes on under the same label: its first cell is empty."""
    rows = [child for child in doc.children(doc.parent[row]) if child > row][:1] if doc.tags[row] == "tr" else []
    cells = doc.children(rows[0]) if rows else []
    goes_on = len(cells) > 1 and doc.first_text[cells[0]] == doc.stop_text[cells[0]]
    return cells[1:MOST_CELLS] if goes_on else []


def person_name(value: str) -> str:
    """Return the name in what a mail's head or an imprint says of a person.

    >>> [person_name(text) for text in ("Ann Lee < ann@example.org >", "ann@example.org (Ann Lee)")]
    ['Ann Lee', 'Ann Lee']
    >>> person_name("Ann (ann_at_example.org)")
    'Ann'
    >>> person_name("<ann@example.org>"), person_name('"Lee, Ann" <a@b.c>')
    ('ann@example.org', 'Lee, Ann')
    """
    value = _DATED_END.sub("", " ".join(value.split())) or value
    if named := _ADDRESS_AND_NAME.fullmatch(value.strip(_QUOTES)):
        return named[1].strip(_QUOTES)
    name = " ".join(_BRACKETED.sub(" ", value).split()).strip(_QUOTES)
    return name or value.strip("<>[]() " + _QUOTES)


def without_head(text: str, labels: frozenset[str]) -> str:
    """Return the text of a record without the labelled lines above it, up to the last one that names a field.

    >>> without_head("Name:\\nAnn\\nOrt: Ulm\\nDatum: 5.5.2015\\nNote: all is well", frozenset(("name", "datum")))
    'Note: all is well'
    """
    lines = text.split("\n")
    place, end = 0, 0
    while place < len(lines) and place < MOST_HEAD_LINES:
        line = lines[place]
        found = _split(line) if len(line) <= LONGEST_LABEL + LONGEST_VALUE else None
        label, rest = found if found else _unknown_label(line)
        if not label:
            break
        place += 1 if rest else 2
        if label in labels:
            end = place
    return "\n".join(lines[end:])


def _unknown_label(line: str) -> tuple[str, str | None]:
    match = _LABELLED.match(line) if len(line) <= LONGEST_LABEL + LONGEST_VALUE else None
    return (match[1], match[2]) if match and match[1].count(" ") < 3 else ("", None)
