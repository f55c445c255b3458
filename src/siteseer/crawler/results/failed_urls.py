"""Lists the URLs that failed in `reports/failed.jsonl`, and requests them again when the crawl is run again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from siteseer.collection.events import NO_SEED, OWN_ERROR, ROBOTS_MEMORY
from siteseer.collection.history.url_history import urls_table
from siteseer.collection.state import State
from siteseer.collection.url_status import IN_VAIN
from siteseer.crawler.capture_writer import SCRIPTS
from siteseer.crawler.polite_fetch import may_pass
from siteseer.crawler.results.seed_results import seed_results
from siteseer.errors import BEYOND
from siteseer.fetch.certificates import UNTRUSTED
from siteseer.fetch.replay import NOT_HELD
from siteseer.fetch.robots import UNREACHABLE, UNREAD
from siteseer.fetch.ssrf_guard import PRIVATE
from siteseer.model import JSON
from siteseer.page.urls import url_key
from siteseer.strategies.learned.online_learner.sitemap_urls import GUESSED_SITEMAP
from siteseer.strategies.redirects_and_assets import ASSETS
from siteseer.strategies.traps.soft404 import PROBE, SAYS

DEAD = (404, 405, 410)
"""Answers of links that lead nowhere: the site's own fault, and nothing that another try would bring."""
CLOSED = (401, 403, 407, 451)
"""Answers of pages that are not for everyone."""
AGAIN = "asked for again: it failed before"
NOT_PROCESSED = "could not be processed"
_WAITS = f"(u.status = 0 AND u.rule LIKE '{IN_VAIN}%')"
_UNASKED = f"u.status = 4 AND u.rule IN ('robots', '{UNREACHABLE}') AND u.because LIKE '{UNREAD}%'"
_FAILED = f"(u.status = 3 OR ({_UNASKED} AND u.family IS NOT NULL))"
"""What failed, or was not asked for because the host did not even give its robots.txt."""
OWN_QUESTIONS = (PROBE, GUESSED_SITEMAP)
"""Families of what the crawl asks of itself, without a link: that it is not there is no failure."""


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
    crawl: int
    when: str
    """When it was answered; where nothing answered, when the crawl ended or began."""

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
        is_dead = self.status in DEAD or self.because.endswith(SAYS)
        is_known = is_dead or self.status in CLOSED or self.because.startswith((NOT_PROCESSED, NOT_HELD))
        return not (is_known or self.is_waiting or self.is_private or self.is_untrusted or self.is_asset)

    @property
    def is_waiting(self) -> bool:
        """Say whether the URL waits for another try: its host was left alone, or the crawl stopped before that."""
        return self.because.startswith(IN_VAIN)

    @property
    def is_private(self) -> bool:
        """Say whether the URL was not asked for because its address lies in a private network."""
        return self.status is None and PRIVATE in self.because

    @property
    def is_untrusted(self) -> bool:
        """Say whether the URL was not asked for because the certificate of its host cannot be verified."""
        return self.status is None and UNTRUSTED in self.because

    @property
    def may_pass(self) -> bool:
        """Say whether the URL may come when it is asked for again."""
        return may_pass(self.status) if self.status is not None else not self.because.startswith((NOT_HELD, BEYOND))

    def as_json(self) -> JSON:
        """Return the line of `reports/failed.jsonl`."""
        because, status = self.because, self.status
        if self.is_waiting:
            because = because.removeprefix(IN_VAIN)
            status = int(because[:3]) if because[:3].isdecimal() else None
            because += "; the next run asks again"
        tries = self.tries or int(status is not None)
        return {
            "url": self.url, "status": status, "because": because, "from": self.referrer, "tries": tries,
            "crawl": self.crawl, "when": self.when,
        }  # fmt: skip


def failures(state: State, crawl: int | None = None) -> Iterator[Failure]:
    """Return the URLs that failed, in the order in which they were found: in a crawl, or by the last known outcomes."""
    rows = state.rows(
        "SELECT u.id, u.key, u.url, c.status, coalesce(CASE u.status WHEN 0 THEN u.rule ELSE u.because END, ''), "
        "coalesce(u.referrer, ''), coalesce(t.count, 0), "
        "coalesce(f.name, ''), u.crawl, coalesce(c.time, k.finished, k.started) "
        f"FROM {urls_table(state, crawl)} u LEFT JOIN captures c ON c.id = u.capture LEFT JOIN tries t ON t.id = u.id "
        "LEFT JOIN families f ON f.id = u.family LEFT JOIN crawls k ON k.id = u.crawl "
        f"WHERE ({_FAILED} OR {_WAITS}) AND coalesce(f.name, '') NOT IN (?, ?) ORDER BY u.id", OWN_QUESTIONS,
    )  # fmt: skip
    for row in rows:
        yield Failure(*row)


def asked_pages(state: State, crawl: int | None = None) -> int:
    """Return how many pages were asked for, or given up before they were: in a crawl, or in all."""
    rows = state.rows(
        f"SELECT count(*) FROM {urls_table(state, crawl)} u JOIN families f ON f.id = family "
        f"WHERE (status = 2 OR {_FAILED}) AND f.name NOT IN (?, ?, ?)",
        (ASSETS, *OWN_QUESTIONS),
    )
    return int(next(iter(rows))[0])


def ask_again(state: State, crawl: int, seeds: Sequence[str]) -> int:
    """Let the URLs wait again that failed for a reason that may pass, and the seeds that did; return how many do.

    robots.txt files that could not be read are asked for again too, and pages that an error of ours made useless.
    """
    keys = {url_key(result.url) for result in seed_results(state, crawl, seeds)}
    failed = [one for one in failures(state, crawl) if (one.may_pass or one.key in keys) and not one.is_waiting]
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
