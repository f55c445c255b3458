"""Sets up the process of a campaign: event loop, limit of open files, progress messages."""

from __future__ import annotations

import resource
from collections.abc import Callable
from dataclasses import dataclass

FILES = 8_192


@dataclass(frozen=True, slots=True)
class CampaignProgress:
    """The progress of a campaign."""

    sites: int
    waiting: int
    running: int
    requests: int
    pages: int
    relevant: int
    seconds: float
    note: str = ""
    """What a person should know besides: nobody is there to crawl, the broker is away."""


Watch = Callable[[CampaignProgress], None]


def allow_many_files() -> None:
    """Raise the number of files that this process may open: each site needs six."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
