"""Shows how far long work is: one line on stderr that changes, on a terminal, once the work takes longer."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from siteseer.cli.terminal import shows_progress
from siteseer.work_progress import listening

if TYPE_CHECKING:
    from rich.progress import Progress

SHORT_SECONDS = 2.0
"""Work that is done by then shows nothing."""


@contextmanager
def work_display(to: IO[str] | None = None, clock: Callable[[], float] = time.monotonic) -> Iterator[None]:
    """Show how far the work within is, with what is left of it; nothing with --json, --quiet, or off a terminal."""
    to = to or sys.stderr
    if not shows_progress() or not to.isatty():
        yield
        return
    display = _Display(to, clock)
    try:
        with listening(display.show):
            yield
    finally:
        display.close()


class _Display:
    """One line for the task that was told of last."""

    def __init__(self, to: IO[str], clock: Callable[[], float]) -> None:
        self._to, self._clock, self._began = to, clock, clock()
        self._progress: Progress | None = None
        self._task = ""

    def show(self, task: str, done: float, total: float) -> None:
        if done >= total:
            self.close()
            return
        if self._progress is None:
            if self._clock() - self._began < SHORT_SECONDS:
                return
            self._progress = _line(self._to)
            self._progress.start()
        progress = self._progress
        if task != self._task:
            for earlier in progress.task_ids:
                progress.remove_task(earlier)
            self._task = task
            progress.add_task(task, total=total)
        progress.update(progress.task_ids[-1], completed=done, total=total)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress, self._task = None, ""


def _line(to: IO[str]) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False), BarColumn(bar_width=20), TaskProgressColumn(),
        TimeRemainingColumn(), TextColumn("left"),
        console=Console(file=to, force_terminal=True), transient=True, refresh_per_second=4,
    )  # fmt: skip
