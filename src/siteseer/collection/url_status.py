"""The statuses of a URL in the database of a collection: waiting, in flight, done, failed or skipped."""

from __future__ import annotations

WAITING, IN_FLIGHT, DONE, FAILED, SKIPPED = range(5)

IN_VAIN = "in vain: "
"""So begins the rule of a URL that was asked for in vain and waits for another try; the rest says why."""

STATUS_NAMES = ("waiting", "in flight", "done", "failed", "skipped")
