"""Options of a crawl that somebody asks the service for: checked before anything is fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from siteseer.crawl.control import LIMITS
from siteseer.decide.scope import CIRCLES, pattern
from siteseer.errors import UsageError
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions

NOT_BY_REQUEST = ("seeds", "collection", "offline", "cookies", "patterns", "limits", "acebot", "knowledge", "overwrite")
"""Options that name files of this machine, or that have a place of their own in a request."""
MOST_CONCURRENT = 64
CHOICES = {"scope": CIRCLES, "robots": ("obey", "ignore", "log"), "assets": ("all", "none")}


def asked_options(place: Path, seeds: Sequence[str], wanted: Mapping[str, Any]) -> CrawlOptions:
    """Return options for a new collection at that place; raise UsageError where one makes no sense."""
    known = {one.name for one in fields(CrawlOptions)} - set(NOT_BY_REQUEST)
    for option in wanted:
        if option not in known:
            raise UsageError(f"there is no option {option[:60]!r}; choose among {', '.join(sorted(known))}")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in wanted.items()}
    made = CrawlOptions(seeds=tuple(seeds), collection=place, **values)
    _check(made)
    return made


def _check(options: CrawlOptions) -> None:
    for name, choices in CHOICES.items():
        if getattr(options, name) not in choices:
            raise UsageError(f"{name} {str(getattr(options, name))[:60]!r} is unknown; use one of {', '.join(choices)}")
    if not 1 <= options.concurrency <= MOST_CONCURRENT:
        raise UsageError(f"concurrency {options.concurrency} makes no sense; use 1 to {MOST_CONCURRENT}")
    for text in options.include:
        pattern(text, "--include")
    for text in options.exclude:
        pattern(text, "--exclude")
    strategy_factory(options.strategy)
    check_limits({name: getattr(options, name) for name in LIMITS})


def check_limits(limits: Mapping[str, float | int | None]) -> None:
    """Raise UsageError where a limit cannot be changed or makes no sense."""
    for name, value in limits.items():
        if name not in LIMITS:
            raise UsageError(f"{name[:60]!r} cannot be changed while a crawl runs; only {', '.join(LIMITS)}")
        if value is not None and value < (0 if name == "delay" else 1):
            raise UsageError(f"{name} {value} makes no sense")
        if name == "delay" and value is None:
            raise UsageError("delay needs a number of seconds")
