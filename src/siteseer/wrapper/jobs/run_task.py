"""One task carried out: a wrapper run from beginning to end, with its pages, time and memory, and where it failed."""

from __future__ import annotations

import base64
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from siteseer.crawl.extraction import ExtractionOptions, opened
from siteseer.crawl.harvested import Harvested
from siteseer.crawl.permits import Known
from siteseer.errors import SiteseerError, TemporaryFetchError, UsageError
from siteseer.fetch.addresses import RefusedAddressError
from siteseer.fetch.browser_static import StaticBrowser
from siteseer.fetch.browser_tab import HostilePageError
from siteseer.interfaces import Browser
from siteseer.jobs.processes import resident, used
from siteseer.jobs.stored_records import count, dump
from siteseer.jobs.witness import PageLimitReached, Witness
from siteseer.jobs.worker import Tell, leave
from siteseer.model import JSON
from siteseer.settings import BrowserLimits, FetchLimits, JobRules
from siteseer.wrappers.evaluate import Run
from siteseer.wrappers.parse import parse
from siteseer.wrappers.records import Record

MOST_WARNINGS = 20
_ALLOWED: Known = {}
"""What hosts allow, for all tasks that a process carries out."""
SAMPLE_SECONDS = 1.0


def perform(order: JSON, tell: Tell) -> None:
    """Carry out a task; tells of every page and record, then what it took, or why and where it failed."""
    wrapper, rules = parse(order["wrapper"]), JobRules(**order["rules"])
    records: Counter[str] = Counter()
    filled: Counter[str] = Counter()
    warnings: list[str] = []
    began = time.monotonic()

    def give(record: Record) -> None:
        count(record, records, filled)
        tell(record=dump(record))

    def warn(text: str) -> None:
        if len(warnings) < MOST_WARNINGS:
            warnings.append(text[:500])

    with ExitStack() as open_things:
        kept = _kept(order, open_things)
        browser = open_things.enter_context(
            opened(wrapper, _options(order, rules), kept.keep_exchange if kept else None, warn, _ALLOWED)
        )
        most_used = open_things.enter_context(_measured(rules.memory_limit, tell))
        witness = Witness(browser, rules.page_limit, lambda number: tell(page=number))

        def hand_on(record: Record) -> None:
            if kept is not None:
                kept.keep_record(record)
            give(record)

        run = Run(witness, hand_on, order["variables"], warn, rules.strict, rules.rounds)
        ending: dict[str, Any] = {"done": True}
        try:
            run.run(wrapper, witness.open(order["start"]) if order["start"] else None)
        except PageLimitReached:
            warn(f"ended after {rules.page_limit} pages")
        except SiteseerError as error:
            ending = _failure(error, browser, witness, order)
        _save_pages(witness, order)
    tell(
        **ending,
        counts={"records": records, "filled": filled},
        seconds=round(time.monotonic() - began, 2),
        memory=most_used[0],
        warnings=warnings,
    )


def _kept(order: JSON, open_things: ExitStack) -> Harvested | None:
    if not order["collection"]:
        return None
    return open_things.enter_context(Harvested.at(Path(order["collection"]), order["wrapper"]))


def _options(order: JSON, rules: JobRules) -> ExtractionOptions:
    return ExtractionOptions(
        variables=order["variables"],
        browser=rules.browser,
        start=order["start"],
        strict=rules.strict,
        delay=rules.delay,
        robots=rules.robots,
        allow_private=rules.allow_private,
        most_iterations=rules.rounds,
        limits=FetchLimits(retries=rules.retries, retry_seconds=rules.retry_seconds),
        browser_limits=BrowserLimits(memory_bytes=rules.memory_limit),
    )


def _failure(error: SiteseerError, browser: Browser, witness: Witness, order: JSON) -> dict[str, Any]:
    """Return what is told of a failure: the sentence, the step, the page, and the name of its picture."""
    step, picture = witness.step, ""
    said = {"failed": str(error), "temporary": may_pass(error), "step": step, "url": witness.url()}
    if not isinstance(browser, StaticBrowser) and not any(isinstance(one, HostilePageError) for one in _chain(error)):
        picture = witness.screenshot()
    if picture:
        name = f"{order['task']}.png"
        _folder(order).joinpath(name).write_bytes(base64.b64decode(picture))
        said["screenshot"] = name
    return said


def may_pass(error: BaseException) -> bool:
    """Say whether another try may help: what a server said for good, or a wrapper that is wrong, stays so."""
    chain = list(_chain(error))
    if any(isinstance(one, UsageError | HostilePageError | RefusedAddressError) for one in chain):
        return False
    return any(isinstance(one, TemporaryFetchError) for one in chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


@contextmanager
def _measured(most: int, tell: Tell) -> Iterator[list[int]]:
    """Watch the memory of this process and its browser: the first of the list is the most that it was."""
    found, over = [resident()], threading.Event()

    def watch() -> None:
        while not over.wait(SAMPLE_SECONDS):
            now = used()
            found[0] = max(found[0], now)
            if resident() > most:
                tell(failed=f"the task needs more than the {most / 2**20:,.0f} MB of memory that it may have",
                     temporary=False, memory=now)  # fmt: skip
                leave()

    threading.Thread(target=watch, name="memory watch", daemon=True).start()
    try:
        yield found
    finally:
        over.set()


def _save_pages(witness: Witness, order: JSON) -> None:
    """Keep the first pages beside the run, for a repair."""
    for number, (url, text) in enumerate(witness.pages):
        name = f"{order['task']}-{number}.html"
        _folder(order).joinpath(name).write_text(f"{url}\n{text}", encoding="utf-8", errors="replace")


def _folder(order: JSON) -> Path:
    folder = Path(order["folder"])
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
