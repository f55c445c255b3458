"""Reports the progress of a crawl in the service as JSON, while it runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from threading import Thread
from typing import Literal

from siteseer.collection.read_only_state import CURVE_POINTS, Curve, thin_curve
from siteseer.crawler.progress import Snapshot
from siteseer.crawler.remote_control import LIMITS
from siteseer.crawler.results.remaining_requests import RemainingRequests
from siteseer.errors import UsageError
from siteseer.measure.remaining_content import forecast
from siteseer.model import JSON
from siteseer.settings import CrawlOptions
from siteseer.web.service.separate_crawl import SeparateControl

Phase = Literal["waiting", "running", "paused", "stopping", "stopped", "finished", "failed"]
OVER = ("stopped", "finished", "failed")


class ConflictError(UsageError):
    """What is asked for does not go with the state that something is in."""


@dataclass(slots=True)
class RunningCrawl:
    """A crawl of this service; read by everybody, written by its own thread."""

    name: str
    options: CrawlOptions
    control: SeparateControl = field(default_factory=SeparateControl)
    phase: Phase = "waiting"
    snapshot: Snapshot | None = None
    curve: Curve = field(default_factory=list)
    summary: JSON = None
    error: str = ""
    began: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    stop_asked: bool = False
    thread: Thread | None = None

    @property
    def is_over(self) -> bool:
        """Say whether it has ended, one way or the other."""
        return self.phase in OVER

    def as_json(self) -> JSON:
        """Return how far it is."""
        now = self.snapshot
        seen = {one.name: getattr(now, one.name) for one in fields(now)} if now else {}
        return {
            "name": self.name,
            "phase": "paused" if self.phase == "running" and self.control.is_paused else self.phase,
            "seeds": list(self.options.seeds),
            "strategy": self.options.strategy,
            "began": self.began,
            **{name: getattr(self.options, name) for name in LIMITS},
            **{**seen, "skipped_by": dict(now.skipped_by) if now else {}},
            "fetching": list(now.fetching) if now else [],
            **({"left": asdict(now.left)} if now else {}),
            "forecast": forecast(self.curve, now.left if now else RemainingRequests(0, None)),
            "curve": [list(point) for point in self.curve],
            **({"summary": self.summary} if self.summary else {}),
            **({"error": self.error} if self.error else {}),
        }

    def hear(self, now: Snapshot) -> None:
        """Take note of how far it is."""
        self.snapshot = now
        if not self.curve or self.curve[-1][0] != now.requests:
            self.curve.append((now.requests, now.two_grams))
        if len(self.curve) > 2 * CURVE_POINTS:
            self.curve = thin_curve(self.curve, CURVE_POINTS)
