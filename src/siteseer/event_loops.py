"""Runs coroutines from synchronous functions: in a script, a thread, or a running event loop.

A notebook runs an event loop all the time, and a thread can run only one; the work then goes to a thread of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar, copy_context
from functools import wraps
from threading import Event, Lock, Thread
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


def run_coroutine(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, on uvloop where there is one: a tenth less CPU per page.

    >>> async def answer() -> int:
    ...     return 42
    >>> run_coroutine(answer())
    42
    >>> async def within_a_loop() -> int:
    ...     return run_coroutine(answer())
    >>> asyncio.run(within_a_loop())
    42
    """
    return _in_thread(lambda: _run(main)) if _is_loop_running() else _run(main)


def outside_event_loops(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function so that it runs in a thread of its own where an event loop runs in the caller's.

    The whole function, as what it opens (a database, a browser) is bound to the thread that opened it.
    """

    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> T:
        if not _is_loop_running():
            return function(*args, **options)
        return _in_thread(lambda: function(*args, **options))

    return call


class _Cancellation:
    """Ends the coroutine that another thread runs at the moment."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None
        self._is_wanted = False

    def cancel(self) -> None:
        with self._lock:
            self._is_wanted = True
            if self._running is not None:
                loop, task = self._running
                loop.call_soon_threadsafe(task.cancel)

    async def watch(self, main: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(main)
        with self._lock:
            self._running = asyncio.get_running_loop(), task
            if self._is_wanted:
                task.cancel()
        try:
            return await task
        finally:
            with self._lock:
                self._running = None


_CANCELLATION: ContextVar[_Cancellation | None] = ContextVar("cancellation", default=None)


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run(main: Coroutine[Any, Any, T]) -> T:
    cancellation = _CANCELLATION.get()
    coroutine = cancellation.watch(main) if cancellation is not None else main
    try:
        import uvloop
    except ImportError:
        return asyncio.run(coroutine)
    return uvloop.run(coroutine)


def _in_thread(work: Callable[[], T]) -> T:
    """Do the work in a thread of its own; Ctrl-C here ends the coroutine there."""
    results: list[T] = []
    failures: list[BaseException] = []
    cancellation, context = _Cancellation(), copy_context()
    context.run(_CANCELLATION.set, cancellation)

    def run() -> None:
        try:
            results.append(context.run(work))
        except BaseException as error:
            failures.append(error)
        finally:
            finished.set()

    finished = Event()  # an interrupted Thread.join() takes the thread for ended
    Thread(target=run, name="siteseer").start()
    try:
        finished.wait()
    except BaseException:
        cancellation.cancel()
        finished.wait()
        raise
    if failures:
        raise failures[0]
    return results[0]
