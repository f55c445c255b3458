"""Renders one page of a crawl in a tab: answers its requests, waits, scrolls, presses buttons, reads the result."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from siteseer.errors import FetchError
from siteseer.fetch.browser.interact import load_whole_page
from siteseer.fetch.browser.playwright_library import playwright_error
from siteseer.knowledge.types import Interaction
from siteseer.model import Headers, Page
from siteseer.settings import ShowLimits

FETCHED = frozenset(("script", "stylesheet", "xhr", "fetch"))
"""What a page gets; pictures, fonts and films are fetched by the crawl, where they are wanted."""
PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
NOT_HANDED_ON = frozenset(
    ("content-encoding", "content-length", "transfer-encoding", "set-cookie", "connection", "keep-alive", "link")
)
RENDERED_BY = "X-Rendered-By"
"""The header of pages that a browser made."""
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class SubRequest:
    """What a page asks for."""

    url: str
    method: str
    kind: str
    headers: Headers
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What it gets."""

    status: int
    headers: Headers
    body: bytes


Ask = Callable[[SubRequest], Awaitable[Answer | None]]
"""Fetches for a page; None where it must not have that."""


@lru_cache(maxsize=1)
def _script() -> str:
    return files("siteseer.fetch.browser").joinpath("browser_pages.js").read_text(encoding="utf-8")


class RenderedTab:
    """A page in a tab."""

    def __init__(self, tab: Any, page: Page, ask: Ask, limits: ShowLimits, key: str) -> None:
        self.tab, self.limits, self._page, self._ask, self.key = tab, limits, page, ask, key
        self.moved_to = ""
        self.elements = 0
        self._opened = False
        self._requests = self._dialogs = 0
        self._waiting: dict[int, float] = {}
        self.refused = ""
        tab.on("dialog", self._dialog)

    async def open(self) -> None:
        """Give the page to the browser and wait until it is at rest."""
        await self.tab.add_init_script(f"(() => {{ {_script()}; watch({json.dumps(self.key)}); }})()")
        await self.tab.route_web_socket("**/*", lambda socket: socket.close())
        await self.tab.route("**/*", self._route)
        await self.tab.goto(self._page.url, wait_until="commit")
        await self.settle()

    async def perform(self, steps: tuple[Interaction, ...] | None) -> tuple[list[str], str]:
        """Do what the steps say, or what shows more; return what was done, and why it may not be all."""
        return await load_whole_page(self, steps)

    async def page(self) -> Page:
        """Return the page as it is now."""
        text = str(await self.ask("tree"))
        body = text.encode("utf-8", "replace")[: self.limits.html_bytes]
        kept = tuple((name, value) for name, value in self._page.headers if name.lower() not in NOT_HANDED_ON)
        headers = (*((n, v) for n, v in kept if n.lower() != "content-type"), ("Content-Type", HTML))
        return replace(self._page, headers=(*headers, (RENDERED_BY, "Chromium")), body=body, memo={})

    async def ask(self, what: str, **call: Any) -> Any:
        """Ask the page."""
        question = {"key": self.key, "what": what, **call}
        async with asyncio.timeout(self.limits.answer_seconds):
            return await self.tab.evaluate(f"given => {{ {_script()}; return call(given); }}", question)

    async def settle(self) -> dict[str, Any]:
        """Wait until the page is at rest: nothing asked for, nothing changed for a while, no timer about to fire."""
        limits, idle, before = self.limits, 0.0, time.monotonic()
        while True:
            seen: dict[str, Any] = await self.ask("state")
            now = time.monotonic()
            self.elements = int(seen["elements"])
            idle = 0.0 if self._is_waiting(now) else idle + now - before
            before = now
            is_still = float(seen["quiet"]) / 1000 >= limits.quiet_seconds and seen["ready"] != "loading"
            if is_still and not seen["due"] and not seen["asking"] and not self._is_waiting(now):
                return seen
            if idle >= limits.settle_seconds:
                return seen
            await asyncio.sleep(0.05)

    def _is_waiting(self, now: float) -> bool:
        return any(now - since < self.limits.request_seconds for since in self._waiting.values())

    async def _route(self, route: Any) -> None:
        with suppress(playwright_error()):  # the page no longer wants it
            request = route.request
            if request.is_navigation_request():
                await self._navigates(route, request)
            elif request.resource_type == "image":
                await route.fulfill(status=200, content_type="image/gif", body=PIXEL)
            elif request.resource_type in FETCHED and self._requests < self.limits.requests:
                await self._answer(route, request)
            else:
                self.refused = self.refused or ("requests" if request.resource_type in FETCHED else "")
                await route.abort()

    async def _navigates(self, route: Any, request: Any) -> None:
        """Hand out the page itself, once; where scripts send the reader elsewhere is only noted."""
        is_main = request.frame == self.tab.main_frame
        if is_main and not self._opened:
            self._opened = True
            page = self._page
            await route.fulfill(status=page.status, headers=_handed(page.headers), body=page.body)
            return
        if is_main and request.method == "GET" and not self.moved_to:
            self.moved_to = str(request.url)
        await route.fulfill(status=204)  # "no content" leaves the page where it is

    async def _answer(self, route: Any, request: Any) -> None:
        self._requests += 1
        number = self._requests
        self._waiting[number] = time.monotonic()
        try:
            headers = tuple((str(name), str(value)) for name, value in request.headers.items())
            asked = SubRequest(
                request.url.partition("#")[0], request.method, request.resource_type, headers,
                request.post_data_buffer or b"",
            )  # fmt: skip
            found = await self._ask(asked)
        except FetchError:
            found = None
        finally:
            self._waiting.pop(number, None)
        if found is None:
            await route.abort()
        else:
            await route.fulfill(status=found.status, headers=_handed(found.headers), body=found.body)

    async def _dialog(self, dialog: Any) -> None:
        self._dialogs += 1
        if self._dialogs > self.limits.dialogs:
            await self.tab.close()
            return
        with suppress(Exception):  # a message that is gone needs no answer
            await dialog.dismiss()


def _handed(headers: Headers) -> dict[str, str]:
    """Return headers as the browser takes them: several of one name are joined."""
    found: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        if key not in NOT_HANDED_ON and not key.startswith("x-archive-orig-"):
            text = value.encode("utf-8", "replace").decode("latin-1", "replace")
            found[key] = f"{found[key]}, {text}" if key in found else text
    return found
