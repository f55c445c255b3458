"""Returns the values of closed fields worth sending: no "any", no sort orders, no page sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from siteseer.forms.any_choice import real_choices
from siteseer.forms.dependent_lists import Dependent
from siteseer.forms.field_concepts import folded
from siteseer.forms.field_roles import words_of
from siteseer.forms.form import Field, Form

MOST_VALUES = 300
_DISPLAY = re.compile(
    r"\bsort|\border\b|orderby|\basc\b|\bdesc\b|direction|per ?page|\blimit\b|results|display|\bview\b|\blang|language|"
    r"currency|\bmode\b|\btype of view\b|sortier|\btri\b|ordenar|anzeige|\bshow\b"
)


@dataclass(frozen=True, slots=True)
class ClosedDimension:
    """A closed field, or a list together with the field that it depends on."""

    field: Field
    dependent: str = ""
    """The name of the list that depends on it."""

    @property
    def is_chosen(self) -> bool:
        """Say whether it has one of its values by default."""
        return self.field.is_set and any(choice.value == self.field.value for choice in real_choices(self.field))

    def values(
        self, sent: Mapping[str, str], lists: Mapping[tuple[str, str], tuple[str, ...]]
    ) -> list[tuple[tuple[str, str], ...]]:
        """Return the pairs of name and value to try besides those that are sent already."""
        found: list[tuple[tuple[str, str], ...]] = []
        if self.field.name in sent:
            known = lists.get((self.dependent, sent[self.field.name]), ()) if self.dependent not in sent else ()
            return [((self.dependent, value),) for value in known]
        is_chosen = self.is_chosen
        for choice in real_choices(self.field)[:MOST_VALUES]:
            if is_chosen and choice.value == self.field.value and not self.dependent:
                continue
            one = (self.field.name, choice.value)
            if not self.dependent:
                found.append((one,))
            elif (listed := lists.get((self.dependent, choice.value))) is not None:
                found.extend((one, (self.dependent, value)) for value in listed)
        return found


def closed_dimensions(form: Form, dependents: Mapping[str, Dependent]) -> list[ClosedDimension]:
    """Return the closed fields of a form that may refine a search, those with few values first."""
    by_parent = {one.on: one.field for one in dependents.values()}
    found = [
        ClosedDimension(field, by_parent.get(field.name, ""))
        for field in _refining(form)
        if field.name not in dependents
    ]
    return sorted(found, key=lambda one: (not one.dependent, len(one.field.choices)))


def _refining(form: Form) -> Iterator[Field]:
    for field in form.fields:
        if not field.name or field.type not in ("select", "radio") or field.disabled:
            continue
        if len(real_choices(field)) > 1 and not _DISPLAY.search(f"{words_of(field)} {folded(field.label)}"):
            yield field
