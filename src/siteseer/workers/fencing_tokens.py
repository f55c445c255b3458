"""Issues fencing tokens for slices on other machines, and accepts each result only under the current token.

A slice has a token of its own. Its result is accepted once, and only while the site waits for that very token: when a
worker that was thought dead comes back with a result, it is refused.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from siteseer.errors import ArchiveError, UsageError

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
    """A slice that runs on another machine."""

    host: str
    token: str
    requests: int
    least: float
    taken: int
    """The last of the links that went with it."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The files in shared storage that an accepted slice added to a site, with their lengths."""

    token: str
    files: tuple[tuple[str, int], ...]
    again: float
    """When the site may be asked again, in seconds since 1970."""


class SliceLedger(Protocol):
    """The ledger of the slices' owner, in the same database and transaction as the tokens."""

    @property
    def db(self) -> sqlite3.Connection:
        """The database, in which the tokens have tables of their own."""

    def whole(self) -> AbstractContextManager[None]:
        """Commit everything that the block writes, or nothing."""

    def begin(self, host: str) -> None:
        """Record that a slice of a site begins."""

    def give_back(self, host: str, status: str, reason: str) -> None:
        """Record that a slice failed, and why."""

    def about(self, name: str) -> str | None:
        """Return the value of one property of the campaign."""


class FencingTokens:
    """The slices of one campaign that run or ran on other machines."""

    def __init__(self, ledger: SliceLedger) -> None:
        self.ledger, self.db = ledger, ledger.db
        self.db.executescript(SCHEMA)

    def issue(self, one: Outstanding) -> None:
        """Record that a slice begins on another machine, in one transaction."""
        with self.ledger.whole():
            self.ledger.begin(one.host)
            self.db.execute(
                "INSERT INTO outstanding VALUES (?, ?, ?, ?, ?)",
                (one.host, one.token, one.requests, one.least, one.taken),
            )

    def outstanding(self) -> dict[str, Outstanding]:
        """Return the running slices, by site."""
        return {row[0]: Outstanding(*row) for row in self.db.execute("SELECT * FROM outstanding").fetchall()}

    def accept(self, host: str, checkpoint: Checkpoint) -> None:
        """Accept a slice's files into the archive, within the transaction that records its report."""
        found = self.db.execute("DELETE FROM outstanding WHERE host = ? AND token = ?", (host, checkpoint.token))
        if found.rowcount != 1:
            raise ArchiveError(f"the result {checkpoint.token} for {host} is not the one that is waited for")
        self.db.execute("DELETE FROM failures WHERE host = ?", (host,))
        self.add(host, checkpoint)

    def add(self, host: str, checkpoint: Checkpoint, assembled: bool = False) -> None:
        """Record the checkpoint of a site."""
        self.db.execute(
            "INSERT INTO checkpoints (host, token, files, again, assembled) VALUES (?, ?, ?, ?, ?)",
            (host, checkpoint.token, json.dumps(checkpoint.files), checkpoint.again, int(assembled)),
        )

    def refuse(self, one: Outstanding, status: str, reason: str) -> None:
        """Give a site back whose slice was lost: results under its token are refused from now on."""
        with self.ledger.whole():
            self.db.execute("DELETE FROM outstanding WHERE host = ? AND token = ?", (one.host, one.token))
            self.ledger.give_back(one.host, status, reason)

    def failed(self, host: str) -> int:
        """Count a failed slice; return how many in a row failed."""
        row = self.db.execute(
            "INSERT INTO failures VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count", (host,)
        ).fetchone()
        return int(row[0])

    def forgive(self) -> None:
        """Reset the counts of failures: the campaign starts again."""
        self.db.execute("DELETE FROM failures")

    def checkpoints(self, host: str) -> list[Checkpoint]:
        """Return the checkpoints of a site, oldest first."""
        rows = self.db.execute("SELECT token, files, again FROM checkpoints WHERE host = ? ORDER BY number", (host,))
        return [Checkpoint(token, _files(files), again) for token, files, again in rows]

    def unassembled(self) -> list[str]:
        """Return the sites whose collection in the campaign's directory is older than their last checkpoint."""
        return [host for (host,) in self.db.execute("SELECT DISTINCT host FROM checkpoints WHERE NOT assembled")]

    def assembled(self, host: str) -> None:
        """Record that a site's collection is complete in the campaign's directory."""
        self.db.execute("UPDATE checkpoints SET assembled = 1 WHERE host = ?", (host,))

    def leave(self) -> None:
        """Let this process crawl the sites; raise where a part of them is still on other machines."""
        if self.outstanding() or self.unassembled():
            storage = self.ledger.about("storage")
            raise UsageError(f"a part of this campaign is still in {storage}: go on with it with --engine celery")
        self.db.execute("DELETE FROM checkpoints")


def _files(text: str) -> tuple[tuple[str, int], ...]:
    listed: Sequence[Sequence[object]] = json.loads(text)
    return tuple((str(name), int(str(size))) for name, size in listed)
