"""The understanding strategy: sends the queries of `deepweb.understanding` through a crawl, for one form at a time.

The queries follow from the pages alone, and so do all results: only which page answered which query is stored. After an
interruption all of them are replayed, and the process continues where it was.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from siteseer.deepweb.ontology.ontology_paths import Ontology
from siteseer.deepweb.sampling.first_queries import choose_form
from siteseer.deepweb.sampling.query_budget import FormQuery, LoginNeededError, Steps, refuse_login
from siteseer.deepweb.understanding import Options, understand
from siteseer.deepweb.understanding_model import Understanding
from siteseer.errors import SiteseerError
from siteseer.forms.field_concepts import concepts
from siteseer.forms.form import Form
from siteseer.forms.form_request import submission
from siteseer.forms.safe_to_submit import spaced
from siteseer.interfaces import Expectation, Memory, StrategyContext
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Recognition, Remember, Seed, Skip, Submit
from siteseer.page.urls import identity
from siteseer.strategies.form_search.sent_searches import given_values
from siteseer.strategies.redirects_and_assets import follow_redirect

MEMORY = "understand"
SEED, FAILED = "seed", "failed"
LARGEST = 2_000_000
"""Bytes of an answer that are remembered: lists of records are smaller."""


class UnderstandingStrategy:
    """Queries one form until it is understood; then `result` or `failure` is set."""

    def __init__(
        self,
        context: StrategyContext | None,
        ontology: Ontology | None = None,
        options: Options = Options(),  # noqa: B008
    ) -> None:
        self.context, self.ontology, self.options = context, ontology, options
        self.result: Understanding | None = None
        self.failure: SiteseerError | None = None
        self._form: Form | None = None
        self._form_page: Page | None = None
        self._steps: Steps[Understanding] | None = None
        self._asks: tuple[FormQuery, ...] = ()
        self._pages: dict[str, Page | None] = {}
        self._fetched: dict[str, Page] = {}
        """What was fetched by GET, by identity: a page that is wanted for two reasons is fetched once."""
        self._sent: set[str] = set()
        self._turned: list[Follow] = []
        self._refused = ""

    # ── the strategy ──────────────────────────────────────────────────────────────────────────────────────────────

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Request the page with the form, or restore what was stored."""
        self.recall(memory)
        if self._steps is None and self.failure is None:
            yield Follow(seeds[0].url, "the page with the form", SEED, 3.0, {"ask": SEED})

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Take the answer to a query."""
        name = why.state.get("ask") if isinstance(why.state, dict) else None
        if name is None:
            return
        if outcome.kind == "redirect" and outcome.target:
            if "login" in concepts(spaced(urlsplit(outcome.target).path)):
                yield self._fail(f"{why.referrer or why.url} needs a login: it leads to {outcome.target}")
                return
            known = self._fetched.get(identity(outcome.target))
            if known is None:
                self._turned += [one for one in follow_redirect(outcome, why) if isinstance(one, Follow)]
                return
            yield self._heard(name, known)
            return
        page = outcome.page
        if page is None:
            self._refused = outcome.reason
        if page is not None:
            yield Note("the answer to a search form", Recognition(level="form" if name == SEED else "answer"))
            if name != SEED and self._asks_for_login(page):
                yield Remember(MEMORY, FAILED, str(self.failure))
                return
        yield self._heard(name, page, is_get=not (isinstance(why, Submit) and why.method == "POST"))

    def refill(self, room: int) -> list[Action]:
        """Return the queries that the answers so far suggest."""
        said: list[Action] = list(self._turned)
        self._turned = []
        while not any(isinstance(action, Follow | Submit) for action in said):
            if self._is_answered():
                self._go_on()
            waiting = [ask for ask in self._asks if key_of(ask) not in self._sent | self._pages.keys()]
            if not waiting:
                break
            said += [action for ask in waiting[: max(1, room)] for action in self._send(ask)]
        return said

    def expected(self) -> Expectation:
        """Return no estimate: answers decide what is queried next."""
        return Expectation(announced=None)

    def _send(self, ask: FormQuery) -> Iterator[Action]:
        name = key_of(ask)
        action = self._action(ask, name)
        is_get = isinstance(action, Follow) or action.method == "GET"
        known = self._fetched.get(identity(action.url)) if is_get else None
        if known is not None:
            yield self._heard(name, known)
            return
        verdict = self.context.scope.verdict(action.url) if self.context is not None else None
        if verdict is not None and not verdict.allowed:
            self._refused = verdict.because
            yield Skip(action.url, verdict.because, verdict.rule)
            yield self._heard(name, None)
            return
        self._sent.add(name)
        yield Remember(MEMORY, f"sent {name}", True)
        yield action

    def _action(self, ask: FormQuery, name: str) -> Follow | Submit:
        state = {"ask": name}
        assert self._form is not None
        if ask.url:
            return Follow(ask.url, ask.because, "answers", 1.0, state, self._form.page)
        said = ", ".join(f"{field}={value}" for field, value in ask.query)[:200] or "as it stands"
        return replace(submission(self._form, dict(ask.query), f"{ask.because}: {said}"), priority=1.0, state=state)

    # ── the process ───────────────────────────────────────────────────────────────────────────────────────────────

    def recall(self, memory: Memory) -> None:
        """Restore which page answered which query, and replay them."""
        for name, row in memory.recall(MEMORY):
            if name.startswith("sent "):
                self._sent.add(name.removeprefix("sent "))
            elif name == FAILED:
                self.failure = LoginNeededError(row)
            elif isinstance(row, str):
                self._refused = row
                self._take(name, None)
            else:
                self._take(name, _read(row), row[4])
        while self._is_answered() and self._asks:
            self._go_on()

    @property
    def has_questions(self) -> bool:
        """Whether a query waits that was never sent."""
        return any(key_of(ask) not in self._sent | self._pages.keys() for ask in self._asks)

    def conclude(self) -> Understanding:
        """Return the result; queries without an answer count as answered by nothing."""
        while self.result is None and self.failure is None and self._steps is not None:
            for ask in self._asks:
                self._pages.setdefault(key_of(ask), None)
            self._go_on()
        if self.failure is not None:
            raise self.failure
        if self.result is None:
            raise SiteseerError(
                f"the page with the form could not be had: {self._refused or 'it was not asked for yet'}"
            )
        return self.result

    def _is_answered(self) -> bool:
        """Say whether the process can go on: it has begun, is not done, and all its questions are answered."""
        is_running = self._steps is not None and self.result is None and self.failure is None
        return is_running and all(key_of(ask) in self._pages for ask in self._asks)

    def _asks_for_login(self, page: Page) -> bool:
        """Say whether an answer only asks for a login; then nothing more is asked."""
        assert self._form is not None and self._form_page is not None
        try:
            refuse_login(page, self._form, self._form_page)
        except LoginNeededError as error:
            self.failure, self._asks = error, ()
        return self.failure is not None

    def _fail(self, because: str) -> Remember:
        """End: nobody gets further without a login."""
        advice = "record one with siteseer login and name it with --profile"
        self.failure, self._asks = LoginNeededError(f"{because}; {advice}"), ()
        return Remember(MEMORY, FAILED, str(self.failure))

    def _heard(self, name: str, page: Page | None, is_get: bool = False) -> Remember:
        self._take(name, page, is_get)
        return Remember(MEMORY, name, self._refused if page is None else _row(page, is_get))

    def _take(self, name: str, page: Page | None, is_get: bool = False) -> None:
        if page is not None and is_get:
            self._fetched.setdefault(identity(page.url), page)
        if name != SEED:
            self._pages[name] = page
        elif page is not None:
            self._begin(page)

    def _begin(self, page: Page) -> None:
        try:
            self._form, self._form_page = choose_form(page, self.options.form, self.options.post), page
            self._steps = understand(page, self.ontology, self.options)
            self._asks = next(self._steps)
        except SiteseerError as error:
            self.failure = error

    def _go_on(self) -> None:
        """Give the process its answers, and take its next questions."""
        assert self._steps is not None
        try:
            self._asks = self._steps.send(tuple(self._pages.get(key_of(ask)) for ask in self._asks))
        except StopIteration as done:
            self.result, self._asks = done.value, ()
        except SiteseerError as error:
            self.failure, self._asks = self._explained(error), ()

    def _explained(self, error: SiteseerError) -> SiteseerError:
        """Say that nothing may be asked, where that is the reason for there being no answers."""
        if self._refused and not any(page is not None for page in self._pages.values()):
            return SiteseerError(f"the form cannot be asked: {self._refused}")
        return error


def make(context: StrategyContext) -> UnderstandingStrategy:
    """Return the strategy that queries a form without an ontology."""
    return UnderstandingStrategy(context, None, Options(given=tuple(given_values(context.options.values).items())))


def key_of(ask: FormQuery) -> str:
    """Return the key of a query.

    >>> key_of(FormQuery((("q", "tea"),)))
    '[[["q", "tea"]], ""]'
    """
    return json.dumps([ask.query, ask.url], ensure_ascii=False)


def _row(page: Page, is_get: bool) -> JSON:
    body = b64encode(zlib.compress(page.body[:LARGEST])).decode()
    return [page.url, page.status, page.header("content-type"), body, is_get]


def _read(row: JSON) -> Page:
    url, status, kind, body, _ = row
    return Page(url, status, (("Content-Type", kind),), zlib.decompress(b64decode(body)))
