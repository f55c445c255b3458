"""Records a login in a visible browser: the user logs in by hand, then cookies and storage are read."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from siteseer.errors import FetchError, UsageError
from siteseer.fetch.browser.playwright_library import playwright_error, require_browser, sync_api
from siteseer.fetch.browser.process import executable
from siteseer.model import JSON

WHO = "recording a login needs"
NO_DISPLAY = (
    "there is no display to show a browser on; record the login on another machine and bring its storage state or "
    "cookies.txt with --from FILE"
)


def record_login(url: str, is_done: Callable[[], bool], headless: bool = False) -> JSON:
    """Show a page in a browser until `is_done` or the window is closed; return cookies and storage."""
    require_browser(WHO)
    if not headless and not has_display():
        raise UsageError(NO_DISPLAY)
    with sync_api(WHO).sync_playwright() as playwright:
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=executable(WHO), headless=headless, args=root)
        try:
            context = browser.new_context(no_viewport=not headless)
            page = context.new_page()
            page.goto(url)
            return _watched(context, page, is_done)
        except playwright_error() as error:
            raise FetchError(f"{url} cannot be shown: {error.message.strip().splitlines()[0][:200]}") from error
        finally:
            browser.close()


def _watched(context: Any, page: Any, is_done: Callable[[], bool]) -> JSON:
    """Read cookies and storage once a second: when the window is closed, the last reading counts."""
    state: JSON = context.storage_state()
    read_at = time.monotonic()
    while not page.is_closed():
        done = is_done()
        try:
            if done or time.monotonic() - read_at >= 1:
                state, read_at = context.storage_state(), time.monotonic()
            if not done:
                page.wait_for_timeout(100)
        except playwright_error():
            break  # closed this moment
        if done:
            break
    return state


def has_display() -> bool:
    """Say whether a window can be shown here."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
