"""Solves a host's script challenge once in the browser; the crawl's requests then send the cookies that it earned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from siteseer.crawler.capture_writer import WrittenCapture
from siteseer.crawler.rendering.render_requests import PageRequests
from siteseer.crawler.rendering.rendered_pages import PageRenderer
from siteseer.errors import FetchError, MissingExtraError
from siteseer.fetch.browser.rendered_tab import Answer, SubRequest
from siteseer.knowledge.types import Interaction
from siteseer.model import Follow, Page
from siteseer.page.urls import host_of, identity

MOST_TRIES = 5
"""Challenges of a host that the browser is given in one run, each after pages came again."""
MOST_REQUESTS = 6
"""What the scripts of a challenge may ask for."""

AskOnce = Callable[[Follow], Awaitable[WrittenCapture]]


@dataclass(slots=True)
class ChallengeBrowser:
    """Lets the browser of a crawl get past challenges."""

    showing: PageRenderer
    _tries: Counter[str] = field(default_factory=Counter)
    _failed: set[str] = field(default_factory=set)
    """Hosts whose last challenge was given to the browser, and no page came since."""

    def may_try(self, host: str) -> bool:
        """Say whether the browser has a try left."""
        return self.showing.browser is not None and host not in self._failed and self._tries[host] < MOST_TRIES

    def has_tried(self, host: str) -> bool:
        """Say whether a challenge of a host was given to the browser."""
        return self._tries[host] > 0

    def hear_good(self, host: str) -> None:
        """Hear that pages of a host come: the next challenge may be tried again."""
        self._failed.discard(host)

    async def solve(self, page: Page, ask_once: AskOnce) -> bool:
        """Show a challenge; say whether its scripts did something, so that it is worth asking again."""
        browser, host = self.showing.browser, host_of(page.url)
        self._tries[host] += 1
        self._failed.add(host)
        if browser is None:
            return False
        why = Follow(page.url, "a challenge that scripts may solve")
        asked = _Few(self.showing.requests.of(page.url, why))
        try:
            rendered = await browser.render(page, asked, _no_steps)
        except (FetchError, MissingExtraError):
            return False
        browser.take_over(page.url, rendered.cookies)
        target = rendered.moved_to.partition("#")[0]
        if target and identity(target) != identity(page.url) and host_of(target) == host:
            because = "a script of the challenge sends the reader there"
            with suppress(FetchError):
                await ask_once(Follow(target, because, referrer=page.url))
        return bool(rendered.cookies or target or asked.count)


@dataclass(slots=True)
class _Few:
    """Answers the first requests of a challenge's scripts."""

    requests: PageRequests
    count: int = 0

    async def __call__(self, asked: SubRequest) -> Answer | None:
        self.count += 1
        return await self.requests(asked) if self.count <= MOST_REQUESTS else None


async def _no_steps(page: Page) -> tuple[Interaction, ...] | None:
    return ()
