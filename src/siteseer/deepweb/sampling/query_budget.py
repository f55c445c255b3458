"""Queries a source within a budget, and never sends the same query twice.

Nothing here fetches: the caller (a crawl, a test) receives `FormQuery`s and gives back pages.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from siteseer.errors import SiteseerError
from siteseer.forms.answer_types import Query
from siteseer.forms.field_concepts import concepts
from siteseer.forms.form import Form
from siteseer.forms.parse_forms import forms
from siteseer.model import Page
from siteseer.page.text import WORD, text
from siteseer.page.tree import tree
from siteseer.page.urls import identity

T = TypeVar("T")
BATCH = 12
"""Questions that may be out at the same time."""
SHORT = 300
"""A page with a login form and no more text than this is there for the login."""


@dataclass(frozen=True, slots=True)
class FormQuery:
    """A form to be sent with these values or, where `url` is given, a page to be fetched."""

    query: Query = ()
    url: str = ""
    because: str = ""


Steps = Generator[tuple[FormQuery, ...], tuple[Page | None, ...], T]
"""Yields what is to be asked, is sent the pages in the same order (None where there was none), returns a result."""


class LoginNeededError(SiteseerError):
    """The form only answers people who have logged in."""


class NoAnswerError(SiteseerError):
    """Whatever is sent, the form answers with an error."""


@dataclass(slots=True)
class QueryBudget:
    """The queries sent with one form, and their answers."""

    form: Form
    page: Page
    budget: int
    given: Query = ()
    """Sent with everything."""
    answers: dict[Query, Page | None] = field(default_factory=dict)
    others: dict[str, Page | None] = field(default_factory=dict)
    """Further pages, lists and details, by the identity of their URL."""
    asked: int = 0
    is_cut: bool = False
    """Whether something was wanted that the budget did not allow."""

    def send(self, queries: Iterable[Query], because: str) -> Steps[list[Page | None]]:
        """Send the form with each of these values, unless that was done before; return the answers."""
        wanted = [self.whole(query) for query in queries]
        yield from self._ask(
            [FormQuery(query, "", because) for query in dict.fromkeys(wanted) if query not in self.answers]
        )
        return [self.answers.get(query) for query in wanted]

    def fetch(self, urls: Iterable[str], because: str) -> Steps[list[Page | None]]:
        """Fetch these pages, unless that was done before; return them."""
        wanted = list(urls)
        new = {identity(url): url for url in wanted if identity(url) not in self.others}
        yield from self._ask([FormQuery((), url, because) for url in new.values()])
        return [self.others.get(identity(url)) for url in wanted]

    def whole(self, query: Query) -> Query:
        """Return a query with the values that are sent with every query."""
        own = dict(query)
        return tuple([(name, value) for name, value in self.given if name not in own] + list(query))

    def _ask(self, asks: Sequence[FormQuery]) -> Steps[None]:
        for start in range(0, len(asks), BATCH):
            left = self.budget - self.asked
            part = tuple(asks[start : start + BATCH])[: max(0, left)]
            if len(part) < len(asks[start : start + BATCH]):
                self.is_cut = True
            if not part:
                return
            pages = yield part
            self.asked += len(part)
            for ask, page in zip(part, pages, strict=True):
                if ask.url:
                    self.others[identity(ask.url)] = page
                else:
                    self.answers[ask.query] = page
                if page is not None:
                    refuse_login(page, self.form, self.page)


def words_asked(query: Query) -> frozenset[str]:
    """Return the words of a query.

    >>> sorted(words_asked((("title", "Old Tea"), ("in", ""))))
    ['old', 'tea']
    """
    return frozenset(word for _, value in query for word in WORD.findall(value.lower()))


def refuse_login(page: Page, form: Form, form_page: Page) -> None:
    """Raise where a page asks for a login instead of answering a form.

    A login form that is also on the form's own page, or that stands beside the form shown again, does not count.
    """
    advice = "record one with siteseer login and name it with --profile"
    if page.status in (401, 407):
        raise LoginNeededError(f"the form of {form.page} needs a login: its answer is {page.status}; {advice}")
    before = {one.action for one in _with_password(form_page)}
    asking = [one for one in _with_password(page) if one.action not in before]
    moved = identity(page.url.partition("?")[0]) != identity(form.action.partition("?")[0])
    is_meant = moved or page.status == 403 or "login" in concepts(_title(page)) or len(text(page)) < SHORT
    if asking and is_meant and not any(_is_same(one, form) for one in forms(page)):
        raise LoginNeededError(
            f"the form of {form.page} needs a login: its answer is the login page {page.url}; {advice}"
        )


def _with_password(page: Page) -> list[Form]:
    return [one for one in forms(page) if any(field.type == "password" for field in one.fields)]


def _title(page: Page) -> str:
    return " ".join(element.text_content()[:200] for element in tree(page).iter("title", "h1", "h2", "legend"))[:600]


def _is_same(one: Form, form: Form) -> bool:
    names = {field.name for field in form.fields if field.name}
    return bool(names) and names <= {field.name for field in one.fields}
