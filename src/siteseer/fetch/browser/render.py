"""Renders a fetched page in Chromium without a network of its own, as its scripts make it.

Whatever a page asks for is handed to `ask`, which fetches it as the crawl fetches everything: politely, within
robots.txt and the limits, from public addresses only, into the archive. What gets past that (sockets, workers) finds
the gate closed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from siteseer.errors import FetchError
from siteseer.fetch.browser.playwright_library import async_api, playwright_error, require_browser
from siteseer.fetch.browser.process import Chromium
from siteseer.fetch.browser.proxy import BrowserProxy
from siteseer.fetch.browser.rendered_tab import Ask, RenderedTab
from siteseer.fetch.ssrf_guard import AddressPolicy, RefusedAddressError
from siteseer.knowledge.types import Interaction
from siteseer.model import JSON, Page
from siteseer.settings import BrowserLimits, ShowLimits

CLOSE_SECONDS = 10.0
WHO = "pages whose content needs scripts need"

Plan = Callable[[Page], Awaitable[tuple[Interaction, ...] | None]]
"""Says what to do with a page once it is at rest: steps of the knowledge base, or None to find out by itself."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as its scripts made it, and how."""

    page: Page
    deeds: tuple[str, ...] = ()
    """What was done with it, in words."""
    unfinished: str = ""
    """Why more of it may be missing; empty where nothing is known to be."""
    moved_to: str = ""
    """Where a script sent the reader."""
    elements: int = 0
    cookies: tuple[JSON, ...] = ()
    """The cookies of the page when all is done, as the browser names them."""


class _Nowhere(AddressPolicy):
    """No address may be reached: what a page needs is fetched for it."""

    def check(self, ip: str, port: int) -> None:
        raise RefusedAddressError(f"{ip} port {port} is not for the browser to reach")


class PageBrowser:
    """Shows pages of a crawl, one tab each; started when it is first needed, started again when it dies."""

    def __init__(
        self,
        user_agent: str,
        limits: ShowLimits | None = None,
        storage: Callable[[str], JSON] = lambda url: None,
        cookies: Callable[[str], list[JSON]] = lambda url: [],
        take_over: Callable[[str, Iterable[JSON]], None] = lambda url, cookies: None,
    ) -> None:
        self.limits = limits or ShowLimits()
        self._agent, self._storage, self._cookies = user_agent, storage, cookies
        self.take_over = take_over
        """Lets the crawl send the cookies that a page has got from its scripts."""
        self.key = "_" + secrets.token_hex(8)
        self._gate: BrowserProxy | None = None
        self._process: Chromium | None = None
        self._playwright: Any = None
        self._browser: Any = None
        self._starting = asyncio.Lock()
        self._open = self._shown = 0

    async def render(self, page: Page, ask: Ask, plan: Plan) -> Rendered:
        """Show a page, do what the plan says, return what it has become; raise FetchError where that cannot be."""
        try:
            async with asyncio.timeout(self.limits.total_seconds):
                return await self._in(await self._window(page.url), page, ask, plan)
        except TimeoutError as error:
            await self._end()
            raise FetchError(self._why() or "the page does not let the browser answer") from error
        except playwright_error() as error:
            why = self._why()
            if why or self._process is None or not self._process.is_alive():
                await self._end()
            raise FetchError(why or f"the browser failed: {error.message.strip().splitlines()[0][:200]}") from error

    async def _in(self, context: Any, page: Page, ask: Ask, plan: Plan) -> Rendered:
        try:
            shown = RenderedTab(await context.new_page(), page, ask, self.limits, self.key)
            context.on("page", _close_popup)
            await shown.open()
            first = await shown.page()
            steps = await plan(first)
            deeds, unfinished = await shown.perform(steps)
            final = await shown.page() if deeds else first
            cookies = tuple(await context.cookies(page.url))
            return Rendered(final, tuple(deeds), unfinished, shown.moved_to, shown.elements, cookies)
        finally:
            self._open -= 1
            self._shown += 1
            await self._close(context)

    async def _close(self, context: Any) -> None:
        """Close a window; a browser that does not even do that, or has shown many pages, is ended."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await context.close()
        except Exception:  # whatever state it is in, it has to go
            await self._end()
        if self._shown >= self.limits.pages and not self._open:
            await self._end()

    async def _window(self, url: str) -> Any:
        """Open a window of its own for a page: in a window's second tab nothing is drawn."""
        async with self._starting:
            if self._process is None or not self._process.is_alive():
                await self._end()
                await self._start()
            self._open += 1
        try:
            context = await self._browser.new_context(
                user_agent=self._agent, accept_downloads=False, ignore_https_errors=True, service_workers="block",
                viewport={"width": 1280, "height": 900}, storage_state=self._storage(url),
            )  # fmt: skip
        except BaseException:
            self._open -= 1
            raise
        context.set_default_timeout(self.limits.answer_seconds * 1000)
        await self._lend_cookies(context, url)
        return context

    async def _start(self) -> None:
        require_browser(WHO)
        self._gate = BrowserProxy(_Nowhere())
        self._gate.open()
        most = BrowserLimits()
        self._process = await asyncio.to_thread(Chromium, self._gate.port, most.memory_bytes, most.page_bytes, WHO)
        self._playwright = await async_api(WHO).async_playwright().start()
        self._browser = await self._playwright.chromium.connect_over_cdp(self._process.address)
        self._shown = 0

    async def _lend_cookies(self, context: Any, url: str) -> None:
        """Show the page the cookies under which it was fetched."""
        for cookie in self._cookies(url):
            with suppress(Exception):  # a cookie that the browser does not take is not worth a page
                await context.add_cookies([cookie])

    def _why(self) -> str:
        why = self._process.why if self._process is not None else ""
        return f"the browser was ended: {why}" if why else ""

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await asyncio.to_thread(process.end)
        if self._playwright is not None:
            with suppress(Exception):  # its connection is gone already
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._playwright.stop()
        self._playwright = self._browser = None
        if self._gate is not None:
            gate, self._gate = self._gate, None
            await asyncio.to_thread(gate.close)

    async def close(self) -> None:
        """Leave no process and no file behind."""
        await self._end()


def _close_popup(page: Any) -> None:
    """Close what a page opens by itself."""
    closing = asyncio.ensure_future(page.close())
    closing.add_done_callback(lambda closed: closed.cancelled() or closed.exception())
