"""Stores the state of a campaign's sites in SQLite: relevance, requests spent, and links waiting for each site.

Links to other sites are remembered in the collection where they were found, in the same transaction as the page; here
they are delivered once, because the position up to which each site's were delivered is written together with them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siteseer.campaigns.hub_credit import raise_hub_credit
from siteseer.campaigns.ledger_schema import RUNNING as RUNNING
from siteseer.campaigns.ledger_schema import SCHEMA
from siteseer.campaigns.ledger_schema import SET_ASIDE as SET_ASIDE
from siteseer.campaigns.ledger_schema import WAITING as WAITING
from siteseer.campaigns.ledger_schema import Report as Report
from siteseer.campaigns.ledger_schema import SiteRow as SiteRow
from siteseer.collection.database_errors import roll_back, translate_error
from siteseer.crawler.link_scores import MOST_TOLD, WORTH_TELLING
from siteseer.errors import ArchiveError
from siteseer.model import JSON, Action, Follow, Vote
from siteseer.page.text_hash import hash_of
from siteseer.page.urls import host_of
from siteseer.strategies.noisy_or import group_score, joined_score
from siteseer.workers.registry import WorkerRow

LAST = 7
"""The last pages of a site tell what the next will be: a site may be on the topic only in part."""
DOUBT = 2.0
"""As if so many pages of a site had been relevant to the degree of `AT_FIRST`: one poor page condemns nobody."""
AT_FIRST = 0.35
SMALLEST = 0.001
"""A site whose best URL promises less than this still waits for its turn with this."""


_MOVED = "moved to "
"""What facts about sites begin with whose first page redirects to another."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A link that the crawl of one site sends to that of another."""

    url: str
    score: float
    because: str
    source: str
    """The host that says so, or what else does."""
    inherited: float
    referrer: str
    team: int = 0
    """The links beside it on its page; 0 is none."""
    has_moved: bool = False
    """Whether the first page of the source redirects there."""


class CampaignLedger:
    """The open ledger of a campaign."""

    def __init__(self, folder: Path, most_sites: int, social: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.most_sites, self.social = most_sites, social
        try:
            self.db = sqlite3.connect(folder / "campaign.db", isolation_level=None)
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")
            self.db.executescript(SCHEMA)
        except sqlite3.OperationalError as error:
            raise translate_error(error) from error
        except sqlite3.DatabaseError as error:
            raise ArchiveError(f"{folder / 'campaign.db'} cannot be read ({error}); use another directory") from error

    def about(self, name: str) -> str | None:
        """Return the value of one property of the campaign."""
        row = self.db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else None

    def say(self, name: str, value: str) -> None:
        """Set one property of the campaign."""
        self.db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def sites(self, where: str = "1", values: Sequence[Any] = ()) -> list[SiteRow]:
        """Return sites, in the order in which they get slices."""
        rows = self.db.execute(
            "SELECT host, first, best, slices, served, requests, bytes, pages, relevant, trust, errors, delivered, "
            "status, "
            f"reason FROM sites WHERE {where}",
            values,
        )
        found = [SiteRow(*row) for row in rows]
        return sorted(found, key=lambda one: (-round(one.promise, 1), one.served, one.host))

    def spent(self) -> tuple[int, int]:
        """Return the requests and bytes of all sites."""
        return self.db.execute("SELECT total(requests), total(bytes) FROM sites").fetchone()  # type: ignore[no-any-return]

    def workers(self) -> list[WorkerRow]:
        """Return the workers that ever registered, by name; a campaign in one process has none."""
        rows = self.db.execute(
            "SELECT name, host, site, since, seen, slices, pages, requests FROM workers ORDER BY name"
        )
        return [WorkerRow(*row) for row in rows]

    def saw(self, worker: WorkerRow) -> None:
        """Store the latest registration of a worker."""
        values = [getattr(worker, name) for name in WorkerRow.__slots__]
        self.db.execute("INSERT OR REPLACE INTO workers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def begin(self, host: str) -> None:
        """Record that a slice of a site begins."""
        self.db.execute(
            "UPDATE sites SET status = ?, slices = slices + 1, served = (SELECT max(served) + 1 FROM sites) "
            "WHERE host = ?",
            (RUNNING, host),
        )

    def give_back(self, host: str, status: str, reason: str = "") -> None:
        """Return a site to the queue when its slice failed, or set it aside."""
        self.db.execute("UPDATE sites SET status = ?, reason = ? WHERE host = ?", (status, reason, host))

    def rescore(self, host: str, report: Report) -> None:
        """Store the relevance of a site's pages by another definition."""
        row = report.relevant, report.trust, host
        self.db.execute("UPDATE sites SET relevant = ?, trust = ? WHERE host = ?", row)

    def letters(self, host: str) -> tuple[int, list[JSON]]:
        """Return the links that wait for a site, and the number of the last row."""
        rows = self.db.execute(
            "SELECT row, url, score, because, source, inherited, referrer, team FROM inbox WHERE host = ? ORDER BY row",
            (host,),
        ).fetchall()
        return (rows[-1][0] if rows else 0), [list(row[1:]) for row in rows]

    def origin(self, url: str) -> JSON:
        """Return the relevance that the first page of a site inherits, and the group of the link that led to it."""
        row = self.db.execute(
            "SELECT inherited, team FROM inbox WHERE url = ? ORDER BY inherited DESC, team DESC LIMIT 1", (url,)
        ).fetchone()
        return _origin(*row) if row else _origin(0.0, 0)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Commit everything that the block writes, or nothing."""
        self.db.execute("BEGIN")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            roll_back(self.db)
            raise

    def end(
        self,
        host: str,
        taken: int,
        report: Report,
        outbox: Iterable[tuple[int, JSON]],
        also: Callable[[], None] = lambda: None,
    ) -> None:
        """Record the result of a slice, deliver its links to other sites, and call `also`, in one transaction."""
        with self.whole():
            also()
            self.db.execute("DELETE FROM inbox WHERE host = ? AND row <= ?", (host, taken))
            delivered = None
            for number, row in outbox:
                delivered = number
                self.appraise(*row) if len(row) == 2 else self.deliver(Letter(*row))
            arrived = self.db.execute("SELECT max(score) FROM inbox WHERE host = ?", (host,)).fetchone()[0] or 0.0
            self.db.execute(
                "UPDATE sites SET best = ?, requests = ?, bytes = ?, pages = ?, relevant = ?, trust = ?, errors = ?, "
                "status = ?, reason = ?, delivered = coalesce(?, delivered) WHERE host = ?",
                (max(report.best, arrived), report.requests, report.bytes, report.pages, report.relevant, report.trust,
                 report.errors, report.status, report.reason, delivered, host),
            )  # fmt: skip

    def appraise(self, team: int, degree: float) -> None:
        """Update a group of links with the relevance that one of them brought; the scores of the others change
        accordingly.
        """
        pages, degrees, told = self.db.execute(
            "INSERT INTO teams VALUES (?, 1, ?, 0) ON CONFLICT DO UPDATE SET pages = pages + 1, "
            "degrees = degrees + excluded.degrees RETURNING pages, degrees, told",
            (team, degree),
        ).fetchone()
        promise = group_score(degrees, pages)
        if promise < told + WORTH_TELLING:
            return
        self.db.execute("UPDATE teams SET told = ? WHERE team = ?", (promise, team))
        because = f"links beside it brought relevant pages ({degrees:.1f} of {pages})"
        for url, inherited, referrer in self.db.execute(
            "SELECT url, inherited, referrer FROM cited WHERE team = ? LIMIT ?", (team, MOST_TOLD)
        ).fetchall():
            self.deliver(Letter(url, promise, because, f"beside {team}", inherited, referrer, team))

    def moved_to(self) -> dict[str, str]:
        """Return the hosts to which the first pages of other hosts redirect, with those hosts."""
        rows = self.db.execute("SELECT name, value FROM about WHERE name >= ? AND name < ?", (_MOVED, f"{_MOVED}~"))
        return {name.removeprefix(_MOVED): value for name, value in rows}

    def deliver(self, letter: Letter) -> None:
        """Queue a URL for the crawl of its site; a site that is not known yet joins if there is room."""
        url, score, source, team = letter.url, letter.score, letter.source, letter.team
        if letter.has_moved:
            self.say(_MOVED + host_of(url), source)
        host, mark = host_of(url), hash_of(f"{score} {source} {url}")
        others = dict(self.db.execute("SELECT source, max(score) FROM inbox WHERE url = ? GROUP BY source", (url,)))
        others[source] = max(score, others.get(source, 0.0))
        best = max(joined_score(list(others.values()), self.social), SMALLEST)
        known = self.db.execute("SELECT best FROM sites WHERE host = ?", (host,)).fetchone()
        if known is None:
            if self.db.execute("SELECT count(*) FROM sites").fetchone()[0] >= self.most_sites:
                return
            self.db.execute(
                "INSERT INTO sites (host, first, best, trust) VALUES (?, ?, ?, ?)", (host, url, best, AT_FIRST)
            )
        elif known[0] < best:
            self.db.execute("UPDATE sites SET best = ? WHERE host = ?", (best, host))
        self.db.execute(
            "INSERT OR IGNORE INTO inbox (host, mark, url, score, because, source, inherited, referrer, team) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (host, mark, url, score, letter.because, source, letter.inherited, letter.referrer, team),
        )
        if team:
            self.db.execute(
                "INSERT OR IGNORE INTO cited VALUES (?, ?, ?, ?)", (team, url, letter.inherited, letter.referrer)
            )
        for one in raise_hub_credit(self.db, url, source, score, self.social):
            self.deliver(Letter(one.url, one.score, one.because, host_of(url), one.score, url, one.team))

    def close(self) -> None:
        """Close the database."""
        self.db.close()


def arrivals_of(letters: Iterable[JSON]) -> list[Action]:
    """Return the links that other sites found, as the crawl of a site takes them."""
    found = list[Action]()
    for url, score, because, source, inherited, referrer, team in letters:
        found.append(Vote(url, score, because, source, team))
        state = {**_origin(inherited, team), "inside": None}
        found.append(Follow(url, f"link of another site: {because}", "links", score, state, referrer, 1))
    return found


def _origin(inherited: float, team: int) -> dict[str, JSON]:
    return {"inherited": inherited, "group": team, "arrived": True}


def trust(degrees: Sequence[float]) -> float:
    """Return how far a site's link scores are trusted, given the relevance of its last pages.

    >>> trust([]), trust([0.0] * LAST) < 0.1 < 0.7 < trust([0.9] * LAST)
    (0.35, True)
    """
    return (sum(degrees) + AT_FIRST * DOUBT) / (len(degrees) + DOUBT)
