"""Pages whose content needs scripts: which they are, shown by a browser, kept as the scripts made them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO

from siteseer.archive.read import read_capture
from siteseer.crawl.carry import Carrier
from siteseer.crawl.frontier import capture_key, url_key
from siteseer.crawl.keep import NO_CONTENT, NO_GRAMS, Kept
from siteseer.crawl.progress import Progress
from siteseer.crawl.script_requests import LIMIT, PageRequests, ScriptRequests
from siteseer.crawl.state import capture_of
from siteseer.crawl.visit import RateLimitedError
from siteseer.decide.script_classes import MEMORY, ScriptClasses, gain
from siteseer.errors import FetchError, MissingExtraError
from siteseer.fetch.browser_pages import PageBrowser, Rendered
from siteseer.interfaces import Exchange
from siteseer.knowledge.base import KnowledgeBase
from siteseer.knowledge.types import Interaction
from siteseer.model import Follow, Note, Outcome, Page, Submit
from siteseer.page.scripted import ScriptNeed, doubt, frame_need
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of, identity, route_of
from siteseer.recognise import look
from siteseer.settings import CrawlOptions

TABS = 2
MOST_STRANGE = 8
"""Pages of a host that are looked at before it is believed that its software is unknown."""
ALWAYS = ScriptNeed("needed", "--browser always", "always")
ROUTE = ScriptNeed("needed", "a view that only the page's script shows", "route")
TOLD = ScriptNeed("needed", "the knowledge base says how to show it", "knowledge")


@dataclass(slots=True)
class Showing:
    """Shows pages of a crawl in a browser, where that is needed."""

    options: CrawlOptions
    browser: PageBrowser | None
    requests: ScriptRequests
    carrier: Carrier
    progress: Progress
    knowledge: Callable[[], KnowledgeBase]
    classes: ScriptClasses = field(default_factory=ScriptClasses)
    _tabs: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(TABS))
    _rate: RateLimitedError | None = None
    _has_steps: bool | None = None
    _known: set[str] = field(default_factory=set)
    """Hosts whose software the knowledge base knows."""
    _strange: Counter[str] = field(default_factory=Counter)
    """How many pages of each other host were looked at."""

    def __post_init__(self) -> None:
        keeper = self.carrier.keeper
        self.classes.restore(keeper.state.recall(keeper.crawl, MEMORY))

    def need(self, kept: Kept, why: Follow | Submit) -> ScriptNeed | None:
        """Say why a page is to be shown by a browser; None where it is not."""
        page = kept.page
        if self.browser is None or page is None or (isinstance(why, Submit) and why.method == "POST"):
            return None
        if kept.outcome.kind not in ("page", "not-modified") or why.family in NO_CONTENT:
            return None
        if not 200 <= page.status < 300 or not is_html(page):
            return None
        if self.options.browser == "always":
            return ALWAYS
        if self._steps(page):
            return TOLD
        found = frame_need(page) or (doubt(page) if not self._is_known(page) else None)
        if found is None or (found.evidence == "scripts" and self.options.assets != "all"):
            return None
        return found if self.classes.is_worth(page, found) else None

    def _is_known(self, page: Page) -> bool:
        """Say whether the knowledge base knows the software: it then knows where the content is."""
        host = host_of(page.url)
        if host in self._known or self._strange[host] >= MOST_STRANGE:
            return host in self._known
        application = look(page, self.knowledge()).application
        if application is None or application.is_generic:
            self._strange[host] += 1
            return False
        self._known.add(host)
        return True

    def _steps(self, page: Page) -> tuple[Interaction, ...]:
        if self._has_steps is None:
            uses = self.options.strategy != "blind" or bool(self.options.knowledge)
            known = self.knowledge().applications if uses else ()
            self._has_steps = any(
                level.interactions
                for application in known
                for level in (*application.levels, *(one for site in application.sites for one in site.levels))
            )
        if not self._has_steps:
            return ()
        level = look(page, self.knowledge()).level
        return level.interactions if level is not None else ()

    async def show(self, kept: Kept, capture: int, why: Follow | Submit, need: ScriptNeed) -> Kept:
        """Show a page, and keep what its scripts made of it where that is more than what was fetched."""
        page = kept.page
        assert page is not None
        follow = why if isinstance(why, Follow) else Follow(why.url, why.because, depth=why.depth)
        ask = self.requests.of(page.url, follow, self._give_up)
        rendered = await self._rendered(page, ask)
        if self._rate is not None:
            raise self._rate
        if rendered is None:
            return kept
        self._followed(rendered, page, follow)
        more = gain(page, rendered.page)
        if need.evidence not in ("always", "route", "knowledge") and LIMIT not in ask.refused:
            self.carrier.apply([self.classes.learn(page, need, bool(more))], page.url, capture)
        is_kept = bool(more) or need.evidence in ("always", "route", "knowledge")
        self._note(page, need, rendered, ask, more, is_kept)
        if not is_kept:
            return kept
        return self.carrier.keeper.keep_rendering(kept, capture, rendered.page, need.because)

    async def _rendered(self, page: Page, ask: PageRequests) -> Rendered | None:
        assert self.browser is not None
        try:
            async with self._tabs:
                return await self.browser.render(page, ask, self._plan)
        except MissingExtraError as error:
            if self.options.browser == "always":
                raise
            self.browser = None
            self.carrier.apply([Note(str(error), event="no_browser")], page.url, None)
        except FetchError as error:
            self.carrier.apply([Note(str(error), event="not_rendered")], page.url, None)
        return None

    async def _plan(self, page: Page) -> tuple[Interaction, ...] | None:
        return self._steps(page) or None

    def _give_up(self, error: RateLimitedError) -> None:
        self._rate = self._rate or error

    def _followed(self, rendered: Rendered, page: Page, follow: Follow) -> None:
        """Go where a script sends the reader."""
        if rendered.moved_to and identity(rendered.moved_to) != identity(page.url):
            because = f"a script of {page.url} sends the reader there"
            target = Follow(
                rendered.moved_to, because, follow.family, follow.priority, follow.state, page.url, follow.depth,
                follow.hops + 1,
            )  # fmt: skip
            self.carrier.follow(target, page.url)

    def _note(
        self, page: Page, need: ScriptNeed, rendered: Rendered, ask: PageRequests, more: int, is_kept: bool
    ) -> None:
        added = f"{more} more 2-grams" if more else "nothing was added"
        because = "; ".join((need.because, added, *rendered.deeds))
        details = {"requests": ask.sent, "more": more, "deeds": list(rendered.deeds), "refused": dict(ask.refused)}
        if rendered.unfinished:
            details["unfinished"] = rendered.unfinished
        event = "rendered" if is_kept else "rendered_in_vain"
        self.carrier.apply([Note(because, event=event, details=details)], page.url, None)

    # ── views of a page's script ──────────────────────────────────────────────────────────────────────────────────

    def is_route(self, url: str) -> bool:
        """Say whether only a browser can show this URL."""
        return bool(route_of(url))

    def document(self, url: str) -> tuple[Page, int] | None:
        """Return the document of a route as this crawl has archived it, with the number of its capture."""
        keeper = self.carrier.keeper
        body = keeper.state.body_of(url_key(url), keeper.crawl)
        if body is None:
            return None
        number, file, offset = body
        return read_capture(keeper.state.collection / "archive" / file, offset), number

    def kept_view(self, page: Page, capture: int) -> Kept:
        """Return a route before it is shown, as if it had been fetched: its own content is what its script makes."""
        columns = "file, offset, length, time, digest, record"
        (row,) = self.carrier.keeper.state.rows(f"SELECT {columns} FROM captures WHERE id = ?", (capture,))
        exchange = Exchange(
            page.url, page.fetched_at or datetime.now(UTC), 0, "", b"", b"", page.status, "", page.headers,
            BytesIO(page.body), len(page.body),
        )  # fmt: skip
        outcome = Outcome(page.url, "page", "a view of the page's script", page)
        return Kept(exchange, outcome, page, capture_of(row), None, NO_GRAMS, False, None)

    def view(self, capture: int, url: str) -> int:
        """Write down the capture of a route: the bytes are those of its document."""
        keeper = self.carrier.keeper
        return keeper.state.copy_capture(capture, url, capture_key(url, None), self.progress.counts["requests"])
