"""One browser for all sites of a campaign: it shows pages whose content needs scripts, a few at a time."""

from __future__ import annotations

import asyncio

from siteseer.crawl.equipment import user_agent
from siteseer.decide.focused.definition import Definition
from siteseer.fetch.browser_library import require_browser
from siteseer.fetch.browser_pages import WHO, PageBrowser, Plan, Rendered
from siteseer.fetch.browser_shown import Ask
from siteseer.fetch.http import HttpFetcher
from siteseer.jobs.campaign.slices import who_asks
from siteseer.model import Page

TABS = 4
"""Pages that are shown at the same time, over all sites: each takes some 30 MB."""


class SharedBrowser(PageBrowser):
    """A browser that shows few pages at a time, whoever asks."""

    def __init__(self, definition: Definition, fetcher: HttpFetcher) -> None:
        super().__init__(user_agent(who_asks(definition)), cookies=fetcher.cookies_for)
        self._few = asyncio.Semaphore(TABS)

    async def render(self, page: Page, ask: Ask, plan: Plan) -> Rendered:
        """Show a page when it is its turn."""
        async with self._few:
            return await super().render(page, ask, plan)


def check_browser(definition: Definition) -> None:
    """Complain at once where a browser is wanted and there is none."""
    if definition.browser == "always":
        require_browser(WHO)


def browser_of(definition: Definition, fetcher: HttpFetcher) -> PageBrowser | None:
    """Return the browser of a campaign, where its definition wants one; it starts when it is first needed."""
    if definition.browser == "never":
        return None
    check_browser(definition)
    return SharedBrowser(definition, fetcher)
