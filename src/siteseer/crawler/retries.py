"""Retries failed URLs later, apart from the others.

The first few failing URLs of a host are tried again with growing pauses. Where one of them comes, so may the others;
where none does, each of the others gets one more try. A path below which every URL fails is tried a few times more
(`failing_paths`), then left.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from siteseer.crawler.frontier import Entry, Frontier
from siteseer.crawler.hosts.failing_paths import FailingPath, FailingPaths
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.page.urls import host_of
from siteseer.strategies.redirects_and_assets import ASSETS

FIRST = 3
"""So many failing URLs of a host are tried again before the others are."""
LAST_TRIES = 2
"""Tries of each URL where others of its host did not come with many."""


@dataclass(slots=True)
class _HostRetries:
    """The failing URLs of one host."""

    first: set[int] = field(default_factory=set)
    """Numbers of the URLs that are tried again before the others."""
    parked: list[Entry] = field(default_factory=list)
    """What waits for them."""
    is_hopeless: bool = False
    """Whether trying again has brought nothing."""
    has_helped: bool = False


class Retries:
    """The URLs of a crawl that failed and wait for another try."""

    def __init__(self, frontier: Frontier, visits: PoliteFetcher, clock: Callable[[], float] = time.monotonic) -> None:
        self.frontier, self.visits, self.limits, self._clock = frontier, visits, visits.limits, clock
        self.paths = FailingPaths()
        self._tries = frontier.tries
        self._aside: list[tuple[float, int, Entry]] = []
        self._hosts: defaultdict[str, _HostRetries] = defaultdict(_HostRetries)
        self.given_up: list[tuple[Entry, str]] = []
        """URLs that are not asked for any more, with the reason: whoever drives the crawl writes that down."""

    def __len__(self) -> int:
        """Return how many URLs wait for another try, or for their path to answer."""
        held = sum(len(path.held) for path in self.paths.doubted.values())
        return len(self._aside) + held + sum(len(host.parked) for host in self._hosts.values())

    def tries(self, entry: Entry) -> int:
        """Return how often a URL was asked for in vain."""
        return self._tries[entry.id]

    # ── what became of a URL ──────────────────────────────────────────────────────────────────────────────────────

    def try_later(self, entry: Entry, failure: str, asked: float | None = None) -> bool:
        """Put a URL that failed aside; say False where it has had its tries. `asked` is the pause the host wants."""
        self._tries[entry.id] += 1
        tries, url = self._tries[entry.id], entry.action.url
        self.frontier.note_failure(entry, failure)
        health = self.visits.health[host_of(url)]
        if health.stopped:
            self._put_back([entry])
            return True
        if (doubted := self.paths.path_of(url)) is not None:
            self._tried(doubted, entry, failure)
        elif tries == 1:
            health.record(url, False, failure)
            self._doubt(entry)
        too_long = asked is not None and asked > self.limits.retry_after_max
        if too_long or tries >= self._most(entry) or self.paths.why_left(url):
            self._drop(entry)
            return False
        pause = self.limits.retry_seconds * 2 ** (tries - 1)
        self._set_aside(entry, pause if asked is None else asked)
        return True

    def succeed(self, entry: Entry, is_page: bool) -> None:
        """Note that a URL was answered, with a page or otherwise."""
        url = entry.action.url
        host, retried = host_of(url), self._tries.pop(entry.id, 0)
        self.visits.health[host].record(url, True, is_page=is_page)
        self._put_back(self.paths.succeed(url))
        if retried:
            group = self._hosts[host]
            group.first.discard(entry.id)
            group.has_helped, group.is_hopeless = True, False
            self._unpark(group)

    def fail(self, entry: Entry, failure: str) -> None:
        """Note that a URL failed for good."""
        if not self._tries[entry.id]:
            self._tries[entry.id] = 1
            self.visits.health[host_of(entry.action.url)].record(entry.action.url, False, failure)
        self._drop(entry)

    # ── what waits ────────────────────────────────────────────────────────────────────────────────────────────────

    def hold(self, entry: Entry) -> bool:
        """Hold a URL back, or give it up, where its path does not answer; say False where it may be asked for."""
        if because := self.paths.why_left(entry.action.url):
            self.given_up.append((entry, because))
            return True
        doubted = self.paths.path_of(entry.action.url)
        if doubted is None or doubted.trial == entry.id or self._tries[entry.id]:
            return False
        doubted.held.append(entry)
        return True

    def release_due(self) -> int:
        """Let those wait in the frontier again whose pause is over; return how many these are."""
        now, released = self._clock(), list[Entry]()
        while self._aside and self._aside[0][0] <= now:
            released.append(heappop(self._aside)[2])
        for doubted in self.paths.doubted.values():
            if doubted.held and doubted.trial is None and doubted.due <= now:
                entry = doubted.held.pop(0)
                doubted.trial = entry.id
                released.append(entry)
        self._put_back(released)
        return len(released)

    def release_stuck(self) -> None:
        """Let those wait in the frontier again whose turn depends on URLs that nobody asks for any more."""
        if not self._aside:
            for group in self._hosts.values():
                group.first.clear()
                group.is_hopeless = not group.has_helped
                self._unpark(group)
        for doubted in self.paths.doubted.values():
            doubted.trial = None

    def release_all(self, host: str | None = None) -> None:
        """Let everything wait in the frontier again, of one host or of all: the crawl ends, or the host is stopped."""
        released = [entry for _, _, entry in self._aside]
        for group in self._hosts.values():
            released += group.parked
        for doubted in self.paths.doubted.values():
            released += doubted.held
        taken = {entry.id for entry in released if host is None or host_of(entry.action.url) == host}
        self._remove(taken)
        self._put_back(entry for entry in released if entry.id in taken)
        self.frontier.keep_tries(taken)

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _most(self, entry: Entry) -> int:
        most = self.limits.retries + 1
        if entry.action.family == ASSETS or self._hosts[host_of(entry.action.url)].is_hopeless:
            return min(most, LAST_TRIES)
        return most

    def _set_aside(self, entry: Entry, pause: float) -> None:
        group = self._hosts[host_of(entry.action.url)]
        if not group.has_helped and not group.is_hopeless and entry.id not in group.first:
            if len(group.first) >= FIRST:
                group.parked.append(entry)
                return
            group.first.add(entry.id)
        heappush(self._aside, (self._clock() + pause, entry.id, entry))

    def _drop(self, entry: Entry) -> None:
        """Try a URL no more; where the first ones did not come, give the others their last try."""
        group = self._hosts[host_of(entry.action.url)]
        group.first.discard(entry.id)
        if not group.first and not group.has_helped and group.parked:
            group.is_hopeless = True
            self._unpark(group)

    def _unpark(self, group: _HostRetries) -> None:
        parked, group.parked = group.parked, []
        self._put_back(parked)

    def _put_back(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.frontier.put_back(entry)

    def _remove(self, numbers: set[int]) -> None:
        self._aside = [one for one in self._aside if one[2].id not in numbers]
        heapify(self._aside)
        for group in self._hosts.values():
            group.parked = [entry for entry in group.parked if entry.id not in numbers]
            group.first -= numbers
        for doubted in self.paths.doubted.values():
            doubted.held = [entry for entry in doubted.held if entry.id not in numbers]

    # ── paths below which everything fails ────────────────────────────────────────────────────────────────────────

    def _doubt(self, entry: Entry) -> None:
        if path := self.paths.fail(entry):
            health = self.visits.health[host_of(entry.action.url)]
            due = self._clock() + self.limits.retry_seconds
            self.paths.doubted[path] = FailingPath(path, health.good_answers, due)
            health.recent.clear()  # the host is judged by what lies elsewhere

    def _tried(self, doubted: FailingPath, entry: Entry, failure: str) -> None:
        if doubted.trial != entry.id:
            return
        health = self.visits.health[host_of(entry.action.url)]
        health.failed_url, health.last_failure = entry.action.url, failure
        doubted.trial = None
        doubted.trials += 1
        doubted.due = self._clock() + self.limits.retry_seconds * 2**doubted.trials
        if doubted.trials < self.limits.retries:
            return
        if health.good_answers == doubted.good_answers:
            health.is_suspected = True  # perhaps it is not the path: the host is asked for a page that it had
        else:
            self._leave(doubted, failure)

    def _leave(self, doubted: FailingPath, failure: str) -> None:
        because = f"not asked for: every URL that was tried below {doubted.path} failed ({failure})"
        self.paths.left[doubted.path] = because
        del self.paths.doubted[doubted.path]
        below = [*doubted.held, *(one for _, _, one in self._aside)]
        for group in self._hosts.values():
            below += group.parked
        below = [entry for entry in below if entry.action.url.startswith(doubted.path)]
        self._remove({entry.id for entry in below})
        self.given_up += [(entry, failure if self._tries[entry.id] else because) for entry in below]
