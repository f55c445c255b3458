"""Rates how much a column of values looks like the dates or the authors of records.

Dates: distinct, in order, with a time of day; join dates repeat with their author, page clocks show the moment of
fetching, and words such as `edited` tell the rest. Authors: short names that come back on other pages; words in
classes, profile addresses and a `by` before them help.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np

from siteseer.extract.records.fields.field_atoms import (
    HEAD,
    Atom,
    DateReader,
    clean_name,
    is_name,
    is_of_edit,
    strip_affixes,
)
from siteseer.extract.records.fields.label_words import LABELS, NAMES
from siteseer.extract.records.fields.labels import label_weight, role_of, stands_in_panel
from siteseer.extract.records.fields.name_affixes import is_label, label_words, spans_blocks, standing_outside
from siteseer.extract.records.fields.other_objects import names_other_object
from siteseer.extract.records.page_sample import AtomColumn, Numbers, Sample
from siteseer.extract.records.record_document import Document
from siteseer.extract.records.role_words import (
    AUTHOR,
    BY,
    EDITED,
    EDITED_BY,
    FILED,
    NOT_AUTHOR,
    NOT_AUTHOR_AREA,
    NOT_PROFILE_URL,
    OTHER_DATE,
    PROFILE_URL,
)
from siteseer.page.dates.month_names import MONTHS, WEEKDAYS, fold
from siteseer.page.dates.read_dates import ReadDate
from siteseer.page.urls import resolve

LOWEST_DATE, LOWEST_AUTHOR = 0.12, 0.15
PAIRS_FOR_ORDER = 10
FRESH = timedelta(hours=36)
LONE = 0.5
"""What is left of the quality of authors that are always the same: hints alone speak for them."""
DATED_SHARE = 0.6
MOSTLY = 0.5
NAMED_SHARE = 0.7
CALENDAR = frozenset(MONTHS) | frozenset(WEEKDAYS)
_PUNCTUATION = re.compile(r'[,!?;:"]|\w{3}\.\s')
_ABBREVIATED = re.compile(r"\b\w{1,4}\.(?=\s|$)|,\s[A-Z][\w.]{0,4}$")
"""Initials, and titles before or after a name: `Prof. J. R. Lee`, `Ann Lee, MD`."""
LABELLED = 1.2
"""What a label makes of the quality of dates."""
OF_PAGE = 0.8
"""What is left for what the heads of pages say: pages show what is meant for readers."""
RECURRING = 0.2
"""Share of names that come back on other pages, from which on a column may be one of authors without any hint."""
NO_AUTHOR_REL = ("tag", "category tag", "category", "bookmark")
MOST_LOOKED_AT = 40
NEAR_BOXES = 12
"""So many elements inside a line are looked at for what one of its words is."""
FEWEST_VALUES, DISTINCT = 6, 0.1
"""Of so many days, fewer distinct ones than this share are no days of lone records."""
_MACHINE = ("|@datetime", "|@content", "|@data-time", "|@data-timestamp", "|@data-date", "|@published")


@dataclass(frozen=True, slots=True)
class FieldColumn:
    """An atom key that may be a field: its quality, and where its values stand on the common line."""

    key: str
    quality: float
    at: Numbers
    timed: bool = False
    edited: bool = False
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    hinted: bool = False
    """Whether a word speaks for an author: a class, a profile address, a `by` before the name."""
    lone: bool = False
    """Whether the values are too few to tell an author by repetition: hints alone speak for it."""
    labelled: bool = False
    """Whether a label before each value says what it is."""
    recurs: bool = True
    """Whether authors come back on other pages."""
    values: tuple[str, ...] = ()
    """What each value says: the day of a date, a name in small letters."""
    elsewhere: float = 0.0
    """Share of the values that stand beside links to other objects."""

    @property
    def of_page(self) -> bool:
        """Whether the values stand in the heads of pages."""
        return self.key.startswith(f"{HEAD}|")

    @property
    def is_constant(self) -> bool:
        """Whether the values are few and come back: they are those of the site, not of its records."""
        return len(self.values) >= FEWEST_VALUES and len(set(self.values)) < max(2, DISTINCT * len(self.values))

    @property
    def is_sure(self) -> bool:
        """Whether its values are those of authors: a word says so, or they come back."""
        return self.labelled or (not self.lone and (self.hinted or self.recurs))


def date_column(column: AtomColumn, sample: Sample) -> FieldColumn | None:
    """Return the column as dates of records, or None where it does not look like them."""
    way = column.key.rpartition("|")[2]
    role = role_of(way)
    if (":" in way and role is None) or way == "@author":
        return None
    edits = [is_of_edit(atom) for atom in column.atoms]
    only_others = sum(edits) <= MOSTLY * len(edits)  # where few are of edits, those stand beside the others
    read = [
        (row, sample.reader.read_as(way, atom.value))
        for row, atom in enumerate(column.atoms)
        if not (only_others and edits[row])
    ]
    dated = [(row, date) for row, date in read if date is not None]
    if len(dated) < max(3, 0.02 * len(sample.docs)) or len(dated) < DATED_SHARE * len(read):
        return None
    rows = np.array([row for row, _ in dated], dtype=np.int64)
    atoms = [column.atoms[row] for row in rows]
    dates = [date for _, date in dated]
    quality = _date_quality(dates, atoms, column.page[rows], sample.now)
    before = sum(1 for date, atom in zip(dates, atoms, strict=True) if OTHER_DATE.search(_words_before(atom, date)))
    spoken = before > 0.5 * len(dates) or role == "edited"
    element_key = column.key.rpartition("|")[0]
    quality *= 1.1 if column.key.endswith(_MACHINE) else 1.0
    quality *= OF_PAGE if way == "@published" else LABELLED if role == "date" else 1.0
    quality *= 0.4 if OTHER_DATE.search(element_key) else 1.0
    quality *= 0.2 if spoken else 1.0
    quality *= 0.6 if sum(len(atom.value) for atom in atoms) > 60 * len(atoms) else 1.0
    if quality <= LOWEST_DATE:
        return None
    timed = sum(date.precision in ("minute", "second") for date in dates) > 0.5 * len(dates)
    edited = spoken and any(EDITED.search(_words_before(a, d)) for a, d in zip(atoms[:20], dates[:20], strict=True))
    return FieldColumn(
        column.key,
        quality,
        column.at[rows],
        timed=timed,
        edited=edited,
        labelled=role == "date",
        values=tuple(date.iso[:10] for date in dates),
        elsewhere=_elsewhere(column, rows.tolist(), sample),
    )


def _elsewhere(column: AtomColumn, rows: list[int], sample: Sample) -> float:
    """Return the share of values that belong to other objects, as far as some of them tell."""
    some = rows[:: max(1, len(rows) // MOST_LOOKED_AT)]
    atoms = ((sample.docs[int(column.page[row])], column.atoms[row]) for row in some)
    return sum(names_other_object(doc, atom.element, atom.value) for doc, atom in atoms) / max(1, len(some))


def _date_quality(dates: list[ReadDate], atoms: list[Atom], pages: Numbers, now: datetime | None) -> float:
    """q = (1-.4 rel)(.3+.7 distinct)(.4+.6 mono)(.7+.3 tod)(1-.5 noyear)(1-nowish), as the module says."""
    count = len(dates)
    moments = np.array([date.moment.timestamp() for date in dates])
    relative = sum(date.relative for date in dates) / count
    distinct = len(set(moments.tolist())) / count
    tod = sum(date.precision in ("minute", "second") for date in dates) / count
    noyear = sum(not d.relative and not _names_year(d, a.value) for d, a in zip(dates, atoms, strict=True)) / count
    nowish = 0.0
    if now is not None:
        nowish = float(np.mean(np.abs(moments - now.timestamp()) < FRESH.total_seconds())) * (1.0 - relative)
    return (
        (1 - 0.4 * relative)
        * (0.3 + 0.7 * distinct)
        * (0.4 + 0.6 * _monotony(moments, pages))
        * (0.7 + 0.3 * tod)
        * (1 - 0.5 * noyear)
        * (1 - nowish)
    )


def _monotony(moments: np.ndarray[tuple[int], np.dtype[np.float64]], pages: Numbers) -> float:
    """|2 share(ascending) - 1| over neighbours on a page; 1 where there are too few to tell."""
    steps = np.diff(moments)[pages[1:] == pages[:-1]]
    steps = steps[steps != 0]
    return abs(2 * float(np.mean(steps > 0)) - 1) if len(steps) >= PAIRS_FOR_ORDER else 1.0


def _names_year(date: ReadDate, value: str) -> bool:
    shown = value[slice(*date.span)]
    return str(date.moment.year) in shown or f"{date.moment.year % 100:02d}" in shown or value.isdigit()


def _words_before(atom: Atom, date: ReadDate) -> str:
    inside = atom.value[: date.span[0]] if date.span[0] < len(atom.value) else ""
    return inside if len(inside) > 3 else f"{atom.before} {inside}"


def author_column(column: AtomColumn, sample: Sample) -> FieldColumn | None:
    """Return the column as authors of records, or None where it does not look like them."""
    way = column.key.rpartition("|")[2]
    role = role_of(way)
    if (way.startswith("@") and way not in ("@content", "@author")) or (role and role != "author"):
        return None
    values = [clean_name(atom.value) for atom in column.atoms]
    if sum(len(value) <= 90 for value in values) < NAMED_SHARE * len(values):
        return None
    outside = standing_outside(sample.docs, column.page.tolist(), column.atoms, way)
    is_before_date = way.endswith(":before")
    first, last = label_words(values, outside, is_before_date) if role is None else ((), ())
    names = [strip_affixes(value, first, last) for value in values]
    rows = [row for row, name in enumerate(names) if is_name(name)]
    if len(rows) < max(3, 0.02 * len(sample.docs), NAMED_SHARE * len(names)):
        return None
    rows = [row for row in rows if not sample.reader.read(names[row])]
    if len(rows) < NAMED_SHARE * len(names):
        return None
    kept = [names[row] for row in rows]
    if way.startswith("string") and not way.endswith(":after"):
        atoms = ((sample.docs[int(column.page[row])], column.atoms[row], names[row].split()) for row in rows)
        if sum(spans_blocks(doc, a.element, len(first), len(words)) for doc, a, words in atoms) > 0.5 * len(rows):
            return None
    heads = (f"{column.atoms[row].before} {column.atoms[row].value.partition(names[row])[0]}" for row in rows)
    if sum(EDITED_BY.search(head) is not None for head in heads) > MOSTLY * len(rows):
        return None
    if sum(fold(name) in CALENDAR or is_label(name) for name in kept) > 0.5 * len(kept):
        return None
    quality, hinted, lone, recurs = _author_quality(column, rows, kept, sample)
    prefixed = bool(first) and bool(BY.search(" ".join(first)))
    quality *= 1.0 if not prefixed else 1.1
    if quality <= LOWEST_AUTHOR:
        return None
    return FieldColumn(
        column.key,
        quality,
        column.at[np.array(rows)],
        first=first,
        last=last,
        hinted=hinted,
        lone=lone,
        labelled=role == "author" and (recurs or way.partition(":")[2] not in NAMES),
        recurs=recurs,
        values=tuple(" ".join(name.lower().split()) for name in kept),
        elsewhere=_elsewhere(column, rows, sample),
    )


def _author_quality(
    column: AtomColumn, rows: list[int], names: list[str], sample: Sample
) -> tuple[float, bool, bool, bool]:
    """Return q, whether a word speaks for it, whether it is nearly always the same, and whether names come back.

    q = [.25+.35 min(hint,2)+.25 by+.15 link+.3 rep-.3 min(neg,2)] * alpha * (1-.8 punct) * (.4+.6 min(1,5 distinct))
    """
    count, tally = len(names), Counter(names)
    distinct = len(tally)
    lone = distinct < 3 or tally.most_common(1)[0][1] > 0.6 * count
    pages_of: dict[str, set[int]] = {}
    linked = profile = other = by = mailed = several = elsewhere = 0
    for row, name in zip(rows, names, strict=True):
        page, atom = int(column.page[row]), column.atoms[row]
        pages_of.setdefault(name, set()).add(page)
        href, rel = _link(sample.docs[page], atom.element, name)
        linked += href is not None
        elsewhere += href is not None and is_elsewhere(sample.docs[page], href)
        mailed += _is_before_address(sample.docs[page], atom)
        if href:
            is_profile, is_other = _says_profile(href)
            profile += is_profile or "author" in rel
            other += (is_other or rel in NO_AUTHOR_REL) and not is_profile
        else:
            other += _is_filed_under(sample.docs[page], atom.element, name)
        several += column.key.endswith("|string") and _holds_links(sample.docs[page], atom.element)
        by += _ends_with_by(atom.before) or _ends_with_by(atom.value[: max(0, atom.value.find(name))].strip())
    element_key, _, way = column.key.rpartition("|")
    if way.startswith("tail"):  # a tail stands beside its element, not inside it
        element_key = element_key.partition("<")[2]
    hint = min(2, len({m.lower() for m in AUTHOR.findall(element_key)})) + profile / count + mailed / count
    neg = (
        bool(NOT_AUTHOR_AREA.search(element_key))
        + len({m.lower() for m in NOT_AUTHOR.findall(element_key.partition("<")[0])})
        + other / count
    )
    if several >= 0.5 * count or (lone and elsewhere >= 0.5 * count):  # `Created by Weblog 4.6` in a footer
        return 0.0, False, lone, False
    if other >= 0.5 * count and hint < 0.5 and by < 0.3 * count:
        return 0.0, False, lone, False
    if by >= 0.3 * count and hint < 0.5 and _stand_in_panels(column, rows, sample):
        return 0.0, False, lone, False
    labelled = role_of(way) == "author" and (rep_of(pages_of, names) >= RECURRING or way.partition(":")[2] not in NAMES)
    is_spoken_for = labelled or (AUTHOR.search(element_key) and (by >= 0.5 * count or profile >= 0.5 * count))
    if (lone and (neg >= 1 or not is_spoken_for)) or (lone and way == "@author"):
        return 0.0, False, lone, False
    rep = 0.0 if lone else rep_of(pages_of, names)
    alpha = sum(n for name, n in tally.items() if sum(map(str.isalpha, name)) >= 0.5 * len(name)) / count
    punct = (
        sum(
            n
            for name, n in tally.items()
            if name[-1] in "!?:;,…" or _PUNCTUATION.search(_ABBREVIATED.sub("", name)[:-1])
        )
        / count
    )
    base = 0.25 + 0.35 * min(hint, 2) + 0.25 * by / count + 0.15 * linked / count + 0.3 * rep - 0.3 * min(neg, 2)
    spread = LONE if lone else 0.4 + 0.6 * min(1.0, 5 * distinct / count)
    # A name that comes back on other pages and stands before a date in one line with it says who wrote when.
    dated = way.endswith(":before") and rep >= 0.5 and neg == 0
    hinted = hint >= 0.5 or by >= 0.3 * count or dated or labelled or way == "@author"
    base = max(base, label_weight(way)) if labelled else base * OF_PAGE if way == "@author" else base
    return base * alpha * (1 - 0.8 * punct) * spread, hinted, lone, rep >= RECURRING


def is_elsewhere(doc: Document, href: str) -> bool:
    """Say whether a link leads to another host."""
    target = urlsplit(resolve(doc.page.url, href) or "")
    return target.scheme in ("http", "https") and target.hostname != urlsplit(doc.page.url).hostname


def rep_of(pages_of: dict[str, set[int]], names: list[str]) -> float:
    """Return the share of names that come back on other pages."""
    return sum(len(pages_of[name]) >= 2 for name in names) / max(1, len(names))


def _stand_in_panels(column: AtomColumn, rows: list[int], sample: Sample) -> bool:
    """Say whether values such as `From: Oslo` mostly stand in the panel that tells of a member."""
    some = rows[:: max(1, len(rows) // MOST_LOOKED_AT)]
    inside = sum(stands_in_panel(sample.docs[int(column.page[row])], column.atoms[row].at) for row in some)
    return inside >= 0.5 * len(some)


@lru_cache(maxsize=4096)
def _says_profile(href: str) -> tuple[bool, bool]:
    """Say whether an address looks like that of a person, and like that of something else."""
    return bool(PROFILE_URL.search(href)), bool(NOT_PROFILE_URL.search(href))


@lru_cache(maxsize=4096)
def _ends_with_by(text: str) -> bool:
    return bool(text) and bool(BY.search(text))


def _link(doc: Document, element: int, name: str) -> tuple[str | None, str]:
    """Return address and rel of the link around an element, or of the only link right inside it if it has the name."""
    at = element
    for _ in range(3):
        if at < 0:
            break
        if doc.tags[at] == "a":
            return doc.elements[at].get("href"), doc.elements[at].get("rel") or ""
        at = doc.parent[at]
    inner = [child for child in range(element + 1, min(doc.stop[element], element + 6)) if doc.tags[child] == "a"]
    named = [child for child in inner if doc.string(child) == name] or inner
    if len(named) == 1 and name in doc.string(named[0]):
        return doc.elements[named[0]].get("href"), doc.elements[named[0]].get("rel") or ""
    return None, ""


def _is_filed_under(doc: Document, element: int, name: str) -> bool:
    """Say whether a name fills a box whose class says that records are filed under it: a category, a tag."""
    boxes = range(element, min(doc.stop[element], element + NEAR_BOXES))
    filed = (box for box in boxes if FILED.search(doc.elements[box].get("class") or ""))
    return any(doc.string(box) == name for box in filed)


def _holds_links(doc: Document, element: int) -> bool:
    """Say whether several links with words stand in an element: tags, or what can be done with a record."""
    inside = (number for number in range(element + 1, doc.stop[element]) if doc.tags[number] == "a")
    return sum(doc.first_text[number] < doc.stop_text[number] for number in inside) > 1


def _is_before_address(doc: Document, atom: Atom) -> bool:
    """Say whether a mail address follows a value right away, and no label says that it is somebody else's."""
    if LABELS.get(fold(atom.before.rstrip(":： "))) == "other":
        return False
    after = doc.stop[atom.element] if doc.tags[atom.element] != "a" else atom.element + 1
    is_next = after < len(doc.tags) and doc.tags[after] == "a" and doc.parent[after] == doc.parent[atom.element]
    return is_next and (doc.elements[after].get("href") or "").lower().startswith("mailto:")


def reads_time_only(value: str, reader: DateReader) -> bool:
    """Say whether a value is a time of day without a day; a label with a colon is none.

    >>> [reads_time_only(text, DateReader()) for text in ("14:05", "ann.lee", "5 May 2015, 14:05")]
    [True, False, False]
    """
    if len(value) > 40 or reader.read(value) is not None:
        return False
    found = reader.read(f"2000-01-01 {value}")
    return found is not None and found.precision in ("minute", "second")
