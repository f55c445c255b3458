"""Samples further records of a source: sends the form as a query plan says, and follows result pages.

The plan is that of `forms.query_plan`; it gets the records instead of the links of answers, so that records without
links count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from siteseer.deepweb.sampling.query_budget import QueryBudget, Steps
from siteseer.deepweb.source import Source
from siteseer.forms.answer_types import Query
from siteseer.forms.dependent_lists import Dependent, dependents, labels_of, read_choices
from siteseer.forms.next_queries import MOST_WORDS, search_words
from siteseer.forms.query_plan import Plan
from siteseer.forms.rare_terms import rarest, terms_of
from siteseer.model import Page
from siteseer.page.text import text
from siteseer.page.tree import is_html
from siteseer.page.urls import identity

AT_ONCE = 8
"""Searches that are planned before their answers are heard."""
MOST_STEPS = 2_000
READ_AT_ONCE, MOST_READ = 6, 30
"""Pages of records that are read for their words."""


@dataclass(slots=True)
class Exploration:
    """The search for all records of a source."""

    inquiry: QueryBudget
    source: Source
    plan: Plan = field(init=False)
    lists: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """Values of dependent lists, by field and the value that they depend on."""
    heard: dict[tuple[Query, str], Page | None] = field(default_factory=dict)
    """Pages of answers, by query and the identity of a further page."""
    planned: set[Query] = field(default_factory=set)
    """The searches that a plan wanted."""
    record_words: dict[str, list[str]] = field(default_factory=dict)
    """The words of pages of records that were read to search for them, by URL."""
    known_when_read: int = 0

    def __post_init__(self) -> None:
        self.restart()

    @property
    def dependents(self) -> list[Dependent]:
        """The lists of the form that a script fills when another field is chosen."""
        return dependents(self.inquiry.page, self.inquiry.form)

    def restart(self) -> None:
        """Plan again with all answers so far: the records may be read differently now."""
        terms = partial(rarest, terms_of(self.inquiry.page))
        self.plan = Plan(self.inquiry.form, dict(self.inquiry.given), terms, self.dependents, most=self.inquiry.budget)
        for (name, value), values in self.lists.items():
            self.plan.hear_choices(name, value, values)
        for (query, more), page in self.heard.items():
            self._tell(query, more, page)
        for url, words in self.record_words.items():
            self.plan.hear_record(identity(url), words)

    def step(self) -> Steps[bool]:
        """Send a few more queries; say whether there were any."""
        turned = self.plan.pages_wanted()[:AT_ONCE]
        if turned:
            pages = yield from self.inquiry.fetch([url for _, url in turned], "a further page of an answer")
            for (query, url), page in zip(turned, pages, strict=True):
                self._hear(query, identity(url), page)
            return not self._is_exhausted()
        wanted_lists = self.plan.lookups()[:AT_ONCE]
        if wanted_lists:
            addresses = [one.url(value) for one, value in wanted_lists]
            pages = yield from self.inquiry.fetch(addresses, "the values of a list")
            for (one, value), page in zip(wanted_lists, pages, strict=True):
                values = read_choices(page) if page is not None and page.status < 400 else ()
                self.lists[one.field, value] = values
                self.plan.hear_choices(one.field, value, values)
                shown = labels_of(page) if page is not None else {}
                self.source.labels.update({(one.field, key): label for key, label in shown.items()})
            return not self._is_exhausted()
        queries = self.plan.wanted(AT_ONCE)
        if not queries:
            return (yield from self._read_records())
        self.planned.update(queries)
        yield from self.search(queries, "to find more records")
        return not self._is_exhausted()

    def _read_records(self) -> Steps[bool]:
        """Read a few pages of records for words to search for, where what is listed of them has none in common."""
        known = len(self.plan.records)
        is_of_use = known > self.known_when_read and len(self.record_words) < MOST_READ
        if not is_of_use or not self.plan.lacks_shared_words:
            return False
        linked = [one.permalink for one in self.source.records().values() if one.permalink]
        wanted = [url for url in reversed(linked) if url not in self.record_words][:READ_AT_ONCE]
        pages = yield from self.inquiry.fetch(wanted, "the words of a record")
        for url, page in zip(wanted, pages, strict=True):
            words = search_words(text(page)) if page is not None and page.status < 400 and is_html(page) else []
            self.record_words[url] = list(dict.fromkeys(words))[:MOST_WORDS]
            self.plan.hear_record(identity(url), self.record_words[url])
        self.known_when_read = known
        return bool(wanted) and not self._is_exhausted()

    def hear(self, query: Query) -> None:
        """Add the answer to a query that was sent for another reason."""
        self._hear(query, "", self.inquiry.answers.get(self.inquiry.whole(query)))

    def search(self, queries: list[Query], because: str) -> Steps[list[Page | None]]:
        """Send these searches, and add the answers to the plan."""
        pages = yield from self.inquiry.send(queries, because)
        for query, page in zip(queries, pages, strict=True):
            self._hear(query, "", page)
        return pages

    def fullest(self, without: str) -> Query:
        """Return a search, without naming a field, that brought many records but has further pages."""
        counts = {
            query: len(self.source.seen(query, page))
            for query, page in self.source.pages
            if query and without not in dict(query) and query in self.inquiry.answers
        }
        most = max(counts.values(), default=0)
        return max(counts, key=lambda query: (1 < counts[query] < most, counts[query]), default=())

    def _is_exhausted(self) -> bool:
        return self.inquiry.asked >= self.inquiry.budget

    def _hear(self, query: Query, more: str, page: Page | None) -> None:
        if (query, more) in self.heard:
            return
        self.heard[query, more] = page
        whole = self.inquiry.whole(query)
        if page is not None and is_html(page) and not any(page is known for _, known in self.source.pages):
            self.source.add(whole, page)
        self._tell(query, more, page)

    def _tell(self, query: Query, more: str, page: Page | None) -> None:
        if page is None or page.status >= 400 or not is_html(page):
            self.plan.miss(query, more or None, query in self.planned)
        else:
            answer = self.source.answer(self.inquiry.whole(query), page)
            self.plan.hear(query, answer, more, query in self.planned)
