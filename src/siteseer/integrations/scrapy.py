"""A Scrapy add-on: with one line of settings, a spider follows links to content and yields the objects of pages.

    ADDONS = {"siteseer.integrations.scrapy.SiteseerAddon": 500}

On pages of known software, requests that lead nowhere are dropped (counted in the stats under `siteseer/dropped/RULE`),
requests that lead to content and that the spider did not yield are added, and posts, comments and articles are yielded
as dicts. Everywhere else the spider is left alone. Settings: `SITESEER_ADD` and `SITESEER_ITEMS` (both True),
`SITESEER_KNOWLEDGE` (further knowledge files), `SITESEER_POLICIES` (choices by name).
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.settings import BaseSettings

from siteseer.collection.objects.object_json import as_json, cleaned
from siteseer.integrations.request_filter import PageActions, Rows, Site
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import JSON, Follow, Page
from siteseer.page.urls import host_of
from siteseer.strategies.aware.crawl_policies import check_policies

logger = logging.getLogger(__name__)

CLOSEST_TO_THE_SPIDER = 950
"""Behind Scrapy's own spider middlewares, so that added requests get their depth, referrer and length check too."""
ADDED = "siteseer"
"""Key of `request.meta`: what the strategy wants to be told again about a request that it added."""
SAME_LEVEL = ("next", "comments")
OF_ONE_REQUEST = frozenset(
    ("depth", "download_latency", "is_start_request", "link_text", "redirect_reasons", "redirect_times")
    + ("redirect_ttl", "redirect_urls", "retry_times", ADDED)
)
"""What `request.meta` says of one request and not of others like it."""


class SiteseerAddon:
    """Makes the spiders of a project application-aware."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Install the spider middleware, unless the project has placed it itself."""
        middlewares = settings["SPIDER_MIDDLEWARES"]
        name = f"{SiteseerMiddleware.__module__}.{SiteseerMiddleware.__qualname__}"
        if name not in middlewares and SiteseerMiddleware not in middlewares:
            middlewares[name] = CLOSEST_TO_THE_SPIDER


class NotForTheSpider(Exception):
    """An answer to a request of the strategy that is no page (a sitemap, an API): callbacks expect pages."""


class SiteseerMiddleware:
    """Applies the aware strategy to every page that a spider gets, and to every request that it yields."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.crawler = crawler
        self.adds, self.has_items = settings.getbool("SITESEER_ADD", True), settings.getbool("SITESEER_ITEMS", True)
        self.policies = {str(name): str(value) for name, value in settings.getdict("SITESEER_POLICIES").items()}
        self.knowledge = KnowledgeBase.with_files(_paths(settings))
        check_policies(self.policies, self.knowledge)
        self._sites: dict[str, Site] = {}
        self._like: dict[str, Request] = {}
        """The spider's own last request of each family: requests that are added are made like it."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SiteseerMiddleware:
        """Make the middleware of one spider."""
        return cls(crawler)

    def process_spider_input(self, response: Response, spider: Any = None) -> None:
        """Keep answers that are no pages away from the spider's callbacks, where the spider did not ask for them."""
        if ADDED in response.meta and not isinstance(response, HtmlResponse):
            raise NotForTheSpider(response.url)

    def process_spider_exception(
        self, response: Response, exception: Exception, spider: Any = None
    ) -> Iterable[Any] | None:
        """Continue from an answer that was kept away from the spider."""
        return list(self.process_spider_output(response, ())) if isinstance(exception, NotForTheSpider) else None

    def process_spider_output(self, response: Response, result: Iterable[Any], spider: Any = None) -> Iterator[Any]:
        """Yield the objects of the page, the spider's output that leads to content, and further requests to content."""
        seen = self._see(response)
        if seen is None:
            yield from result
            return
        yield from self._items(seen)
        try:
            yield from (one for one in result if self._passes(one, response, seen))
        except Exception:  # a callback that fails costs its own results only
            yield from self._missing(response, seen)
            raise
        yield from self._missing(response, seen)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """Do the same for callbacks that are coroutines."""
        seen = self._see(response)
        for item in self._items(seen) if seen else ():
            yield item
        try:
            async for one in result:
                if seen is None or self._passes(one, response, seen):
                    yield one
        except Exception:
            for request in self._missing(response, seen) if seen else ():
                yield request
            raise
        for request in self._missing(response, seen) if seen else ():
            yield request

    # ── one page ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _see(self, response: Response) -> PageActions | None:
        """Ask the strategy; a page that it fails on is left to the spider."""
        depth = response.meta.get("depth", 0)
        why = Follow(response.url, "asked for by the spider", state=response.meta.get(ADDED), depth=depth)
        try:
            seen = self._site(response.url).see(page_of(response), why)
        except Exception:
            logger.exception("Siteseer failed on %s", response.url, extra=self._extra())
            self._count("errors")
            return None
        self._count(f"pages/{seen.where or 'lists of URLs'}" if seen else "pages/unknown")
        if seen and seen.failed:
            self._count("failed_actions", seen.failed)
        return seen

    def _items(self, seen: PageActions) -> Iterator[JSON]:
        for one in seen.objects if self.has_items else ():
            self._count(f"items/{one.kind}")
            yield as_json(cleaned(one), None)

    def _passes(self, one: Any, response: Response, seen: PageActions) -> bool:
        """Say whether to let pass what the spider yielded; forms and forced requests are its own business."""
        if not isinstance(one, Request) or one.method != "GET" or one.dont_filter:
            return True
        site = self._site(response.url)
        if refused := site.refusal(seen, one.url):
            self._count(f"dropped/{refused.rule or refused.because}")
            logger.debug("Dropped %s: %s", one.url, refused.because, extra=self._extra())
            return False
        if follow := site.wanted(seen, one.url):
            self._like[follow.family] = one
        return True

    def _missing(self, response: Response, seen: PageActions) -> Iterator[Request]:
        for follow in self._site(response.url).missing(seen) if self.adds else ():
            self._count(f"added/{follow.family}")
            logger.debug("Added %s: %s", follow.url, follow.because, extra=self._extra())
            yield self._made(follow, response)

    def _made(self, follow: Follow, response: Response) -> Request:
        """Make a request like the spider's own of that kind, so that it reaches the same callback."""
        state = follow.state if isinstance(follow.state, dict) else {}
        like = response.request if state.get("role") in SAME_LEVEL else self._like.get(follow.family)
        kept = {key: value for key, value in (like.meta if like else {}).items() if key not in OF_ONE_REQUEST}
        return Request(
            follow.url,
            callback=like.callback if like else None,
            errback=like.errback if like else None,
            cb_kwargs=dict(like.cb_kwargs) if like else None,
            meta={**kept, ADDED: state},
            priority=round(follow.priority),
        )

    def _site(self, url: str) -> Site:
        host = host_of(url)
        if host not in self._sites:
            self._sites[host] = Site(url, self.knowledge, self.policies, self._memory(host))
        return self._sites[host]

    def _memory(self, host: str) -> Rows | None:
        """Return what Scrapy saves with a job (`JOBDIR`), so that a resumed spider asks for nothing twice.

        Without `SITESEER_ADD` what was wanted may not have been asked for: then nothing is taken from an earlier run.
        """
        saved = getattr(self.crawler.spider, "state", None)
        if not self.adds or not isinstance(saved, dict):
            return None
        return Rows(saved.setdefault("siteseer", {}).setdefault(host, {}))

    def _count(self, name: str, many: int = 1) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(f"siteseer/{name}", many)

    def _extra(self) -> Mapping[str, Any]:
        return {"spider": self.crawler.spider}


def page_of(response: Response) -> Page:
    """Return a Scrapy response as a page.

    >>> page_of(Response("http://e.org/", headers={"Content-Type": "text/html"}, body=b"<p>hi")).header("content-type")
    'text/html'
    """
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
    redirects = response.request.meta.get("redirect_urls", ()) if response.request else ()
    page = Page(response.url, response.status, headers, response.body, datetime.now(UTC), tuple(redirects))
    return _as_of_its_date(page) if "cached" in response.flags else page


def _as_of_its_date(page: Page) -> Page:
    """Let a page from Scrapy's HTTP cache be as old as it says: "yesterday" in it is the day before then."""
    try:
        made = parsedate_to_datetime(page.header("date")).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return page
    return Page(page.url, page.status, page.headers, page.body, made, page.redirected_from)


def _paths(settings: BaseSettings) -> list[str]:
    named = settings.get("SITESEER_KNOWLEDGE")
    return [str(named)] if isinstance(named, Path) else [str(path) for path in settings.getlist("SITESEER_KNOWLEDGE")]
