"""What a campaign knows of its sites, on disk: what each promises and has cost, and the links that wait for it.

Links to other sites are remembered in the collection where they were found, in the same transaction as the page; here
they are delivered once, because the position up to which each site's were delivered is written together with them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from siteseer.crawl.state import translated
from siteseer.crawl.votes import MOST_TOLD, WORTH_TELLING
from siteseer.decide.focused.promises import joined, kept_promise
from siteseer.decide.focused.runs import hash_of
from siteseer.errors import ArchiveError
from siteseer.jobs.campaign.lists import raised
from siteseer.jobs.campaign.schema import RUNNING as RUNNING
from siteseer.jobs.campaign.schema import SCHEMA, WorkerRow
from siteseer.jobs.campaign.schema import SET_ASIDE as SET_ASIDE
from siteseer.jobs.campaign.schema import WAITING as WAITING
from siteseer.jobs.campaign.schema import Report as Report
from siteseer.jobs.campaign.schema import SiteRow as SiteRow
from siteseer.model import JSON, Action, Follow, Vote
from siteseer.page.urls import host_of

LAST = 7
"""The last pages of a site tell what the next will be: a site may be on the topic only in part."""
DOUBT = 2.0
"""As if so many pages of a site had been relevant to the degree of `AT_FIRST`: one poor page condemns nobody."""
AT_FIRST = 0.35
SMALLEST = 0.001
"""A site whose best URL promises less than this still waits for its turn with this."""


_MOVED = "moved to "
"""What facts about sites begin with whose first page redirects to another."""


class Ledger:
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
            raise translated(error) from error
        except sqlite3.DatabaseError as error:
            raise ArchiveError(f"{folder / 'campaign.db'} cannot be read ({error}); use another directory") from error

    def about(self, name: str) -> str | None:
        """Return one fact about the campaign."""
        row = self.db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else None

    def say(self, name: str, value: str) -> None:
        """Set one fact about the campaign."""
        self.db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def sites(self, where: str = "1", values: Sequence[Any] = ()) -> list[SiteRow]:
        """Return sites, in the order in which their turns come."""
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
        """Return the workers that were ever heard of, by name; a campaign in one process has none."""
        rows = self.db.execute(
            "SELECT name, host, site, since, seen, slices, pages, requests FROM workers ORDER BY name"
        )
        return [WorkerRow(*row) for row in rows]

    def saw(self, worker: WorkerRow) -> None:
        """Write down what a worker said of itself."""
        values = [getattr(worker, name) for name in WorkerRow.__slots__]
        self.db.execute("INSERT OR REPLACE INTO workers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def begin(self, host: str) -> None:
        """Write down that a slice of a site begins."""
        self.db.execute(
            "UPDATE sites SET status = ?, slices = slices + 1, served = (SELECT max(served) + 1 FROM sites) "
            "WHERE host = ?",
            (RUNNING, host),
        )

    def give_back(self, host: str, status: str, reason: str = "") -> None:
        """Let a site wait whose slice came to nothing, or set it aside."""
        self.db.execute("UPDATE sites SET status = ?, reason = ? WHERE host = ?", (status, reason, host))

    def reweigh(self, host: str, report: Report) -> None:
        """Write down what the pages of a site are worth by another definition."""
        row = report.relevant, report.trust, host
        self.db.execute("UPDATE sites SET relevant = ?, trust = ? WHERE host = ?", row)

    def letters(self, host: str) -> tuple[int, list[JSON]]:
        """Return what waits to be handed to a site, and the number of its last row."""
        rows = self.db.execute(
            "SELECT row, url, score, because, source, inherited, referrer, team FROM inbox WHERE host = ? ORDER BY row",
            (host,),
        ).fetchall()
        return (rows[-1][0] if rows else 0), [list(row[1:]) for row in rows]

    def origin(self, url: str) -> JSON:
        """Return what the first page of a site inherits, and the group of the link that brought it."""
        row = self.db.execute(
            "SELECT inherited, team FROM inbox WHERE url = ? ORDER BY inherited DESC, team DESC LIMIT 1", (url,)
        ).fetchone()
        return _origin(*row) if row else _origin(0.0, 0)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Write all of what the block writes, or nothing."""
        self.db.execute("BEGIN")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            self.db.execute("ROLLBACK")
            raise

    def end(
        self,
        host: str,
        taken: int,
        report: Report,
        outbox: Iterable[tuple[int, JSON]],
        also: Callable[[], None] = lambda: None,
    ) -> None:
        """Write down what a slice left behind, and deliver its links to other sites, and do `also`: all or nothing."""
        with self.whole():
            also()
            self.db.execute("DELETE FROM inbox WHERE host = ? AND row <= ?", (host, taken))
            delivered = None
            for number, row in outbox:
                delivered = number
                self.appraise(*row) if len(row) == 2 else self.deliver(*row)
            arrived = self.db.execute("SELECT max(score) FROM inbox WHERE host = ?", (host,)).fetchone()[0] or 0.0
            self.db.execute(
                "UPDATE sites SET best = ?, requests = ?, bytes = ?, pages = ?, relevant = ?, trust = ?, errors = ?, "
                "status = ?, reason = ?, delivered = coalesce(?, delivered) WHERE host = ?",
                (max(report.best, arrived), report.requests, report.bytes, report.pages, report.relevant, report.trust,
                 report.errors, report.status, report.reason, delivered, host),
            )  # fmt: skip

    def appraise(self, team: int, degree: float) -> None:
        """Hear what one of the links that stand together on a page brought; the others then promise accordingly."""
        pages, degrees, told = self.db.execute(
            "INSERT INTO teams VALUES (?, 1, ?, 0) ON CONFLICT DO UPDATE SET pages = pages + 1, "
            "degrees = degrees + excluded.degrees RETURNING pages, degrees, told",
            (team, degree),
        ).fetchone()
        promise = kept_promise(degrees, pages)
        if promise < told + WORTH_TELLING:
            return
        self.db.execute("UPDATE teams SET told = ? WHERE team = ?", (promise, team))
        because = f"links beside it brought relevant pages ({degrees:.1f} of {pages})"
        for url, inherited, referrer in self.db.execute(
            "SELECT url, inherited, referrer FROM cited WHERE team = ? LIMIT ?", (team, MOST_TOLD)
        ).fetchall():
            self.deliver(url, promise, because, f"beside {team}", inherited, referrer, team)

    def moved_to(self) -> dict[str, str]:
        """Return the hosts that the first pages of other hosts have moved to, with those."""
        rows = self.db.execute("SELECT name, value FROM about WHERE name >= ? AND name < ?", (_MOVED, f"{_MOVED}~"))
        return {name.removeprefix(_MOVED): value for name, value in rows}

    def deliver(
        self, url: str, score: float, because: str, source: str, inherited: float, referrer: str, team: int = 0,
        has_moved: bool = False,
    ) -> None:  # fmt: skip
        """Let a URL wait for the crawl of its site; a site that is not known yet joins if there is room."""
        if has_moved:
            self.say(_MOVED + host_of(url), source)
        host, mark = host_of(url), hash_of(f"{score} {source} {url}")
        others = dict(self.db.execute("SELECT source, max(score) FROM inbox WHERE url = ? GROUP BY source", (url,)))
        others[source] = max(score, others.get(source, 0.0))
        best = max(joined(list(others.values()), self.social), SMALLEST)
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
            (host, mark, url, score, because, source, inherited, referrer, team),
        )
        if team:
            self.db.execute("INSERT OR IGNORE INTO cited VALUES (?, ?, ?, ?)", (team, url, inherited, referrer))
        for one in raised(self.db, url, source, score, self.social):
            self.deliver(one.url, one.score, one.because, host_of(url), one.score, url, one.team)

    def close(self) -> None:
        """Close the database."""
        self.db.close()


def arrivals_of(letters: Iterable[JSON]) -> list[Action]:
    """Return what the crawl of a site is told of the links that others found to it."""
    found = list[Action]()
    for url, score, because, source, inherited, referrer, team in letters:
        found.append(Vote(url, score, because, source, team))
        state = {**_origin(inherited, team), "inside": None}
        found.append(Follow(url, f"link of another site: {because}", "links", score, state, referrer, 1))
    return found


def _origin(inherited: float, team: int) -> dict[str, JSON]:
    return {"inherited": inherited, "group": team, "arrived": True}


def trust(degrees: Sequence[float]) -> float:
    """Return how far the promises of a site are believed whose last pages were relevant to these degrees.

    >>> trust([]), trust([0.0] * LAST) < 0.1 < 0.7 < trust([0.9] * LAST)
    (0.35, True)
    """
    return (sum(degrees) + AT_FIRST * DOUBT) / (len(degrees) + DOUBT)


def folder_name(host: str) -> str:
    """Return the name of the directory that a site's collection gets.

    >>> folder_name("site7.localhost:8000"), folder_name("..").startswith("site-")
    ('site7.localhost_8000', True)
    """
    name = re.sub(r"[^a-z0-9.-]", "_", host.lower())
    return name if name[:1].isalnum() and len(name) <= 100 else f"site-{hash_of(host):x}"
