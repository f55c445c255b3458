"""The limits of responses, browsers and files that nobody has to choose, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass

USER_AGENT = "Mozilla/5.0 (compatible; siteseer/{version}; Web archiving)"


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits of one response."""

    connect_seconds: float = 20.0
    """A host that does not answer the telephone in 20 s is down."""
    head_seconds: float = 60.0
    """Status and headers come within a minute, or not at all."""
    idle_seconds: float = 30.0
    """No byte for half a minute, or less than a kilobyte: the body is taken as ended."""
    total_seconds: float = 600.0
    """A slow but living download of a large file may take ten minutes."""
    body_bytes: int = 512 * 2**20
    """Longer bodies are cut and marked WARC-Truncated: length."""
    decoded_bytes: int = 32 * 2**20
    """What is decompressed to be looked at: a bomb costs no more memory than this."""
    spool_bytes: int = 2 * 2**20
    """Bodies above this wait on disk, not in memory."""
    header_bytes: int = 60 * 1024
    """Of one header."""
    redirects: int = 10
    """Browsers allow 20; nobody honest needs more than 10."""
    retries: int = 4
    """Five tries in all, the pauses doubling from `retry_seconds`."""
    retry_seconds: float = 2.0
    last_seconds: float = 5.0
    """What was sent when a crawl is to end may take so long; what takes longer is asked for again when it goes on."""
    retry_after_max: float = 600.0
    """A server that asks for a longer pause than this ends the crawl as rate limited; it can be resumed."""


@dataclass(frozen=True, slots=True)
class BrowserLimits:
    """Limits of pages in a real browser."""

    quiet_seconds: float = 0.3
    """A page counts as ready when it has not changed for so long and waits for nothing."""
    settle_seconds: float = 6.0
    """A page that never comes to rest is looked at as it is by then."""
    answer_seconds: float = 45.0
    """A page that does not let the browser answer for so long is stuck: the browser is ended."""
    load_seconds: float = 30.0
    memory_bytes: int = 3 * 2**30
    """All processes of the browser together: a few tabs take half a gigabyte."""
    page_bytes: int = 2**30
    """One process of the browser: the pages of a host share it."""
    dialogs: int = 25
    """Messages in a row that a page may show; people give up sooner."""
    windows: int = 10
    """Windows that a page may open at one action."""
    navigations: int = 20
    """Pages that may send the browser on by themselves, one after the other."""
    private: int = 0
    """Private addresses that the pages of a run may ask for, in vain, before it ends: nothing public needs any."""
    tabs: int = 8
    """Pages open beside each other; deeper nesting loads pages again."""
    nodes: int = 200_000
    """Nodes that one step may find."""
    restarts: int = 5
    """How often in a row a browser that ended is started again."""


@dataclass(frozen=True, slots=True)
class ShowLimits:
    """Limits of rendering one page of a crawl in a browser."""

    quiet_seconds: float = 0.25
    """A page counts as ready when it has not changed for so long and waits for nothing."""
    settle_seconds: float = 10.0
    """A page that never comes to rest is taken as it is when it has kept us waiting for so long."""
    answer_seconds: float = 30.0
    """A page that does not let the browser answer for so long is stuck."""
    request_seconds: float = 60.0
    """What a script asked for is waited for no longer."""
    total_seconds: float = 1800.0
    """Half an hour: a long thread, a polite delay, and no more."""
    rounds: int = 300
    """How often a page is scrolled, or a button pressed: longer than that is a feed without end."""
    requests: int = 600
    """What the scripts of one page may ask for."""
    elements: int = 200_000
    """Pages that grow beyond are taken as they are."""
    html_bytes: int = 32 * 2**20
    dialogs: int = 25
    pages: int = 200
    """A new browser is started after so many pages: old ones grow."""


WARC_ROLLOVER_BYTES = 10**9
"""The field's custom: files of about 1 GB."""
DEDUPLICATE_ABOVE_BYTES = 1024
"""A revisit record for a smaller payload would be longer than the payload."""
EXACT_TWO_GRAMS = 10_000_000
"""Distinct 2-grams are counted exactly up to here (80 MB), estimated beyond."""
COMMIT_SECONDS = 0.5
COMMIT_PAGES = 32
"""Pages are committed in groups, as a group costs one disk flush: at most this many, at most this late."""
