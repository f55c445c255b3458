"""Watches a browser during a run: last action, number of pages, and the content of the first pages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress

from siteseer.errors import SiteseerError
from siteseer.interfaces import Browser, WebNode
from siteseer.wrapper.oxpath.language.syntax import Literal

KEPT_PAGES = 3
"""Pages of a task whose text is remembered: a wrapper that breaks breaks on the first."""
LOOKS = 20
"""How often a page is read again because something was done with it."""
LONGEST_PAGE = 4 * 2**20
LONGEST_STEP = 300


class PageLimitReached(Exception):
    """A task has loaded as many pages as it may."""


class WatchedBrowser:
    """Passes calls to another browser, and remembers what happened."""

    def __init__(self, browser: Browser, page_limit: int | None, page_came: Callable[[int], None]) -> None:
        self._browser, self._limit, self._page_came = browser, page_limit, page_came
        self._last: WebNode | None = None
        self._seen = 0
        self._looks = LOOKS
        self._kept: dict[Hashable, tuple[str, str]] = {}
        self.step = ""
        """What was done last, as a wrapper says it."""

    def open(self, url: str, wait: float = 0) -> WebNode:
        """Load a page."""
        self.step = f"doc({Literal(url[:LONGEST_STEP])})"
        self._make_room()
        return self._came(self._browser.open(url, wait), None)

    def evaluate(self, nodes: Sequence[WebNode], xpath: str) -> list[str | float | bool | list[WebNode]]:
        """Evaluate an expression."""
        self.step = xpath[:LONGEST_STEP]
        return self._browser.evaluate(nodes, xpath)

    def tell(self, nodes: Sequence[WebNode], what: str, name: str = "") -> list[str]:
        """Return a property of nodes."""
        return self._browser.tell(nodes, what, name)

    def act(self, node: WebNode, deed: str, value: str, wait: float, keep: bool) -> WebNode:
        """Act on a node; typed text may be a password, and is not remembered."""
        self.step = "{'...'}" if deed == "text" else f"{{{value[:LONGEST_STEP]}}}"
        self._make_room()
        self._last = node
        return self._came(self._browser.act(node, deed, value, wait, keep), node)

    def again(self, node: WebNode, document: WebNode) -> WebNode | None:
        """Return the same node on another page."""
        return self._browser.again(node, document)

    def release(self, node: WebNode, since: WebNode | None) -> None:
        """Release a page."""
        self._browser.release(node, since)

    def close(self) -> None:
        """Do nothing: whoever opened the browser closes it."""

    def _make_room(self) -> None:
        if self._limit is not None and self._seen >= self._limit:
            raise PageLimitReached

    def _came(self, root: WebNode, before: WebNode | None) -> WebNode:
        self._last = root
        if before is None or root.page != before.page:
            self._seen += 1
            self._page_came(self._seen)
        if self._looks and (root.page in self._kept or len(self._kept) < KEPT_PAGES):
            self._looks -= 1
            with suppress(SiteseerError):  # the wrapper itself will hear of it
                self._kept[root.page] = (self.url(), self._browser.tell([root], "content")[0][:LONGEST_PAGE])
        return root

    @property
    def pages(self) -> list[tuple[str, str]]:
        """Return URL and text of the first pages."""
        return list(self._kept.values())

    def url(self) -> str:
        """Return the URL of the current page."""
        if self._last is None:
            return ""
        with suppress(SiteseerError):
            return self._browser.tell([self._last], "url")[0]
        return ""

    def screenshot(self) -> str:
        """Return a screenshot of the current page, in base64; empty where there is none."""
        if self._last is None:
            return ""
        with suppress(SiteseerError):
            return self._browser.tell([self._last], "screenshot")[0]
        return ""
