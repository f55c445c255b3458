"""Tells whether content lies behind a search form that no link reaches, and why.

Two things are evidence: a list whose choices no link and no title names, and a form that is all there is to a small
site. A box on every page is the search of a site whose pages are linked; so is a form whose answers links lead to.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from siteseer.forms.any_choice import real_choices
from siteseer.forms.closed_fields import closed_dimensions
from siteseer.forms.field_concepts import folded
from siteseer.forms.field_roles import ranges
from siteseer.forms.form import Field, Form
from siteseer.forms.seed_queries import text_fields

MANY_CHOICES = 5
"""A list of so many names is a division of content; shorter ones say where to search, or how."""
REACHED = 0.2
"""More of the choices must not be named by links."""
FEW_PAGES, VERY_FEW_PAGES = 30, 12
"""A site of so few pages may be there for its form: one with several fields, and one with a single box."""
EVERYWHERE = 0.5
"""A form on this share of the pages belongs to their template."""
_WORD = re.compile(r"\w+")
LEAST_PAGES = 3
"""With fewer pages nobody can tell what belongs to the template."""


@dataclass(frozen=True, slots=True)
class FormSurroundings:
    """What a crawl knows around a form."""

    named: Collection[str]
    """What links and titles of the site say, folded; on a large site what its pages say, too."""
    pages: int
    """How many pages links led to."""
    with_form: int
    """On how many of the pages that were looked at the form stands."""
    looked_at: int
    is_main: bool
    """Whether the page of the form is where the crawl began, and says little else."""

    @property
    def is_template(self) -> bool:
        """Whether the form stands on most pages."""
        return self.looked_at >= LEAST_PAGES and self.with_form > EVERYWHERE * self.looked_at


def content_behind(form: Form, around: FormSurroundings) -> str:
    """Return why content lies behind a form that links do not reach, as a clause; empty where that is unlikely.

    >>> from siteseer.forms.form import Choice, Field
    >>> choices = tuple(Choice(str(at), name) for at, name in enumerate(("Basque", "Tamil", "Thai", "Lao", "Emilian")))
    >>> form = Form(0, "", "/find", "GET", "", "utf-8", (Field("k", "select", "Kitchen", choices=choices),))
    >>> content_behind(form, FormSurroundings({"home", "about us"}, 3, 1, 3, True))
    'no link names the choices of "Kitchen" (Basque, Tamil, Thai ...)'
    >>> content_behind(form, FormSurroundings({"basque", "tamil", "thai", "lao", "emilian"}, 300, 1, 40, False))
    ''
    """
    names = {field.name: [choice.label for choice in real_choices(field)] for field in _lists(form)}
    wordy = {name: [label for label in labels if _is_name(label)] for name, labels in names.items()}
    for name, labels in wordy.items():
        if len(labels) >= MANY_CHOICES and _reached(labels, around.named) <= REACHED:
            field = form.field(name)
            said = (field.label if field is not None else "") or name
            return f'no link names the choices of "{said}" ({", ".join(labels[:3])} ...)'
    if around.is_template or any(_reached(labels, around.named) > REACHED for labels in wordy.values() if labels):
        return ""
    has_fields = bool(wordy) or len(text_fields(form)) + len(ranges(form)) > 1
    if (has_fields and around.pages <= FEW_PAGES) or (around.is_main and around.pages <= VERY_FEW_PAGES):
        count = "1 page" if around.pages == 1 else f"{around.pages} pages"
        return f"links lead to no more than {count}"
    return ""


def _lists(form: Form) -> list[Field]:
    return [dimension.field for dimension in closed_dimensions(form, {})]


def _is_name(label: str) -> bool:
    """Say whether a choice is named by a word: years, amounts and spans of time are none."""
    return any(map(str.isalpha, label)) and not any(map(str.isdigit, label))


def _reached(labels: Collection[str], named: Collection[str]) -> float:
    """Return the share of choices that a link or a title names, alone or among other words."""
    plain = [" ".join(_WORD.findall(folded(label))) for label in labels]
    met = sum(any(label == said or f" {label} " in f" {said} " for said in named) for label in plain)
    return met / max(1, len(plain))
