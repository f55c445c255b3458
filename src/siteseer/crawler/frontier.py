"""The durable frontier: stores the status and reason of every URL of a crawl on disk, for millions of URLs.

URLs wait in families. The next URL of a host comes from its family of highest rank; among families of equal rank, the
URL of highest priority, then the one that was found first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from siteseer.collection.state import State
from siteseer.collection.url_status import DONE, FAILED, IN_FLIGHT, IN_VAIN, STATUS_NAMES, WAITING
from siteseer.crawler.link_scores import LinkScores
from siteseer.model import Follow, Skip, Submit
from siteseer.page.urls import digest_of, host_of, identity, url_key
from siteseer.strategies.redirects_and_assets import ASSETS

LIFTED = "lifted"
"""The family of URLs that a person took out of a rule's hands."""
_RECENT = 40_000
"""How many URLs are kept in memory to spare the database a question; about 10 MB."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A URL taken from the frontier."""

    id: int
    action: Follow | Submit


class Frontier:
    """The URLs of one crawl."""

    def __init__(self, state: State, crawl: int) -> None:
        self.state, self.db, self.crawl = state, state.db, crawl
        self.db.execute("UPDATE urls SET status = 0 WHERE crawl = ? AND status = 1", (crawl,))
        self._families: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._rank: dict[int, float] = {}
        for number, name, priority in self.db.execute(
            "SELECT id, name, priority FROM families WHERE crawl = ?", (crawl,)
        ):
            self._families[name], self._names[number], self._rank[number] = number, name, priority
        self._waiting: dict[str, Counter[int]] = {}
        for host, family, count in self.db.execute(
            "SELECT host, family, count(*) FROM urls WHERE crawl = ? AND status = 0 GROUP BY host, family", (crawl,)
        ):
            self._waiting.setdefault(host, Counter())[family] = count
        self.votes = LinkScores(state, crawl)
        self.tries = Counter[int]()
        """How often URLs that still wait were asked for in vain, by their numbers."""
        for number, count in self.db.execute(
            "SELECT id, count FROM tries JOIN urls USING (id) WHERE crawl = ? AND status = 0", (crawl,)
        ):
            self.tries[number] = count
        self._recent: set[str] = set()
        self._recent_skips: set[str] = set()

    @property
    def waiting(self) -> int:
        """How many URLs wait."""
        return sum(map(Counter.total, self._waiting.values()))

    def waiting_of(self, host: str) -> int:
        """How many URLs of a host wait."""
        return self._waiting[host].total() if host in self._waiting else 0

    def known_hosts(self) -> Iterable[str]:
        """Return the hosts that have, or had, waiting URLs."""
        return self._waiting.keys()

    def hosts(self) -> Iterator[str]:
        """Return the hosts that have waiting URLs."""
        return (host for host, families in list(self._waiting.items()) if families.total())

    def add(self, action: Follow | Submit) -> bool:
        """Let a URL wait; a URL that is known already stays as it is, unless it was skipped. Say whether it is new."""
        if self.has_just_met(action):
            return False
        if isinstance(action, Follow):
            self._keep_recent(action.url, self._recent)
        key = key_of(action)
        family = self._family(action.family)
        host = host_of(action.url)
        cursor = self.db.execute(
            "INSERT INTO urls (crawl, key, url, host, status, family, priority, depth, hops, state, because, referrer, "
            "request) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (crawl, key) DO UPDATE SET "
            "status = 0, "
            "family = excluded.family, priority = excluded.priority, depth = excluded.depth, state = excluded.state, "
            "hops = excluded.hops, request = excluded.request, "
            "because = excluded.because, rule = NULL, referrer = excluded.referrer WHERE status = 4",
            (
                *(self.crawl, key, action.url, host, family, action.priority, action.depth),
                action.hops if isinstance(action, Follow) else 0,
                _state_json(action),
                *(action.because, action.referrer, _request_json(action)),
            ),
        )
        if cursor.rowcount:
            self._waiting.setdefault(host, Counter())[family] += 1
            self.votes.apply(key)
        return bool(cursor.rowcount)

    def has_just_met(self, action: Follow | Submit) -> bool:
        """Say whether the URL was added a short while ago: a quick way to spare the database a question."""
        return action.url in self._recent and isinstance(action, Follow)

    def has_asked(self, url: str) -> bool:
        """Say whether a URL was asked for, or is being."""
        row = self.db.execute(
            "SELECT status FROM urls WHERE crawl = ? AND key = ?", (self.crawl, url_key(url))
        ).fetchone()
        return row is not None and row[0] in (IN_FLIGHT, DONE, FAILED)

    def skip(self, action: Skip, referrer: str = "") -> bool:
        """Write down that a URL is not fetched, and why; a URL that is known already stays as it is."""
        if action.url in self._recent or action.url in self._recent_skips:
            return False
        self._keep_recent(action.url, self._recent_skips)
        key = digest_of(identity(action.url))
        cursor = self.db.execute(
            "INSERT OR IGNORE INTO urls (crawl, key, url, host, status, because, rule, referrer) "
            "VALUES (?, ?, ?, ?, 4, ?, ?, ?)",
            (
                *(self.crawl, key, action.url, host_of(action.url), action.because, action.rule or action.because),
                action.referrer or referrer,
            ),
        )
        return bool(cursor.rowcount)

    def rank(self, family: str, priority: float) -> None:
        """Give a family its rank among the others."""
        number = self._family(family)
        self._rank[number] = priority
        self.db.execute("UPDATE families SET priority = ? WHERE id = ?", (priority, number))

    def take(self, host: str) -> Entry | None:
        """Take the next URL of a host; it is in flight until `finish`."""
        families = {family: count for family, count in self._waiting.get(host, Counter()).items() if count}
        if not families:
            return None
        best = max(self._rank[family] for family in families)
        heads = [self._head(host, family) for family in sorted(families) if self._rank[family] == best]
        row = min((head for head in heads if head is not None), key=lambda head: (-head[3], head[0]))
        self._waiting[host][row[2]] -= 1
        self.db.execute("UPDATE urls SET status = 1 WHERE id = ?", (row[0],))
        return Entry(row[0], self._action(row))

    def _head(self, host: str, family: int) -> tuple | None:  # type: ignore[type-arg]
        return self.db.execute(  # type: ignore[no-any-return]
            "SELECT id, url, family, priority, depth, hops, state, because, referrer, request FROM urls "
            "WHERE crawl = ? AND host = ? AND family = ? AND status = 0 ORDER BY priority DESC, id LIMIT 1",
            (self.crawl, host, family),
        ).fetchone()

    def _action(self, row: tuple) -> Follow | Submit:  # type: ignore[type-arg]
        _, url, family, priority, depth, hops, state, because, referrer, request = row
        memory = None if state is None else json.loads(state)
        name = self._names[family]
        if request is None:
            return Follow(url, because, name, priority, memory, referrer, depth, hops)
        extra = json.loads(request)
        if "method" not in extra:
            headers = tuple(map(tuple, extra["headers"]))
            return Follow(url, because, name, priority, memory, referrer, depth, hops, headers)
        fields = tuple((key, value) for key, value in extra["fields"])
        return Submit(url, because, extra["method"], fields, extra["encoding"], name, priority, memory, referrer, depth)

    def put_back(self, entry: Entry) -> None:
        """Let a URL that was taken wait again."""
        row = self.db.execute("SELECT host, family, status FROM urls WHERE id = ?", (entry.id,)).fetchone()
        if row[2] == IN_FLIGHT:
            self.db.execute("UPDATE urls SET status = 0 WHERE id = ?", (entry.id,))
            self._waiting.setdefault(row[0], Counter())[row[1]] += 1

    def note_failure(self, entry: Entry, failure: str) -> None:
        """Write down why a URL that will wait for another try did not come."""
        self.db.execute("UPDATE urls SET rule = ? WHERE id = ?", (f"{IN_VAIN}{failure}", entry.id))

    def wait_again(self, entry: Entry) -> None:
        """Let a URL that was asked for wait again, as if it had never been answered."""
        self.db.execute("UPDATE urls SET status = 1 WHERE id = ? AND status <> 0", (entry.id,))
        self.db.execute(
            "UPDATE urls SET because = ?, rule = NULL, capture = NULL, state = ? WHERE id = ?",
            (entry.action.because, _state_json(entry.action), entry.id),
        )
        self.put_back(entry)

    def forget(self, entry: Entry) -> None:
        """Forget a URL that was answered: it is new where it is found again."""
        self.db.execute("DELETE FROM urls WHERE id = ? AND status <> 0", (entry.id,))
        self._recent.discard(entry.action.url)

    def finish(self, entry: Entry, status: int, reason: str, capture: int | None = None) -> None:
        """Write down what became of a URL that was in flight; one that failed may be asked for once more later."""
        self.db.execute(
            "UPDATE urls SET status = ?, because = ?, rule = ?, capture = ?, state = CASE WHEN ? THEN state END "
            "WHERE id = ?",
            (status, entry.action.because if status == DONE else reason, reason, capture, status == FAILED, entry.id),
        )
        if status == FAILED:
            self.keep_tries((entry.id,))

    def add_failed(self, action: Follow, capture: int | None) -> None:
        """Write down a URL that was asked for in vain without having waited; one that is known stays as it is."""
        self.db.execute(
            "INSERT OR IGNORE INTO urls (crawl, key, url, host, status, family, priority, depth, hops, because, rule, "
            "referrer, capture) VALUES (?, ?, ?, ?, 3, ?, 0, ?, 0, ?, ?, ?, ?)",
            (
                *(self.crawl, url_key(action.url), action.url, host_of(action.url), self._family(action.family)),
                *(action.depth, action.because, action.because, action.referrer, capture),
            ),
        )

    def forget_failed(self, url: str, family: str) -> None:
        """Forget that a URL of a family failed: it came after all."""
        self.db.execute(
            "DELETE FROM urls WHERE crawl = ? AND key = ? AND status = 3 AND family = ?",
            (self.crawl, url_key(url), self._family(family)),
        )

    def keep_tries(self, numbers: Iterable[int]) -> None:
        """Write down how often URLs were asked for in vain."""
        rows = [(number, self.tries[number]) for number in numbers]
        self.db.executemany("INSERT OR REPLACE INTO tries VALUES (?, ?)", rows)

    def skip_taken(self, entry: Entry, because: str, rule: str) -> None:
        """Write down that a URL that was taken will not be fetched after all."""
        self.db.execute("UPDATE urls SET status = 4, because = ?, rule = ? WHERE id = ?", (because, rule, entry.id))

    def asked_for(self) -> Iterator[str]:
        """Return the URLs of pages that were asked for, with an answer or without."""
        rows = self.db.execute(
            "SELECT url FROM urls WHERE crawl = ? AND status IN (?, ?) AND family IS NOT ?",
            (self.crawl, DONE, FAILED, self._families.get(ASSETS, -1)),
        )
        return (str(url) for (url,) in rows)

    def skip_waiting(self, is_left: Callable[[str], bool], because: str, rule: str) -> int:
        """Skip the waiting URLs that are not wanted any more; return how many there were."""
        waiting = self.db.execute(
            "SELECT id, url, host, family FROM urls WHERE crawl = ? AND status = 0", (self.crawl,)
        ).fetchall()
        left = [row for row in waiting if is_left(row[1])]
        for number, _, host, family in left:
            self.db.execute("UPDATE urls SET status = 4, because = ?, rule = ? WHERE id = ?", (because, rule, number))
            self._waiting[host][family] -= 1
        return len(left)

    def lift(self, rule: str, urls: Sequence[str] = ()) -> int:
        """Let the URLs that a rule skipped wait after all, or only some of them; return how many do now."""
        keys = {url_key(url) for url in urls}
        skipped = self.db.execute(
            "SELECT id, key, host FROM urls WHERE crawl = ? AND status = 4 AND rule = ?", (self.crawl, rule)
        ).fetchall()
        lifted = [(number, host) for number, key, host in skipped if not keys or key in keys]
        family = self._family(LIFTED) if lifted else 0
        for number, host in lifted:
            self.db.execute(
                "UPDATE urls SET status = 0, family = ?, priority = 0, depth = coalesce(depth, 1), hops = 0, "
                "because = ?, rule = NULL WHERE id = ?",
                (family, f"the rule was lifted: {rule}", number),
            )
            self._waiting.setdefault(host, Counter())[family] += 1
        if lifted:
            self.db.execute("UPDATE crawls SET finished = NULL WHERE id = ?", (self.crawl,))
        return len(lifted)

    def mark_known(self, url: str, because: str, capture: int | None) -> None:
        """Write down that a URL was reached under another name, so that it is not asked for again."""
        key = digest_of(identity(url))
        row = self.db.execute(
            "SELECT id, status, host, family FROM urls WHERE crawl = ? AND key = ?", (self.crawl, key)
        ).fetchone()
        if row is None:
            self.db.execute(
                "INSERT INTO urls (crawl, key, url, host, status, because, rule, capture) "
                "VALUES (?, ?, ?, ?, 2, ?, ?, ?)",
                (self.crawl, key, url, host_of(url), because, because, capture),
            )
        elif row[1] == WAITING:
            self._waiting[row[2]][row[3]] -= 1
            self.db.execute(
                "UPDATE urls SET status = 2, because = ?, rule = ?, capture = ? WHERE id = ?",
                (because, because, capture, row[0]),
            )

    def pages_waiting(self, host: str) -> int:
        """How many URLs of a host wait that are no page requisites."""
        families = self._waiting.get(host, Counter())
        return sum(count for family, count in families.items() if self._names[family] != ASSETS)

    def fail_waiting(self, host: str, reason: str) -> int:
        """Write down that the waiting URLs of a host could not be had; return how many these are."""
        cursor = self.db.execute(
            "UPDATE urls SET status = 3, because = ?, rule = ? WHERE crawl = ? AND host = ? AND status = 0",
            (reason, reason, self.crawl, host),
        )
        self._waiting.pop(host, None)
        return cursor.rowcount

    def promising(self, least: float) -> tuple[float, int]:
        """Return the highest priority that waits, and how many URLs wait with at least that of the argument."""
        best, count = self.db.execute(
            "SELECT max(priority), sum(priority >= ?) FROM urls WHERE crawl = ? AND status = 0", (least, self.crawl)
        ).fetchone()
        return best or 0.0, count or 0

    def counts(self) -> Counter[str]:
        """Return how many URLs have each status."""
        rows = self.db.execute("SELECT status, count(*) FROM urls WHERE crawl = ? GROUP BY status", (self.crawl,))
        return Counter({STATUS_NAMES[status]: count for status, count in rows})

    def _family(self, name: str) -> int:
        if name not in self._families:
            cursor = self.db.execute(
                "INSERT INTO families (crawl, name, priority) VALUES (?, ?, 0)", (self.crawl, name)
            )
            number = int(cursor.lastrowid or 0)
            self._families[name], self._names[number], self._rank[number] = number, name, 0.0
        return self._families[name]

    @staticmethod
    def _keep_recent(url: str, recent: set[str]) -> None:
        if len(recent) >= _RECENT:
            recent.clear()
        recent.add(url)


def key_of(action: Follow | Submit) -> bytes:
    """Return the key of a URL, with the fields of a form that is sent in the body."""
    name = identity(action.url)
    if isinstance(action, Submit) and action.method == "POST":
        name += "\n" + json.dumps(action.fields, ensure_ascii=False)
    return digest_of(name)


def _state_json(action: Follow | Submit) -> str | None:
    return None if action.state is None else json.dumps(action.state, ensure_ascii=False)


def _request_json(action: Follow | Submit) -> str | None:
    if isinstance(action, Submit):
        return json.dumps({"method": action.method, "fields": action.fields, "encoding": action.encoding})
    return json.dumps({"headers": action.headers}) if action.headers else None
