"""Executes one task: runs the wrapper, reports pages, time and memory, and where it failed."""

from __future__ import annotations

import base64
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from siteseer.errors import SiteseerError, TemporaryFetchError, UsageError
from siteseer.fetch.browser.static_browser import StaticBrowser
from siteseer.fetch.browser.tab import HostilePageError
from siteseer.fetch.ssrf_guard import RefusedAddressError
from siteseer.interfaces import Browser
from siteseer.model import JSON
from siteseer.settings import BrowserLimits, ExtractionOptions, FetchLimits, JobOptions
from siteseer.wrapper.jobs.stored_records import count, dump
from siteseer.wrapper.jobs.watched_browser import PageLimitReached, WatchedBrowser
from siteseer.wrapper.jobs.worker_processes import Report, end_worker, memory_used, resident
from siteseer.wrapper.oxpath.evaluation.evaluate import Run
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.run import open_browser
from siteseer.wrapper.wrapper_collection import WrapperCollection
from siteseer.wrapper.wrapper_robots import Known

MOST_WARNINGS = 20
_ALLOWED: Known = {}
"""What hosts allow, for all tasks that a process carries out."""
SAMPLE_SECONDS = 1.0


def run_task(order: JSON, report: Report) -> None:
    """Execute a task; report every page and record, then its cost, or why and where it failed."""
    wrapper, rules = parse(order["wrapper"]), JobOptions(**order["rules"])
    records: Counter[str] = Counter()
    filled: Counter[str] = Counter()
    warnings: list[str] = []
    began = time.monotonic()

    def give(record: Record) -> None:
        count(record, records, filled)
        report(record=dump(record))

    def warn(text: str) -> None:
        if len(warnings) < MOST_WARNINGS:
            warnings.append(text[:500])

    with ExitStack() as open_things:
        kept = _kept(order, open_things)
        browser = open_things.enter_context(
            open_browser(wrapper, _options(order, rules), kept.keep_exchange if kept else None, warn, _ALLOWED)
        )
        most_used = open_things.enter_context(_measured(rules.memory_limit, report))
        watched = WatchedBrowser(browser, rules.page_limit, lambda number: report(page=number))

        def hand_on(record: Record) -> None:
            if kept is not None:
                kept.keep_record(record)
            give(record)

        run = Run(watched, hand_on, order["variables"], warn, rules.strict, rules.rounds)
        ending: dict[str, Any] = {"done": True}
        try:
            run.run(wrapper, watched.open(order["start"]) if order["start"] else None)
        except PageLimitReached:
            warn(f"ended after {rules.page_limit} pages")
        except SiteseerError as error:
            ending = _failure(error, browser, watched, order)
        _save_pages(watched, order)
    report(
        **ending,
        counts={"records": records, "filled": filled},
        seconds=round(time.monotonic() - began, 2),
        memory=most_used[0],
        warnings=warnings,
    )


def _kept(order: JSON, open_things: ExitStack) -> WrapperCollection | None:
    if not order["collection"]:
        return None
    return open_things.enter_context(WrapperCollection.at(Path(order["collection"]), order["wrapper"]))


def _options(order: JSON, rules: JobOptions) -> ExtractionOptions:
    return ExtractionOptions(
        variables=order["variables"],
        browser=rules.browser,
        start=order["start"],
        strict=rules.strict,
        rounds=rules.rounds,
        **rules.politeness_values(),
        limits=FetchLimits(retries=rules.retries, retry_seconds=rules.retry_seconds),
        browser_limits=BrowserLimits(memory_bytes=rules.memory_limit),
    )


def _failure(error: SiteseerError, browser: Browser, watched: WatchedBrowser, order: JSON) -> dict[str, Any]:
    """Return the report of a failure: the sentence, the step, the page, and the name of its screenshot."""
    step, picture = watched.step, ""
    said = {"failed": str(error), "temporary": may_pass(error), "step": step, "url": watched.url()}
    if not isinstance(browser, StaticBrowser) and not any(isinstance(one, HostilePageError) for one in _chain(error)):
        picture = watched.screenshot()
    if picture:
        name = f"{order['task']}.png"
        _folder(order).joinpath(name).write_bytes(base64.b64decode(picture))
        said["screenshot"] = name
    return said


def may_pass(error: BaseException) -> bool:
    """Say whether another attempt may succeed: a permanent answer of the server or an error in the wrapper stays."""
    chain = list(_chain(error))
    if any(isinstance(one, UsageError | HostilePageError | RefusedAddressError) for one in chain):
        return False
    return any(isinstance(one, TemporaryFetchError) for one in chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


@contextmanager
def _measured(most: int, report: Report) -> Iterator[list[int]]:
    """Watch the memory of this process and its browser: the first of the list is the most that it was."""
    found, over = [resident()], threading.Event()

    def watch() -> None:
        while not over.wait(SAMPLE_SECONDS):
            now = memory_used()
            found[0] = max(found[0], now)
            if resident() > most:
                report(failed=f"the task needs more than the {most / 2**20:,.0f} MB of memory that it may have",
                     temporary=False, memory=now)  # fmt: skip
                end_worker()

    threading.Thread(target=watch, name="memory watch", daemon=True).start()
    try:
        yield found
    finally:
        over.set()


def _save_pages(watched: WatchedBrowser, order: JSON) -> None:
    """Keep the first pages beside the run, for a repair."""
    for number, (url, text) in enumerate(watched.pages):
        name = f"{order['task']}-{number}.html"
        _folder(order).joinpath(name).write_text(f"{url}\n{text}", encoding="utf-8", errors="replace")


def _folder(order: JSON) -> Path:
    folder = Path(order["folder"])
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
