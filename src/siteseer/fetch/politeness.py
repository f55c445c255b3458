"""Politeness: decides when the next request to a host may start.

Never closer to the previous one than the delay, measured from when that one was really sent; never more at once than
the concurrency; longer where the server asks for it (Retry-After, 429, 503) or robots.txt does (Crawl-delay).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from siteseer.settings import HostOptions, Politeness

CRAWL_DELAY_MAX = 60.0
"""A Crawl-delay of hours is a mistake or a trap; a minute is the most that is obeyed."""
BACK_OFF_FIRST = 5.0


@dataclass(slots=True)
class HostPoliteness:
    """What is known about one host."""

    delay: float
    free: asyncio.Semaphore
    gate: asyncio.Lock = field(default_factory=asyncio.Lock)
    sent: float = float("-inf")
    not_before: float = float("-inf")
    refusals: int = 0
    asked: float = 0.0
    """The Crawl-delay of its robots.txt."""
    own: float | None = None
    """The delay that the user chose for this host; another choice for all hosts leaves it."""


class PolitenessClock:
    """Hands out turns, host by host."""

    def __init__(
        self,
        delay: float,
        concurrency: int,
        clock: Callable[[], float] = time.monotonic,
        own: Callable[[str], HostOptions] | None = None,
    ) -> None:
        self.delay = delay
        self.concurrency = concurrency
        self.clock = clock
        self._own = own
        self._hosts: dict[str, HostPoliteness] = {}

    @classmethod
    def of(cls, options: Politeness) -> PolitenessClock:
        """Return a clock that treats every host as the options say of it."""
        return cls(options.delay, options.concurrency, own=options.own_of_host if options.hosts else None)

    def host(self, name: str) -> HostPoliteness:
        """Return the pace of one host."""
        if name not in self._hosts:
            own = self._own(name) if self._own else HostOptions(name)
            made = HostPoliteness(self.delay, asyncio.Semaphore(own.concurrency or self.concurrency), own=own.delay)
            made.delay = self.delay if own.delay is None else own.delay
            self._hosts[name] = made
        return self._hosts[name]

    @asynccontextmanager
    async def turn(self, name: str) -> AsyncIterator[asyncio.Event]:
        """Wait for a turn. The caller sets the event when the request was sent; leaving the block frees the place."""
        host = self.host(name)
        async with host.free:
            sent = asyncio.Event()
            if not host.delay and self._pause(host) <= 0:
                yield sent
                return
            await host.gate.acquire()
            try:
                while (pause := self._pause(host)) > 0:
                    await asyncio.sleep(pause)
            except BaseException:
                host.gate.release()
                raise
            watcher = asyncio.ensure_future(self._open_gate_when(sent, host))
            try:
                yield sent
            finally:
                sent.set()
                await watcher

    async def _open_gate_when(self, sent: asyncio.Event, host: HostPoliteness) -> None:
        await sent.wait()
        host.sent = self.clock()
        host.gate.release()

    def _pause(self, host: HostPoliteness) -> float:
        # The server's clock is not ours: a hundredth and ten milliseconds keep its view of the gap above the delay.
        gap = host.delay * 1.01 + 0.01 if host.delay else 0.0
        return max(host.sent + gap, host.not_before) - self.clock()

    def pause(self, name: str) -> float:
        """Return for how many seconds nothing may be sent to a host."""
        return max(0.0, self._pause(self.host(name)))

    def rest(self, name: str, seconds: float) -> None:
        """Send nothing to a host for so long: another worker has asked it a moment ago."""
        host = self.host(name)
        host.not_before = max(host.not_before, self.clock() + seconds)

    def slow_down(self, name: str, retry_after: float | None) -> float:
        """Hear that the server wants fewer requests; return how long nothing will be sent.

        What was refused while the host rests was sent before it did: that makes the pause no longer.
        """
        host = self.host(name)
        host.refusals += host.refusals == 0 or self.clock() >= host.not_before
        wait = retry_after if retry_after is not None else BACK_OFF_FIRST * 2 ** min(host.refusals - 1, 6)
        host.not_before = max(host.not_before, self.clock() + wait)
        return wait

    def went_well(self, name: str) -> None:
        """Hear that the server answered."""
        self.host(name).refusals = 0

    def change_delay(self, seconds: float) -> None:
        """Use another delay from now on, never a shorter one than a host's robots.txt asked for."""
        self.delay = seconds
        for host in self._hosts.values():
            host.delay = max(seconds if host.own is None else host.own, host.asked)

    def obey_crawl_delay(self, name: str, seconds: float) -> None:
        """Use the host's own delay where it is longer than ours."""
        host = self.host(name)
        host.asked = min(seconds, CRAWL_DELAY_MAX)
        host.delay = max(host.delay, host.asked)
