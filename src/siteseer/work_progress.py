"""Tells how far long work is, to whoever listens: the command line shows it, others need not know.

The work says what it does, how much of it is done, and how much there is in all, in whatever unit it can count:

>>> heard = []
>>> with listening(lambda task, done, total: heard.append((task, done, total))):
...     tell_progress("copying", 3, 8)
>>> tell_progress("copying", 4, 8)
>>> heard
[('copying', 3, 8)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, float, float], None]
"""Is given what is done, how much of it is done, and how much there is."""
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Hear of all work that is done within, also in threads that take over the context."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def tell_progress(task: str, done: float, total: float) -> None:
    """Say how far a task is."""
    if (listener := _listener.get()) is not None:
        listener(task, done, total)


def tracked(items: Iterable[T], task: str, total: int) -> Iterator[T]:
    """Yield items, and say after each how many of them are done.

    >>> with listening(lambda task, done, total: print(f"{task}: {done} of {total}")):
    ...     _ = list(tracked("ab", "letters", 2))
    letters: 1 of 2
    letters: 2 of 2
    """
    for number, item in enumerate(items, 1):
        yield item
        tell_progress(task, number, total)
