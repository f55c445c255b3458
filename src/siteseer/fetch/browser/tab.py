"""Counts the activity in one tab of a real browser, to tell when a page is at rest, and limits hostile pages."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from siteseer.errors import FetchError, SiteseerError, TemporaryFetchError
from siteseer.fetch.browser.playwright_library import playwright_error
from siteseer.settings import BrowserLimits

WAITED_FOR = frozenset(("document", "script", "xhr", "fetch", "stylesheet"))
PATIENCE_SECONDS = 3.0
"""A request that takes longer is a stream, not something to wait for."""


MAY_PASS = (408, 429)
"""Answers below 500 after which another try may help."""
FEW_MESSAGES = 2
MESSAGE_SECONDS = 1.0
"""How long the next message may take to come."""
ENDLESS = "ERR_TOO_MANY_REDIRECTS"


class HostilePageError(SiteseerError):
    """A page keeps the browser busy for ever, or leads where it may not: the run ends."""


class Tab:
    """Counts requests, dialogs, navigations and downloads of a Playwright page; `note` hears what is asked for."""

    def __init__(
        self, page: Any, limits: BrowserLimits, condemn: Callable[[str], None], note: Callable[[str], None]
    ) -> None:
        self.page, self.limits, self._condemn, self._note = page, limits, condemn, note
        self.waiting: dict[Any, float] = {}
        self.finished: list[Any] = []
        self._dialog_at = 0.0
        self.begin()
        page.on("request", self._asked)
        page.on("requestfinished", self._got)
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        page.on("dialog", self._dialog)
        page.on("download", self._downloads)
        page.on("framenavigated", self._navigated)

    def begin(self) -> None:
        """Count anew: something is about to be done."""
        self.dialogs = self.navigations = self.status = 0
        self.download = self.failure = self.asked_for = ""
        self.leads_to, self._stirs = "", False
        self._began, self._aborted_at = time.monotonic(), 0.0

    def is_waiting(self) -> bool:
        """Say whether something is on its way that the page probably needs, or it has just shown a message."""
        now = time.monotonic()
        asked = any(now - since < PATIENCE_SECONDS for since in list(self.waiting.values()))
        was_aborted = now - self._aborted_at < MESSAGE_SECONDS  # a download is told of when its request has ended
        return asked or was_aborted or self._shows_messages(MESSAGE_SECONDS)

    def is_still(self, quiet: float) -> bool:
        """Say whether nothing has come yet of a click that leads elsewhere: a busy machine takes its time."""
        since = time.monotonic() - self._began
        return bool(self.leads_to) and not self._stirs and quiet >= since - 0.01 and since < PATIENCE_SECONDS

    def _shows_messages(self, seconds: float) -> bool:
        return self.dialogs > 0 and time.monotonic() - self._dialog_at < seconds

    def complain_of_messages(self) -> None:
        """Raise where a page still shows messages when no more time is left for it."""
        if self.dialogs > FEW_MESSAGES and self._shows_messages(PATIENCE_SECONDS):
            raise HostilePageError(f"{self.page.url} shows message after message")

    def complain(self) -> None:
        """Raise where what was done did not lead to a page."""
        if self.download:
            raise FetchError(f"{self.download} is a download, not a page")
        if self.navigations > self.limits.navigations:
            raise HostilePageError(f"{self.page.url} sends the browser on and on")
        if self.page.url.startswith("chrome-error:") and not self.failure:
            raise TemporaryFetchError("the page that was led to cannot be had")
        if self.failure == ENDLESS:
            raise FetchError(f"{self.asked_for} redirects more often than the browser follows")
        if self.failure:
            raise TemporaryFetchError(f"{self.asked_for} cannot be had ({self.failure})")
        if self.status >= 400:
            kind = TemporaryFetchError if self.status >= 500 or self.status in MAY_PASS else FetchError
            raise kind(f"{self.page.url} answered {self.status}")

    def complain_of_stream(self) -> None:
        """Raise where the page itself is still being sent when no more time is left for it."""
        if any(self._leads_here(request) for request in list(self.waiting)):
            most = self.limits.load_seconds
            raise TemporaryFetchError(f"{self.page.url} is still being sent after {most:.0f} seconds")

    def _asked(self, request: Any) -> None:
        self._stirs = True
        self._note(str(request.url))
        if request.resource_type in WAITED_FOR:
            self.waiting[request] = time.monotonic()

    def _got(self, request: Any) -> None:
        self.waiting.pop(request, None)
        self.finished.append(request)
        if len(self.finished) > 2000:
            del self.finished[:1000]

    def _failed(self, request: Any) -> None:
        self.waiting.pop(request, None)
        why = str(request.failure or "")
        if not self._leads_here(request):
            return
        if "ERR_ABORTED" in why:  # a download, or the page changed its mind
            self._aborted_at = time.monotonic()
        else:
            self.asked_for, self.failure = str(request.url), why.removeprefix("net::")

    def _answered(self, response: Any) -> None:
        if self._leads_here(response.request):
            self.status, self.failure = response.status, ""

    def _leads_here(self, request: Any) -> bool:
        """Say whether a request is for the page of this tab, rather than for something on it."""
        try:
            return bool(request.is_navigation_request() and request.frame == self.page.main_frame)
        except playwright_error():  # its frame has gone already
            return False

    def _dialog(self, dialog: Any) -> None:
        self._stirs = True
        self.dialogs += 1
        self._dialog_at = time.monotonic()
        if self.dialogs > self.limits.dialogs:
            self._condemn(f"{self.page.url} shows message after message")
            return
        if dialog.type == "beforeunload":
            dialog.accept()
        else:
            dialog.dismiss()

    def _downloads(self, download: Any) -> None:
        self.download = str(download.url)
        download.cancel()

    def _navigated(self, frame: Any) -> None:
        if frame == self.page.main_frame:
            self.navigations += 1
            if self.navigations > 3 * self.limits.navigations:
                self._condemn(f"{self.page.url} sends the browser on and on")
