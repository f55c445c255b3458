"""Runs a crawl of the service in a process of its own: its memory goes when it ends, and no page can harm the service.

    python -P -m siteseer.web.service.separate_crawl CONNECTION

`CONNECTION` is an open socket. Over it the service sends the options of a crawl and then wishes; back come snapshots,
and in the end the summary or what went wrong. Where the service is gone, the crawl ends as after a first Ctrl-C.
"""

from __future__ import annotations

import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Lock, Thread

from siteseer.crawler.progress import Snapshot
from siteseer.crawler.remote_control import RemoteControl
from siteseer.crawler.run import crawl
from siteseer.errors import SiteseerError
from siteseer.model import JSON
from siteseer.settings import CrawlOptions
from siteseer.strategies.scope import pattern

Watch = Callable[[Snapshot], object]
SNAPSHOT, DONE, REFUSED, DEFECT = "snapshot", "done", "refused", "defect"
GLANCE = 0.05
"""Seconds between snapshots at least: a quick crawl makes hundreds a second."""


class CrawlDefect(Exception):
    """A defect of ours ended a crawl; its process has printed where."""


class SeparateControl:
    """Steers a crawl in another process as `RemoteControl` does in ours; wishes wait until it has begun.

    >>> control = SeparateControl()
    >>> control.pause(), control.is_paused
    (None, True)
    """

    def __init__(self) -> None:
        self.is_paused = False
        self._lock = Lock()
        self._before: list[tuple[str, tuple[object, ...], dict[str, object]]] = []
        self._connection: Connection | None = None

    @contextmanager
    def over(self, connection: Connection) -> Iterator[None]:
        """Let wishes go over a connection, as long as the block lasts."""
        with self._lock:
            self._connection = connection
            for wish in self._before:
                connection.send(wish)
            self._before.clear()
        try:
            yield
        finally:
            with self._lock:
                self._connection = None

    def pause(self) -> None:
        """Take nothing new until `resume`."""
        self.is_paused = True
        self._wish("pause")

    def resume(self) -> None:
        """Go on after a pause."""
        self.is_paused = False
        self._wish("resume")

    def stop(self) -> None:
        """Finish what was sent and end; the crawl can be resumed later."""
        self._wish("stop")

    def change(self, **limits: float | int | None) -> None:
        """Use other limits: any of `LIMITS`."""
        self._wish("change", **limits)

    def exclude(self, text: str) -> None:
        """Leave the URLs that a glob or `re:` expression matches; raise ConfigurationError where it is none."""
        pattern(text, "--exclude")
        self._wish("exclude", text)

    def lift(self, rule: str, urls: Sequence[str] = ()) -> None:
        """Let what a rule skipped be fetched after all, or only some of it."""
        self._wish("lift", rule, tuple(urls))

    def _wish(self, name: str, *values: object, **named: object) -> None:
        with self._lock:
            if self._connection is None:
                self._before.append((name, values, named))
            else:
                with suppress(OSError):  # it has just ended
                    self._connection.send((name, values, named))


def crawl_separately(options: CrawlOptions, watch: Watch, control: SeparateControl) -> JSON:
    """Crawl in a process of its own; return the summary, or raise SiteseerError with what went wrong.

    Raises CrawlDefect where that is a fault of ours.
    """
    ours, theirs = Pipe()
    with ours:
        with theirs:
            command = [sys.executable, "-P", "-m", __name__, str(theirs.fileno())]
            process = subprocess.Popen(
                command,
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        try:
            ours.send(options)
            with control.over(ours):
                kind, told = _listen(ours, watch)
        except OSError:
            kind, told = REFUSED, ""
    code = process.wait()
    if kind == DONE:
        return told
    if kind == DEFECT:
        raise CrawlDefect(told)
    raise SiteseerError(told or f"the process of the crawl was ended ({code}): resume the crawl to go on with it")


def _listen(connection: Connection, watch: Watch) -> tuple[str, JSON]:
    """Hand on snapshots until the end; return what came last, nothing where the process is gone without a word."""
    while True:
        try:
            kind, told = connection.recv()
        except EOFError:
            return REFUSED, ""
        if kind != SNAPSHOT:
            return kind, told
        watch(told)


class _Service:
    """The service, as seen from the process of a crawl."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.control = connection, RemoteControl()
        self._waiting: Snapshot | None = None
        self._told_at = 0.0

    def carry_out(self) -> None:
        """Do what is wished until the service is gone; then stop."""
        while True:
            try:
                name, values, named = self.connection.recv()
            except (EOFError, OSError):
                self.control.stop()
                return
            getattr(self.control, name)(*values, **named)

    def watch(self, now: Snapshot) -> None:
        """Send a snapshot, unless the last one has just gone."""
        self._waiting = now
        if time.monotonic() - self._told_at >= GLANCE:
            self._tell()

    def end(self, kind: str, told: JSON) -> None:
        """Send the last snapshot and how it ended."""
        self._tell()
        with suppress(OSError):
            self.connection.send((kind, told))

    def _tell(self) -> None:
        if self._waiting is not None:
            with suppress(OSError):  # the service is gone
                self.connection.send((SNAPSHOT, self._waiting))
            self._waiting, self._told_at = None, time.monotonic()


def main() -> None:
    """Crawl what the service asks for."""
    service = _Service(Connection(int(sys.argv[1])))
    options = service.connection.recv()
    Thread(target=service.carry_out, daemon=True).start()
    try:
        summary = crawl(options, service.watch, service.control)
    except SiteseerError as error:
        service.end(REFUSED, str(error))
    except Exception as error:
        traceback.print_exc()
        service.end(DEFECT, f"{type(error).__name__}: {error}")
    else:
        service.end(DONE, summary)


if __name__ == "__main__":
    main()
