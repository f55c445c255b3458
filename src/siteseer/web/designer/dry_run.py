"""Runs a wrapper visibly for the person who designs it: page by page in a fresh browser, pausing on every page.

A page is shown when its records are there and the wrapper is about to go on.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import cast

from siteseer.errors import SiteseerError
from siteseer.fetch.browser.chromium import ChromiumBrowser
from siteseer.fetch.browser.snapshot import number_of, snapshot
from siteseer.interfaces import WebNode
from siteseer.settings import ExtractionOptions
from siteseer.web.designer.assets import Assets
from siteseer.web.designer.live_browser import LIMITS, View
from siteseer.wrapper.designer.page_snapshot import read_snapshot
from siteseer.wrapper.designer.try_wrapper import LocatedRecordCollector, owners
from siteseer.wrapper.oxpath.evaluation.evaluate import Run
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.result_schema import variables
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.run import open_browser

MOST_RECORDS = 5_000
"""Records that are kept to be shown; a dry run ends there."""


@dataclass
class Shown:
    """The results of a dry run so far."""

    records: list[Record] = field(default_factory=list)
    pages: int = 0
    view: View | None = None
    hits: dict[str, tuple[int, ...]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    error: str = ""
    is_over: bool = False


class _Stopped(Exception):
    """The person has seen enough."""


class DryRun:
    """One dry run, in a thread and a browser of its own."""

    def __init__(self, text: str, closed: Callable[[], None] = lambda: None, delay: float = 0.5) -> None:
        self.wrapper = parse(text)
        if needed := variables(self.wrapper):
            names = ", ".join(f"${name}" for name in needed)
            raise SiteseerError(f"the wrapper needs values for {names}: it can be run as a job, not replayed here")
        self.shown, self._closed, self._delay = Shown(), closed, delay
        self._assets = Assets()
        self._go, self._waits = threading.Event(), threading.Event()
        self._is_stopped = self._goes_to_end = False
        self._thread = threading.Thread(target=self._run, name="designer dry run", daemon=True)
        self._thread.start()

    async def page(self) -> Shown:
        """Return what has come by the end of the next page."""
        if self.shown.is_over:
            return self.shown
        self._waits.clear()
        self._go.set()
        await asyncio.to_thread(self._waits.wait)
        return self.shown

    async def rest(self) -> Shown:
        """Return what has come when the wrapper has ended."""
        self._goes_to_end = True
        return await self.page()

    def close(self) -> None:
        """End it."""
        self._is_stopped = True
        self._go.set()
        self._thread.join(LIMITS.answer_seconds)

    # ── in the thread ─────────────────────────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        try:
            self._go.wait()
            if self._is_stopped:
                return
            options = ExtractionOptions(browser="always", delay=self._delay, browser_limits=LIMITS)
            warn = self.shown.warnings.append
            with open_browser(self.wrapper, options, self._assets.keep, warn, chromium=_Paced) as browser:
                self._follow(cast(_Paced, browser))
        except _Stopped:
            pass
        except SiteseerError as error:
            self.shown.error = str(error)
        finally:
            self.shown.is_over = True
            self._waits.set()
            self._closed()

    def _follow(self, browser: _Paced) -> None:
        """Run the wrapper in a browser, page by page."""
        run = Run(browser, self._take, warn=self.shown.warnings.append)
        harvest = run.harvest = LocatedRecordCollector(self._take)
        seen = 0

        def leaving(waits: bool) -> None:
            nonlocal seen
            if harvest.noted and len(self.shown.records) > seen:
                seen = len(self.shown.records)
                self.shown.pages += 1
                self._picture(browser, harvest)
                if waits and not self._goes_to_end:
                    self._wait()
            if self._is_stopped:
                raise _Stopped

        browser.leaving = leaving
        run.run(self.wrapper)

    def _take(self, record: Record) -> None:
        if self._is_stopped or len(self.shown.records) >= MOST_RECORDS:
            raise _Stopped
        self.shown.records.append(record)

    def _wait(self) -> None:
        """Wait until the person wants the next page."""
        self._go.clear()
        self._waits.set()
        self._go.wait()

    def _picture(self, browser: ChromiumBrowser, harvest: LocatedRecordCollector) -> None:
        """Show the page on which something was found last."""
        node = next(iter(harvest.noted.values()))[-1]
        noted = {name: _of_page(nodes, node) for name, nodes in harvest.noted.items()}
        harvest.noted.clear()
        self.shown.view = View(read_snapshot(snapshot(browser, node)), self._assets)
        self.shown.hits = {name: tuple(map(number_of, owners(browser, nodes))) for name, nodes in noted.items()}


def _of_page(nodes: Sequence[WebNode], node: WebNode) -> list[WebNode]:
    return [one for one in nodes if one.page == node.page]


class _Paced(ChromiumBrowser):
    """A browser that tells before it leaves a page: what is left for good is not waited on."""

    leaving: Callable[[bool], None]

    def act(self, node: WebNode, deed: str, value: str, wait: float, keep: bool) -> WebNode:
        """Do something with a node."""
        self.leaving(True)
        return super().act(node, deed, value, wait, keep)

    def release(self, node: WebNode, since: WebNode | None) -> None:
        """Close the tab of a node."""
        with suppress(_Stopped):
            self.leaving(False)
        super().release(node, since)
