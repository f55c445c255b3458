"""Restores a page in a real browser, in the state in which a node was found on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from siteseer.errors import FetchError
from siteseer.fetch.browser.history import LostNodeError, PageAction, ShownNode
from siteseer.fetch.browser.lifecycle import BrowserLifecycle, is_gone
from siteseer.fetch.browser.load import PageLoader
from siteseer.fetch.browser.page_actions import perform_action
from siteseer.fetch.browser.playwright_library import playwright_error
from siteseer.fetch.browser.tab import Tab


class PageRestorer:
    """Brings pages back: as they are, by going back, by loading their address, by doing again what led to them."""

    def __init__(self, life: BrowserLifecycle, loads: PageLoader) -> None:
        self.life, self.loads = life, loads

    def restore(self, node: ShownNode, wanted: list[ShownNode]) -> None:
        """Show the page of a node again, in the state in which the node was found on it."""
        for bring in (self._stay, self._go_back, self._load_again, self._do_again):
            with self.attempted():
                if bring(node) and self._adopted(node, wanted, bring == self._do_again):
                    return
        raise FetchError(f"{node.state.url} cannot be brought back as it was")

    @contextmanager
    def attempted(self) -> Iterator[None]:
        """Let one way of bringing a page back fail: there are others."""
        try:
            yield
        except (FetchError, LostNodeError):
            pass
        except playwright_error() as error:
            if not self.life.process.is_alive() or is_gone(error.message):
                raise

    def _has_tab(self, node: ShownNode) -> bool:
        return node.page.tab.page in self.life.tabs and not node.page.tab.page.is_closed()

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
        self.loads.settle(tab, tab.page.main_frame)
        return self._stay(node)

    def _load_again(self, node: ShownNode) -> bool:
        if node.state.in_frame:
            return False
        self._reload(node, node.state.url, node.state.wait)
        return True

    def _reload(self, node: ShownNode, url: str, wait: float) -> None:
        if not self._has_tab(node):
            node.page.tab = self.life.new_tab()
        tab: Tab = node.page.tab
        self.loads.goto(tab, url)
        self.loads.settle(tab, tab.page.main_frame, wait)
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

    def _repeat(self, tab: Tab, frame: Any, deed: PageAction) -> Any:
        number = 0
        if deed.place is not None:
            found = self.loads.ask(frame, "again", place=deed.place)
            if found is None:
                raise LostNodeError
            number = int(found[0])
        tab.begin()
        entered = perform_action(self.loads.ask, frame, number, deed.deed, deed.value, self.loads.key)
        frame = entered or (tab.page.main_frame if frame.is_detached() else frame)
        self.loads.settle(tab, frame, deed.pause)
        return frame

    def _adopted(self, node: ShownNode, wanted: list[ShownNode], is_last: bool) -> bool:
        """Find the document's nodes on the page that is there now; False where one of those wanted is missing."""
        document = node.page
        if not node.state.in_frame:
            document.frame = document.tab.page.main_frame
        state = self.loads.ask(document.frame, "state", marked=True)
        roots_only = all(one.number == 0 for one in wanted)
        if roots_only and not is_last and state["mark"] != node.state.mark and not self._same_visit(node, state):
            return False
        nodes = [one for one in list(document.marks.values()) if one.number and one.place]
        places = [(one.number, one.place) for one in nodes]
        there = self.loads.ask(document.frame, "adopt", places=places, count=document.count)
        missing = {one.number for one, is_there in zip(nodes, there, strict=True) if not is_there}
        if any(one.number in missing for one in wanted):
            return False
        document.token = str(state["token"])
        return True

    def _same_visit(self, node: ShownNode, state: Any) -> bool:
        """Say whether the browser never left the address: what an action changed there is to stay."""
        return node.page.token != "" and _plain(state["url"]) == _plain(node.state.url) and self.life.restarts == 0


def _plain(url: str) -> str:
    return url.partition("#")[0]
