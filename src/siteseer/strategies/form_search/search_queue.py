"""Queues the searches for the forms that a crawl finds, a few at a time, and plans further ones from the answers.

All state follows from the stored rows: forms, queries, answers. Nothing is requested while an outcome is evaluated: a
URL that the crawl knows already would then be dropped silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, replace
from itertools import chain

from siteseer.forms.answer_types import as_key, of_key
from siteseer.forms.dependent_lists import Dependent, dependents, read_choices
from siteseer.forms.form import Form
from siteseer.forms.form_request import submission
from siteseer.forms.next_queries import MOST_WORDS, search_words
from siteseer.forms.parse_forms import forms
from siteseer.forms.query_plan import Plan
from siteseer.forms.rare_terms import rarest, terms_of
from siteseer.forms.result_pages import Answer, read_answer
from siteseer.forms.safe_to_submit import permission
from siteseer.forms.seed_queries import last_resorts
from siteseer.interfaces import Memory, StrategyContext
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Remember, Skip, Submit
from siteseer.page.links import targets
from siteseer.page.text import text
from siteseer.page.tree import is_html
from siteseer.page.urls import identity
from siteseer.strategies.event_log import EventLog
from siteseer.strategies.form_search.sent_searches import FormKey, SentSearches, as_name, given_values, key_of
from siteseer.strategies.redirects_and_assets import follow_redirect

MEMORY = "searches"
ANSWERS, LISTS = "answers", "lists"
MOST_FORMS, MOST_MET = 30, 500
"""So many forms are searched, so many are looked at: a site may make up new ones for ever."""


class SearchQueue:
    """The search forms of a crawl, in the order in which they were found."""

    def __init__(self, context: StrategyContext, post: bool = True) -> None:
        self.context, self.post = context, post
        self.given = given_values(context.options.values)
        self.searched: list[SentSearches] = []
        self._met: set[FormKey] = set()
        self._terms: Counter[str] = Counter()
        self._journal = EventLog(MEMORY, self._take)
        self._urls: set[str] = set()
        """What was asked for by GET."""

    def recall(self, memory: Memory) -> None:
        """Restore what was stored."""
        self._journal.recall(memory)

    def is_waiting(self) -> bool:
        """Say whether answers are pending."""
        return any(one.out for one in self.searched)

    def give_up(self) -> None:
        """Stop waiting: the pending answers are lost."""
        for one in self.searched:
            one.out = 0

    @staticmethod
    def is_answer(why: Follow | Submit) -> bool:
        """Say whether an outcome is the answer to a form, or a list that one of its fields needs."""
        return isinstance(why.state, dict) and "form" in why.state

    # ── forms ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def learn_terms(self, page: Page) -> Remember:
        """Add the words of a page that is wanted, or leads there: rare ones are searched for."""
        return self._journal.write(["terms", terms_of(page)])

    def learn_record(self, number: int, page: Page) -> Iterator[Remember]:
        """Add the words of the page of a record that a form listed, where that form searches by words."""
        if number < len(self.searched) and self.searched[number].plan.searches_words:
            words = list(dict.fromkeys(search_words(text(page))))[:MOST_WORDS]
            yield self._journal.write(["record", number, identity(page.url), words])

    def offer(self, page: Page, varied: Mapping[str, Collection[str]] | None = None) -> Iterator[Action]:
        """Add the forms of a page that may be sent and were not seen before.

        Where `varied` is given, only forms whose action (without query) it names are taken, and only those of their
        fields are varied.
        """
        for form in forms(page):
            key = key_of(form)
            if len(self.searched) >= MOST_FORMS or len(self._met) >= MOST_MET:
                return
            if key in self._met or (varied is not None and key[1] not in varied):
                continue
            self._met.add(key)
            allowed = permission(form, self.post)
            if not allowed.allowed:
                if form.action:
                    yield Note(f"form {form.index} is left alone: {allowed.because}", event="form_left")
                continue
            known = sorted({identity(url) for url in targets(page)} | {identity(page.url)})
            found = [asdict(one) for one in dependents(page, form)]
            only = None if varied is None else sorted(varied[key[1]])
            yield Note(f"form {form.index} is searched: {allowed.because}", event="form_searched")
            row = ["form", form.as_json(), known, terms_of(page), found, only, last_resorts(form, page)]
            yield self._journal.write(row)

    # ── sending ───────────────────────────────────────────────────────────────────────────────────────────────────

    def send(self, number: int, most: int = 10_000) -> list[Action]:
        """Return what to request now: further pages of answers, dependent lists, and so many submissions."""
        said: list[Action] = []
        wanted = list(self._wanted(number, most))
        while wanted and not any(isinstance(action, Follow | Submit) for action in said):
            for name, action in wanted:
                said += self._ask(number, name, action)
            wanted = list(self._wanted(number, most))
        return said

    def _wanted(self, number: int, most: int) -> Iterator[tuple[str, Follow | Submit]]:
        """Yield what a form wants and has not asked for yet, each under a name of its own."""
        one = self.searched[number]
        wanted = chain(self._pages(number), self._lists(number), self._queries(number, most))
        yield from ((name, action) for name, action in wanted if name not in one.asked)

    def _pages(self, number: int) -> Iterator[tuple[str, Follow | Submit]]:
        one = self.searched[number]
        for state, url in one.turned:
            yield f"{url} {as_name(state)}", Follow(url, "a form leads there", ANSWERS, 2.0, state, one.form.action)
        for query, url in one.plan.pages_wanted():
            state = {"form": number, "query": as_key(query), "page": url}
            yield as_name(state), Follow(url, "a further page of an answer", ANSWERS, 2.0, state, one.form.action)

    def _lists(self, number: int) -> Iterator[tuple[str, Follow | Submit]]:
        one = self.searched[number]
        for dependent, value in one.plan.lookups():
            state = {"form": number, "list": [dependent.field, value]}
            because = f"the values of {dependent.field} for {value}"
            yield as_name(state), Follow(dependent.url(value), because, LISTS, 2.0, state, one.form.page)

    def _queries(self, number: int, most: int) -> Iterator[tuple[str, Follow | Submit]]:
        one = self.searched[number]
        room = most
        for query in one.plan.wanted(10_000):
            state = {"form": number, "query": as_key(query)}
            if room and as_name(state) not in one.asked:
                room -= 1
                because = "search: " + (", ".join(f"{name}={value}" for name, value in query)[:200] or "as it stands")
                action = submission(one.form, dict(query), because)
                yield as_name(state), replace(action, priority=1.0, state=state)

    def _ask(self, number: int, name: str, action: Follow | Submit) -> Iterator[Action]:
        """Ask for something, unless it is out of scope or was asked for before."""
        verdict = self.context.scope.verdict(action.url)
        url = "" if isinstance(action, Submit) and action.method == "POST" else identity(action.url)
        is_new = not url or url not in self._urls
        yield self._journal.write(["sent", number, name, url])
        if verdict.allowed and is_new:
            yield action
            return
        if not verdict.allowed:
            yield Skip(action.url, verdict.because, verdict.rule)
        yield self._missed(action.state)

    # ── hearing ───────────────────────────────────────────────────────────────────────────────────────────────────

    def hear(self, outcome: Outcome, why: Follow | Submit) -> tuple[Answer | None, list[Action]]:
        """Take an outcome; return it where it is an answer, with the rows to store."""
        state, page = why.state, outcome.page
        number = state["form"]
        if outcome.kind == "redirect" and outcome.target:
            turned = [one for one in follow_redirect(outcome, why) if isinstance(one, Follow)]
            rows = [["turned", number, state, one.url] for one in turned] or [self._miss(state)]
            return None, [self._journal.write(row) for row in rows]
        if "list" in state:
            values = read_choices(page) if page is not None and page.status < 400 else ()
            return None, [self._journal.write(["list", number, *state["list"], values])]
        if page is None or page.status >= 400 or not is_html(page):
            return None, [self._missed(state)]
        answer = read_answer(page, self.searched[number].form)
        row = ["answer", number, state["query"], answer.as_json(), state.get("page")]
        return answer, [self._journal.write(row)]

    def records(self, number: int, answer: Answer) -> list[str]:
        """Return the URLs that an answer lists and that the page of the form does not show."""
        navigation = self.searched[number].plan.answers.navigation
        return [url for url in answer.records if identity(url) not in navigation]

    def _missed(self, state: JSON) -> Remember:
        return self._journal.write(self._miss(state))

    @staticmethod
    def _miss(state: JSON) -> JSON:
        if "list" in state:
            return ["list", state["form"], *state["list"], ()]
        return ["missed", state["form"], state["query"], state.get("page")]

    # ── what is known follows from what was remembered ────────────────────────────────────────────────────────────

    def _take(self, row: JSON) -> None:
        match row:
            case ["terms", terms]:
                self._terms.update(terms)
            case ["form", form, known, terms, found, varied, *resorts]:
                made = Form.of_json(form)
                lists = [Dependent(**one) for one in found]
                last = [word for words in resorts for word in words]
                first = lambda: [*rarest(self._terms + Counter(terms)), *last]  # noqa: E731
                plan = Plan(made, self.given, first, lists, known, varied)
                self.searched.append(SentSearches(made, plan))
                self._met.add(key_of(made))
            case ["record", number, name, words]:
                self.searched[number].plan.hear_record(name, words)
            case _:
                self._take_answer(self.searched[row[1]], row)

    def _take_answer(self, one: SentSearches, row: JSON) -> None:
        one.out = max(0, one.out + (1 if row[0] == "sent" else -1))
        match row:
            case ["sent", _, name, url]:
                one.asked.add(name)
                self._urls.add(url)
            case ["turned", _, state, url]:
                one.turned.append((state, url))
            case ["answer", _, key, answer, asked]:
                heard = Answer.of_json(answer)
                one.plan.hear(of_key(key), heard, asked or "")
            case ["missed", _, key, asked]:
                one.plan.miss(of_key(key), asked)
            case ["list", _, name, value, values]:
                one.plan.hear_choices(name, value, values)
