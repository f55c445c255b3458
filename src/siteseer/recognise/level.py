"""A page of a known application in, its level out: patterns of the application's levels, highest priority first."""

from __future__ import annotations

from siteseer.knowledge.match import detects
from siteseer.knowledge.types import Application, Detection, Level
from siteseer.model import Evidence, Page
from siteseer.page.tree import content_type


def level_of(page: Page, application: Application) -> tuple[Level, Evidence] | None:
    """Return the level of a page and the pattern that told it, or None."""
    format = "json" if is_json(page) else "html"
    for detection, level in ordered(application):
        if level.format == format and (pattern := detects(detection, page)):
            return level, Evidence(pattern.text, f"level {level.id}")
    return None


def ordered(application: Application) -> list[tuple[Detection, Level]]:
    """Return all level detections, the highest priority first; equal ones as in the file."""
    pairs = [(detection, level) for level in application.levels for detection in level.detections]
    return sorted(pairs, key=lambda pair: -pair[0].priority)


def is_json(page: Page) -> bool:
    """Say whether a page is the answer of an API."""
    kind = content_type(page)
    return kind == "application/json" or kind.endswith("+json")
