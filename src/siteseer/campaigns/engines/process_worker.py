"""Crawls slices in a subprocess of the campaign: reads orders from a socket, and writes results to it.

    python -m siteseer.campaigns.engines.process_worker SOCKET LOCK DIR MOST

`SOCKET` and `LOCK` are open file descriptors. Lines start with a number (`7 order JSON`, `7 leave HOST`, `7 stop`,
`7 stop at once`), and the answer has the same number (`7 JSON`). Sites are crawled in the campaign's directory, each
under its own lock; the campaign's directory stays locked for as long as this process lives. When the socket closes,
the process stops requesting pages and ends.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from dataclasses import asdict
from pathlib import Path

from siteseer.campaigns.campaign_ledger import Report, arrivals_of
from siteseer.campaigns.campaign_process import allow_many_files
from siteseer.campaigns.engines.messages import Order, Result, message_json, read_order
from siteseer.campaigns.engines.shared_browser import browser_of
from siteseer.campaigns.engines.site_cache import SiteCache
from siteseer.campaigns.engines.site_slice import CampaignSite, crawl_slice, fetcher_of, open_site, report_of, visits_of
from siteseer.campaigns.relevance.focused_strategy import OUTBOX
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.relevance.remote_term_learner import RemoteTermLearner
from siteseer.campaigns.run_campaign import COPY
from siteseer.collection.layout import OWN, folder_name
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.site_crawl import SiteCrawl
from siteseer.errors import SiteseerError
from siteseer.event_loops import run_coroutine
from siteseer.workers.host_locks import HostLocks
from siteseer.workers.lease import Lease
from siteseer.workers.leased_fetcher import LeasedFetcher

LONGEST_LINE = 256 * 2**20
GRACE = 8
"""Seconds that an end may take, browser and all: less than the next run of the campaign waits."""
GLANCE = 0.05


def hosts_folder(campaign: Path) -> Path:
    """Return where the processes of a campaign keep the locks of hosts."""
    return campaign / OWN / "hosts"


class Worker:
    """One process of a campaign."""

    def __init__(self, folder: Path, most: int, text: str) -> None:
        self.folder, self.text, self.definition = folder, text, read_definition(text)
        self.hosts, self.remote_learner = HostLocks(hosts_folder(folder)), RemoteTermLearner({})
        self.sites = SiteCache(most, self._opened)
        self.fetcher = fetcher_of(self.definition, is_shared=True)
        self.visits = visits_of(self.definition, self.fetcher)
        self.browser = browser_of(self.definition, self.fetcher)
        self.is_stopping = False

    async def carry_out(self, order: Order) -> Result:
        """Crawl a slice, and return its result."""
        self.remote_learner.study(order.words)
        self.visits.pace.rest(order.host, order.again - time.time())
        while (lease := self.hosts.take(order.host)) is None:  # another site's picture is being fetched from here
            await asyncio.sleep(GLANCE)
        try:
            place = CampaignSite(order.host, order.first, order.origin, self.folder / "sites" / folder_name(order.host))
            site_crawl = self.sites.take(place)
            report = await self._crawl(site_crawl, order, lease)
            outbox = [[number, row] for number, row in site_crawl.remembered(OUTBOX, order.delivered)]
            self.sites.give_back(order.host)
        except BaseException:
            self.sites.leave(order.host)
            raise
        finally:
            self.hosts.release(lease)
        again = time.time() + self.visits.pace.pause(order.host)
        return Result(str(os.getpid()), asdict(report), outbox, [], again, self.remote_learner.notes())

    async def _crawl(self, site_crawl: SiteCrawl, order: Order, lease: Lease) -> Report:
        if self.is_stopping:
            return report_of(site_crawl)
        guarded = LeasedFetcher(self.fetcher, lease, self.hosts, self.definition.politeness.delay)
        site_crawl.visits = PoliteFetcher(guarded, self.visits.pace, self.visits.limits)
        return await crawl_slice(site_crawl, arrivals_of(order.letters), order.requests, order.least, order.seconds)

    def stop(self, at_once: bool) -> None:
        """Let running slices end."""
        self.is_stopping = True
        self.sites.stop(at_once)

    async def close(self) -> None:
        """Close all sites and connections."""
        self.sites.close()
        if self.browser is not None:
            await self.browser.close()
        await self.fetcher.close()

    def _opened(self, place: CampaignSite) -> SiteCrawl:
        return open_site(place, self.definition, self.text, self.visits, self.remote_learner, False, self.browser)


async def serve(wire: socket.socket, folder: Path, most: int) -> None:
    """Execute orders until the campaign closes the connection."""
    reader, writer = await asyncio.open_connection(sock=wire, limit=LONGEST_LINE)
    try:
        text = (folder / COPY).read_text(encoding="utf-8")
    except OSError as error:  # the campaign was deleted: whoever asked for pages is told so by our end
        raise SystemExit(f"siteseer: {folder / COPY} cannot be read: {error.strerror}") from error
    worker = Worker(folder, most, text)
    tasks: set[asyncio.Task[None]] = set()

    async def answer(number: bytes, verb: bytes, rest: bytes) -> None:
        said = b"{}"
        if verb == b"order":
            said = message_json(await _result(worker, read_order(rest)))
        elif verb == b"leave":
            worker.sites.leave(rest.decode())
        else:
            worker.stop(at_once=bool(rest))
        writer.write(number + b" " + said + b"\n")

    while line := await _line(reader):
        number, verb, rest = (*line.strip().split(b" ", 2), b"")[:3]
        task = asyncio.create_task(answer(number, verb, rest))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    signal.alarm(GRACE)
    worker.hosts.lose()
    worker.stop(at_once=True)
    await asyncio.gather(*tasks)
    await worker.close()


async def _result(worker: Worker, order: Order) -> Result:
    try:
        return await worker.carry_out(order)
    except Exception as error:  # one bad site never ends a process
        text = str(error) if isinstance(error, SiteseerError) else repr(error)
        return Result(type(error).__name__, {}, [], [], 0.0, {}, text[:500] or "it failed")


async def _line(reader: asyncio.StreamReader) -> bytes:
    """Return the next line; nothing where the campaign hung up, in whatever way."""
    try:
        return await reader.readline()
    except (ConnectionError, ValueError):
        return b""


def main(wire: str, lock: str, folder: str, most: str) -> None:
    """Work for the campaign that started this process."""
    for given in (wire, lock):
        os.set_inheritable(int(given), False)  # a browser must not hold them
    allow_many_files()
    run_coroutine(serve(socket.socket(fileno=int(wire)), Path(folder), int(most)))


if __name__ == "__main__":
    main(*sys.argv[1:])
