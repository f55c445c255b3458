"""Shares one browser among all sites of a campaign; it renders a few pages at a time."""

from __future__ import annotations

import asyncio

from siteseer.campaigns.relevance.definition import Definition
from siteseer.fetch.browser.playwright_library import require_browser
from siteseer.fetch.browser.render import WHO, PageBrowser, Plan, Rendered
from siteseer.fetch.browser.rendered_tab import Ask
from siteseer.fetch.crawler_identity import user_agent
from siteseer.fetch.http import HttpFetcher
from siteseer.model import Page

TABS = 4
"""Pages that are shown at the same time, over all sites: each takes some 30 MB."""


class SharedBrowser(PageBrowser):
    """A browser that renders a limited number of pages at a time."""

    def __init__(self, definition: Definition, fetcher: HttpFetcher) -> None:
        super().__init__(user_agent(definition.politeness), cookies=fetcher.cookies_for)
        self._few = asyncio.Semaphore(TABS)

    async def render(self, page: Page, ask: Ask, plan: Plan) -> Rendered:
        """Render a page when it is its turn."""
        async with self._few:
            return await super().render(page, ask, plan)


def check_browser(definition: Definition) -> None:
    """Raise at once where a campaign needs a browser and there is none."""
    if definition.browser == "always":
        require_browser(WHO)


def browser_of(definition: Definition, fetcher: HttpFetcher) -> PageBrowser | None:
    """Return the browser of a campaign if its definition asks for one; it starts when it is first needed."""
    if definition.browser == "never":
        return None
    check_browser(definition)
    return SharedBrowser(definition, fetcher)
