"""Manages the life of a real browser: starts it, drives it by Playwright, restarts it when it dies, ends it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from siteseer.errors import FetchError, TemporaryFetchError, UsageError
from siteseer.fetch.browser.playwright_library import playwright_error, require_browser, sync_api
from siteseer.fetch.browser.process import Chromium
from siteseer.fetch.browser.proxy import BrowserProxy
from siteseer.fetch.browser.tab import ENDLESS, HostilePageError, Tab
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.settings import BrowserLimits

Result = TypeVar("Result")
WHO = "wrappers with scripts need"
WINDOWS = ("--disable-popup-blocking",)
"""Windows that pages open are counted here: what Chromium holds back is neither followed nor told of."""


class BrowserDied(Exception):
    """The browser, or one of its tabs, is no longer there."""


class BrowserLifecycle:
    """One browser after the other, with its tabs; what is done in it is done again where it dies on the way."""

    def __init__(self, addresses: AddressPolicy, user_agent: str, limits: BrowserLimits) -> None:
        self.limits, self._agent = limits, user_agent
        self.gate = BrowserProxy(addresses)
        self._process: Chromium | None = None
        self._playwright: Any = None
        self._context: Any = None
        self.tabs: dict[Any, Tab] = {}
        self.opened: list[Any] = []
        """The windows that were opened since something was last done."""
        self._windows: set[str] = set()
        """All tabs and windows, from the moment they were opened: it takes a while until a window can be used."""
        self.restarts = 0

    @property
    def process(self) -> Chromium:
        """The running process."""
        assert self._process is not None
        return self._process

    def start(self) -> None:
        """Start Chromium; it is started by itself when a page is opened, too."""
        require_browser(WHO)
        if not self.gate.port:
            self.gate.open()
        self._process = Chromium(self.gate.port, self.limits.memory_bytes, self.limits.page_bytes, WHO, WINDOWS)
        with self.process.deadline(60, "the browser did not start"):
            self._playwright = sync_api(WHO).sync_playwright().start()
            browser = self._playwright.chromium.connect_over_cdp(self._process.address)
            self._context = browser.new_context(
                user_agent=self._agent,
                accept_downloads=False,
                service_workers="block",
                ignore_https_errors=self.gate.addresses.tls != "strict",
            )
        self._context.set_default_timeout(self.limits.load_seconds * 1000)
        self._context.on("page", self._page_opened)
        heard = browser.new_browser_cdp_session()
        heard.on("Target.targetCreated", self._window_opened)
        for event in ("Target.targetDestroyed", "Target.targetCrashed"):
            heard.on(event, lambda gone: self._windows.discard(gone["targetId"]))
        heard.send("Target.setDiscoverTargets", {"discover": True})
        self._windows.clear()  # what was there before us

    def _window_opened(self, event: Any) -> None:
        if event["targetInfo"]["type"] == "page":
            self._windows.add(event["targetInfo"]["targetId"])

    def is_window_coming(self) -> bool:
        """Say whether a page has opened a window that cannot be used yet."""
        return len(self._windows) > len(self.tabs)

    def _page_opened(self, page: Any) -> None:
        tab = self.tabs[page] = Tab(page, self.limits, self.process.condemn, self.gate.note_private)
        self.opened.append(page)
        page.on("close", lambda _: self.tabs.pop(page, None))
        page.on("crash", lambda _: self.tabs.pop(page, None))
        if len(self.opened) > self.limits.windows + 1:
            self.process.condemn(f"a page opens window after window: {tab.page.url}")

    def stop(self) -> None:
        """End the browser and what speaks to it, in whatever state they are."""
        if self._process is not None:
            self._process.end()
            self._process = None
        if self._playwright is not None:
            with suppress(Exception):  # its connection is gone already
                self._playwright.stop()
        self._playwright = self._context = None
        self.tabs.clear()
        self.opened.clear()
        self._windows.clear()

    def lasting(self, work: Callable[[], Result]) -> Result:
        """Do something; where the browser dies on the way, start it again and do it once more."""
        for attempt in range(self.limits.restarts + 1):
            try:
                if self._process is None:
                    self.start()
                with self.process.deadline(self.limits.answer_seconds, "a page does not let the browser answer"):
                    return self.translated(work)
            except BrowserDied:
                why = self._process.why if self._process is not None else ""
                alive = self._process is not None and self._process.is_alive()
                if not alive or attempt:
                    self.stop()
                if why:
                    raise HostilePageError(f"the browser was ended: {why}") from None
                self.restarts += 1
        raise TemporaryFetchError(f"the browser died {self.limits.restarts + 1} times in a row")

    def translated(self, work: Callable[[], Result]) -> Result:
        """Do something; say that the browser died, or complain, in our own words."""
        try:
            return work()
        except playwright_error() as error:
            if not self.process.is_alive() or is_gone(error.message):
                raise BrowserDied from error
            raise self._complaint(error.message) from error
        except (ConnectionError, BrokenPipeError) as error:
            raise BrowserDied from error

    def _complaint(self, message: str) -> Exception:
        first = message.strip().splitlines()[0][:300] if message.strip() else "the browser failed"
        if "siteseer: " in message:
            return UsageError(message.partition("siteseer: ")[2].splitlines()[0])
        if "XPath" in message or "NamespaceError" in message:
            return UsageError(f"the browser cannot evaluate this: {first}")
        for place, why in self.gate.refused.items():
            if place in message or place.removesuffix(":80").removesuffix(":443") in message:
                return type(why)(str(why))
        if ENDLESS in message:
            return FetchError("the page redirects more often than the browser follows")
        if "Download is starting" in message:
            return FetchError("the address is a download, not a page")
        return TemporaryFetchError(first.removeprefix("Page.goto: "))

    def new_tab(self) -> Tab:
        """Open a tab."""
        page = self._context.new_page()
        self.opened.clear()
        if page not in self.tabs:
            self.tabs[page] = Tab(page, self.limits, self.process.condemn, self.gate.note_private)
        return self.tabs[page]

    def close_tab(self, tab: Tab) -> None:
        """Close a tab."""
        self.tabs.pop(tab.page, None)
        tab.page.close()

    def close_windows(self) -> int:
        """Close the windows that a page opened by itself; return how many there were."""
        open_still = [page for page in self.opened if page in self.tabs and not page.is_closed()]
        for page in open_still:
            page.close()
        self.opened.clear()
        return len(open_still)


def is_gone(message: str) -> bool:
    """Say whether an error of Playwright means that what it spoke to is no longer there."""
    return any(sign in message for sign in ("has been closed", "Connection closed", "Target crashed", "Page crashed"))
