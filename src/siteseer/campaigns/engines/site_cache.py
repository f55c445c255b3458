"""Keeps site crawls open between slices, so that the next slice need not reload their state (LRU cache)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator

from siteseer.campaigns.engines.site_slice import CampaignSite
from siteseer.crawler.site_crawl import SiteCrawl


class SiteCache:
    """The open sites of one process; where too many are open, the one used longest ago is closed."""

    def __init__(self, most: int, make: Callable[[CampaignSite], SiteCrawl]) -> None:
        self.most, self._make = most, make
        self._open: OrderedDict[str, SiteCrawl] = OrderedDict()
        self._busy: set[str] = set()

    def take(self, place: CampaignSite) -> SiteCrawl:
        """Return the open crawl of a site, for a slice."""
        if place.host not in self._open:
            for host in [host for host in self._open if host not in self._busy]:
                if len(self._open) < self.most:
                    break
                self.leave(host)
            self._open[place.host] = self._make(place)
        self._busy.add(place.host)
        self._open.move_to_end(place.host)
        return self._open[place.host]

    def give_back(self, host: str) -> None:
        """Mark the slice of a site as ended."""
        self._busy.discard(host)

    def leave(self, host: str) -> None:
        """Close a site if it is open, so that another process may crawl it."""
        self._busy.discard(host)
        if host in self._open:
            self._open.pop(host).close()

    def stop(self, at_once: bool) -> None:
        """Let running slices end: pending requests finish or are dropped; waiting URLs stay in the frontiers."""
        for site_crawl in self._working():
            if site_crawl.loop is not None:
                site_crawl.loop.stop_at_once() if at_once else site_crawl.loop.stop("interrupt")

    def _working(self) -> Iterator[SiteCrawl]:
        return (self._open[host] for host in self._busy)

    def close(self) -> None:
        """Close all."""
        for host in list(self._open):
            self.leave(host)
