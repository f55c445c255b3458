"""Fetches the robots.txt of each host once, archives it, obeys it, and shows it to the strategy."""

from __future__ import annotations

import asyncio
from collections import Counter

from siteseer.crawler.apply_actions import ActionApplier
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.progress import Progress
from siteseer.errors import FetchError
from siteseer.fetch.robots import RobotsRules
from siteseer.interfaces import Request
from siteseer.model import Follow, Outcome
from siteseer.page.interstitials import is_challenge
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of, origin_of, resolve
from siteseer.settings import CrawlOptions

ROBOTS = "robots"
"""The family under which a strategy hears of a host's robots.txt."""


class RobotsAndSitemaps:
    """Knows what each host allows."""

    def __init__(
        self, options: CrawlOptions, visits: PoliteFetcher, carrier: ActionApplier, progress: Progress
    ) -> None:
        self.options, self.visits, self.carrier, self.progress = options, visits, carrier, progress
        self._read: dict[str, asyncio.Task[RobotsRules]] = {}

    async def of(self, url: str) -> RobotsRules:
        """Return the rules of the host of a URL."""
        origin = origin_of(url)
        if origin not in self._read:
            self._read[origin] = asyncio.create_task(self._rules(origin))
        return await asyncio.shield(self._read[origin])

    async def close(self) -> None:
        """Drop the requests that nobody waits for any more; they are sent again when the crawl goes on."""
        for task in self._read.values():
            task.cancel()
        await asyncio.gather(*self._read.values(), return_exceptions=True)

    async def _rules(self, origin: str) -> RobotsRules:
        agent = self.options.user_agent or "siteseer"
        earlier = self.carrier.keeper.recall_robots(origin)
        if earlier is not None:
            rules = RobotsRules.read(*earlier[:2], agent, earlier[2])
        else:
            rules = await self._fetched(origin, agent)
        if rules.crawl_delay and self.options.obeys_robots(host_of(origin + "/")) and self.options.offline is None:
            self.visits.pace.obey_crawl_delay(host_of(origin + "/"), rules.crawl_delay)
        return rules

    async def _fetched(self, origin: str, agent: str) -> RobotsRules:
        url = robots_url = f"{origin}/robots.txt"
        why = Follow(robots_url, "robots.txt of the host", ROBOTS)
        tally = Counter[str]()
        status, page, failure = None, None, ""
        for _ in range(5):
            self.progress.sent += 1
            try:
                exchange = await self.visits.fetch(Request(url), tally)
            except FetchError as error:
                self.progress.failure = self.progress.failure or error
                self.carrier.log.write("failed", url=url, reason=str(error))
                failure = str(error)
                status = 404 if self.options.offline is not None else None  # an archive without it forbids nothing
                break
            kept = self.carrier.keeper.keep(exchange, why)
            self.progress.count(kept)
            self.carrier.keeper.record(kept, self.progress.counts["requests"] + tally["requests"])
            target = kept.outcome.target
            if kept.outcome.kind != "redirect" or target is None or resolve(url, target) == url:
                status, page = exchange.status, kept.page
                break
            url = target
        self.progress.counts.update(tally)
        self.carrier.frontier.mark_known(robots_url, "robots.txt of the host", None)
        body = page.body if page is not None else b""
        if page is None or not is_challenge(page):
            self.carrier.keeper.remember_robots(
                origin, status, body, failure
            )  # what a challenge hides is asked for again
        if status == 200 and page is not None and not is_html(page):  # many sites answer with their home page instead
            self.carrier.decide(Outcome(robots_url, "page", page=page), why, None)
        self.progress.unsaved += 1
        return RobotsRules.read(status, body, agent, failure)
