"""A crawl that is looked at after each answer, where people see it four times a second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from siteseer.crawler.loop import Loop
from siteseer.crawler.progress import Snapshot
from siteseer.crawler.remote_control import RemoteControl
from siteseer.crawler.run import crawl
from siteseer.interfaces import Strategy, StrategyContext
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions


class Watched(RemoteControl):
    """Keeps hold of the loop of a crawl."""

    loop: Loop

    @contextmanager
    def over(self, loop: Loop, scope: Any) -> Iterator[None]:
        self.loop = loop
        with super().over(loop, scope):
            yield


def snapshots(url: str, folder: Path, strategy: str = "auto", **options: Any) -> list[Snapshot]:
    """Crawl a site, and return what was seen after each answer."""
    control, seen = Watched(), list[Snapshot]()

    def make(context: StrategyContext) -> Strategy:
        made = strategy_factory(strategy)(context)
        decide = made.decide

        def watched(outcome: Any, why: Any) -> Iterator[Any]:
            yield from decide(outcome, why)
            control.loop.object_count.go_on()
            seen.append(control.loop.snapshot())

        made.decide = watched  # type: ignore[method-assign]
        return made

    usual: dict[str, Any] = {"delay": 0.0, "assets": "none"}
    crawl(CrawlOptions((url,), folder, strategy=strategy, **(usual | options)), control=control, factory=make)
    return seen
