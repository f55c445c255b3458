"""Keeps sessions of strategies for other crawlers: takes their pages, returns our actions.

A crawler in any language fetches; Siteseer looks at each page and says what is next. A session holds one strategy and
what it remembers; without a session every page is looked at by itself.
"""

from __future__ import annotations

import base64
import binascii
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from siteseer.collection.objects.object_json import cleaned, facts
from siteseer.errors import NotFoundError, UsageError
from siteseer.interfaces import Strategy, StrategyContext
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import (
    JSON,
    Action,
    Follow,
    Keep,
    Outcome,
    OutcomeKind,
    Page,
    Remember,
    Seed,
    Submit,
    WebObject,
)  # fmt: skip
from siteseer.page.urls import identity, resolve, wire
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions
from siteseer.strategies.scope import SeedScope

MOST_SESSIONS = 64
IDLE_SECONDS = 3600.0
"""A crawler that has not asked for an hour is gone."""
MOST_KNOWN = 1_000_000
"""URLs that one session remembers having asked for."""


class _Rows:
    """What a strategy remembers, for as long as its session lasts."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, JSON]] = {}

    def remember(self, row: Remember) -> None:
        self._rows.setdefault(row.kind, {})[row.key] = row.value

    def recall(self, kind: str) -> Iterable[tuple[str, JSON]]:
        return list(self._rows.get(kind, {}).items())

    def earlier_objects(self, url: str) -> Sequence[WebObject]:
        return ()

    def earlier_pages(self) -> Iterable[tuple[str, str]]:
        return ()


@dataclass(slots=True)
class Session:
    """One strategy at the service of another crawler."""

    id: str
    strategy: Strategy
    scope: SeedScope
    memory: _Rows = field(default_factory=_Rows)
    asked: dict[str, Follow | Submit] = field(default_factory=dict)
    used: float = 0.0
    lock: Lock = field(default_factory=Lock)

    def serialise(self, actions: Iterable[Action]) -> JSON:
        """Keep what is to be remembered; return the rest as JSON: `actions` and `objects`."""
        answer: dict[str, list[JSON]] = {"actions": [], "objects": []}
        for action in actions:
            if isinstance(action, Remember):
                self.memory.remember(action)
            elif isinstance(action, Keep):
                answer["objects"].append({**facts(cleaned(action.object)), "because": action.because})
            elif not isinstance(action, Follow | Submit) or self._is_new(action):
                answer["actions"].append(action_json(action))
        return answer

    def _is_new(self, action: Follow | Submit) -> bool:
        if not self.scope.verdict(action.url, action.depth).allowed or identity(action.url) in self.asked:
            return False
        if len(self.asked) >= MOST_KNOWN:
            raise UsageError(f"the session has asked for {MOST_KNOWN:,} URLs; begin another one")
        self.asked[identity(action.url)] = action
        return True


class Sessions:
    """The sessions of one service.

    >>> sessions = Sessions()
    >>> page = {"url": "http://e.org/", "body": "<a href=/a>a</a>", "headers": {"Content-Type": "text/html"}}
    >>> [one["url"] for one in sessions.decide_alone(page, "blind")["actions"] if one["action"] == "follow"]
    ['http://e.org/a']
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._sessions: dict[str, Session] = {}
        self._lock = Lock()
        self._clock = clock

    def begin(self, seeds: Sequence[str], strategy: str = "aware", **options: Any) -> tuple[Session, JSON]:
        """Begin a session; return it with the first actions."""
        session = self._made(seeds, strategy, options)
        with self._lock:
            now = self._clock()
            for name in [name for name, one in self._sessions.items() if now - one.used > IDLE_SECONDS]:
                del self._sessions[name]
            if len(self._sessions) >= MOST_SESSIONS:
                raise UsageError(f"{MOST_SESSIONS} sessions are open; end one of them")
            session.used = now
            self._sessions[session.id] = session
        with session.lock:
            begun = session.strategy.start([Seed(seed) for seed in session.scope.seeds], session.memory)
            return session, session.serialise(begun)

    def decide(self, name: str, page: JSON) -> JSON:
        """Tell a session what became of a URL; return what to do next."""
        session = self.get(name)
        outcome = outcome_of(page)
        with session.lock:
            session.used = self._clock()
            why = session.asked.get(identity(outcome.url)) or Follow(outcome.url, "asked for by the crawler")
            session.asked[identity(outcome.url)] = why
            return session.serialise(session.strategy.decide(outcome, why))

    def decide_alone(self, page: JSON, strategy: str = "aware") -> JSON:
        """Look at one page by itself: what it holds and where it leads."""
        outcome = outcome_of(page)
        session = self._made([outcome.url], strategy, {})
        for action in session.strategy.start([Seed(outcome.url)], session.memory):
            if isinstance(action, Remember):
                session.memory.remember(action)
        return session.serialise(session.strategy.decide(outcome, Follow(outcome.url, "asked for by the crawler")))

    def refill(self, name: str, room: int = 1) -> JSON:
        """Ask a session for more when the crawler's queue runs low; no action means that it is finished."""
        session = self.get(name)
        with session.lock:
            session.used = self._clock()
            return session.serialise(session.strategy.refill(room))

    def end(self, name: str) -> None:
        """Forget a session."""
        with self._lock:
            self._sessions.pop(self.get(name).id, None)

    def get(self, name: str) -> Session:
        """Return a session; raise NotFoundError where there is none of that id."""
        if name not in self._sessions:
            raise NotFoundError(f"there is no session {name[:60]!r}; it may have ended after an hour of silence")
        return self._sessions[name]

    def count(self) -> int:
        """Return how many sessions are open."""
        return len(self._sessions)

    @staticmethod
    def _made(seeds: Sequence[str], strategy: str, options: dict[str, Any]) -> Session:
        urls = [_url(seed) for seed in seeds]
        if not urls:
            raise UsageError("a session needs at least one seed")
        made = CrawlOptions(seeds=tuple(urls), collection=Path(), strategy=strategy, **options)
        scope = SeedScope(urls, made.scope, made.include, made.exclude, made.depth)
        thinker = strategy_factory(strategy)(StrategyContext(made, scope, KnowledgeBase.shipped))
        return Session(secrets.token_hex(12), thinker, scope)


def outcome_of(page: JSON) -> Outcome:
    """Return the outcome that a crawler tells of: `url`, `status`, `headers`, `body` or `body_base64`, or `error`."""
    url = _url(page["url"])
    if page.get("error"):
        return Outcome(url, "error", str(page["error"])[:300])
    named = page.get("headers") or {}
    headers = tuple((str(name), str(value)) for name, value in named.items())
    status = int(page.get("status") or 200)
    made = Page(url, status, headers, _body(page))
    location = made.header("location")
    if 300 <= status < 400 and location:
        return Outcome(url, "redirect", f"{status} to {location[:200]}", made, resolve(url, location))
    kind: OutcomeKind = "not-modified" if status == 304 else "page"
    return Outcome(url, kind, str(status), made)


def _body(page: JSON) -> bytes:
    if page.get("body_base64"):
        try:
            return base64.b64decode(page["body_base64"], validate=True)
        except (binascii.Error, ValueError) as error:
            raise UsageError(f"body_base64 is not base64: {error}") from error
    return str(page.get("body") or "").encode("utf-8", "replace")


def _url(text: str) -> str:
    try:
        url = wire(text)
    except ValueError:
        url = None
    if url is None:
        raise UsageError(f"{text[:200]!r} is no URL; write it as http://host/path")
    return url


def action_json(action: Action) -> JSON:
    """Return an action as JSON: its name under `action`, and what it says; nothing that is empty.

    >>> from siteseer.model import Skip, Vote
    >>> action_json(Skip("http://e.org/print/1", "print view", "print"))
    {'action': 'skip', 'url': 'http://e.org/print/1', 'because': 'print view', 'rule': 'print'}
    >>> action_json(Vote("http://e.org/a", 0.5, "its text", "link text"))["action"]
    'vote'
    """
    return {"action": type(action).__name__.lower(), **_filled(asdict(action))}


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", (), [], {})}
