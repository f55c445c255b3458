"""The process that a campaign runs in: its event loop, its open files, and what it tells people who watch."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

FILES = 8_192


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a campaign is, for people who watch."""

    sites: int
    waiting: int
    running: int
    requests: int
    pages: int
    relevant: int
    seconds: float
    note: str = ""
    """What a person should know besides: nobody is there to crawl, the broker is away."""


Watch = Callable[[Standing], None]


def allow_many_files() -> None:
    """Raise the number of files that this process may open: a site takes six."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def run_in_loop(main: Any) -> Any:
    """Run a coroutine on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)
