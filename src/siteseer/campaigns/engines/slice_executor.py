"""Executes an order on a worker: restores the site, crawls the slice, and uploads its checkpoint.

Sites are crawled in one event loop, in a thread of its own; orders arrive in other threads, which copy files meanwhile.
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from siteseer.archive.storage import Storage, safe_address
from siteseer.campaigns.campaign_ledger import arrivals_of
from siteseer.campaigns.engines.checkpoints import ARCHIVE, READS_NOTHING, pack, unpack
from siteseer.campaigns.engines.messages import (
    Message,
    Order,
    Result,
    claim_prefix,
    message_json,
    order_name,
    read_message,
    read_order,
    result_name,
    slice_folder,
)
from siteseer.campaigns.engines.site_slice import CampaignSite, crawl_slice, fetcher_of, open_site, visits_of
from siteseer.campaigns.engines.warc_cache import WarcCache
from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.focused_strategy import OUTBOX
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.relevance.remote_term_learner import RemoteTermLearner
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.site_crawl import SiteCrawl
from siteseer.errors import NotFoundError, SiteseerError, UsageError
from siteseer.event_loops import run_coroutine
from siteseer.workers.broker import BrokerError, broker_failures
from siteseer.workers.lease import Lease, LeaseLostError, Leases
from siteseer.workers.leased_fetcher import LeasedFetcher

GLANCE = 0.1
"""Seconds between two looks whether a slice must stop."""
LONGEST_REST = 3_600.0
KEPT_READY = 4
"""Campaigns whose connections a worker keeps open."""


class SliceExecutor:
    """Executes the slices that messages order."""

    def __init__(self, name: str, leases: Leases, only: str = "", say: Callable[[str], None] = print) -> None:
        self.name, self.leases, self.only, self.say = name, leases, only, say
        self.sites: dict[str, str] = {}
        """What is being crawled: the site of each token."""
        self.campaigns: dict[str, str] = {}
        """The campaign of each token."""
        self.told_to_stop: set[str] = set()
        """Campaigns that want their sites back."""
        self.is_closing = False
        self.slices = self.pages = self.requests = 0
        self._ready: dict[str, tuple[Definition, PoliteFetcher]] = {}
        self._kept = WarcCache()
        started = threading.Event()
        threading.Thread(target=run_coroutine, args=(self._live(started),), daemon=True).start()
        started.wait()

    async def _live(self, started: threading.Event) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        started.set()
        await self._end.wait()
        for _, visits in self._ready.values():
            await visits.fetcher.close()

    def close(self) -> None:
        """Close connections and files."""
        self._kept.close()
        self._loop.call_soon_threadsafe(self._end.set)

    def perform(self, given: Any) -> None:
        """Crawl the slice that a message names.

        Do nothing if the campaign cancelled the slice or another worker holds the site's lease: a broker may deliver a
        message
        twice.
        """
        try:
            message = read_message(given)
            if self.only and message.storage != self.only:
                raise UsageError(
                    f"an order lies in {safe_address(message.storage)}, not in {safe_address(self.only)}: left alone"
                )
            storage = Storage(message.storage)
            order = self._claimed(storage, message)
            lease = self.leases.take(order.host, message.token, order.lease) if order else None
        except (NotFoundError, BrokerError):
            return  # not wanted any more; and nobody begins without a lease, the campaign gives the site to another
        except SiteseerError as error:
            self.say(str(error))
            return
        if order is None or lease is None:
            return
        self.sites[message.token], self.campaigns[message.token] = order.host, message.campaign
        try:
            if storage.exists(order_name(message.campaign, message.token)):
                self._carry_out(storage, message, order, lease)
        except LeaseLostError as error:
            self.say(f"{error}: its slice is given up")
        except Exception as error:  # one bad site never ends a worker
            text = str(error) if isinstance(error, SiteseerError) else repr(error)
            self.say(f"{order.host}: {text}")
            with suppress(SiteseerError):  # without a result the campaign gives the site to another worker
                self._write(storage, message, lease, Result(self.name, {}, [], [], 0.0, {}, text[:500]))
        finally:
            self.leases.release(lease)
            del self.sites[message.token], self.campaigns[message.token]

    def _claimed(self, storage: Storage, message: Message) -> Order | None:
        """Return the order, unless somebody has begun with it: a message may be delivered more than once."""
        order = read_order(storage.read(order_name(message.campaign, message.token)))
        claims = claim_prefix(message.campaign, message.token)
        mine = claims + secrets.token_hex(8)
        if storage.names(claims):
            return None
        storage.write(mine, self.name.encode())
        return order if storage.names(claims) == [mine] else None

    def _carry_out(self, storage: Storage, message: Message, order: Order, lease: Lease) -> None:
        with tempfile.TemporaryDirectory(prefix="siteseer-", ignore_cleanup_errors=True) as scratch:
            folder = Path(scratch)
            definition = self._definition(order)
            unpack(storage, message.campaign, order, folder, definition.strategy, self._kept.bring)
            crawl = self._crawl(order, message, lease, folder)
            result = asyncio.run_coroutine_threadsafe(crawl, self._loop).result()
            lease.check()
            known = {f"{ARCHIVE}{name}" for _, name, _ in order.archive}
            stored = slice_folder(message.campaign, order.host, message.token)
            files = pack(storage, stored, folder, known)
            if definition.strategy not in READS_NOTHING:
                for name in [name for name, _ in files if name.startswith(ARCHIVE)]:
                    self._kept.keep(storage, f"{stored}/{name}", folder / name)
            result.files.extend([name, size] for name, size in files)
            self._write(storage, message, lease, result)

    def _write(self, storage: Storage, message: Message, lease: Lease, result: Result) -> None:
        """Put the result where the campaign finds it, then say so."""
        lease.check()
        storage.write(result_name(message.campaign, message.token), message_json(result))
        self.slices += 1
        with suppress(*broker_failures()):  # the campaign also looks for it by itself
            self.leases.client.rpush(f"siteseer:done:{message.campaign}", message.token)

    def _definition(self, order: Order) -> Definition:
        ready = self._ready.get(order.definition)
        return ready[0] if ready else read_definition(order.definition)

    async def _visits(self, order: Order) -> tuple[Definition, PoliteFetcher]:
        """Return definition and connections of a campaign, kept for its next slice."""
        if order.definition not in self._ready:
            if len(self._ready) >= KEPT_READY and not self.sites:
                await self._ready.pop(next(iter(self._ready)))[1].fetcher.close()
            definition = read_definition(order.definition)
            self._ready[order.definition] = definition, visits_of(definition, fetcher_of(definition, is_shared=True))
        return self._ready[order.definition]

    async def _crawl(self, order: Order, message: Message, lease: Lease, folder: Path) -> Result:
        definition, shared = await self._visits(order)
        guarded = LeasedFetcher(shared.fetcher, lease, self.leases, definition.politeness.delay)
        visits = PoliteFetcher(guarded, shared.pace, shared.limits)
        remote_learner = RemoteTermLearner(order.words)
        visits.pace.rest(order.host, min(order.again - time.time(), LONGEST_REST))
        place = CampaignSite(order.host, order.first, order.origin, folder)
        site_crawl = open_site(place, definition, order.definition, visits, remote_learner, is_scratch=True)
        asked, kept = site_crawl.counts["requests"], site_crawl.counts["pages"]
        watch = asyncio.create_task(self._watch(site_crawl, message.campaign, lease))
        try:
            report = await crawl_slice(
                site_crawl, arrivals_of(order.letters), order.requests, order.least, order.seconds
            )
            outbox = [[number, row] for number, row in site_crawl.remembered(OUTBOX, order.delivered)]
        finally:
            watch.cancel()
            site_crawl.close()
        self.requests += report.requests - asked
        self.pages += report.pages - kept
        again = time.time() + visits.pace.pause(order.host)
        return Result(self.name, asdict(report), outbox, [], again, remote_learner.notes())

    async def _watch(self, site_crawl: SiteCrawl, campaign: str, lease: Lease) -> None:
        """End the slice where the lease is gone, or where it is wanted back."""
        while True:
            await asyncio.sleep(GLANCE)
            if site_crawl.loop is None:
                continue
            if not lease.is_held:
                site_crawl.loop.stop_at_once()
            elif self.is_closing or campaign in self.told_to_stop:
                site_crawl.loop.stop("interrupt")
