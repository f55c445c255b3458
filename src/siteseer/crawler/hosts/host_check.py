"""Pauses a host that fails most requests, then requests a known page to tell whether the host or its URLs fail."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass

from siteseer.crawler.polite_fetch import PoliteFetcher, answer_line, may_pass
from siteseer.crawler.progress import Progress
from siteseer.errors import FetchError
from siteseer.interfaces import Request


@dataclass(slots=True)
class HostCheck:
    """Lets failing hosts rest, and stops those that stay so."""

    visits: PoliteFetcher
    progress: Progress

    async def check(self, host: str, limit: int | None) -> None:
        """Rest with growing pauses until a host answers again; stop it where it does not, after a few."""
        health, limits = self.visits.health[host], self.visits.limits
        health.is_checked = True
        try:
            for rest in range(limits.retries):
                pause = limits.retry_seconds * 2 ** (rest + 1)
                await asyncio.sleep(max(pause, self.visits.pace.pause(host)))
                if health.stopped or (limit is not None and self.progress.sent >= limit):
                    return
                if await self._answers(health.good_url or health.failed_url, host):
                    health.recover()
                    return
            health.stop(f"{host} does not answer any more ({health.last_failure}), also after {limits.retries} pauses.")
        finally:
            health.is_checked = False

    async def _answers(self, url: str, host: str) -> bool:
        """Ask for one page, and say whether it comes."""
        tally = Counter[str]()
        self.progress.sent += 1
        try:
            exchange = await self.visits.send(Request(url), tally)
        except FetchError as error:
            self.visits.health[host].last_failure = str(error)
            return False
        finally:
            self.progress.counts.update(tally)
        exchange.body.close()
        self.progress.counts[f"status {exchange.status}"] += 1
        if may_pass(exchange.status):
            self.visits.health[host].last_failure = answer_line(exchange)
        return not may_pass(exchange.status)
