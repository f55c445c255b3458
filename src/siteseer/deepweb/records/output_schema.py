"""Learns the output schema of a source from its records: columns with their types, and how records are read.

Reference: Oita's thesis, section 3.3. What is the same in every record, or told by its place in the list alone, is no
attribute; what only some records have is one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from siteseer.deepweb.records.leaf_labels import Piece, Reader, learn_reader
from siteseer.deepweb.records.record_leaves import Leaf
from siteseer.deepweb.records.value_types import amount, fold, type_of
from siteseer.deepweb.understanding_model import Column

MOST_COLUMNS = 60
EXAMPLES = 5
LEAST_FILLED, LEAST_FILLED_DETAILS = 0.02, 0.1
"""The share of the records that must have an attribute; pages of records have prose too, whose marks come and go."""
PARTED = 0.3
"""This share of the parts of enumerations must stand alone in other records."""
Values = dict[str, tuple[str, ...]]
_COUNT = re.compile(r"\W{0,3}\d{1,7}\W{0,3}")
_COMMA, _SEMICOLON = re.compile(r"\s*(?:,| and | & )\s*"), re.compile(r"\s*;\s*")


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """A record on an answer page."""

    page: str
    """The URL of the answer."""
    place: int
    """Its place in the answer, from 0."""
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a source, with the reader of its records."""

    reader: Reader
    columns: tuple[Column, ...]
    parted: frozenset[str] = frozenset()
    """Columns whose values are enumerations."""

    def values(self, leaves: Sequence[Leaf]) -> Values:
        """Return the values of a record by column."""
        ids = {column.path: column.id for column in self.columns}
        found: dict[str, list[str]] = defaultdict(list)
        for piece in self.reader.read(leaves):
            if (name := ids.get(piece.key)) and any(map(str.isalnum, piece.text)):
                found[name] += parts(piece.text) if name in self.parted else [piece.text]
        return {name: tuple(dict.fromkeys(texts)) for name, texts in found.items()}


def learn_schema(records: Sequence[AnswerRecord], headings: Sequence[str] = (), source: str = "answer") -> Schema:
    """Return the columns that these records have in common.

    >>> def seen(at, *texts):
    ...     return AnswerRecord("/", at, tuple(Leaf(f"td:{n}", "td", text) for n, text in enumerate(texts)))
    >>> rows = [seen(at, f"{at + 1}.", name, "new", f"{3 * at} EUR") for at, name in enumerate(("Tea", "Rye", "Oak"))]
    >>> [(column.name, column.type) for column in learn_schema(rows, ["", "Title", "", "Price"]).columns]
    [('Title', 'text'), ('Price', 'price')]
    """
    reader = learn_reader([one.leaves for one in records], headings)
    read = [reader.read(one.leaves) for one in records]
    by_key: dict[str, list[tuple[int, Piece]]] = defaultdict(list)
    for number, pieces in enumerate(read):
        for piece in pieces:
            if any(map(str.isalnum, piece.text)):
                by_key[piece.key].append((number, piece))
    least = (LEAST_FILLED if source == "answer" else LEAST_FILLED_DETAILS) * len(records)
    kept = [key for key, met in by_key.items() if len(met) >= least and _is_informative(met, records)][:MOST_COLUMNS]
    kept = _without_doubles(kept, by_key)
    columns: list[Column] = []
    for key in kept:
        columns.append(_column(key, [piece for _, piece in by_key[key]], len(records), source, columns))
    made = Schema(reader, tuple(columns))
    return replace(made, parted=frozenset(column.id for column in columns if _is_parted(by_key[column.path])))


def _is_informative(met: Sequence[tuple[int, Piece]], records: Sequence[AnswerRecord]) -> bool:
    """Say whether values differ, and not only by their place in the list."""
    texts = {piece.text for _, piece in met}
    if len(texts) < 2 and len(records) > 1:
        return False
    return not _is_numbering(met, records)


def _is_numbering(met: Sequence[tuple[int, Piece]], records: Sequence[AnswerRecord]) -> bool:
    """Say whether values count the records of each answer."""
    if len(met) < 3 or not all(_COUNT.fullmatch(piece.text) for _, piece in met):
        return False
    places = [(records[number].place, amount(piece.text.strip(" .)#"))) for number, piece in met]
    pairs = [
        (first, second)
        for (one, first), (two, second) in pairwise(places)
        if two == one + 1 and first is not None and second is not None
    ]
    return len(pairs) > 1 and all(second == first + 1 for first, second in pairs)


def _without_doubles(keys: Sequence[str], by_key: Mapping[str, Sequence[tuple[int, Piece]]]) -> list[str]:
    """Leave out what repeats another column in every record, as the text of a picture repeats the title."""
    kept: list[str] = []
    shown: list[dict[int, set[str]]] = []
    for key in keys:
        own: dict[int, set[str]] = defaultdict(set)
        for number, piece in by_key[key]:
            own[number].add(fold(piece.text))
        if not any(all(texts <= other.get(number, set()) for number, texts in own.items()) for other in shown):
            kept.append(key)
            shown.append(own)
    return kept


def _column(key: str, pieces: Sequence[Piece], records: int, source: str, before: Sequence[Column]) -> Column:
    texts = [piece.text for piece in pieces]
    label = Counter(piece.label for piece in pieces).most_common(1)[0][0]
    telling = Counter(piece.telling for piece in pieces).most_common(1)[0][0]
    kind = type_of(texts)
    name = label or telling or ("title" if any(piece.link for piece in pieces) else kind)
    plain = re.sub(r"[\W_]+", "-", name.lower()).strip("-")[:40] or "column"
    taken = {column.id for column in before}
    number = next(at for at in range(1, 1_000) if (plain if at == 1 else f"{plain}-{at}") not in taken)
    return Column(
        id=plain if number == 1 else f"{plain}-{number}",
        name=name if number == 1 else f"{name} {number}",
        label=label,
        type=kind,
        path=key,
        filled=round(min(1.0, len(texts) / max(1, records)), 3),
        distinct=len(set(texts)),
        examples=tuple(dict.fromkeys(texts))[:EXAMPLES],
        source=source,
    )


def parts(text: str) -> list[str]:
    """Return the parts of an enumeration.

    >>> parts("Ann Lee, Bob Roe and Cy Poe")
    ['Ann Lee', 'Bob Roe', 'Cy Poe']
    >>> parts("Brandt, Ada; Li, Bo")
    ['Brandt, Ada', 'Li, Bo']
    """
    between = _SEMICOLON if ";" in text else _COMMA
    return [part for part in between.split(text) if part]


def _is_parted(met: Sequence[tuple[int, Piece]]) -> bool:
    """Say whether a column enumerates: its parts are whole values of other records, or change places."""
    texts = {piece.text for _, piece in met}
    many = [parts(text) for text in texts if len(text) < 200]
    single = {one[0] for one in many if len(one) == 1}
    inside = [part for one in many if len(one) > 1 for part in one]
    if len(inside) > 3 and sum(part in single for part in inside) >= PARTED * len(inside):
        return True
    first, later = {one[0] for one in many if len(one) > 1}, {part for one in many for part in one[1:]}
    is_made_of_names = all(len(part.split()) < 5 and not any(map(str.isdigit, part)) for part in inside)
    return len(inside) > 9 and is_made_of_names and len(first & later) >= PARTED * min(len(first), len(later))
