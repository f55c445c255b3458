"""Defines a job: one wrapper, its tasks, rules and schedule; validated when it is made."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from siteseer.errors import UsageError
from siteseer.fetch.browser.static_browser import start_address
from siteseer.model import JSON
from siteseer.page.urls import host_of
from siteseer.schedule.due_times import Schedule
from siteseer.schedule.due_times import read as read_schedule
from siteseer.settings import JobOptions, options_of, read_values
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.purity import walk
from siteseer.wrapper.oxpath.language.result_schema import variables
from siteseer.wrapper.oxpath.language.syntax import Document, Expression, Literal, Variable

NAME = re.compile(r"\w[\w.-]{0,99}\Z")
MOST_TASKS = 10_000
MOST_VARIABLES = 100
LONGEST_VALUE = 8_000


@dataclass(frozen=True, slots=True)
class Task:
    """One run of the wrapper within a run of its job: the page it starts on, if it loads none, and its variables."""

    start: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key that identifies the same task in other runs."""
        return json.dumps([self.start, sorted(self.variables.items())], ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as a person submitted it."""

    name: str
    wrapper: str
    tasks: tuple[Task, ...] = (Task(),)
    rules: JobOptions = field(default_factory=JobOptions)
    schedule: Schedule | None = None
    collection: str = ""
    """The collection, beside the jobs, into which pages are archived and records are kept; none where empty."""

    def as_json(self) -> JSON:
        """Return the job as JSON, for the database."""
        return {
            "name": self.name,
            "wrapper": self.wrapper,
            "tasks": [[one.start, dict(one.variables)] for one in self.tasks],
            "rules": asdict(self.rules),
            "schedule": self.schedule.as_json() if self.schedule else None,
            "collection": self.collection,
        }

    @classmethod
    def stored(cls, found: JSON) -> Job:
        """Return a job from its stored JSON."""
        tasks = tuple(Task(start, values) for start, values in found["tasks"])
        schedule = read_schedule(**found["schedule"]) if found["schedule"] else None
        return cls(found["name"], found["wrapper"], tasks, JobOptions(**found["rules"]), schedule, found["collection"])


def make_job(
    name: str,
    wrapper: str,
    starts: Sequence[str] = (),
    sets: Sequence[Mapping[str, str]] = (),
    **more: Any,
) -> Job:
    """Return a job: the wrapper on every start URL with every set of variables; raise where something is not valid.

    `more` are `schedule`, `collection` and the fields of `JobOptions`.

    >>> job = make_job("books", "doc($u)//h2:<title=string(.)>", ["e.org/a", "e.org/b"])
    >>> [task.variables["u"] for task in job.tasks]
    ['http://e.org/a', 'http://e.org/b']
    """
    if not NAME.match(name):
        raise UsageError(f"{name[:100]!r} cannot be a name: use letters, digits, dots, dashes and underscores")
    parsed = parse(wrapper)
    schedule, collection = more.pop("schedule", None), str(more.pop("collection", ""))
    if collection and not NAME.match(collection):
        raise UsageError(f"{collection[:100]!r} cannot be the name of a collection")
    return Job(name, wrapper, _tasks(parsed, starts, sets), make_rules(more), schedule, collection)


def make_rules(wanted: Mapping[str, Any]) -> JobOptions:
    """Return validated rules; fields that are not given have their defaults."""
    return JobOptions(**read_values(options_of(JobOptions), wanted))


def _tasks(wrapper: Expression, starts: Sequence[str], sets: Sequence[Mapping[str, str]]) -> tuple[Task, ...]:
    count = max(1, len(starts)) * max(1, len(sets))
    if count > MOST_TASKS:
        raise UsageError(f"{count:,} tasks are more than the {MOST_TASKS:,} of one job; make several jobs of it")
    loaded = [one.url for one in walk(wrapper) if isinstance(one, Document)]
    bound = _bound(loaded, starts)
    given = [_checked(one) for one in sets] or [{}]
    addresses = [start_address(url) for url in starts]
    if not loaded and not addresses:
        raise UsageError("the wrapper loads no page: give start URLs, or begin it with doc('http://...')")
    pairs = [(url, values) for url in addresses or [""] for values in given]
    tasks = tuple(Task("" if bound else url, {**values, **({bound: url} if bound else {})}) for url, values in pairs)
    check_tasks(wrapper, tasks)
    return tasks


def check_tasks(wrapper: Expression, tasks: Sequence[Task]) -> None:
    """Raise where a task lacks a value that the wrapper needs, or has an invalid URL."""
    needed = set(variables(wrapper))
    for number, task in enumerate(tasks, 1):
        if missing := needed - set(task.variables):
            names = ", ".join(f"${name}" for name in sorted(missing))
            raise UsageError(f"task {number} has no value for {names}")
        hosts(wrapper, task)


def _bound(loaded: list[Literal | Variable], starts: Sequence[str]) -> str:
    """Return the variable that start URLs are the values of; empty where the wrapper begins on a given page."""
    names = {one.name for one in loaded if isinstance(one, Variable)}
    if not starts or not loaded:
        return ""
    if len(names) != 1:
        raise UsageError("the wrapper loads its own page: write doc($url) there to run it on start URLs")
    return names.pop()


def _checked(values: Mapping[str, str]) -> dict[str, str]:
    if len(values) > MOST_VARIABLES:
        raise UsageError(f"a set has {len(values)} variables; {MOST_VARIABLES} are the most")
    for name, value in values.items():
        if not re.fullmatch(r"[A-Za-z_][\w-]{0,99}", name):
            raise UsageError(f"{name[:60]!r} cannot be the name of a variable")
        if not isinstance(value, str) or len(value) > LONGEST_VALUE:
            raise UsageError(f"the value of ${name} is no text of at most {LONGEST_VALUE:,} characters")
    return dict(values)


def hosts(wrapper: Expression, task: Task) -> str:
    """Return the hosts on which a task starts, sorted, separated by blanks: tasks of one host do not run at the same
    time.
    """
    named = [one.url for one in walk(wrapper) if isinstance(one, Document)]
    texts = [one.text if isinstance(one, Literal) else task.variables.get(one.name, "") for one in named]
    return " ".join(sorted({host_of(start_address(text)) for text in (*texts, task.start) if text}))
