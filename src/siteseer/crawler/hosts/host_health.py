"""Measures the health of a host by its recent answers: whether the crawl pauses, continues, or stops it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

RECENT = 10
"""So many answers of a host are remembered."""
FAILING = 0.8
"""The host itself is in trouble where this share of its recent answers failed ..."""
LEAST_FAILURES = 6
"""... and at least so many did."""


@dataclass(slots=True)
class HostHealth:
    """The recent answers of one host.

    Every part of the crawl that can tell a good answer from a failure records it here, once for each URL. `stop` ends
    the requests to the host in this run; its URLs wait for the next one.

    >>> health = HostHealth()
    >>> for number in range(6):
    ...     health.record(f"http://e.org/{number}", is_good=False)
    >>> health.is_failing
    True
    """

    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=RECENT))
    good_url: str = ""
    """The last page that came as it should: asked for again where all others fail, to tell whether the host does."""
    last_failure: str = ""
    """What went wrong last, as a short phrase: `503 Service Unavailable`."""
    stopped: str = ""
    """Why nothing more is asked of the host in this run; empty where it is asked."""
    least: int = LEAST_FAILURES
    """Failures before the host is suspected; more after a suspicion that was wrong."""
    is_checked: bool = False
    """Whether the host rests, and is then asked whether it answers again."""
    is_suspected: bool = False
    """Whether something else than the recent answers speaks against the host."""
    good_answers: int = 0
    failed_url: str = ""
    """The last URL that failed."""
    pauses: int = 0
    """Pauses that the host asked for with Retry-After ..."""
    kept_pauses: int = 0
    """... and how many of these had passed when it last answered well."""

    def record(self, url: str, is_good: bool, failure: str = "", is_page: bool = False) -> None:
        """Note how a URL was answered; `is_page` where the answer is one that may be asked for again as a test."""
        self.recent.append(is_good)
        if is_good:
            self.good_answers += 1
            self.kept_pauses = self.pauses
            self.good_url = url if is_page else self.good_url
        else:
            self.failed_url, self.last_failure = url, failure

    @property
    def is_failing(self) -> bool:
        """Say whether most of the recent answers are failures."""
        failures = self.recent.count(False)
        is_most = failures >= self.least and failures >= FAILING * len(self.recent)
        return (is_most or self.is_suspected) and not self.stopped

    @property
    def means_the_page(self) -> bool:
        """Say whether Retry-After is about single URLs: the host answered others after a pause it had asked for."""
        return self.kept_pauses > 0

    def recover(self) -> None:
        """Note that the host answers: only some of its URLs fail, so that it is not suspected again too soon."""
        self.recent.clear()
        self.is_suspected = False
        self.good_answers += 1
        self.least = min(self.least + 2, RECENT)

    def stop(self, because: str) -> None:
        """Ask nothing more of the host in this run; `because` is a sentence for people."""
        self.stopped = self.stopped or because
