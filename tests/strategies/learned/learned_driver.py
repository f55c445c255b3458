"""Drives a strategy in memory as the crawl loop does: a site is a function from URLs to pages, requests are counted."""

from __future__ import annotations

import heapq
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from siteseer.demo import Site, SiteRequest
from siteseer.forms.form_request import body_of
from siteseer.interfaces import StrategyContext
from siteseer.model import Action, Follow, Note, Outcome, Page, Remember, Seed, Skip, Submit
from siteseer.page.text import text
from siteseer.page.urls import identity, resolve
from siteseer.settings import CrawlOptions
from siteseer.strategies.scope import SeedScope

ORIGIN = "http://demo.test"
Fetch = Callable[[str], Page | None]
Post = Callable[[str, bytes], Page | None]


class Rows:
    """The memory of a strategy: what it remembered, oldest first."""

    def __init__(self, rows: Iterable[Remember] = ()) -> None:
        self.rows = list(rows)

    def recall(self, kind: str) -> list[tuple[str, Any]]:
        latest: dict[str, Any] = {}
        for row in self.rows:
            if row.kind == kind:
                latest[row.key] = row.value
        return list(latest.items())

    def earlier_objects(self, url: str) -> list[Any]:
        return []

    def earlier_pages(self) -> list[Any]:
        return []


@dataclass
class Drive:
    """What a crawl did."""

    asked: list[Follow | Submit] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    skipped: dict[str, Skip] = field(default_factory=dict)
    rows: list[Remember] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    decisions: float = 0.0
    """Processor seconds of the strategy alone."""

    @property
    def requests(self) -> int:
        return len(self.asked)

    @property
    def rules(self) -> Counter[str]:
        return Counter(skip.rule for skip in self.skipped.values())


def context_of(origin: str = ORIGIN, seed: int = 0, **options: Any) -> StrategyContext:
    start = origin + "/"
    made = CrawlOptions((start,), Path("unused"), random_seed=seed, assets="none", **options)
    return StrategyContext(made, SeedScope([start]), dict)


def fetch_from(site: Site) -> Fetch:
    """Fetch from a demo site without a network."""

    def fetch(url: str) -> Page:
        answer = site.respond(SiteRequest("GET", url.removeprefix(ORIGIN) or "/", {"host": "demo.test"}))
        return Page(url, answer.status, answer.headers, answer.body)

    return fetch


def post_to(site: Site) -> Post:
    """Post to a demo site without a network; what must not be posted fails."""

    def post(url: str, body: bytes) -> Page:
        answer = site.respond(SiteRequest("POST", url.removeprefix(ORIGIN), {"host": "demo.test"}, body))
        assert not answer.violation
        return Page(url, answer.status, answer.headers, answer.body)

    return post


class Crawl:
    """One crawl that can be stopped after any request and taken up by another strategy object."""

    def __init__(
        self,
        fetch: Fetch,
        origin: str = ORIGIN,
        prepare: Callable[[Page], object] = lambda page: None,
        post: Post = lambda url, body: None,
        latency: Callable[[], float] = lambda: 1.0,
    ) -> None:
        self.fetch, self.origin, self.prepare, self.post = fetch, origin, prepare, post
        self.latency, self.clock = latency, 0.0
        """How long an answer takes, on a clock of its own; as long each time, answers come in the order of asking."""
        self.done = Drive()
        self.known: set[str] = {identity(origin + "/robots.txt")}
        self.waiting: list[tuple[float, int, Follow | Submit]] = []
        self.in_flight: list[tuple[float, int, Follow | Submit]] = []
        """When each answer comes, first come first."""
        self._sent = 0
        self.refused: list[Submit] = []
        self._robots = False

    @staticmethod
    def _name(action: Follow | Submit) -> str:
        is_posted = isinstance(action, Submit) and action.method == "POST"
        return identity(action.url) + (repr(action.fields) if is_posted else "")

    def apply(self, actions: Callable[[], Iterable[Action]]) -> None:
        started = time.process_time()
        said = list(actions())
        self.done.decisions += time.process_time() - started
        for action in said:
            if isinstance(action, Follow | Submit) and (name := self._name(action)) not in self.known:
                self.known.add(name)
                heapq.heappush(self.waiting, (-action.priority, len(self.known), action))
            elif isinstance(action, Submit):
                self.refused.append(action)
            elif isinstance(action, Remember):
                self.done.rows.append(action)
            elif isinstance(action, Skip) and identity(action.url) not in self.known:
                self.done.skipped.setdefault(action.url, action)
            elif isinstance(action, Note):
                self.done.notes.append(action)

    def run(self, strategy: Any, concurrency: int = 1, limit: int = 3000, entry: str = "/") -> Drive:
        """Crawl until the strategy has nothing more to ask for, or so many requests were sent."""
        self.apply(lambda: strategy.start([Seed(self.origin + entry)], Rows(self.done.rows)))
        if not self._robots:
            self._robots = True
            why = Follow(self.origin + "/robots.txt", "robots.txt of the host", "robots")
            outcome = self._answer(why)
            if outcome.page is not None and outcome.page.status == 200:
                self.apply(lambda: strategy.decide(outcome, why))
        while self.done.requests < limit:
            while self.waiting and len(self.in_flight) < concurrency:
                self._send(heapq.heappop(self.waiting)[2])
            if self.in_flight:
                self.clock, _, why = heapq.heappop(self.in_flight)
                self._visit(strategy, why, concurrency)
            else:
                self.apply(lambda: strategy.refill(concurrency))
                refused, self.refused = self.refused, []
                for why in refused:
                    outcome = Outcome(why.url, "refused", "asked for already")
                    self.apply(lambda outcome=outcome, why=why: strategy.decide(outcome, why))  # type: ignore[misc]
                if not self.waiting and not refused:
                    break
        return self.done

    def _send(self, why: Follow | Submit) -> None:
        self._sent += 1
        heapq.heappush(self.in_flight, (self.clock + self.latency(), self._sent, why))

    def _visit(self, strategy: Any, why: Follow | Submit, concurrency: int) -> None:
        outcome = self._answer(why)
        if outcome.page is not None:
            self.prepare(outcome.page)
        self.apply(lambda: strategy.decide(outcome, why))
        if not self.waiting and self.in_flight:
            self.apply(lambda: strategy.refill(concurrency))

    def _answer(self, why: Follow | Submit) -> Outcome:
        self.done.asked.append(why)
        is_posted = isinstance(why, Submit) and why.method == "POST"
        page = self.post(why.url, body_of(why)[1]) if is_posted else self.fetch(why.url)  # type: ignore[arg-type]
        if page is None:
            return Outcome(why.url, "page", page=Page(why.url, 404))
        if 300 <= page.status < 400:
            return Outcome(why.url, "redirect", target=resolve(why.url, page.header("location")))
        self.done.pages.append(page)
        return Outcome(why.url, "page", page=page)


def grams(words: str) -> set[tuple[str, str]]:
    found = re.findall(r"\w+", words.lower())
    return set(pairwise(found))


def content(done: Drive, site: Site) -> float:
    """Return the share of the distinct 2-grams of a demo site's true texts that was fetched."""
    wanted = set().union(*(grams(true.text) for true in site.truth.texts))
    seen = set().union(*(grams(text(page)) for page in done.pages if page.status == 200))
    return len(wanted & seen) / len(wanted)
