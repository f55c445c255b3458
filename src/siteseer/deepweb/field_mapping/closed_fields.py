"""Maps a closed field (select, radio) to a column: by the records that each choice brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from siteseer.deepweb.field_mapping.column_mapping import ChoiceRecords, closed_column, effect, most_similar
from siteseer.deepweb.sampling.query_budget import Steps
from siteseer.deepweb.sampling.sampling import Exploration
from siteseer.deepweb.understanding_model import FieldMeaning, Record
from siteseer.forms.answer_types import Query
from siteseer.forms.any_choice import real_choices
from siteseer.forms.form import Choice, Field

TRIED_CHOICES = 4
CLEAR = ("parts", "order", "none")
"""What a field may do whose choices no column shows."""


def match_closed(one: Field, exploration: Exploration, known: Sequence[Record]) -> Steps[FieldMeaning]:
    """Return what a closed field selects, trying a few of its choices where the answers so far do not decide."""
    source = exploration.source
    columns = [column for column in most_similar(one, source.columns) if column.source == "answer"]
    known = known or list(source.records().values())
    chosen = chosen_of(one, exploration)
    column, role = closed_column(chosen, columns, known)
    for beside in ((), exploration.fullest(one.name)):
        is_tried = sum(bool(each.found) for each in chosen) >= min(TRIED_CHOICES, len(one.choices))
        if is_tried and (column or effect(answers_by_choice(one, exploration)) in CLEAR):
            break
        wanted: list[Query] = [(*beside, (one.name, choice.value)) for choice in real_choices(one)[:TRIED_CHOICES]]
        pages = yield from exploration.inquiry.send(wanted, f"what does {one.name} choose?")
        for query, page in zip(wanted, pages, strict=True):
            if page is not None:
                source.take(exploration.inquiry.whole(query), page)
        chosen = chosen_of(one, exploration)
        column, role = closed_column(chosen, columns, known)
    meaning = FieldMeaning(one.name, one.label, one.type, role)
    tried = sum(bool(each.found) for each in chosen)
    if column:
        because = f"records show in {column} what was chosen, for {tried} choices"
        return replace(meaning, columns=(column,), confidence=round(1 - 0.5**tried, 3), because=because)
    match effect(answers_by_choice(one, exploration)):
        case "parts":
            made = source.derive(one, {each.choice: each.found for each in chosen})
            because = "each choice brings other records; they do not show which"
            return replace(
                meaning, role="option", columns=(made.id,), confidence=round(1 - 0.5**tried, 3), because=because
            )
        case "order":
            return replace(meaning, role="order", confidence=0.5, because="the same records come in another order")
        case "none":
            return replace(meaning, because="its choices change nothing")
    return replace(
        meaning, because="no column shows what was chosen" if tried else "none of its choices finds anything"
    )


def answers_by_choice(one: Field, exploration: Exploration) -> list[list[ChoiceRecords]]:
    """Return the answers that differ by the choice of a field alone, in groups."""
    untouched = one.value if one.is_set else None
    groups: dict[Query, dict[str, ChoiceRecords]] = {}
    labels = {choice.value: choice for choice in choices_of(one, exploration)}
    for query, page in exploration.source.pages:
        value = dict(query).get(one.name, untouched)
        if value in labels and query in exploration.inquiry.answers:
            rest = tuple(sorted(pair for pair in query if pair[0] != one.name))
            found = tuple(exploration.source.read(query, page))
            groups.setdefault(rest, {}).setdefault(value, ChoiceRecords(labels[value], found))
    return [list(group.values()) for group in groups.values() if len(group) > 1]


def choices_of(one: Field, exploration: Exploration) -> list[Choice]:
    """Return the choices of a field that select something, including those of lists filled by scripts."""
    late = [value for (name, _), values in exploration.lists.items() if name == one.name for value in values]
    shown = exploration.source.labels
    return [*real_choices(one), *(Choice(value, shown.get((one.name, value), value)) for value in dict.fromkeys(late))]


def chosen_of(one: Field, exploration: Exploration) -> list[ChoiceRecords]:
    """Return the records that each choice of a field brought in all answers so far."""
    labels = {choice.value: choice for choice in choices_of(one, exploration)}
    found: dict[str, dict[str, Record]] = {}
    untouched = one.value if one.is_set else None
    for query, page in exploration.source.pages:
        value = dict(query).get(one.name, untouched)
        if value is not None and value in labels:
            into = found.setdefault(value, {})
            for record in exploration.source.read(query, page):
                into.setdefault(record.id, record)
    return [ChoiceRecords(labels[value], tuple(records.values())) for value, records in found.items()]
