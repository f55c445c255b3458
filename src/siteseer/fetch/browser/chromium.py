"""A `Browser` with scripts: drives the system's Chromium by Playwright.

A page that has to be left is brought back when one of its nodes is used again: by going back, by loading its address,
or by doing again what led to it. So is everything when the browser dies.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast

from siteseer.errors import FetchError
from siteseer.fetch.browser.history import PageAction, ShownDocument, ShownNode, State
from siteseer.fetch.browser.lifecycle import BrowserDied, BrowserLifecycle
from siteseer.fetch.browser.load import LoadRules, PageLoader
from siteseer.fetch.browser.page_actions import perform_action
from siteseer.fetch.browser.process import Chromium
from siteseer.fetch.browser.return_to_page import PageRestorer
from siteseer.fetch.browser.static_browser import start_address
from siteseer.fetch.browser.tab import Tab
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import WebNode
from siteseer.settings import BrowserLimits

WINDOW_MILLISECONDS = 4_000
STATUS = "() => performance.getEntriesByType('navigation')[0]?.responseStatus"
"""What a new window was answered: that came before anybody could listen."""


class ChromiumBrowser:
    """Shows pages in Chromium."""

    def __init__(
        self,
        addresses: AddressPolicy,
        user_agent: str,
        limits: BrowserLimits | None = None,
        rules: LoadRules | None = None,
    ) -> None:
        self.limits = limits or BrowserLimits()
        self.life = BrowserLifecycle(addresses, user_agent, self.limits)
        self.loads = PageLoader(self.life, rules or LoadRules())
        self.returns = PageRestorer(self.life, self.loads)

    @property
    def process(self) -> Chromium:
        """The running process."""
        return self.life.process

    @property
    def _process(self) -> Chromium | None:
        """The process, if one is running."""
        return self.life._process

    @property
    def restarts(self) -> int:
        """How often the browser had to be started again."""
        return self.life.restarts

    def open(self, url: str, wait: float = 0) -> WebNode:
        """Load a page in a tab of its own; where no scheme is given, by https if http does not answer."""
        try:
            return self._open(start_address(url), wait)
        except FetchError:
            if "://" in url:
                raise
            return self._open(start_address(f"https://{url}"), wait)

    def _open(self, address: str, wait: float) -> WebNode:
        return self.life.lasting(lambda: self._in_new_tab(State(None, None, address, "", wait=wait)))

    def _in_new_tab(self, state: State, referrer: str = "") -> ShownNode:
        tab = self.life.new_tab()
        try:
            return self.loads.loaded(tab, state.url, state, referrer)
        except BaseException:
            with suppress(Exception):  # what went wrong is told, not that the tab went with it
                self.life.close_tab(tab)
            raise

    def evaluate(self, nodes: Sequence[WebNode], xpath: str) -> list[str | float | bool | list[WebNode]]:
        """Evaluate XPath in the page, at each node."""
        own = cast(Sequence[ShownNode], nodes)
        answers = self.life.lasting(lambda: self._asked(own, "evaluate", xpath=xpath, most=self.limits.nodes))
        return [self._value(node, answer) for node, answer in zip(own, answers, strict=True)]

    def _value(self, node: ShownNode, answer: Any) -> Any:
        if isinstance(answer, list):
            return [self._node(node, int(number), place) for number, place in answer]
        return float(answer) if isinstance(answer, int) and not isinstance(answer, bool) else answer

    def _node(self, near: ShownNode, number: int, place: Any) -> ShownNode:
        near.page.count = max(near.page.count, number + 1)
        return ShownNode(near.page, number, tuple(place) if place else None, near.state)

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
            if document.tab.page in self.life.tabs and not document.frame.is_detached():
                found = self.loads.ask(document.frame, what, expected=document.token, nodes=numbers, **call)
            if found is not None and all(found):
                return [one["value"] for one in found]
            lost = [node for node, one in zip(nodes, found, strict=True) if one is None] if found else nodes
            if attempt < 2:
                self.returns.restore(lost[0], lost)
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
            return [self.life.lasting(lambda node=node: self._screenshot(node)) for node in own]  # type: ignore[misc]
        answers = self.life.lasting(lambda: self._asked(own, "tell", about=what, name=name))
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
            if not self.life.lasting(lambda: self._is_there(old)):
                return None
            return ShownNode(root.page, old.number, old.place, root.state)
        answer = self.life.lasting(
            lambda: self.loads.ask(root.page.frame, "again", expected=root.page.token, place=old.place)
        )
        return self._node(root, int(answer[0]), answer[1]) if answer else None

    def _is_there(self, node: ShownNode) -> bool:
        call = {"nodes": [node.number], "about": "visible", "name": "", "expected": node.page.token}
        found = self.loads.ask(node.page.frame, "tell", **call)
        return found is not None and found[0] is not None

    def act(self, node: WebNode, deed: str, value: str, wait: float, keep: bool) -> WebNode:
        """Do something with a node, wait until the page is at rest again, and return its document node."""
        own = cast(ShownNode, node)
        return self.life.lasting(lambda: self._act(own, PageAction(deed, value, wait, own.place), keep))

    def _act(self, node: ShownNode, deed: PageAction, keep: bool) -> ShownNode:
        self._on(node.page, [node], "tell", {"about": "visible", "name": ""})
        document = node.page
        if keep and len(self.life.tabs) < self.limits.tabs and (target := self._target(node, deed)):
            return self._in_new_tab(State(node.state, None, target, "", wait=deed.wait), document.frame.url)
        return self._in_place(node, deed)

    def _target(self, node: ShownNode, deed: PageAction) -> str | None:
        if deed.deed != "keyword" or deed.value not in ("click", "movetohref") or node.number == 0:
            return None
        found = self.loads.ask(node.page.frame, "target", number=node.number)
        return str(found) if found else None

    def _in_place(self, node: ShownNode, deed: PageAction) -> ShownNode:
        document = node.page
        tab: Tab = document.tab
        leads = ""
        if deed.deed == "keyword":
            leads = str(self.loads.ask(document.frame, "leads", number=node.number) or "") if node.number else ""
            self.loads.be_polite(leads or document.frame.url)
        tab.begin()
        if deed.value == "click" and leads.startswith("http"):
            tab.leads_to = leads if leads.partition("#")[0] != document.frame.url.partition("#")[0] else ""
        self.life.opened.clear()
        frame = perform_action(self.loads.ask, document.frame, node.number, deed.deed, deed.value, self.loads.key)
        if frame is not None:
            self.loads.settle(tab, frame, deed.pause)
            self.loads.check_frame(frame)
            return self.loads.root(ShownDocument(tab, frame, ""), node.state, deed)
        self.loads.settle(tab, document.frame if not document.frame.is_detached() else tab.page.main_frame, deed.pause)
        self.loads.check(tab)
        return self._followed_window(node, deed) or self._now(node, deed)

    def _now(self, node: ShownNode, deed: PageAction) -> ShownNode:
        """Return the document node after something was done: of the same document where it is still there."""
        document = node.page
        frame = document.tab.page.main_frame if document.frame.is_detached() else document.frame
        seen = self.loads.ask(frame, "state", marked=False)
        if seen["token"] == document.token:
            return self.loads.root(document, node.state, deed)
        return self.loads.root(ShownDocument(document.tab, frame, ""), node.state, deed)

    def _followed_window(self, node: ShownNode, deed: PageAction) -> ShownNode | None:
        """Go on in a window that was opened, where the old page stayed as it was; close all others."""
        windows = [page for page in self.life.opened if page in self.life.tabs and not page.is_closed()]
        self.life.opened.clear()
        if not windows:
            return None
        seen = self.loads.ask(node.page.frame, "state", marked=True)
        wanted = windows[0] if seen["token"] == node.page.token and seen["mark"] == node.state.mark else None
        self.life.opened.extend(page for page in windows if page is not wanted)
        self.loads.close_windows(node.page.tab)
        if wanted is None:
            return None
        tab = self.life.tabs[wanted]
        with self.returns.attempted():  # a new window is empty at first
            wanted.wait_for_url(lambda url: url != "about:blank", timeout=WINDOW_MILLISECONDS, wait_until="commit")
        self.loads.settle(tab, wanted.main_frame, deed.pause)
        tab.status = tab.status or int(wanted.evaluate(STATUS) or 0)
        self.loads.check(tab)
        return self.loads.root(ShownDocument(tab, wanted.main_frame, ""), node.state, deed)

    def release(self, node: WebNode, since: WebNode | None) -> None:
        """Close the tab of a node if it is another than that of `since`."""
        tab, old = cast(ShownNode, node).page.tab, cast(ShownNode, since).page.tab if since else None
        if tab is not old and tab.page in self.life.tabs:
            with suppress(BrowserDied, FetchError):
                self.life.translated(lambda: self._closed(tab))

    def _closed(self, tab: Tab) -> None:
        self.loads.archive(tab)
        self.life.close_tab(tab)

    def close(self) -> None:
        """Leave no process and no file behind."""
        self.life.stop()
        self.life.gate.close()
