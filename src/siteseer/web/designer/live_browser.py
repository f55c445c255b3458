"""Runs a live browser for one person who designs a wrapper: opens it, takes snapshots, performs actions.

Everything is done in a thread of its own, as the browser's driver wants it, one thing after the other.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from siteseer.errors import FetchError, UsageError
from siteseer.fetch.browser.chromium import ChromiumBrowser
from siteseer.fetch.browser.load import LoadRules
from siteseer.fetch.browser.snapshot import node_of, number_of, snapshot
from siteseer.fetch.browser.static_browser import start_address
from siteseer.fetch.crawler_identity import user_agent
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import WebNode
from siteseer.settings import BrowserLimits, CrawlOptions
from siteseer.web.designer.assets import Assets
from siteseer.wrapper.designer.page_snapshot import Snapshot, read_snapshot
from siteseer.wrapper.designer.try_wrapper import try_wrapper
from siteseer.wrapper.designer.wrapper_draft import RecordedAction
from siteseer.wrapper.oxpath.evaluation.to_xpath1 import to_xpath1
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record

Result = TypeVar("Result")
END_SECONDS = 10.0
LIMITS = BrowserLimits(restarts=1, tabs=3, memory_bytes=2 * 2**30)
_editions = itertools.count(1)


class View:
    """A snapshot shown to a person, under a number of its own, with the assets of its session."""

    def __init__(self, snapshot: Snapshot, assets: Assets) -> None:
        self.snapshot, self.assets, self.edition = snapshot, assets, next(_editions)


class LiveBrowser:
    """One live browser. `closed` is called when it ends, however it ends."""

    def __init__(self, closed: Callable[[], None] = lambda: None) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="designer")
        self._closed, self.is_open = closed, True
        self._browser: ChromiumBrowser | None = None
        self._document: WebNode | None = None
        self.assets = Assets()
        self.view: View | None = None

    async def ask(self, work: Callable[..., Result], *given: object) -> Result:
        """Do something in the browser's thread."""
        if not self.is_open:
            raise UsageError("the browser of this page has ended after a while without use; open the page again")
        return await asyncio.wrap_future(self._worker.submit(work, *given))

    # ── in the browser's thread ───────────────────────────────────────────────────────────────────────────────────

    def open(self, url: str, deeds: Sequence[RecordedAction] = ()) -> View:
        """Open a page in a new browser and do there what was recorded; return what it looks like then."""
        self._end()
        address = start_address(url.strip())
        self._browser = ChromiumBrowser(
            AddressPolicy([address]), user_agent(CrawlOptions((), Path())), LIMITS, LoadRules(self.assets.keep)
        )
        try:
            self._document = self._browser.open(address)
            for done in deeds:
                self._document = self._again(self._browser, self._document, done)
        except BaseException:
            self._end()
            raise
        return self.look_again()

    def _again(self, browser: ChromiumBrowser, document: WebNode, done: RecordedAction) -> WebNode:
        found = browser.evaluate([document], _plain(done.xpath))[0]
        if not isinstance(found, list) or not found:
            raise FetchError(f"{done.said or done.xpath} is no longer on the page, so nothing can be done with it")
        return browser.act(found[0], done.deed, done.value, 0, False)

    def look_again(self) -> View:
        """Return what the page looks like now."""
        browser, document = self._there()
        self.view = View(read_snapshot(snapshot(browser, document)), self.assets)
        return self.view

    def act(self, number: int, deed: str, value: str) -> View:
        """Do something with an element of the page; return what the page looks like then."""
        browser, document = self._there()
        self._document = browser.act(node_of(browser, document, number), deed, value, 0, False)
        return self.look_again()

    def seen(self, text: str) -> tuple[tuple[Record, ...], dict[str, tuple[int, ...]]] | None:
        """Return what a wrapper finds on this page, and the numbers of the elements for every label.

        None where the end of the wrapper cannot be looked at by itself.
        """
        wrapper = parse(text)
        browser, document = self._there()
        found = try_wrapper(browser, document, wrapper)
        if found is None:
            return None
        return found.records, {name: tuple(map(number_of, nodes)) for name, nodes in found.nodes.items()}

    def _there(self) -> tuple[ChromiumBrowser, WebNode]:
        if self._browser is None or self._document is None:
            raise UsageError("no page is open; enter its address first")
        return self._browser, self._document

    def _end(self) -> None:
        browser, self._browser, self._document = self._browser, None, None
        if browser is not None:
            browser.close()

    # ── from anywhere ─────────────────────────────────────────────────────────────────────────────────────────────

    def close(self) -> None:
        """End the browser; one that does not answer is ended by force."""
        if not self.is_open:
            return
        self.is_open = False
        browser = self._browser
        ending = self._worker.submit(self._end)
        with suppress(TookTooLong, FetchError):
            ending.result(END_SECONDS)
        if browser is not None and browser._process is not None:
            browser.process.end()
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._closed()


def _plain(xpath: str) -> str:
    """Return an expression of a wrapper as the browser's XPath knows it."""
    return to_xpath1(parse(xpath), {}) or xpath
