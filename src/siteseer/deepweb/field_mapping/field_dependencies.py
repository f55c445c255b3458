"""Finds dependencies between fields: a city must lie in its state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from siteseer.deepweb.sampling.query_budget import Steps
from siteseer.deepweb.sampling.sampling import Exploration
from siteseer.deepweb.understanding_model import Dependency, FieldMeaning, Record
from siteseer.forms.answer_types import Query
from siteseer.forms.form import Form

LEAST_VALUES = 3
"""A dependency that fewer values show may be chance."""


def find_dependencies(exploration: Exploration, meanings: Sequence[FieldMeaning]) -> Steps[list[Dependency]]:
    """Return the dependencies between closed fields: known from lists that scripts fill, or from the records."""
    found: list[Dependency] = []
    form = exploration.inquiry.form
    on = {one.field: one.on for one in exploration.dependents}
    for name in dict.fromkeys(name for name, _ in exploration.lists):
        values = {value: listed for (field, value), listed in exploration.lists.items() if field == name and listed}
        parent = on.get(name) or _parent(form, name, values)
        if parent and len(values) > 1:
            shown = exploration.source.labels
            labels = {
                _label(form, parent, value): tuple(shown.get((name, each), each) for each in listed)
                for value, listed in values.items()
            }
            because = f"its values are filled in when {parent} is chosen"
            if (yield from _is_strict(exploration, parent, name, values)):
                because += ", and one that belongs to another choice finds nothing"
            found.append(Dependency(name, parent, labels, because))
    closed = [meaning for meaning in meanings if meaning.role == "option" and meaning.columns]
    records = list(exploration.source.records().values())
    for one in closed:
        for other in closed:
            if one.columns == other.columns or any({made.field, made.on} == {one.name, other.name} for made in found):
                continue
            known = determined_values(records, one.columns[0], other.columns[0])
            if known:
                found.append(Dependency(one.name, other.name, known, "in all records the one tells the other"))
    return found


def determined_values(records: Sequence[Record], column: str, by: str) -> dict[str, tuple[str, ...]]:
    """Return, by value of the second column, the values of the first that only occur with it; nothing otherwise.

    >>> rows = [Record(str(at), "", {"city": (city,), "state": (state,)}) for at, (city, state) in enumerate(
    ...     [("Bath", "A"), ("Bath", "A"), ("Ely", "B"), ("Ely", "B"), ("Wells", "A"), ("Wells", "A")])]
    >>> determined_values(rows, "city", "state"), determined_values(rows, "state", "city")
    ({'A': ('Bath', 'Wells'), 'B': ('Ely',)}, {})
    """
    holding: dict[str, list[str]] = defaultdict(list)
    for record in records:
        for value in record.values.get(column, ()):
            holding[value] += record.values.get(by, ())
    repeated = {value: set(others) for value, others in holding.items() if len(others) > 1}
    parents = {other for others in holding.values() for other in others}
    if len(repeated) < LEAST_VALUES or len(parents) < 2 or len(holding) <= len(parents):
        return {}
    if any(len(others) > 1 for others in repeated.values()):
        return {}
    groups: dict[str, list[str]] = defaultdict(list)
    for value, others in holding.items():
        if others:
            groups[others[0]].append(value)
    return {parent: tuple(values) for parent, values in groups.items()}


def _parent(form: Form, name: str, values: dict[str, tuple[str, ...]]) -> str:
    for field in form.fields:
        if field.is_closed and field.name != name and set(values) <= {choice.value for choice in field.choices}:
            return field.name
    return ""


def _label(form: Form, name: str, value: str) -> str:
    field = form.field(name)
    return next((one.label or value for one in (field.choices if field else ()) if one.value == value), value)


def _is_strict(exploration: Exploration, parent: str, child: str, values: dict[str, tuple[str, ...]]) -> Steps[bool]:
    """Try a value with a choice to which it does not belong."""
    first, second = list(values)[:2]
    strange = next((value for value in values[second] if value not in values[first]), None)
    if strange is None:
        return False
    query: Query = ((parent, first), (child, strange))
    (page,) = yield from exploration.inquiry.send([query], f"does {child} depend on {parent}?")
    return page is not None and not exploration.source.read(exploration.inquiry.whole(query), page)
