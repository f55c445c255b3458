"""The URLs of a crawl that failed: listed in `reports/failed.jsonl`, asked for again when the crawl is run again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from siteseer.crawl.events import NO_SEED, OWN_ERROR, ROBOTS_MEMORY
from siteseer.crawl.frontier import url_key
from siteseer.crawl.keep import SCRIPTS
from siteseer.crawl.seed_results import seed_results
from siteseer.crawl.state import State
from siteseer.crawl.visit import may_pass
from siteseer.decide.common import ASSETS
from siteseer.decide.soft404 import PROBE
from siteseer.fetch.addresses import PRIVATE
from siteseer.fetch.robots import UNREAD
from siteseer.model import JSON

DEAD = (404, 405, 410)
"""Answers of links that lead nowhere: the site's own fault, and nothing that another try would bring."""
CLOSED = (401, 403, 407, 451)
"""Answers of pages that are not for everyone."""
AGAIN = "asked for again: it failed before"
NOT_PROCESSED = "could not be processed"
NOT_HELD = "not in the archive"
"""What `--offline` says of pages that its archive does not hold."""
_FAILED = (
    f"(u.status = 3 OR (u.status = 4 AND u.rule = 'robots' AND u.because LIKE '{UNREAD}%' AND u.family IS NOT NULL))"
)
"""What failed, or was not asked for because the host did not even give its robots.txt."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A URL that was asked for in vain."""

    number: int
    key: bytes
    url: str
    status: int | None
    because: str
    referrer: str
    tries: int
    family: str

    @property
    def reason(self) -> str:
        """Return why the URL failed, without the URL itself."""
        return self.because.replace(self.url, "it").removeprefix("not asked for: ")

    @property
    def is_asset(self) -> bool:
        """Say whether the URL is a picture, style sheet or script of a page."""
        return self.family == ASSETS

    @property
    def is_lost(self) -> bool:
        """Say whether a page is missing that the site seems to have."""
        is_known = self.status in DEAD or self.status in CLOSED or self.because.startswith((NOT_PROCESSED, NOT_HELD))
        return not is_known and not self.is_private and self.family not in (ASSETS, PROBE)

    @property
    def is_private(self) -> bool:
        """Say whether the URL was not asked for because its address lies in a private network."""
        return self.status is None and PRIVATE in self.because

    @property
    def may_pass(self) -> bool:
        """Say whether the URL may come when it is asked for again."""
        return may_pass(self.status) if self.status is not None else not self.because.startswith(NOT_HELD)

    def as_json(self) -> JSON:
        """Return the line of `reports/failed.jsonl`."""
        tries = self.tries or int(self.status is not None)
        return {
            "url": self.url, "status": self.status, "because": self.because, "from": self.referrer, "tries": tries
        }  # fmt: skip


def failures(state: State, crawl: int) -> Iterator[Failure]:
    """Return the URLs of a crawl that failed, in the order in which they were found."""
    rows = state.rows(
        "SELECT u.id, u.key, u.url, c.status, coalesce(u.because, ''), coalesce(u.referrer, ''), coalesce(t.count, 0), "
        "coalesce(f.name, '') FROM urls u LEFT JOIN captures c ON c.id = u.capture LEFT JOIN tries t ON t.id = u.id "
        "LEFT JOIN families f ON f.id = u.family "
        f"WHERE u.crawl = ? AND {_FAILED} ORDER BY u.id",
        (crawl,),
    )
    for row in rows:
        yield Failure(*row)


def asked_pages(state: State, crawl: int) -> int:
    """Return how many pages of a crawl were asked for, or given up before they were."""
    rows = state.rows(
        f"SELECT count(*) FROM urls u JOIN families f ON f.id = family WHERE u.crawl = ? AND (status = 2 OR {_FAILED}) "
        "AND f.name NOT IN (?, ?)",
        (crawl, ASSETS, PROBE),
    )
    return int(next(iter(rows))[0])


def ask_again(state: State, crawl: int, seeds: Sequence[str]) -> int:
    """Let the URLs wait again that failed for a reason that may pass, and the seeds that did; return how many do.

    robots.txt files that could not be read are asked for again too, and pages that an error of ours made useless.
    """
    keys = {url_key(result.url) for result in seed_results(state, crawl, seeds)}
    failed = [one for one in failures(state, crawl) if one.may_pass or one.key in keys]
    numbers = [one.number for one in failed if one.family != SCRIPTS]
    numbers += _with_failed_scripts(state, crawl, [one for one in failed if one.family == SCRIPTS])
    numbers += _with_own_errors(state, crawl)
    _forget_unread_robots(state, crawl)
    for number in numbers:
        state.db.execute(
            "UPDATE urls SET status = 0, because = ?, rule = NULL, capture = NULL WHERE id = ?", (AGAIN, number)
        )
        state.db.execute("DELETE FROM tries WHERE id = ?", (number,))
    if numbers:
        state.db.execute(
            "UPDATE urls SET status = 0, rule = NULL WHERE crawl = ? AND status = 4 AND rule = ? "
            "AND family IS NOT NULL",
            (crawl, NO_SEED),
        )
        state.db.execute("DELETE FROM urls WHERE crawl = ? AND status = 4 AND rule = ?", (crawl, NO_SEED))
        state.db.execute("UPDATE crawls SET finished = NULL WHERE id = ?", (crawl,))
    return len(numbers)


def _with_failed_scripts(state: State, crawl: int, failed: Sequence[Failure]) -> list[int]:
    """Forget what scripts asked for in vain; return the numbers of the pages that asked, which are shown again."""
    found: set[int] = set()
    for failure in failed:
        pages = state.rows(
            "SELECT id FROM urls WHERE crawl = ? AND key = ? AND status IN (2, 3) AND family IS NOT NULL",
            (crawl, url_key(failure.referrer)),
        )
        found |= {number for (number,) in pages}
        state.db.execute("DELETE FROM urls WHERE id = ?", (failure.number,))
    return sorted(found)


def _with_own_errors(state: State, crawl: int) -> list[int]:
    """Forget the errors of ours that cost pages which can be asked for again; return the numbers of these."""
    rows = state.rows("SELECT DISTINCT url FROM notes WHERE crawl = ? AND event = ?", (crawl, OWN_ERROR))
    found: list[int] = []
    for (url,) in list(rows):
        asked = state.rows(
            "SELECT id FROM urls WHERE crawl = ? AND key = ? AND status IN (2, 3) AND family IS NOT NULL",
            (crawl, url_key(url)),
        )
        if numbers := [number for (number,) in asked]:
            found += numbers
            state.db.execute("DELETE FROM notes WHERE crawl = ? AND event = ? AND url = ?", (crawl, OWN_ERROR, url))
    return found


def _forget_unread_robots(state: State, crawl: int) -> None:
    for origin, value in state.recall(crawl, ROBOTS_MEMORY):
        if value["status"] is None or value["status"] >= 500:
            state.db.execute(
                "DELETE FROM memory WHERE crawl = ? AND kind = ? AND key = ?", (crawl, ROBOTS_MEMORY, origin)
            )
