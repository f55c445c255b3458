"""Imports Playwright (the only place that does), and checks whether a browser can be used on this machine."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from siteseer.errors import MissingExtraError
from siteseer.fetch.browser.process import MissingChromiumError, find_chromium

EXTRA = "browser"


def require_browser(who: str) -> None:
    """Raise MissingExtraError where Playwright or Chromium is missing; `who` begins the sentence that says which."""
    if find_chromium() is None:
        raise MissingChromiumError(who, "" if _has_library() else EXTRA)
    if not _has_library():
        raise MissingExtraError(EXTRA, f"{who} playwright")


def sync_api(who: str) -> Any:
    """Return `playwright.sync_api`; raise MissingExtraError where it cannot be imported."""
    return _imported("playwright.sync_api", who)


def async_api(who: str) -> Any:
    """Return `playwright.async_api`; raise MissingExtraError where it cannot be imported."""
    return _imported("playwright.async_api", who)


def playwright_error() -> Any:
    """Return what `except` takes to catch Playwright's errors; nothing is caught where Playwright is missing."""
    return _imported("playwright.sync_api", "").Error if _has_library() else ()


def playwright_timeout() -> Any:
    """Return what `except` takes to catch Playwright's time-outs."""
    return _imported("playwright.sync_api", "").TimeoutError if _has_library() else ()


def _has_library() -> bool:
    return find_spec("playwright") is not None


def _imported(name: str, who: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(EXTRA, f"{who} playwright") from error
