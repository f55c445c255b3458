"""A `Browser` with scripts: the system's Chromium, spoken to by Playwright, which nothing else here knows.

A page that has to be left is brought back when one of its nodes is used again: by going back, by loading its address,
or by doing again what led to it. So is everything when the browser dies.
"""

from __future__ import annotations

import base64
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from siteseer.errors import FetchError, MissingExtraError, UsageError
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.browser_deeds import do
from siteseer.fetch.browser_exchange import exchange_of
from siteseer.fetch.browser_gate import Gate
from siteseer.fetch.browser_process import Chromium
from siteseer.fetch.browser_static import start_address
from siteseer.fetch.browser_tab import HostilePageError, Tab
from siteseer.fetch.browser_views import Deed, LostNodeError, ShownDocument, ShownNode, State
from siteseer.interfaces import Exchange, WebNode
from siteseer.settings import BrowserLimits

Result = TypeVar("Result")
WINDOW_MILLISECONDS = 4_000
TEMPORARY = ("ERR_NETWORK_CHANGED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "Timeout")


class BrowserDied(Exception):
    """The browser, or one of its tabs, is no longer there."""


@lru_cache(maxsize=1)
def _script() -> str:
    return files("siteseer.fetch").joinpath("browser.js").read_text(encoding="utf-8")


class ChromiumBrowser:
    """Shows pages in Chromium; every exchange is handed to `keep`, if it is given."""

    def __init__(
        self,
        addresses: AddressPolicy,
        user_agent: str,
        limits: BrowserLimits | None = None,
        keep: Callable[[Exchange], None] | None = None,
        delay: float = 0.0,
    ) -> None:
        self.limits = limits or BrowserLimits()
        self._agent, self._keep, self._delay = user_agent, keep, delay
        self._key = "_" + secrets.token_hex(8)
        self._gate = Gate(addresses)
        self._process: Chromium | None = None
        self._playwright: Any = None
        self._context: Any = None
        self._tabs: dict[Any, Tab] = {}
        self._opened: list[Any] = []
        self._last_load = 0.0
        self.restarts = 0
        """How often the browser had to be started again."""

    @property
    def process(self) -> Chromium:
        """The running process."""
        assert self._process is not None
        return self._process

    # ── the browser's life ────────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        """Start Chromium; it is started by itself when a page is opened, too."""
        try:
            from playwright.sync_api import sync_playwright
        except ModuleNotFoundError as error:
            raise MissingExtraError("browser", "wrappers with scripts need playwright") from error
        if not self._gate.port:
            self._gate.open()
        self._process = Chromium(self._gate.port, self.limits.memory_bytes)
        with self.process.deadline(60, "the browser did not start"):
            self._playwright = sync_playwright().start()
            browser = self._playwright.chromium.connect_over_cdp(self._process.address)
            self._context = browser.new_context(
                user_agent=self._agent, accept_downloads=False, ignore_https_errors=True, service_workers="block"
            )
        self._context.set_default_timeout(self.limits.load_seconds * 1000)
        self._context.on("page", self._page_opened)

    def _page_opened(self, page: Any) -> None:
        tab = self._tabs[page] = Tab(page, self.limits, self.process.condemn)
        self._opened.append(page)
        page.on("close", lambda _: self._tabs.pop(page, None))
        page.on("crash", lambda _: self._tabs.pop(page, None))
        if len(self._opened) > self.limits.windows + 1:
            self.process.condemn(f"{tab.page.url} opens window after window")

    def _stop(self) -> None:
        """End the browser and what speaks to it, in whatever state they are."""
        if self._process is not None:
            self._process.end()
            self._process = None
        if self._playwright is not None:
            with suppress(Exception):  # its connection is gone already
                self._playwright.stop()
        self._playwright = self._context = None
        self._tabs.clear()
        self._opened.clear()

    def close(self) -> None:
        """Leave no process and no file behind."""
        self._stop()
        self._gate.close()

    def _lasting(self, work: Callable[[], Result]) -> Result:
        """Do something; where the browser dies on the way, start it again and do it once more."""
        for attempt in range(self.limits.restarts + 1):
            try:
                if self._process is None:
                    self.start()
                with self.process.deadline(self.limits.answer_seconds, "a page does not let the browser answer"):
                    return self._translated(work)
            except BrowserDied:
                why = self._process.why if self._process is not None else ""
                alive = self._process is not None and self._process.is_alive()
                if not alive or attempt:
                    self._stop()
                if why:
                    raise HostilePageError(f"the browser was ended: {why}") from None
                self.restarts += 1
        raise FetchError(f"the browser died {self.limits.restarts + 1} times in a row")

    def _translated(self, work: Callable[[], Result]) -> Result:
        from playwright.sync_api import Error

        try:
            return work()
        except Error as error:
            if not self.process.is_alive() or _is_gone(error.message):
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
        for place, why in self._gate.refused.items():
            if place in message or place.removesuffix(":80").removesuffix(":443") in message:
                return FetchError(why)
        if "ERR_TOO_MANY_REDIRECTS" in message:
            return FetchError("the page redirects more often than the browser follows")
        if "Download is starting" in message:
            return FetchError("the address is a download, not a page")
        return FetchError(first.removeprefix("Page.goto: "))

    # ── pages ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def open(self, url: str, wait: float = 0) -> WebNode:
        """Load a page in a tab of its own."""
        address = start_address(url)

        def work() -> ShownNode:
            tab = self._new_tab()
            return self._loaded(tab, address, State(None, None, address, "", wait=wait))

        return self._lasting(work)

    def _new_tab(self) -> Tab:
        page = self._context.new_page()
        self._opened.clear()
        if page not in self._tabs:
            self._tabs[page] = Tab(page, self.limits, self.process.condemn)
        return self._tabs[page]

    def _loaded(self, tab: Tab, url: str, state: State, referrer: str = "") -> ShownNode:
        self._goto(tab, url, referrer)
        self._settle(tab, tab.page.main_frame, state.wait)
        self._check(tab)
        self._close_windows()
        document = ShownDocument(tab, tab.page.main_frame, "")
        return self._root(document, state.before, state.deed, state.wait)

    def _check(self, tab: Tab) -> None:
        """Raise where what was done did not lead to a page; what the gate knows about it says more than a status."""
        if tab.status in (403, 502):
            parts = urlsplit(tab.page.url)
            why = self._gate.refused.get(f"{parts.hostname}:{parts.port or 80}")
            if why is not None:
                raise FetchError(why)
        tab.complain()

    def _close_windows(self) -> None:
        """Close the windows that a page opened by itself."""
        for page in self._opened:
            if page in self._tabs and not page.is_closed():
                page.close()
        self._opened.clear()

    def _goto(self, tab: Tab, url: str, referrer: str = "") -> None:
        from playwright.sync_api import Error

        for attempt in range(3):
            self._be_polite()
            tab.begin()
            try:
                tab.page.goto(url, wait_until="commit", **({"referer": referrer} if referrer else {}))
                return
            except Error as error:
                if tab.download:
                    tab.complain()
                if "interrupted by another navigation" in error.message or "ERR_ABORTED" in error.message:
                    return
                if attempt == 2 or not any(sign in error.message for sign in TEMPORARY):
                    raise
                time.sleep(1)

    def _be_polite(self) -> None:
        pause = self._last_load + self._delay - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        self._last_load = time.monotonic()

    def _root(self, document: ShownDocument, before: State | None, deed: Deed | None, wait: float = 0.0) -> ShownNode:
        """Return the document node of what a frame shows now, under the document's key."""
        seen = self._ask(document.frame, "state", marked=True)
        document.token, document.count = str(seen["token"]), max(document.count, int(seen["count"]))
        in_frame = document.frame != document.tab.page.main_frame
        state = State(before, deed, str(seen["url"]), str(seen["mark"]), in_frame, wait)
        return ShownNode(document, 0, None, state)

    def _settle(self, tab: Tab, frame: Any, wait: float = 0.0) -> None:
        """Wait until a page has come to rest: nothing on its way, nothing changed for a while."""
        if wait:
            tab.page.wait_for_timeout(wait * 1000)
        limits = self.limits
        began = time.monotonic()
        until = began + limits.settle_seconds
        while time.monotonic() < until:
            if tab.navigations > limits.navigations:
                raise HostilePageError(f"{tab.page.url} sends the browser on and on")
            if tab.download:
                return
            seen = self._glance(frame)
            quiet = min(seen["quiet"] / 1000, time.monotonic() - began) if seen else 0.0
            left = limits.quiet_seconds - quiet
            if seen and seen["ready"] != "loading" and left <= 0 and not tab.is_waiting():
                break
            tab.page.wait_for_timeout(min(max(left, 0.02), 0.1) * 1000)
        self._archive(tab)

    def _glance(self, frame: Any) -> Any:
        from playwright.sync_api import Error

        try:
            return self._ask(frame, "state", marked=False)
        except Error as error:
            if _is_gone(error.message) and not self.process.is_alive():
                raise
            return None  # the page is just being replaced

    def _archive(self, tab: Tab) -> None:
        finished, tab.finished = tab.finished, []
        if self._keep is None:
            return
        for request in finished:
            exchange = exchange_of(request)
            if exchange is not None:
                self._keep(exchange)

    def _ask(self, frame: Any, what: str, **call: Any) -> Any:
        asked = {"key": self._key, "token": secrets.token_hex(4), "what": what, "expected": "", **call}
        found = frame.evaluate(_script(), asked)
        return None if found.get("moved") else found["answer"]

    # ── nodes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def evaluate(self, nodes: Sequence[WebNode], xpath: str) -> list[str | float | bool | list[WebNode]]:
        """Evaluate XPath in the page, at each node."""
        own = cast(Sequence[ShownNode], nodes)
        answers = self._lasting(lambda: self._asked(own, "evaluate", xpath=xpath, most=self.limits.nodes))
        return [self._value(node, answer) for node, answer in zip(own, answers, strict=True)]

    def _value(self, node: ShownNode, answer: Any) -> Any:
        if isinstance(answer, list):
            return [self._node(node, int(number), place) for number, place in answer]
        return float(answer) if isinstance(answer, int) and not isinstance(answer, bool) else answer

    def _node(self, near: ShownNode, number: int, place: Any) -> ShownNode:
        document = near.page
        found = document.nodes.get(number)
        if found is None:
            found = ShownNode(document, number, tuple(place) if place else None, near.state)
            document.nodes[number] = found
            document.count = max(document.count, number + 1)
        elif place:
            found.place, found.state = tuple(place), near.state
        return found

    def _asked(self, nodes: Sequence[ShownNode], what: str, **call: Any) -> list[Any]:
        """Ask about nodes, page by page, each brought back where it has gone."""
        answers: dict[int, Any] = {}
        for document in dict.fromkeys(node.page for node in nodes):
            here = [(at, node) for at, node in enumerate(nodes) if node.page is document]
            for at, answer in zip(
                (at for at, _ in here), self._on(document, [one for _, one in here], what, call), strict=True
            ):
                answers[at] = answer
        return [answers[at] for at in range(len(nodes))]

    def _on(self, document: ShownDocument, nodes: list[ShownNode], what: str, call: dict[str, Any]) -> list[Any]:
        numbers = [node.number for node in nodes]
        for attempt in range(3):
            found = None
            if document.tab.page in self._tabs and not document.frame.is_detached():
                found = self._ask(document.frame, what, expected=document.token, nodes=numbers, **call)
            if found is not None and all(found):
                return [one["value"] for one in found]
            lost = [node for node, one in zip(nodes, found, strict=True) if one is None] if found else nodes
            if attempt < 2:
                self._restore(lost[0], lost)
        raise FetchError("a node is no longer on its page, and the page cannot be brought back")

    def tell(self, nodes: Sequence[WebNode], what: str, name: str = "") -> list[str]:
        """Tell something of each node or of its page."""
        own = cast(Sequence[ShownNode], nodes)
        if what == "url":
            return [node.state.url for node in own]
        if what == "fingerprint":
            return [node.state.mark for node in own]
        if what == "time":
            return [datetime.now(UTC).isoformat(timespec="seconds")] * len(own)
        if what == "screenshot":
            return [self._lasting(lambda node=node: self._screenshot(node)) for node in own]  # type: ignore[misc]
        answers = self._lasting(lambda: self._asked(own, "tell", about=what, name=name))
        return [str(answer) for answer in answers]

    def _screenshot(self, node: ShownNode) -> str:
        self._on(node.page, [node], "tell", {"about": "visible", "name": ""})
        return base64.b64encode(node.page.tab.page.screenshot(type="png")).decode()

    def again(self, node: WebNode, document: WebNode) -> WebNode | None:
        """Return the same node on the page that is there now."""
        old, root = cast(ShownNode, node), cast(ShownNode, document)
        if old.number == 0:
            return root
        if old.page is root.page:
            if not self._lasting(lambda: self._is_there(old)):
                return None
            found = ShownNode(root.page, old.number, old.place, root.state)
            root.page.nodes[old.number] = found
            return found
        answer = self._lasting(lambda: self._ask(root.page.frame, "again", expected=root.page.token, place=old.place))
        return self._node(root, int(answer[0]), answer[1]) if answer else None

    def _is_there(self, node: ShownNode) -> bool:
        call = {"nodes": [node.number], "about": "visible", "name": "", "expected": node.page.token}
        found = self._ask(node.page.frame, "tell", **call)
        return found is not None and found[0] is not None

    # ── actions ───────────────────────────────────────────────────────────────────────────────────────────────────

    def act(self, node: WebNode, deed: str, value: str, wait: float, keep: bool) -> WebNode:
        """Do something with a node, wait until the page is at rest again, and return its document node."""
        own = cast(ShownNode, node)
        return self._lasting(lambda: self._act(own, Deed(deed, value, wait, own.place), keep))

    def _act(self, node: ShownNode, deed: Deed, keep: bool) -> ShownNode:
        self._on(node.page, [node], "tell", {"about": "visible", "name": ""})
        document = node.page
        if keep and len(self._tabs) < self.limits.tabs and (target := self._target(node, deed)):
            tab = self._new_tab()
            try:
                return self._loaded(
                    tab, target, State(node.state, None, target, "", wait=deed.wait), document.frame.url
                )
            except BaseException:
                self._close_tab(tab)
                raise
        return self._in_place(node, deed)

    def _target(self, node: ShownNode, deed: Deed) -> str | None:
        if deed.deed != "keyword" or deed.value not in ("click", "movetohref") or node.number == 0:
            return None
        found = self._ask(node.page.frame, "target", number=node.number)
        return str(found) if found else None

    def _in_place(self, node: ShownNode, deed: Deed) -> ShownNode:
        document = node.page
        tab: Tab = document.tab
        if deed.deed == "keyword":
            self._be_polite()
        tab.begin()
        self._opened.clear()
        frame = do(self._ask, document.frame, node.number, deed.deed, deed.value, self._key)
        if frame is not None:
            self._settle(tab, frame, deed.wait)
            return self._root(ShownDocument(tab, frame, ""), node.state, deed)
        self._settle(tab, document.frame if not document.frame.is_detached() else tab.page.main_frame, deed.wait)
        self._check(tab)
        return self._followed_window(node, deed) or self._now(node, deed)

    def _now(self, node: ShownNode, deed: Deed) -> ShownNode:
        """Return the document node after something was done: of the same document where it is still there."""
        document = node.page
        frame = document.tab.page.main_frame if document.frame.is_detached() else document.frame
        seen = self._ask(frame, "state", marked=False)
        if seen["token"] == document.token:
            return self._root(document, node.state, deed)
        return self._root(ShownDocument(document.tab, frame, ""), node.state, deed)

    def _followed_window(self, node: ShownNode, deed: Deed) -> ShownNode | None:
        """Go on in a window that was opened, where the old page stayed as it was; close all others."""
        windows = [page for page in self._opened if page in self._tabs and not page.is_closed()]
        self._opened.clear()
        if not windows:
            return None
        seen = self._ask(node.page.frame, "state", marked=True)
        wanted = windows[0] if seen["token"] == node.page.token and seen["mark"] == node.state.mark else None
        self._opened.extend(page for page in windows if page is not wanted)
        self._close_windows()
        if wanted is None:
            return None
        tab = self._tabs[wanted]
        with self._attempted():  # a new window is empty at first
            wanted.wait_for_url(lambda url: url != "about:blank", timeout=WINDOW_MILLISECONDS, wait_until="commit")
        self._settle(tab, wanted.main_frame, deed.wait)
        self._check(tab)
        return self._root(ShownDocument(tab, wanted.main_frame, ""), node.state, deed)

    def release(self, node: WebNode, since: WebNode | None) -> None:
        """Close the tab of a node if it is another than that of `since`."""
        tab, old = cast(ShownNode, node).page.tab, cast(ShownNode, since).page.tab if since else None
        if tab is not old and tab.page in self._tabs:
            with suppress(BrowserDied, FetchError):
                self._translated(lambda: self._close_tab(tab))

    def _close_tab(self, tab: Tab) -> None:
        self._tabs.pop(tab.page, None)
        tab.page.close()

    # ── bringing pages back ───────────────────────────────────────────────────────────────────────────────────────

    def _restore(self, node: ShownNode, wanted: list[ShownNode]) -> None:
        """Show the page of a node again, in the state in which the node was found on it."""
        for bring in (self._stay, self._go_back, self._load_again, self._do_again):
            with self._attempted():
                if bring(node) and self._adopted(node, wanted, bring == self._do_again):
                    return
        raise FetchError(f"{node.state.url} cannot be brought back as it was")

    @contextmanager
    def _attempted(self) -> Iterator[None]:
        """Let one way of bringing a page back fail: there are others."""
        from playwright.sync_api import Error

        try:
            yield
        except (FetchError, LostNodeError):
            pass
        except Error as error:
            if not self.process.is_alive() or _is_gone(error.message):
                raise

    def _has_tab(self, node: ShownNode) -> bool:
        return node.page.tab.page in self._tabs and not node.page.tab.page.is_closed()

    def _stay(self, node: ShownNode) -> bool:
        """Take the page that is there, where it has the same address: an action may have loaded it again."""
        if not self._has_tab(node) or node.state.in_frame:
            return False
        return _plain(node.page.tab.page.url) == _plain(node.state.url)

    def _go_back(self, node: ShownNode) -> bool:
        if not self._has_tab(node) or node.state.in_frame:
            return False
        tab: Tab = node.page.tab
        tab.begin()
        tab.page.go_back(wait_until="commit")
        self._settle(tab, tab.page.main_frame)
        return self._stay(node)

    def _load_again(self, node: ShownNode) -> bool:
        if node.state.in_frame:
            return False
        self._reload(node, node.state.url, node.state.wait)
        return True

    def _reload(self, node: ShownNode, url: str, wait: float) -> None:
        if not self._has_tab(node):
            node.page.tab = self._new_tab()
        tab: Tab = node.page.tab
        self._goto(tab, url)
        self._settle(tab, tab.page.main_frame, wait)
        node.page.frame = tab.page.main_frame

    def _do_again(self, node: ShownNode) -> bool:
        """Begin at the address that was opened, and do everything that led here."""
        states = list(node.state.way())
        self._reload(node, states[0].url, states[0].wait)
        frame = node.page.tab.page.main_frame
        for state in states[1:]:
            assert state.deed is not None
            frame = self._repeat(node.page.tab, frame, state.deed)
        node.page.frame = frame
        return True

    def _repeat(self, tab: Tab, frame: Any, deed: Deed) -> Any:
        number = 0
        if deed.place is not None:
            found = self._ask(frame, "again", place=deed.place)
            if found is None:
                raise LostNodeError
            number = int(found[0])
        tab.begin()
        entered = do(self._ask, frame, number, deed.deed, deed.value, self._key)
        frame = entered or (tab.page.main_frame if frame.is_detached() else frame)
        self._settle(tab, frame, deed.wait)
        return frame

    def _adopted(self, node: ShownNode, wanted: list[ShownNode], is_last: bool) -> bool:
        """Find the document's nodes on the page that is there now; False where one of those wanted is missing."""
        document = node.page
        if not node.state.in_frame:
            document.frame = document.tab.page.main_frame
        state = self._ask(document.frame, "state", marked=True)
        roots_only = all(one.number == 0 for one in wanted)
        if roots_only and not is_last and state["mark"] != node.state.mark and not self._same_visit(node, state):
            return False
        nodes = [one for one in list(document.nodes.values()) if one.number and one.place]
        places = [(one.number, one.place) for one in nodes]
        there = self._ask(document.frame, "adopt", places=places, count=document.count)
        missing = {one.number for one, is_there in zip(nodes, there, strict=True) if not is_there}
        if any(one.number in missing for one in wanted):
            return False
        document.token = str(state["token"])
        return True

    def _same_visit(self, node: ShownNode, state: Any) -> bool:
        """Say whether the browser never left the address: what an action changed there is to stay."""
        return node.page.token != "" and _plain(state["url"]) == _plain(node.state.url) and self.restarts == 0


def _plain(url: str) -> str:
    return url.partition("#")[0]


def _is_gone(message: str) -> bool:
    return any(sign in message for sign in ("has been closed", "Connection closed", "Target crashed", "Page crashed"))
