"""Returns the exit code of a crawl from the summary that it wrote."""

from __future__ import annotations

from siteseer.errors import StoreError
from siteseer.model import JSON

EXIT_CODES = {
    "seed-missing": 1,
    "seed-empty": 1,
    "seed-bare": 0,
    "seed-unreachable": 9,
    "seed-refused": 1,
    "seed-untrusted": 1,
    "seed-moved": 1,
    "login-needed": 1,
    "nothing-kept": 1,
    "many-failed": 9,
    "some-failed": 0,
    "closed-pages": 0,
    "pages-alike": 0,
    "private-address": 0,
    "certificate-refused": 0,
    "certificate-unverified": 0,
    "assets-failed": 0,
    "not-in-archive": 0,
    "cut-short": 0,
    "own-error": 1,
    "undelivered": StoreError.exit_code,
    "browser-missing": 9,
    "browser-doubtful": 0,
    "browser-off": 0,
    "page-not-shown": 0,
    "many-not-shown": 9,
    "wall": 18,
    "rate-limited": 18,
    "pager-left-out": 0,
    "budget-used-up": 0,
    "search-form": 0,
    "search-limit": 0,
    "search-without-records": 0,
    "read-in-part": 0,
    "archive-damaged": 1,
    "no-objects": 1,
    "site-without-objects": 1,
    "site-left": 0,
}
"""The exit code of a crawl that has a problem, by its reason; 0: it is said, and the crawl counts as done."""

STOPPED_CODES = {None: 0, "limit": 0, "depth": 0, "interrupt": 11, "size": 14, "time": 15, "rate": 18, "error": 1}

CUT_OFF = 13


def exit_code(summary: JSON) -> int:
    """Return the exit code of a command that ends with the summary of a crawl: the highest that its parts ask for.

    >>> exit_code({"stopped_by": "limit", "problems": [{"reason": "seed-unreachable"}, {"reason": "seed-missing"}]})
    9
    """
    stopped = CUT_OFF if summary.get("at_once") else STOPPED_CODES.get(summary["stopped_by"], 1)
    return max([stopped, *(EXIT_CODES[one["reason"]] for one in summary.get("problems", ()))])
