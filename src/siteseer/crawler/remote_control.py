"""Controls a running crawl from any thread: pause, resume, stop, other limits, one more exclusion."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from siteseer.crawler.loop import Loop
from siteseer.strategies.scope import pattern
from siteseer.strategies.seed_scopes import CrawlScope

Wish = Callable[[Loop, CrawlScope], object]
LIMITS = ("limit", "size_limit", "time_limit", "delay")
"""What can be changed while a crawl runs."""


class RemoteControl:
    """Hands wishes to the crawl's own thread; what is wished before it began is done when it begins.

    >>> control = RemoteControl()
    >>> control.pause(), control.is_paused
    (None, True)
    """

    def __init__(self) -> None:
        self.is_paused = False
        self._lock = Lock()
        self._before: list[Wish] = []
        self._hand: Callable[[Wish], object] | None = None

    @contextmanager
    def over(self, loop: Loop, scope: CrawlScope) -> Iterator[None]:
        """Let wishes reach this loop, as long as the block lasts; called in the loop's thread."""
        running = asyncio.get_running_loop()
        with self._lock:
            self._hand = lambda wish: running.call_soon_threadsafe(wish, loop, scope)
            for wish in self._before:
                wish(loop, scope)
            self._before.clear()
        try:
            yield
        finally:
            with self._lock:
                self._hand = None

    def pause(self) -> None:
        """Take nothing new until `resume`."""
        self.is_paused = True
        self._wish(lambda loop, scope: loop.progress.pause())

    def resume(self) -> None:
        """Go on after a pause."""
        self.is_paused = False

        def resume(loop: Loop, scope: CrawlScope) -> None:
            loop.progress.resume()
            loop.wake()

        self._wish(resume)

    def stop(self) -> None:
        """Finish what was sent and end; the crawl can be resumed later."""
        self._wish(lambda loop, scope: loop.stop("interrupt"))

    def change(self, **limits: float | int | None) -> None:
        """Use other limits: any of `LIMITS`."""
        self._wish(lambda loop, scope: loop.change(**limits))

    def exclude(self, text: str) -> None:
        """Leave the URLs that a glob or `re:` expression matches, those that wait and those to come."""
        expression = pattern(text, "--exclude")

        def leave(loop: Loop, scope: CrawlScope) -> None:
            scope.exclude.append((text, expression))
            rule = f"--exclude {text}"
            loop.carrier.leave(lambda url: bool(expression.search(url)), f"excluded by {rule}", rule)

        self._wish(leave)

    def lift(self, rule: str, urls: Sequence[str] = ()) -> None:
        """Let what a rule skipped be fetched after all, or only some of it."""

        def lift(loop: Loop, scope: CrawlScope) -> None:
            loop.carrier.lift(rule, urls)
            loop.wake()

        self._wish(lift)

    def _wish(self, wish: Wish) -> None:
        with self._lock:
            if self._hand is None:
                self._before.append(wish)
            else:
                self._hand(wish)
