"""Leases of hosts among the processes of one machine: file locks, which the system releases when a process dies.

Nobody has to renew anything, and a process that is suspended keeps its leases.
"""

from __future__ import annotations

import fcntl
import time
from pathlib import Path
from typing import TextIO

from siteseer.collection.layout import folder_name
from siteseer.workers.lease import Lease

ALWAYS = float("inf")


class HostLocks:
    """The hosts that this process may send requests to.

    >>> import tempfile
    >>> ours, theirs = (HostLocks(Path(folder)) for folder in [tempfile.mkdtemp()] * 2)
    >>> lease = ours.take("example.org")
    >>> theirs.take("example.org") is None
    True
    >>> ours.release(lease)
    >>> theirs.take("example.org").is_held
    True
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._held: dict[int, tuple[Lease, TextIO]] = {}

    def take(self, host: str, token: str = "", seconds: float = ALWAYS) -> Lease | None:
        """Take the lease of a host; None where another has it, or the host rests."""
        file = (self.folder / folder_name(host)).open("a+", encoding="ascii")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.seek(0)
            if float(file.read(40) or 0) > time.time():
                file.close()
                return None
        except (BlockingIOError, ValueError):
            file.close()
            return None
        lease = Lease(host, token, seconds, ALWAYS)
        self._held[id(lease)] = lease, file
        return lease

    def release(self, lease: Lease, rest: float = 0.0) -> None:
        """Give a lease back; with `rest` nobody gets it for so many seconds."""
        lease.is_lost = True
        _, file = self._held.pop(id(lease))
        file.truncate(0)
        if rest > 0:
            file.write(f"{time.time() + rest:.3f}")
        file.close()

    def lose(self) -> None:
        """Stop sending requests to any host."""
        for lease, _ in self._held.values():
            lease.is_lost = True
