"""The options of wrappers: how one is run, and how the tasks of a wrapper job are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from siteseer.settings.limits import BrowserLimits, FetchLimits
from siteseer.settings.option import option
from siteseer.settings.politeness import WRAPPERS, Politeness

GROUP = "how the wrapper is run"
BROWSERS = {"auto": "Chromium", "never": "without scripts", "always": "Chromium"}
RUN, SUBMIT = ("wrapper run",), ("wrapper submit",)


def _browser() -> Any:
    told = "auto and always: Chromium (not for pages from an archive); never: pages without their scripts."
    return option("auto", told, GROUP, choices=BROWSERS, commands=WRAPPERS, label="Pages in a browser")


def _rounds() -> Any:
    return option(
        1000, "How often a star without bounds is repeated.", GROUP, least=1, most=10**6, commands=WRAPPERS,
        label="Rounds of a star without bounds",
    )  # fmt: skip


def _strict() -> Any:
    return option(False, "End at the first node that cannot be acted upon.", GROUP, commands=WRAPPERS)


@dataclass(frozen=True, slots=True)
class ExtractionOptions(Politeness):
    """How a wrapper is run."""

    variables: Mapping[str, str] = field(default_factory=dict)
    browser: str = _browser()
    start: str = option("", "The page for a wrapper that loads none.", GROUP, metavar="URL", flag="--on", commands=RUN)
    offline: Path | None = option(
        None, "Take pages from this WARC, WACZ or collection.", GROUP, commands=RUN, is_remote=False
    )
    collection: Path | None = None
    rounds: int = _rounds()
    strict: bool = _strict()
    limits: FetchLimits = field(default_factory=FetchLimits)
    browser_limits: BrowserLimits = field(default_factory=BrowserLimits)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions(Politeness):
    """How the tasks of a wrapper job are run, and when they are given up."""

    browser: str = _browser()
    concurrency: int = option(
        2, "Tasks at once; two tasks never visit one host at the same time.", "politeness", least=1, most=16,
        commands=SUBMIT, label="Tasks at once",
    )  # fmt: skip
    retries: int = option(
        2, "How often a task that failed for a reason that may pass is tried again.", GROUP, least=0, most=20,
        commands=SUBMIT,
    )  # fmt: skip
    retry_seconds: float = option(
        5.0, "The first pause before another try; it doubles.", GROUP, unit="seconds", least=0, most=86_400,
        commands=SUBMIT,
    )  # fmt: skip
    abort_after: int = option(
        10, "End the run when so many tasks failed in a row.", GROUP, least=1, most=10_000, commands=SUBMIT
    )
    time_limit: float = option(
        3600.0, "Seconds that a task may take.", GROUP, unit="seconds", least=1, most=30 * 86_400, commands=SUBMIT
    )
    page_limit: int | None = option(
        None, "Pages that a task may load; it then ends with what it has.", GROUP, least=1, most=10**9, commands=SUBMIT
    )
    memory_limit: int = option(
        3 * 2**30, "Bytes of memory for a task with its browser.", GROUP, unit="bytes", least=50 * 2**20, most=2**40,
        commands=SUBMIT,
    )  # fmt: skip
    rounds: int = _rounds()
    strict: bool = _strict()
