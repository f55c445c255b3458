"""Slices that were given to other machines, on disk: which token a site waits for, and which results were accepted.

A slice given away has a token of its own. What it left is taken into the campaign once, and only while the site waits
for that very token: a worker that was thought dead may come back with its result, nobody takes it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from siteseer.errors import ArchiveError, UsageError
from siteseer.jobs.campaign.ledger import Ledger

SCHEMA = """
CREATE TABLE IF NOT EXISTS outstanding (
  host TEXT PRIMARY KEY, token TEXT, requests INTEGER, least REAL, taken INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checkpoints (
  number INTEGER PRIMARY KEY, host TEXT, token TEXT, files TEXT, again REAL, assembled INTEGER DEFAULT 0);
CREATE INDEX IF NOT EXISTS checkpoints_host ON checkpoints (host, number);
CREATE TABLE IF NOT EXISTS failures (host TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Outstanding:
    """A slice that is under way elsewhere."""

    host: str
    token: str
    requests: int
    least: float
    taken: int
    """The last of the links that went with it."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What an accepted slice added to a site: files in shared storage, with their lengths."""

    token: str
    files: tuple[tuple[str, int], ...]
    again: float
    """When the site may be asked again, in seconds since 1970."""


class Tokens:
    """The slices of one campaign that are or were elsewhere."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.db = ledger, ledger.db
        self.db.executescript(SCHEMA)

    def issue(self, one: Outstanding) -> None:
        """Write down that a slice begins elsewhere, all or nothing."""
        with self.ledger.whole():
            self.ledger.begin(one.host)
            self.db.execute(
                "INSERT INTO outstanding VALUES (?, ?, ?, ?, ?)",
                (one.host, one.token, one.requests, one.least, one.taken),
            )

    def outstanding(self) -> dict[str, Outstanding]:
        """Return the slices that are under way, by site."""
        return {row[0]: Outstanding(*row) for row in self.db.execute("SELECT * FROM outstanding").fetchall()}

    def accept(self, host: str, checkpoint: Checkpoint) -> None:
        """Take a slice's files into the archive; within the transaction that takes its report."""
        found = self.db.execute("DELETE FROM outstanding WHERE host = ? AND token = ?", (host, checkpoint.token))
        if found.rowcount != 1:
            raise ArchiveError(f"the result {checkpoint.token} for {host} is not the one that is waited for")
        self.db.execute("DELETE FROM failures WHERE host = ?", (host,))
        self.add(host, checkpoint)

    def add(self, host: str, checkpoint: Checkpoint, assembled: bool = False) -> None:
        """Write down what belongs to a site."""
        self.db.execute(
            "INSERT INTO checkpoints (host, token, files, again, assembled) VALUES (?, ?, ?, ?, ?)",
            (host, checkpoint.token, json.dumps(checkpoint.files), checkpoint.again, int(assembled)),
        )

    def refuse(self, one: Outstanding, status: str, reason: str) -> None:
        """Give a site back whose slice was lost: whatever comes under its token is not taken any more."""
        with self.ledger.whole():
            self.db.execute("DELETE FROM outstanding WHERE host = ? AND token = ?", (one.host, one.token))
            self.ledger.give_back(one.host, status, reason)

    def failed(self, host: str) -> int:
        """Count a slice that came to nothing; return how many in a row did."""
        row = self.db.execute(
            "INSERT INTO failures VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count", (host,)
        ).fetchone()
        return int(row[0])

    def forgive(self) -> None:
        """Forget failures: the campaign begins anew."""
        self.db.execute("DELETE FROM failures")

    def checkpoints(self, host: str) -> list[Checkpoint]:
        """Return what a site is made of, oldest first."""
        rows = self.db.execute("SELECT token, files, again FROM checkpoints WHERE host = ? ORDER BY number", (host,))
        return [Checkpoint(token, _files(files), again) for token, files, again in rows]

    def unassembled(self) -> list[str]:
        """Return the sites whose collection in the campaign's directory is older than what was accepted."""
        return [host for (host,) in self.db.execute("SELECT DISTINCT host FROM checkpoints WHERE NOT assembled")]

    def assembled(self, host: str) -> None:
        """Write down that a site's collection is complete in the campaign's directory."""
        self.db.execute("UPDATE checkpoints SET assembled = 1 WHERE host = ?", (host,))

    def leave(self) -> None:
        """Let this process crawl the sites; complain where a part of them is still elsewhere."""
        if self.outstanding() or self.unassembled():
            storage = self.ledger.about("storage")
            raise UsageError(f"a part of this campaign is still in {storage}: go on with it with --engine celery")
        self.db.execute("DELETE FROM checkpoints")


def _files(text: str) -> tuple[tuple[str, int], ...]:
    listed: Sequence[Sequence[object]] = json.loads(text)
    return tuple((str(name), int(str(size))) for name, size in listed)
