"""Renders the pages whose content needs scripts, and archives them as the scripts made them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from io import BytesIO

from siteseer.archive.archived_pages import read_capture
from siteseer.collection.state import capture_of
from siteseer.crawler.apply_actions import ActionApplier
from siteseer.crawler.capture_writer import NO_CONTENT, NO_GRAMS, WrittenCapture
from siteseer.crawler.progress import Progress
from siteseer.crawler.rendering.render_requests import LIMIT, PageRequests, RenderRequests
from siteseer.crawler.rendering.unrendered_pages import OFF, note_unrendered, unrendered_pages
from siteseer.errors import FetchError, MissingExtraError
from siteseer.fetch.browser.playwright_library import require_browser
from siteseer.fetch.browser.process import BrowserStartError
from siteseer.fetch.browser.render import WHO, PageBrowser, Rendered
from siteseer.interfaces import Exchange
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise_in_full
from siteseer.knowledge.types import Interaction
from siteseer.model import Follow, Note, Outcome, Page, Submit
from siteseer.page.scripts.needs_scripts import ScriptNeed, frame_need, missing_part_evidence
from siteseer.page.tree import is_html
from siteseer.page.urls import capture_key, host_of, identity, url_key
from siteseer.settings import CrawlOptions
from siteseer.strategies.render_policy import MEMORY, RenderPolicy, gain

TABS = 2
MOST_STRANGE = 8
"""Pages of a host that are looked at before it is believed that its software is unknown."""
FAILED = "not_rendered"
"""The event of a page that the browser could not show."""
ALWAYS = ScriptNeed("needed", "--browser always", "always")
ROUTE = ScriptNeed("needed", "a view that only the page's script shows", "route")
TOLD = ScriptNeed("needed", "the knowledge base says how to show it", "knowledge")


@dataclass(slots=True)
class PageRenderer:
    """Shows pages of a crawl in a browser, where that is needed."""

    options: CrawlOptions
    browser: PageBrowser | None
    requests: RenderRequests
    carrier: ActionApplier
    progress: Progress
    knowledge: Callable[[], KnowledgeBase]
    missing: str = OFF
    """Why there is no browser."""
    classes: RenderPolicy = field(default_factory=RenderPolicy)
    _tabs: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(TABS))
    _has_steps: bool | None = None
    _is_checked: bool = False
    _again: set[str] = field(default_factory=set)
    """Pages that an earlier run could not show."""
    _known: set[str] = field(default_factory=set)
    """Hosts whose software the knowledge base knows."""
    _strange: Counter[str] = field(default_factory=Counter)
    """How many pages of each other host were looked at."""

    def __post_init__(self) -> None:
        keeper = self.carrier.keeper
        self.classes.restore(keeper.state.recall(keeper.crawl, MEMORY))
        if self.browser is not None:
            self._again = {page.url for page in unrendered_pages(keeper.state, keeper.crawl)}

    def need(self, kept: WrittenCapture, why: Follow | Submit) -> ScriptNeed | None:
        """Say why a page is to be shown by a browser; None where it is not, or cannot be."""
        page = kept.page
        if page is None or (isinstance(why, Submit) and why.method == "POST"):
            return None
        if kept.outcome.kind not in ("page", "not-modified") or why.family in NO_CONTENT:
            return None
        if not 200 <= page.status < 300 or not is_html(page):
            return None
        found = self._evidence(page)
        if found is None or found in (ALWAYS, TOLD):
            return found
        if not self.can_show():
            self.note_not_shown(page, found)
            return None
        return found if self.classes.is_worth(page, found) else None

    def _evidence(self, page: Page) -> ScriptNeed | None:
        """Return what speaks for showing a page; where the person wants no browser, only what says that it is empty."""
        if self.options.browser == "never":
            return frame_need(page)
        if self.options.browser == "always":
            return ALWAYS
        if self._steps(page) and self.can_show():
            return TOLD
        return frame_need(page) or (missing_part_evidence(page) if not self._is_known(page) else None)

    def can_show(self) -> bool:
        """Say whether there is a browser."""
        if self.browser is not None and not self._is_checked:
            self._is_checked = True
            try:
                require_browser(WHO)
            except MissingExtraError as error:
                self.browser, self.missing = None, str(error)
        return self.browser is not None

    def note_not_shown(self, page: Page, need: ScriptNeed) -> None:
        """Write down that a page is kept as it came, though a browser would show more of it."""
        self.carrier.apply([note_unrendered(page, need, self.missing)], page.url, None)

    def _is_known(self, page: Page) -> bool:
        """Say whether the knowledge base knows the software: it then knows where the content is."""
        host = host_of(page.url)
        if host in self._known or self._strange[host] >= MOST_STRANGE:
            return host in self._known
        application = recognise_in_full(page, self.knowledge()).application
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
        level = recognise_in_full(page, self.knowledge()).level
        return level.interactions if level is not None else ()

    async def show(self, kept: WrittenCapture, capture: int, why: Follow | Submit, need: ScriptNeed) -> WrittenCapture:
        """Show a page, and keep what its scripts made of it where that is more than what was fetched."""
        page = kept.page
        assert page is not None
        follow = why if isinstance(why, Follow) else Follow(why.url, why.because, depth=why.depth)
        ask = self.requests.of(page.url, follow)
        rendered = await self._rendered(page, ask, need)
        kept = replace(kept, data_requests=ask.sent, refused_data=ask.refusal)
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

    async def _rendered(self, page: Page, ask: PageRequests, need: ScriptNeed) -> Rendered | None:
        """Return a page as its scripts make it; None where that fails: the page is then kept as it came."""
        assert self.browser is not None
        try:
            async with self._tabs:
                return await self.browser.render(page, ask, self._plan)
        except (BrowserStartError, MissingExtraError) as error:
            if self.options.browser == "always":
                raise
            self.browser, self.missing = None, str(error)
            self.note_not_shown(page, need)
        except FetchError as error:
            self.carrier.apply([Note(str(error), event=FAILED, details={"answer": need.answer})], page.url, None)
        return None

    async def _plan(self, page: Page) -> tuple[Interaction, ...] | None:
        return self._steps(page) or None

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

    def earlier(self, url: str) -> tuple[Page, int] | None:
        """Return the archived document of a page that an earlier run could not show, with its capture."""
        if url not in self._again or not self.can_show():
            return None
        self._again.discard(url)
        return self.document(url)

    def document(self, url: str) -> tuple[Page, int] | None:
        """Return the document of a route as this crawl has archived it, with the number of its capture."""
        keeper = self.carrier.keeper
        body = keeper.state.body_of(url_key(url), keeper.crawl)
        if body is None:
            return None
        number, file, offset = body
        return read_capture(keeper.state.archive / file, offset), number

    def kept_view(self, page: Page, capture: int) -> WrittenCapture:
        """Return a route before it is shown, as if it had been fetched: its own content is what its script makes."""
        columns = "file, offset, length, time, digest, record"
        (row,) = self.carrier.keeper.state.rows(f"SELECT {columns} FROM captures WHERE id = ?", (capture,))
        exchange = Exchange(
            page.url, page.fetched_at or datetime.now(UTC), 0, "", b"", b"", page.status, "", page.headers,
            BytesIO(page.body), len(page.body),
        )  # fmt: skip
        outcome = Outcome(page.url, "page", "a view of the page's script", page)
        return WrittenCapture(exchange, outcome, page, capture_of(row), None, NO_GRAMS, False, None)

    def view(self, capture: int, url: str) -> int:
        """Write down the capture of a route: the bytes are those of its document."""
        keeper = self.carrier.keeper
        return keeper.state.copy_capture(capture, url, capture_key(url, None), self.progress.counts["requests"])
