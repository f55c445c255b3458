"""The database tables of a campaign's ledger: its sites, the links that wait for them, and its workers."""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sites (
  host TEXT PRIMARY KEY, first TEXT, best REAL, slices INTEGER DEFAULT 0, served INTEGER DEFAULT 0,
  requests INTEGER DEFAULT 0, bytes INTEGER DEFAULT 0, pages INTEGER DEFAULT 0, relevant INTEGER DEFAULT 0,
  trust REAL,
  errors INTEGER DEFAULT 0, delivered INTEGER DEFAULT 0, status TEXT DEFAULT 'waiting', reason TEXT DEFAULT '')
  WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sites_best ON sites (status, best);
CREATE TABLE IF NOT EXISTS inbox (
  row INTEGER PRIMARY KEY, host TEXT, mark INTEGER UNIQUE, url TEXT, score REAL, because TEXT, source TEXT,
  inherited REAL, referrer TEXT, team INTEGER);
CREATE INDEX IF NOT EXISTS inbox_host ON inbox (host, row);
CREATE INDEX IF NOT EXISTS inbox_url ON inbox (url);
CREATE TABLE IF NOT EXISTS cited (team INTEGER, url TEXT, inherited REAL, referrer TEXT, PRIMARY KEY (team, url))
  WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cited_referrer ON cited (referrer);
CREATE TABLE IF NOT EXISTS heard (url TEXT, source TEXT, score REAL, PRIMARY KEY (url, source)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS teams (team INTEGER PRIMARY KEY, pages INTEGER, degrees REAL, told REAL);
CREATE TABLE IF NOT EXISTS workers (
  name TEXT PRIMARY KEY, host TEXT, site TEXT, since REAL, seen REAL, slices INTEGER, pages INTEGER, requests INTEGER)
  WITHOUT ROWID;
"""


WAITING, RUNNING, SET_ASIDE = "waiting", "running", "set aside"


@dataclass(frozen=True, slots=True)
class SiteRow:
    """The ledger's row for a site."""

    host: str
    first: str
    """The URL that brought it into the campaign."""
    best: float
    """What the best of its waiting URLs promises; 0 where nothing waits."""
    slices: int
    served: int
    """When its last slice began, counted in slices."""
    requests: int
    bytes: int
    pages: int
    relevant: int
    trust: float
    """How far its promises are believed, by how relevant its last pages were."""
    errors: int
    delivered: int
    status: str
    reason: str

    @property
    def promise(self) -> float:
        """The expected relevance of the site's next page, given what its other pages brought."""
        return self.best * self.trust


@dataclass(frozen=True, slots=True)
class Report:
    """The report on a slice."""

    best: float
    requests: int
    bytes: int
    pages: int
    relevant: int
    trust: float
    errors: int
    status: str = WAITING
    reason: str = ""
