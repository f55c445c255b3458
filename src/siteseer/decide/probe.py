"""The probe strategy: the search forms of the seeds are sent as their plans say, and the records they list are kept.

Whatever the strategy knows follows from the rows that it remembered: forms, and the answers heard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace

from siteseer.decide.common import follow_redirect
from siteseer.errors import UsageError
from siteseer.forms.answers import Answer, read_answer
from siteseer.forms.dependent import Dependent, dependents, read_choices
from siteseer.forms.find import forms
from siteseer.forms.form import Form
from siteseer.forms.gate import permission
from siteseer.forms.plan import Plan, Query, as_key, of_key
from siteseer.forms.submit import submission
from siteseer.forms.terms import rare_terms
from siteseer.interfaces import Memory, StrategyContext
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Recognition, Remember, Seed, Skip, Submit
from siteseer.page.links import targets
from siteseer.page.tree import is_html
from siteseer.page.urls import identity

MEMORY = "probe"
ANSWERS, RECORDS, LISTS = "answers", "records", "lists"


@dataclass(slots=True)
class _Probed:
    """A form, its plan and what was asked for it."""

    form: Form
    plan: Plan
    asked: set[Query] = field(default_factory=set)
    lists: set[str] = field(default_factory=set)


class Probe:
    """Sends search forms, and nothing else."""

    def __init__(self, context: StrategyContext, post: bool = True) -> None:
        self.context, self.post = context, post
        self.given = dict(_pair(text) for text in context.options.values)
        self.probed: list[_Probed] = []
        self._events = 0
        self._asked: dict[str, tuple[int, str]] = {}
        """What was asked for, with the form and query whose answer it is part of."""
        self._seen: set[str] = set()

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Ask for the pages with forms, or take up what was remembered."""
        for _, event in memory.recall(MEMORY):
            self._take(event)
        for seed in seeds:
            yield Follow(seed.url, "seed", "seed", 3.0)
        for number in range(len(self.probed)):
            yield from self._ask(number)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Make plans from pages with forms, and hear answers."""
        state = why.state if isinstance(why.state, dict) else {}
        if outcome.kind == "redirect" and outcome.target and identity(outcome.target) not in self._asked:
            self._asked[identity(outcome.target)] = (state.get("form", -1), state.get("query", ""))
            yield from follow_redirect(outcome, why)
        elif "list" in state:
            yield from self._list(outcome, state)
        elif "query" in state:
            yield from self._answer(outcome, why, state)
        elif "record" in state:
            yield Note("listed by a search form", Recognition(level="record", terminal=True))
        elif outcome.page is not None and outcome.page.status < 400 and why.family == "seed":
            yield from self._forms(outcome.page)

    def refill(self, room: int) -> Iterable[Action]:
        """Have nothing more: what an answer makes worth asking was asked when it came."""
        return ()

    # ── forms ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _forms(self, page: Page) -> Iterator[Action]:
        for form in forms(page):
            allowed = permission(form, self.post)
            if not allowed.allowed:
                if form.action:
                    yield Note(f"form {form.index} is left alone: {allowed.because}", event="form_left")
                continue
            if any(one.form.action == form.action and one.form.fields == form.fields for one in self.probed):
                continue
            found = [asdict(one) for one in dependents(page, form)]
            known = sorted({identity(url) for url in targets(page)} | {identity(page.url)})
            yield Note(f"form {form.index} is searched: {allowed.because}", event="form_searched")
            yield self._remember(["form", form.as_json(), known, rare_terms([page]), found])
            yield from self._ask(len(self.probed) - 1)

    def _ask(self, number: int) -> Iterator[Action]:
        """Ask for what the plan of a form wants and has not asked for yet."""
        one = self.probed[number]
        wanted = self._wanted(one)
        while wanted:
            for query in wanted:
                one.asked.add(query)
                because = "search: " + (", ".join(f"{name}={value}" for name, value in query)[:200] or "as it stands")
                action = submission(one.form, dict(query), because)
                action = replace(action, priority=1.0, state={"form": number, "query": as_key(query)})
                refusal = self._refusal(action.url, (number, as_key(query)), action.method)
                if refusal is None:
                    yield action
                else:
                    yield from refusal
                    yield self._remember(["missed", number, as_key(query), None])
            wanted = self._wanted(one)
        for dependent, value in one.plan.lookups():
            url = dependent.url(value)
            if url not in one.lists:
                one.lists.add(url)
                state = {"form": number, "list": [dependent.field, value]}
                yield Follow(url, f"the values of {dependent.field} for {value}", LISTS, 2.0, state, one.form.page)

    def _wanted(self, one: _Probed) -> list[Query]:
        return [query for query in one.plan.wanted(10_000) if query not in one.asked]

    def _refusal(self, url: str, owner: tuple[int, str], method: str = "GET") -> list[Action] | None:
        """Return why a URL cannot be asked for, None where it can; it then counts as asked for."""
        verdict = self.context.scope.verdict(url)
        if not verdict.allowed:
            return [Skip(url, verdict.because, verdict.rule)]
        if method == "GET":
            if identity(url) in self._asked:
                return []
            self._asked[identity(url)] = owner
        return None

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _answer(self, outcome: Outcome, why: Follow | Submit, state: JSON) -> Iterator[Action]:
        number, key, asked = state["form"], state["query"], state.get("page")
        page, one = outcome.page, self.probed[number]
        if page is None or page.status >= 400 or not is_html(page):
            yield self._remember(["missed", number, key, asked])
        else:
            answer = read_answer(page, one.form)
            yield Note("the answer to a search form", Recognition(level="answer"))
            yield self._remember(["answer", number, key, answer.as_json(), asked])
            yield from self._follow(number, key, answer, why.depth + 1)
        yield from self._ask(number)

    def _follow(self, number: int, key: str, answer: Answer, depth: int) -> Iterator[Action]:
        """Ask for the further pages of an answer, and for the records that it lists."""
        plan = self.probed[number].plan
        pending = plan.pages_wanted(of_key(key))
        for url in answer.more:
            if identity(url) not in pending:
                continue
            if self._asked.get(identity(url)) == (number, key):
                continue
            refusal = self._refusal(url, (number, key))
            if refusal is None:
                state = {"form": number, "query": key, "page": url}
                yield Follow(url, "a further page of an answer", ANSWERS, 2.0, state, answer.url, depth)
            else:
                yield from refusal
                yield self._remember(["missed", number, key, url])
        for url in answer.records:
            if identity(url) not in self._seen and identity(url) not in plan.navigation:
                self._seen.add(identity(url))
                yield Follow(url, "listed by a search form", RECORDS, 0.0, {"record": number}, answer.url, depth)

    def _list(self, outcome: Outcome, state: JSON) -> Iterator[Action]:
        values = read_choices(outcome.page) if outcome.page is not None and outcome.page.status < 400 else ()
        yield self._remember(["list", state["form"], *state["list"], values])
        yield from self._ask(state["form"])

    # ── what is known follows from what was remembered ────────────────────────────────────────────────────────────

    def _remember(self, event: JSON) -> Remember:
        self._take(event)
        return Remember(MEMORY, str(self._events), event)

    def _take(self, event: JSON) -> None:
        self._events += 1
        match event:
            case ["form", form, known, terms, found]:
                made = Form.of_json(form)
                plan = Plan(made, self.given, terms, [Dependent(**one) for one in found], known)
                self.probed.append(_Probed(made, plan))
            case ["answer", number, key, answer, asked]:
                heard = Answer.of_json(answer)
                self._asked.setdefault(identity(heard.url), (number, key))
                self.probed[number].plan.hear(of_key(key), heard, asked or "")
            case ["missed", number, key, asked]:
                self.probed[number].plan.miss(of_key(key), asked)
            case ["list", number, name, value, values]:
                self.probed[number].plan.hear_choices(name, value, values)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"--set {text!r} is no value for a field; write it as FIELD=VALUE")
    return name, value


def make(context: StrategyContext) -> Probe:
    """Return the probe strategy."""
    return Probe(context)


def make_get_only(context: StrategyContext) -> Probe:
    """Return the probe strategy that posts nothing."""
    return Probe(context, post=False)
