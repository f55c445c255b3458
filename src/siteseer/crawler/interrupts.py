"""Stops a crawl cleanly on Ctrl-C and SIGTERM."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interruptible(interrupt: Callable[[], None]) -> Iterator[None]:
    """Call `interrupt` for each SIGINT and SIGTERM while the block runs; only within a running event loop."""
    running = asyncio.get_running_loop()
    handled = []
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            running.add_signal_handler(number, interrupt)
            handled.append(number)
        except (NotImplementedError, RuntimeError, ValueError):
            continue  # not the main thread, or Windows: Python's own handling stays
    try:
        yield
    finally:
        for number in handled:
            running.remove_signal_handler(number)
