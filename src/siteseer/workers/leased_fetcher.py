"""A fetcher that sends requests to a host only while it holds the host's lease."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Protocol

from siteseer.errors import TemporaryFetchError
from siteseer.interfaces import Exchange, Fetcher, Request
from siteseer.page.urls import host_of
from siteseer.workers.broker import BrokerError
from siteseer.workers.lease import Lease

WAIT = 30.0
"""Seconds for which a picture of another host waits until no other worker asks that host."""
GLANCE = 0.1


class LeaseLender(Protocol):
    """Gives leases of hosts: a broker for many machines, files for the processes of one."""

    def take(self, host: str, token: str, seconds: float) -> Lease | None:
        """Take the lease of a host; None where somebody has it."""

    def release(self, lease: Lease, rest: float = 0.0) -> None:
        """Give a lease back; with `rest` nobody gets it for so many seconds."""


class LeasedFetcher:
    """Fetches for one slice: its own site with the slice's lease, other hosts with one for each request."""

    def __init__(self, fetcher: Fetcher, lease: Lease, leases: LeaseLender, delay: float) -> None:
        self.fetcher, self.lease, self.leases, self.delay = fetcher, lease, leases, delay

    async def fetch(self, request: Request, sent: asyncio.Event | None = None) -> Exchange:
        """Send a request, if the lease allows it."""
        host = host_of(request.url)
        self.lease.check()
        if host == self.lease.host:
            return await self.fetcher.fetch(replace(request, last_word=self.lease.check), sent)
        lease = await self._taken(host)
        try:
            lease.check()
            return await self.fetcher.fetch(replace(request, last_word=lease.check), sent)
        finally:
            await asyncio.to_thread(self.leases.release, lease, self.delay)

    async def close(self) -> None:
        """Do nothing: the connections belong to the worker."""

    async def _taken(self, host: str) -> Lease:
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            try:
                lease = await asyncio.to_thread(self.leases.take, host, self.lease.holder, self.lease.seconds)
            except BrokerError as error:
                raise TemporaryFetchError(f"nobody can say whether {host} may be asked") from error
            if lease is not None:
                return lease
            await asyncio.sleep(GLANCE)
        raise TemporaryFetchError(f"{host} is being asked by another worker")
