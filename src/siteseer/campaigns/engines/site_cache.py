"""Crawls of sites that are kept open from slice to slice, so that the next one need not begin by reading."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator

from siteseer.crawl.sitting import Sitting
from siteseer.jobs.campaign.slices import Place


class OpenSites:
    """The open sites of one process; where too many are open, the one used longest ago is closed."""

    def __init__(self, most: int, make: Callable[[Place], Sitting]) -> None:
        self.most, self._make = most, make
        self._open: OrderedDict[str, Sitting] = OrderedDict()
        self._busy: set[str] = set()

    def take(self, place: Place) -> Sitting:
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
        """Hear that a slice has ended."""
        self._busy.discard(host)

    def leave(self, host: str) -> None:
        """Close a site, if it is open: another process may have it."""
        self._busy.discard(host)
        if host in self._open:
            self._open.pop(host).close()

    def stop(self, at_once: bool) -> None:
        """Let running slices end: what was sent is finished, or dropped; what waits stays in the frontiers."""
        for sitting in self._working():
            if sitting.loop is not None:
                sitting.loop.stop_at_once() if at_once else sitting.loop.stop("interrupt")

    def _working(self) -> Iterator[Sitting]:
        return (self._open[host] for host in self._busy)

    def close(self) -> None:
        """Close all."""
        for host in list(self._open):
            self.leave(host)
