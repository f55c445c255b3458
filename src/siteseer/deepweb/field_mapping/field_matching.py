"""Matches each field of a form to what it asks for: by sending known values, and by its choices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from siteseer.deepweb.field_mapping.closed_fields import match_closed
from siteseer.deepweb.field_mapping.column_mapping import Query as Trial
from siteseer.deepweb.field_mapping.column_mapping import came_back, most_similar, trial_values
from siteseer.deepweb.records.value_types import fold, order
from siteseer.deepweb.sampling.query_budget import Steps
from siteseer.deepweb.sampling.sampling import Exploration
from siteseer.deepweb.source import column_values
from siteseer.deepweb.understanding_model import Column, FieldMeaning, Record, Role
from siteseer.forms.answer_types import Query
from siteseer.forms.field_roles import ranges
from siteseer.forms.form import BUTTONS, Field, Form

MOST_TRIALS = 2
"""Words of a column that are sent into a field."""
MOST_COLUMNS = 12
ENDS = frozenset(
    "from to min max minimum maximum at least most up until till between since before after lowest highest not more "
    "less than and von bis ab de a au jusqu du desde hasta da fino od do van tot vanaf fra til".split()
)
"""Words that say which end of a range is meant."""


@dataclass(slots=True)
class Tally:
    """Counts the successes and failures of one field's trials, by column."""

    roles: dict[str, list[Role]] = field(default_factory=dict)
    unshared: set[str] = field(default_factory=set)
    """Columns in which a value came back that came back in no other column."""
    answered: int = 0

    def add(self, column: str, role: Role, is_shared: bool) -> None:
        """Count how a value of a column came back, and whether it came back in other columns too."""
        self.roles.setdefault(column, []).append(role)
        if role != "none" and not is_shared:
            self.unshared.add(column)

    def best(self) -> tuple[Role, tuple[str, ...], float]:
        """Return the role with the columns that support it, those without a failure first, and a confidence."""
        good: list[tuple[float, int, str, Role]] = []
        for at, (column, roles) in enumerate(self.roles.items()):
            kinds = [role for role in roles if role != "none"]
            if kinds and (column in self.unshared or not self.unshared):
                share = len(kinds) / len(roles)
                good.append((share * (1 - 0.5 ** len(kinds)), -at, column, kinds[0]))
        if not good:
            return "none", (), 0.0
        good.sort(reverse=True)
        role = good[0][3]
        columns = tuple(column for score, _, column, kind in good if kind == role and score >= 0.5 * good[0][0])
        columns = columns if role == "text" else columns[:1]
        return role, columns, round(good[0][0], 3)


def match_fields(exploration: Exploration, settled: Sequence[FieldMeaning] = ()) -> Steps[list[FieldMeaning]]:
    """Return what each field asks for; open fields in `settled` are not tried again."""
    form, source = exploration.inquiry.form, exploration.source
    found: list[FieldMeaning] = []
    known_fields = {meaning.name: meaning for meaning in settled if meaning.columns}
    known = list(source.records().values())
    bounds = {one.name for pair in ranges(form) for one in pair}
    for one in form.fields:
        if not one.name or one.type in (*BUTTONS, "hidden", "password", "file"):
            continue
        if one.is_closed:
            found.append((yield from match_closed(one, exploration, known)))
        elif one.name in known_fields:
            found.append(known_fields[one.name])
        elif one.is_open and not one.read_only:
            found.append((yield from _open(one, exploration, known, one.name in bounds)))
    for low, high in ranges(form):
        if not any(meaning.columns for meaning in found if meaning.name in (low.name, high.name)):
            column = yield from _range(low, high, exploration, known)
            ends: dict[str, Role] = {low.name: "lowest", high.name: "highest"}
            because = f"together they only let records come back whose {column} lies between them"
            found = [
                replace(meaning, role=ends[meaning.name], columns=(column,), confidence=0.5, because=because)
                if column and meaning.name in ends
                else meaning
                for meaning in found
            ]
    return found


def _open(one: Field, exploration: Exploration, known: Sequence[Record], is_end: bool) -> Steps[FieldMeaning]:
    columns = [column for column in exploration.source.columns if column.source == "answer"]
    numeric = is_end or one.type not in ("text", "search", "textarea")
    if numeric:
        columns = [column for column in columns if column.type != "text"]
    tally = Tally()
    chosen = {
        column.id: trial_values(column, columns, known, MOST_TRIALS)
        for column in most_similar(one, columns)[:MOST_COLUMNS]
    }
    for trying in zip_longest(*chosen.values()):
        wanted = [trial for trial in trying if trial is not None and _is_open_question(tally, trial)]
        yield from _try(one, wanted, exploration, known, tally)
    if not tally.answered:
        firsts = [many[0] for many in chosen.values() if many]
        yield from _try(one, firsts, exploration, known, tally, exploration.fullest(one.name))
    role, mapped, confidence = tally.best()
    names = ", ".join(mapped)
    said = {
        "text": f"values of {names} come back where they are typed into it",
        "lowest": f"only records come back whose {names} is not lower",
        "highest": f"only records come back whose {names} is not higher",
    }
    because = said.get(role) or ("no value that was found comes back" if tally.answered else "it finds nothing")
    return FieldMeaning(one.name, one.label, one.type, role, mapped, confidence=confidence, because=because)


def _is_open_question(tally: Tally, trial: Trial) -> bool:
    """Say whether a further trial of a column can tell something: the first did not fail with records."""
    return "none" not in tally.roles.get(trial.column, ())


def _try(
    one: Field,
    wanted: Sequence[Trial],
    exploration: Exploration,
    known: Sequence[Record],
    tally: Tally,
    beside: Query = (),
) -> Steps[None]:
    inquiry, source = exploration.inquiry, exploration.source
    queries: list[Query] = [(*beside, (one.name, trial.value)) for trial in wanted]
    pages = yield from inquiry.send(queries, f"is {one.name} the field for it?")
    for trial, query, page in zip(wanted, queries, pages, strict=True):
        if page is None:
            continue
        found = source.take(inquiry.whole(query), page)
        if found:
            tally.answered += 1
            others = [one for one in source.columns if one.id != trial.column and one.type == "text"]
            is_shared = not trial.is_amount and any(
                came_back(replace(trial, column=one.id), found, known) == "text" for one in others
            )
            tally.add(trial.column, came_back(trial, found, known), is_shared)


def _range(low: Field, high: Field, exploration: Exploration, known: Sequence[Record]) -> Steps[str]:
    """Try both ends of a range together, as some forms want both; return the column that they bound."""
    source = exploration.source
    for column in source.columns:
        values = sorted({value for text in column_values(known, column) if (value := order(text)) is not None})
        if column.type == "text" or len(values) < 4:
            continue
        bottom, top = values[len(values) // 4], values[3 * len(values) // 4]
        query: Query = ((low.name, f"{bottom:g}"), (high.name, f"{top:g}"))
        (page,) = yield from exploration.inquiry.send([query], "do both ends of a range work together?")
        found = source.take(exploration.inquiry.whole(query), page) if page is not None else []
        shown = [value for text in column_values(found, column) if (value := order(text)) is not None]
        if shown and all(bottom <= value <= top for value in shown):
            return column.id
    return ""


def columns_of(meanings: Sequence[FieldMeaning], columns: Sequence[Column]) -> list[Column]:
    """Return the columns under the names that the form gives them, where they have no label of their own.

    >>> by = Column("c", "by", "", "text", "p.by", 1.0, 2)
    >>> columns_of([FieldMeaning("a", "Author", "text", "text", ("c",))], [by])[0].label
    'Author'
    """
    labels = {
        meaning.columns[0]: label
        for meaning in sorted(meanings, key=lambda one: one.role in ("text", "option"))
        if len(meaning.columns) == 1 and (label := _about(meaning))
    }
    return [replace(one, label=one.label or labels.get(one.id, "")) for one in columns]


def _about(meaning: FieldMeaning) -> str:
    """Return what the label of a field says of its column: of the ends of a range, without which end it is."""
    if meaning.role not in ("text", "option", "lowest", "highest"):
        return ""
    words = re.sub(r"\s+", " ", meaning.label).strip(" :*").split(" ")
    if meaning.role in ("lowest", "highest"):
        words = [word for word in words if fold(word) not in ENDS]
    return " ".join(words).strip(" :*-")


def searchable(form: Form, meanings: Sequence[FieldMeaning], records: Sequence[Record]) -> tuple[Field, str] | None:
    """Return a field into which words can be typed, with the column of the longest texts that it searches."""
    found: list[tuple[float, Field, str]] = []
    for meaning in meanings:
        one = form.field(meaning.name)
        if meaning.role == "text" and one is not None and one.type != "number":
            for column in meaning.columns:
                texts = column_values(records, column)
                found.append((sum(len(text.split()) for text in texts[:200]) / max(1, len(texts[:200])), one, column))
    best = max(found, key=lambda each: each[0], default=None)
    return (best[1], best[2]) if best is not None else None
