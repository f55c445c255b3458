"""The searches sent with one form, and the keys of forms, submissions and answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from siteseer.errors import UsageError
from siteseer.forms.form import Form
from siteseer.forms.form_request import name_of
from siteseer.forms.query_plan import Plan
from siteseer.model import JSON, Follow, Note, Page, Submit

FORM_ASKED = "form_asked"
"""The event of a note about how often a form was sent."""
FormKey = tuple[str, str, tuple[str, ...]]


@dataclass(slots=True)
class SentSearches:
    """A form, its query plan and the searches that were sent."""

    form: Form
    plan: Plan
    asked: set[str] = field(default_factory=set)
    turned: list[tuple[JSON, str]] = field(default_factory=list)
    """Where redirects lead, each with the state of what was asked for."""
    out: int = 0
    """How many answers are awaited."""


def key_of(form: Form) -> FormKey:
    """Return the key of a form: method, action without query, names of its fields."""
    return form.method, form.action.partition("?")[0], tuple(sorted({one.name for one in form.fields}))


def as_name(state: JSON) -> str:
    """Return the name under which a request is made once."""
    return " ".join([state.get("query", ""), state.get("page") or "", *state.get("list", ())])


def as_page(page: Page, why: Follow | Submit) -> Page:
    """Return a page under a name of its own: answers to posted forms all have the same URL."""
    return replace(page, url=name_of(why), memo={}) if isinstance(why, Submit) and why.method == "POST" else page


def unused_values(given: Mapping[str, str], searched: Sequence[SentSearches]) -> Iterator[Note]:
    """Return the values of the user that no form has a field for."""
    for name in given:
        if not any(one.form.field(name) for one in searched):
            yield Note(f"no search form with a field {name} was met: --set {name} had no effect", event="unused_value")


def searches_made(searched: Sequence[SentSearches]) -> Iterator[Note]:
    """Return how many searches each form was sent, and how many records they listed, in sentences."""
    for one in searched:
        sent, found = len(one.plan.answers.heard), len(one.plan.records)
        details = {
            "form": f"{one.form.page} {one.form.index}",
            "searches": sent,
            "records": found,
            "is_cut": sent >= one.plan.most,
        }
        said = f"form {one.form.index} of {one.form.page}: {sent:,} searches list {found:,} records"
        yield Note(said, event=FORM_ASKED, details=details)


def given_values(texts: Iterable[str]) -> dict[str, str]:
    """Return the values of the user, written `FIELD=VALUE`, by field.

    >>> given_values(["category=travel"])
    {'category': 'travel'}
    """
    return dict(map(_pair, texts))


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"--set {text!r} is no value for a field; write it as FIELD=VALUE")
    return name, value
