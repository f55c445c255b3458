"""Loads pages in a real browser, waits until they are at rest, and archives them as exchanges.

The browser hands out bodies without their content encoding: the header that named it is kept under another name.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any

from siteseer.errors import TemporaryFetchError
from siteseer.fetch.browser.history import PageAction, ShownDocument, ShownNode, State
from siteseer.fetch.browser.lifecycle import BrowserLifecycle, is_gone
from siteseer.fetch.browser.playwright_library import playwright_error
from siteseer.fetch.browser.tab import HostilePageError, Tab
from siteseer.interfaces import Exchange

TIDY_EVERY = 25
"""Documents after which the browser tidies up; that takes some hundredths of a second."""
WAIT_PIECE = 5.0
TEMPORARY = ("ERR_NETWORK_CHANGED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
ALTERED = ("content-encoding", "content-length", "transfer-encoding")


@lru_cache(maxsize=1)
def page_script() -> str:
    """Return the script by which pages are asked."""
    return files("siteseer.fetch.browser").joinpath("browser.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class LoadRules:
    """What happens around the loading of a page."""

    keep: Callable[[Exchange], None] | None = None
    """Takes every exchange, if it is given."""
    delay: float = 0.0
    """Seconds between two pages."""
    warn: Callable[[str], None] = lambda text: None
    """Is told what is odd about a page."""
    permit: Callable[[str], float] = lambda url: 0.0
    """Raises where a page may not be loaded, and returns how many seconds its host wants between two pages."""


class PageLoader:
    """Loads pages in the tabs of a browser."""

    def __init__(self, life: BrowserLifecycle, rules: LoadRules) -> None:
        self.life, self.rules = life, rules
        self._told: set[str] = set()
        self._documents = 0
        self.key = "_" + secrets.token_hex(8)
        self._last_load = 0.0

    def loaded(self, tab: Tab, url: str, state: State, referrer: str = "") -> ShownNode:
        """Load an address in a tab; return its document node."""
        self.goto(tab, url, referrer)
        self.settle(tab, tab.page.main_frame, state.wait)
        self.check(tab)
        self.close_windows(tab)
        document = ShownDocument(tab, tab.page.main_frame, "")
        return self.root(document, state.before, state.deed, state.wait)

    def goto(self, tab: Tab, url: str, referrer: str = "") -> None:
        """Go to an address, with patience for what may pass."""
        for attempt in range(3):
            self.be_polite(url)
            tab.begin()
            try:
                tab.page.goto(url, wait_until="commit", **({"referer": referrer} if referrer else {}))
                return
            except playwright_error() as error:
                if tab.download:
                    tab.complain()
                if "interrupted by another navigation" in error.message or "ERR_ABORTED" in error.message:
                    return
                if "Timeout" in error.message:
                    most = self.life.limits.load_seconds
                    raise TemporaryFetchError(f"{url} does not answer within {most:.0f} seconds") from error
                if attempt == 2 or not any(sign in error.message for sign in TEMPORARY):
                    raise
                time.sleep(1)

    def check(self, tab: Tab) -> None:
        """Raise where what was done did not lead to a page; what the gate knows about it says more than a status."""
        gate = self.life.gate
        if tab.failure or tab.status in (403, 502):
            why = gate.objection(tab.asked_for or tab.page.url)
            if why is not None:
                raise type(why)(str(why))
        tab.complain()
        self.rules.permit(tab.page.url)
        asked = sorted(gate.private - self._told)
        self._told |= gate.private
        if len(gate.private) > self.life.limits.private:
            named = ", ".join((asked or sorted(gate.private))[:3])
            raise HostilePageError(f"{tab.page.url} asks for a private address, which was refused: {named}")
        for place in asked:
            self.rules.warn(f"{tab.page.url} asks for {place}, a private address: it was refused")

    def close_windows(self, tab: Tab) -> None:
        """Close the windows that a page opened beside it, and say so."""
        if closed := self.life.close_windows():
            self.rules.warn(f"{tab.page.url} opened windows beside it: {closed} closed")

    def check_frame(self, frame: Any) -> None:
        """Raise where a frame shows nothing that its page could have."""
        why = self.life.gate.objection(frame.url)
        if why is not None:
            raise type(why)(str(why))
        if frame.url.startswith("chrome-error:"):
            raise TemporaryFetchError("what the frame shows cannot be had")

    def be_polite(self, url: str) -> None:
        """Wait until another page may be loaded; raise where this one may not be."""
        pause = self._last_load + max(self.rules.delay, self.rules.permit(url)) - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        self._last_load = time.monotonic()

    def settle(self, tab: Tab, frame: Any, wait: float = 0.0) -> None:
        """Wait until a page has come to rest: nothing on its way, nothing changed for a while."""
        self._wait(tab, wait)
        limits = self.life.limits
        began = time.monotonic()
        until, most = began + limits.settle_seconds, began + limits.load_seconds
        while time.monotonic() < until:
            if tab.navigations > limits.navigations:
                raise HostilePageError(f"{tab.page.url} sends the browser on and on")
            if tab.download:
                return
            seen = self._glance(frame)
            quiet = min(seen["quiet"] / 1000, time.monotonic() - began) if seen else 0.0
            left = limits.quiet_seconds - quiet
            is_still = not self.life.opened and tab.is_still(seen["quiet"] / 1000 if seen else 0.0)
            at_work = tab.is_waiting() or self.life.is_window_coming() or is_still
            if seen and seen["ready"] != "loading" and left <= 0 and not at_work:
                break
            if seen and seen["ready"] == "loading":  # the rest is still being sent
                until = min(time.monotonic() + limits.settle_seconds, most)
            tab.page.wait_for_timeout(min(max(left, 0.02), 0.1) * 1000)
        else:
            tab.complain_of_messages()
            tab.complain_of_stream()
        self.archive(tab)

    def _wait(self, tab: Tab, seconds: float) -> None:
        """Wait, in pieces: as long as the wrapper says, the browser is not taken for dead."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            tab.page.wait_for_timeout(min(left, WAIT_PIECE) * 1000)
            self.life.process.answered()

    def _glance(self, frame: Any) -> Any:
        try:
            return self.ask(frame, "state", marked=False)
        except playwright_error() as error:
            if is_gone(error.message) and not self.life.process.is_alive():
                raise
            return None  # the page is just being replaced

    def archive(self, tab: Tab) -> None:
        """Hand on what a tab has fetched since it was last asked."""
        finished, tab.finished = tab.finished, []
        if self.rules.keep is None:
            return
        for request in finished:
            exchange = exchange_of(request)
            if exchange is not None:
                self.rules.keep(replace(exchange, certificate=self.life.gate.doubt(exchange.url)))

    def ask(self, frame: Any, what: str, **call: Any) -> Any:
        """Ask the page in a frame; None where another document is there than the expected one."""
        asked = {"key": self.key, "token": secrets.token_hex(4), "what": what, "expected": "", **call}
        found = frame.evaluate(page_script(), asked)
        self.life.process.answered()
        return None if found.get("moved") else found["answer"]

    def root(
        self, document: ShownDocument, before: State | None, deed: PageAction | None, wait: float = 0.0
    ) -> ShownNode:
        """Return the document node of what a frame shows now, under the document's key."""
        seen = self.ask(document.frame, "state", marked=True)
        self._tidy(document, str(seen["token"]))
        document.token, document.count = str(seen["token"]), max(document.count, int(seen["count"]))
        in_frame = document.frame != document.tab.page.main_frame
        state = State(before, deed, str(seen["url"]), str(seen["mark"]), in_frame, wait)
        return ShownNode(document, 0, None, state)

    def _tidy(self, document: ShownDocument, token: str) -> None:
        """Have the browser let go of pages that were left: by itself it waits until hundreds of megabytes are full."""
        self._documents += token != document.token
        if self._documents >= TIDY_EVERY:
            self._documents = 0
            session = document.tab.page.context.new_cdp_session(document.tab.page)
            session.send("HeapProfiler.collectGarbage")
            session.detach()


def exchange_of(request: Any) -> Exchange | None:
    """Return a finished request of Playwright as an exchange; None where the browser no longer has it."""
    if not request.url.startswith(("http://", "https://")):
        return None
    try:
        response = request.response()
        if response is None:
            return None
        body = b"" if 300 <= response.status < 400 else response.body()
        return _made(request, response, body)
    except playwright_error():
        return None


def _made(request: Any, response: Any, body: bytes) -> Exchange:
    headers = [(one["name"], one["value"]) for one in response.headers_array()]
    kept = tuple((f"X-Archive-Orig-{name}" if name.lower() in ALTERED else name, value) for name, value in headers)
    sent = [(one["name"], one["value"]) for one in request.headers_array()]
    path = "/" + request.url.split("/", 3)[3] if request.url.count("/") > 2 else "/"
    lines = [f"{request.method} {path.partition('#')[0]} HTTP/1.1", *(f"{name}: {value}" for name, value in sent)]
    timing = request.timing
    server = response.server_addr() or {}
    return Exchange(
        url=request.url.partition("#")[0],
        started=datetime.fromtimestamp(max(timing["startTime"], 0) / 1000, UTC) if timing else datetime.now(UTC),
        milliseconds=int(max(timing["responseEnd"], 0)) if timing else 0,
        ip="" if server.get("ipAddress") in (None, "127.0.0.1") else str(server["ipAddress"]),
        request_head=("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace"),
        request_body=request.post_data_buffer or b"",
        status=response.status,
        reason=response.status_text,
        headers=(*kept, ("Content-Length", str(len(body)))),
        body=BytesIO(body),
        body_length=len(body),
    )
