"""Maps a field to the column that it searches: sends known values of a column, which must come back in it.

Reference: Oita's thesis, section 3.4. Differs: a single word that only one column has is sent before whole values (it
means the same however a source joins words), and for the ends of ranges what comes back must lie on one side of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from siteseer.deepweb.records.value_types import day, fold, order
from siteseer.deepweb.source import column_values
from siteseer.deepweb.understanding_model import Column, Record, Role
from siteseer.extract.function_words import FUNCTION_WORDS
from siteseer.forms.form import Choice, Field

ENOUGH = 0.9
"""This share of the values that come back must fit: pages have stray values."""
SHORTEST, LONGEST = 4, 60


@dataclass(frozen=True, slots=True)
class Query:
    """A value of a column, to be typed into a field."""

    column: str
    value: str
    is_amount: bool = False


def trial_values(column: Column, columns: Sequence[Column], records: Sequence[Record], most: int) -> list[Query]:
    """Return values of a column worth sending: words that no other column has, whole values, or an amount."""
    if column.type != "text":
        return _amounts(column, records)
    counts = Counter(word for record in records for word in _words(record.values.get(column.id, ())))
    elsewhere = {
        word
        for other in columns
        if other.id != column.id
        for text in column_values(records, other)
        for word in fold(text).split()
    }
    words = [word for word in counts if word not in elsewhere and SHORTEST <= len(word) <= 20 and word.isalpha()]
    words = [word for word in words if word not in FUNCTION_WORDS]
    rare = sorted(words, key=lambda word: (counts[word] == 1, counts[word], -len(word), word))
    whole = [text for text in column_values(records, column) if SHORTEST <= len(text) <= LONGEST]
    whole.sort(key=lambda text: (len(text.split()) > 4, text))
    return [Query(column.id, value) for value in (*rare[:most], *whole[:1])]


def _amounts(column: Column, records: Sequence[Record]) -> list[Query]:
    """Return two amounts of a column that part its values into thirds."""
    known = {value: text for text in column_values(records, column) if (value := order(text)) is not None}
    if len(known) < 3:
        return []
    ordered = sorted(known)
    thirds = dict.fromkeys((ordered[len(ordered) // 3], ordered[2 * len(ordered) // 3]))
    said = ((day(known[one]) if column.type == "date" else None) or _plain(one) for one in thirds)
    return [Query(column.id, written, True) for written in said]


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:.2f}"


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in fold(text).split()}


def came_back(trial: Query, found: Sequence[Record], known: Sequence[Record]) -> Role:
    """Say how the sent value came back in its column: as a text, as a lowest or highest amount, or not.

    >>> ann, bob = Record("1", "", {"by": ("Ann Lee",)}), Record("2", "", {"by": ("Bob Roe",)})
    >>> came_back(Query("by", "lee"), [ann], [ann, bob]), came_back(Query("by", "lee"), [ann, bob], [ann, bob])
    ('text', 'none')
    """
    shown = [record.values[trial.column] for record in found if trial.column in record.values]
    if not shown or 2 * len(shown) < len(found):
        return "none"
    if not trial.is_amount:
        wanted = fold(trial.value)
        fits = sum(any(wanted in fold(text) for text in texts) for texts in shown)
        return "text" if fits >= ENOUGH * len(shown) and _narrows(trial, known) else "none"
    sent = order(trial.value)
    amounts = [value for texts in shown for text in texts if (value := order(text)) is not None]
    if sent is None or not amounts:
        return "none"
    all_known = [value for text in column_values(known, trial.column) if (value := order(text)) is not None]
    if all(value == sent for value in amounts):
        return "text"
    if all(value >= sent for value in amounts) and min(all_known) < sent:
        return "lowest"
    if all(value <= sent for value in amounts) and max(all_known) > sent:
        return "highest"
    return "none"


def _narrows(trial: Query, known: Sequence[Record]) -> bool:
    """Say whether not every record has the value anyway."""
    wanted = fold(trial.value)
    return any(not any(wanted in fold(text) for text in record.values.get(trial.column, ())) for record in known)


# ── closed fields ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ChoiceRecords:
    """The records that a choice of a closed field brought."""

    choice: Choice
    found: tuple[Record, ...]


def closed_column(
    chosen: Sequence[ChoiceRecords], columns: Sequence[Column], known: Sequence[Record]
) -> tuple[str, Role]:
    """Return the column that shows the chosen value, and how; none where no column does.

    >>> rows = [Record(str(at), "", {"kind": (kind,)}) for at, kind in enumerate(("Novel", "Poem"))]
    >>> columns = [Column("kind", "kind", "", "text", "p", 1.0, 2)]
    >>> chosen = [ChoiceRecords(Choice("n", "Novel"), (rows[0],)), ChoiceRecords(Choice("p", "Poem"), (rows[1],))]
    >>> closed_column(chosen, columns, rows)
    ('kind', 'option')
    """
    filled = [one for one in chosen if one.found]
    if not filled:
        return "", "none"
    for column in columns:
        fits = [_shows(one, column, known) for one in filled]
        if sum(fits) >= ENOUGH * len(fits) and len(column_values(known, column)) > 1:
            return column.id, "option"
    for column in columns:
        if column.type == "text":
            continue
        roles = Counter(role for one in filled if (role := _side(one, column, known)) != "none")
        for role, count in roles.items():
            if role in ("lowest", "highest") and count >= ENOUGH * len(filled) and count > 1:
                return column.id, role
    return "", "none"


def _shows(one: ChoiceRecords, column: Column, known: Sequence[Record]) -> bool:
    names = {fold(one.choice.label), fold(one.choice.value)} - {""}
    shown = [record.values[column.id] for record in one.found if column.id in record.values]
    if not shown or 2 * len(shown) < len(one.found):
        return False
    fits = sum(any(_same(name, fold(text)) for name in names for text in texts) for texts in shown)
    return fits >= ENOUGH * len(shown)


def _same(name: str, text: str) -> bool:
    """Say whether a choice is a value, some of its words, or holds all of them."""
    return name == text or f" {name} " in f" {text} " or (len(text) > 3 and f" {text} " in f" {name} ")


def _side(one: ChoiceRecords, column: Column, known: Sequence[Record]) -> Role:
    trial = Query(column.id, one.choice.label or one.choice.value, True)
    return came_back(trial, one.found, known) if order(trial.value) is not None else "none"


def effect(compared: Sequence[Sequence[ChoiceRecords]]) -> str:
    """Return the effect of a closed field whose value no column shows: it partitions the records, sorts them, or does
    nothing.

    Each group holds answers that differ by the choice alone.

    >>> one, two = Record("1", "", {}), Record("2", "", {})
    >>> effect([[ChoiceRecords(Choice("a"), (one, two)), ChoiceRecords(Choice("b"), (two, one))]])
    'order'
    """
    said: Counter[str] = Counter()
    for group in compared:
        orders = [tuple(record.id for record in one.found) for one in group if one.found]
        sets = [frozenset(one) for one in orders]
        if len(sets) < 2:
            continue
        if all(first.isdisjoint(second) for at, first in enumerate(sets) for second in sets[at + 1 :]):
            said["parts"] += 1
        elif len(set(sets)) == 1 and len(sets[0]) > 1:
            said["order" if len(set(orders)) > 1 else "none"] += 1
        elif len(set(sets)) > 1:
            said["mixed"] += 1
    if said["order"]:
        return "order"
    return max(said, key=lambda name: said[name], default="") if len(said) == 1 else ""


def most_similar(field: Field, columns: Collection[Column]) -> list[Column]:
    """Return the columns, those first whose names or labels share a word with the field's."""
    own = _words((field.label, field.name, field.hints))
    return sorted(columns, key=lambda column: -len(own & _words((column.label, column.name))))
