"""Manages the live browsers of one interface: limits their number, ends idle ones, and all of them at the end."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from siteseer.errors import NotFoundError, UsageError
from siteseer.web.designer.dry_run import DryRun
from siteseer.web.designer.live_browser import LiveBrowser, View

One = TypeVar("One", LiveBrowser, DryRun)
MOST_BROWSERS = 4
"""Live and replaying together: each takes 200 MB and more."""
IDLE_SECONDS = 900.0
MOST_VIEWS = 60
_LOOK_SECONDS = 15.0


class Browsers:
    """Opens and ends live browsers, and keeps what they show under its number.

    >>> browsers = Browsers(most=0)
    >>> browsers.live()
    Traceback (most recent call last):
    siteseer.errors.UsageError: 0 browsers are open already; close the designer in another window first
    """

    def __init__(
        self,
        most: int = MOST_BROWSERS,
        idle_seconds: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._idle, self._clock = most, idle_seconds, clock
        self._open: dict[LiveBrowser | DryRun, float] = {}
        self._views: OrderedDict[int, View] = OrderedDict()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._watching = False

    def live(self) -> LiveBrowser:
        """Return a new live browser, without a page."""
        self._make_room()
        made = LiveBrowser(lambda: self._forget(made))
        return self._added(made)

    def dry_run(self, text: str) -> DryRun:
        """Return a new dry run of a wrapper; it begins when its first page is requested."""
        self._make_room()
        made = DryRun(text, lambda: self._forget(made))
        return self._added(made)

    def _make_room(self) -> None:
        with self._lock:
            if len(self._open) >= self._most:
                raise UsageError(
                    f"{len(self._open)} browsers are open already; close the designer in another window first"
                )

    def _added(self, made: One) -> One:
        with self._lock:
            self._open[made] = self._clock()
            if not self._watching:
                self._watching = True
                threading.Thread(target=self._watch, name="designer watch", daemon=True).start()
        return made

    def _forget(self, one: LiveBrowser | DryRun) -> None:
        with self._lock:
            self._open.pop(one, None)

    def used(self, one: LiveBrowser | DryRun) -> None:
        """Say that somebody uses a browser."""
        with self._lock:
            if one in self._open:
                self._open[one] = self._clock()

    def count(self) -> int:
        """Return how many browsers are open."""
        return len(self._open)

    def keep(self, view: View) -> View:
        """Keep a view to be shown, for a while."""
        with self._lock:
            self._views[view.edition] = view
            while len(self._views) > MOST_VIEWS:
                self._views.popitem(last=False)
        return view

    def view(self, edition: int) -> View:
        """Return what is shown under a number."""
        with self._lock:
            if edition not in self._views:
                raise NotFoundError("this view of a page is no longer kept; look at the page again")
            return self._views[edition]

    def sweep(self) -> None:
        """End the browsers that nobody has used for a while."""
        now = self._clock()
        with self._lock:
            idle = [one for one, used in self._open.items() if now - used > self._idle]
        for one in idle:
            one.close()

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_SECONDS):
            self.sweep()

    def close(self) -> None:
        """End all browsers."""
        self._ended.set()
        for one in list(self._open):
            one.close()
