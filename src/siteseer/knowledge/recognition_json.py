"""Returns the recognition of a page as JSON, for the command line and the service."""

from __future__ import annotations

import time
from typing import Any

from siteseer.model import Page


def recognition_json(page: Page, knowledge: Any) -> dict[str, Any]:
    """Return the recognition of a page as the command prints it."""
    from siteseer.knowledge.recognise import recognise

    started = time.perf_counter()
    found = recognise(page, knowledge)
    return {
        "application": found.application,
        "version": found.version,
        "category": found.category,
        "level": found.level,
        "evidence": [{"kind": one.where, "pattern": one.pattern, "weight": one.weight} for one in found.evidence],
        "seconds": round(time.perf_counter() - started, 6),
    }
