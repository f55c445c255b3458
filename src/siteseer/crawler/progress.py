"""Measures the progress of a crawl: what was sent, counted, skipped and saved, and its time without pauses."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from siteseer.collection.history.crawl_history import requests_sent
from siteseer.crawler.capture_writer import WrittenCapture
from siteseer.crawler.results.remaining_requests import RemainingRequests
from siteseer.errors import FetchError

RULES_SHOWN = 20
"""Skip rules that a snapshot names; the database knows them all."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How far a crawl is, for people who watch."""

    requests: int
    pages: int
    waiting: int
    in_flight: int
    skipped: int
    skipped_by: tuple[tuple[str, int], ...]
    """The rules that skipped most, with how many URLs each did since this run began."""
    two_grams: int
    objects: int
    seconds: float
    url: str
    fetching: tuple[str, ...] = ()
    """What has been asked for and not yet answered."""
    left: RemainingRequests = RemainingRequests(0, None)  # noqa: RUF009 - it is frozen
    """How many requests are to come, with what the strategy holds back and what lists announce."""
    provisional_objects: int = 0
    """About how many objects the pages hold that are found only when the crawl has ended; not among `objects`."""


class Progress:
    """What changes while a crawl runs; shared by everything that carries it on."""

    def __init__(self, counts: Counter[str]) -> None:
        self.counts = counts
        self.sent = counts["requests"]
        self.skips: Counter[str] = Counter()
        self.fetching: dict[int, str] = {}
        self.last_url = ""
        self.failure: FetchError | None = None
        """The first URL that could not be had."""
        self.unsaved = 0
        self.saved_at = self._started = time.monotonic()
        self._before = counts["milliseconds"] / 1000
        self._paused_at: float | None = None

    @property
    def seconds(self) -> float:
        """How long this crawl has run, with all its earlier runs."""
        now = time.monotonic() if self._paused_at is None else self._paused_at
        return self._before + now - self._started

    @property
    def is_paused(self) -> bool:
        """Say whether nothing new is taken for the moment."""
        return self._paused_at is not None

    def pause(self) -> None:
        """Take nothing new until `resume`; the clock stops."""
        if self._paused_at is None:
            self._paused_at = time.monotonic()

    def resume(self) -> None:
        """Go on: a pause does not count against the time limit."""
        if self._paused_at is not None:
            self._started += time.monotonic() - self._paused_at
            self._paused_at = None

    def count(self, kept: WrittenCapture) -> None:
        """Count what was received."""
        self.counts[f"status {kept.exchange.status}"] += 1
        self.counts["bytes"] += kept.exchange.body_length
        self.counts["duplicates"] += kept.outcome.duplicate_of is not None
        self.count_content(kept)

    def count_content(self, kept: WrittenCapture, times: int = 1) -> None:
        """Count a page with its new 2-grams, or with -1 take it out of the count."""
        self.counts["pages"] += times * kept.is_content
        self.counts["new grams"] += times * len(kept.new_grams)

    def skipped(self, rule: str, count: int = 1) -> None:
        """Count URLs that a rule skipped, or with a negative number those that wait after all."""
        self.counts["skipped"] += count
        self.skips[rule] += count

    def saved(self) -> None:
        """Note that everything so far is on disk."""
        self.unsaved = 0
        self.saved_at = time.monotonic()

    def snapshot(
        self, waiting: int, in_flight: int, two_grams: int, left: RemainingRequests, provisional_objects: int
    ) -> Snapshot:
        """Return how far the crawl is."""
        return Snapshot(
            requests=requests_sent(self.counts),
            pages=self.counts["pages"],
            waiting=waiting,
            in_flight=in_flight,
            skipped=self.counts["skipped"],
            skipped_by=tuple(self.skips.most_common(RULES_SHOWN)),
            two_grams=two_grams,
            objects=self.counts["objects"],
            seconds=self.seconds,
            url=self.last_url,
            fetching=tuple(self.fetching.values()),
            left=left,
            provisional_objects=provisional_objects,
        )
