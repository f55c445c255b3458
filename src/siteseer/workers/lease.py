"""Leases of hosts in the broker: at most one worker sends requests to a host, whatever is delivered twice or late.

A lease is a key of the broker that expires when it is not renewed. Its holder stops sending requests some time before
that, by its own clock; the campaign waits some time longer before it gives the site to another worker. A broker that
was restarted and has lost all leases gets them back from the workers that still hold them.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from siteseer.errors import SiteseerError
from siteseer.workers.broker import BrokerError, broker_failures

SAFE = 0.7
"""The part of a lease's time for which its holder relies on it after a renewal."""
GIVEN_UP = 1.5
"""So many times its time a lease must have been gone before its site is given to another worker."""
RENEWALS = 4
"""Renewals in a lease's time: two may fail."""
_RENEW = """
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2])
elseif not holder then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1
else return 0 end"""
_RELEASE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0
elseif tonumber(ARGV[2]) > 0 then return redis.call('PEXPIRE', KEYS[1], ARGV[2])
else return redis.call('DEL', KEYS[1]) end"""


class LeaseLostError(SiteseerError):
    """The lease of a host is lost; the results of the slice are discarded."""


def key_of(host: str) -> str:
    """Return the broker's key for the lease of a host."""
    return f"siteseer:lease:{host}"


def boot_time() -> float:
    """Return a clock that also runs while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@dataclass(slots=True)
class Lease:
    """The right to send requests to a host."""

    host: str
    holder: str
    seconds: float
    until: float
    """Nothing is asked after this, on the holder's own clock."""
    clock: Callable[[], float] = boot_time
    is_lost: bool = False

    @property
    def is_held(self) -> bool:
        """Say whether requests may be sent to the host now."""
        return not self.is_lost and self.clock() < self.until

    def check(self) -> None:
        """Raise where no request may be sent to the host."""
        if not self.is_held:
            raise LeaseLostError(f"the lease of {self.host} ran out")


class Leases:
    """The leases that this process holds."""

    def __init__(self, client: Any, clock: Callable[[], float] = boot_time) -> None:
        self.client, self.clock = client, clock
        self._renew, self._release = client.register_script(_RENEW), client.register_script(_RELEASE)
        self._leases: dict[int, Lease] = {}
        self._lock = threading.Lock()

    def take(self, host: str, token: str, seconds: float) -> Lease | None:
        """Take the lease of a host; None where somebody has it."""
        holder, before = f"{token}/{secrets.token_hex(6)}", self.clock()
        try:
            if not self.client.set(key_of(host), holder, nx=True, px=int(seconds * 1000)):
                return None
        except broker_failures() as error:
            raise BrokerError(f"nobody can say who has the lease of {host}") from error
        lease = Lease(host, holder, seconds, before + SAFE * seconds, self.clock)
        with self._lock:
            self._leases[id(lease)] = lease
        return lease

    def renew(self) -> None:
        """Renew the leases that are due; one that another worker has, or that expired unnoticed, is lost."""
        with self._lock:
            leases = list(self._leases.values())
        for lease in leases:
            before = self.clock()
            if before > lease.until:
                lease.is_lost = True
            elif before > lease.until - SAFE * lease.seconds + lease.seconds / RENEWALS and not lease.is_lost:
                self._renew_one(lease, before)

    def release(self, lease: Lease, rest: float = 0.0) -> None:
        """Give a lease back; with `rest` nobody gets it for so many seconds."""
        with self._lock:
            self._leases.pop(id(lease), None)
        was_held, lease.is_lost = not lease.is_lost, True
        try:
            if was_held:
                self._release(keys=[key_of(lease.host)], args=[lease.holder, int(rest * 1000)])
        except broker_failures():
            pass  # it runs out by itself

    def _renew_one(self, lease: Lease, before: float) -> None:
        try:
            is_ours = self._renew(keys=[key_of(lease.host)], args=[lease.holder, int(lease.seconds * 1000)])
        except broker_failures():
            return  # tried again until the time is over
        if is_ours:
            lease.until = before + SAFE * lease.seconds
        else:
            lease.is_lost = True
