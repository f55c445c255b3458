"""Wrappers at length: memory over 500 result pages, and 1,000 records over 100 pages with the browser killed twice.

    python bench/wrappers.py [pages]       500 unless said otherwise

The ratio is calls of the browser with and without asking ahead, for the records of one page.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from siteseer.crawl.extraction import ExtractionOptions, opened
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.browser import ChromiumBrowser
from siteseer.fetch.browser_process import memory
from siteseer.settings import BrowserLimits
from siteseer.wrappers import extracting
from siteseer.wrappers.evaluate import Run
from siteseer.wrappers.parse import parse
from siteseer.wrappers.records import Record

WRAPPER = parse("doc($u)/(//a.next/{click /})*//li:<r>[b:<v=string(.)>][? i:<w=string(.)>]")
QUICK = BrowserLimits(quiet_seconds=0.03)
IN_PLACE = """<ul id=list></ul><a class=next href=#>next</a><script>let page = 0; const turn = () => { page += 1;
list.innerHTML = [...Array(10).keys()].map(row => `<li><b>${page}-${row}</b><i>${'x'.repeat(200)}</i></li>`).join('');
if (page === PAGES) document.querySelector('a').remove(); };
document.querySelector('a').onclick = event => { event.preventDefault(); turn(); }; turn();</script>"""


def site(pages: int) -> Site:
    def answer(request: SiteRequest) -> SiteResponse:
        if request.path == "/place":
            return html(IN_PLACE.replace("PAGES", str(pages)))
        number = int(request.query.get("page", 1))
        rows = "".join(f"<li><b>{number}-{row}</b><i>{'x' * 200}</i></li>" for row in range(10))
        more = f"<a class=next href='/?page={number + 1}'>next</a>" if number < pages else ""
        return html(f"<ul>{rows}</ul>{more}")

    return Site(Truth("list", 0, "", (), frozenset(), frozenset(), 0), answer)


def own_memory() -> float:
    fields = Path("/proc/self/statm").read_text().split()
    return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE") / 2**20


def walk(url: str, browser: Any, pages: int) -> tuple[float, float, float, float, int, float]:
    """Walk all pages; return our and the browser's memory after a tenth and at the end, records, CPU seconds."""
    seen: list[tuple[float, float]] = []
    count = 0
    began = time.process_time()

    def give(record: Record) -> None:
        nonlocal count
        count += 1
        if count in (pages, pages * 10 - 5):
            theirs = memory(browser.process.pid) / 2**20 if isinstance(browser, ChromiumBrowser) else 0.0
            seen.append((own_memory(), theirs))

    Run(browser, give, {"u": url}).run(WRAPPER)
    (early, early_theirs), (late, late_theirs) = seen
    return early, late, early_theirs, late_theirs, count, time.process_time() - began


def flat(pages: int) -> None:
    print(f"{'walk':28} {'wanted':>14} {'records':>8} {'ours MB':>16} {'browser MB':>16} {'CPU s':>6}")
    with Server(site(pages)) as server:
        for name, path, kind in (
            ("static", "/", "never"),
            ("Chromium", "/", "auto"),
            ("Chromium, in place", "/place", "auto"),
        ):
            options = ExtractionOptions({"u": server.url}, kind, delay=0, browser_limits=QUICK)
            with opened(WRAPPER, options) as browser:
                early, late, theirs, theirs_late, count, cpu = walk(server.url + path, browser, pages)
            ours, other = f"{early:.0f} -> {late:.0f}", f"{theirs:.0f} -> {theirs_late:.0f}"
            print(
                f"{name + f', {pages} pages':28} {f'{pages * 10} records':>14} {count:>8} {ours:>16} {other:>16} {cpu:>6.1f}",
                flush=True,
            )


def killed() -> None:
    with Server(site(100)) as server:
        for name, path in (("by address", "/"), ("in place", "/place")):
            browser = ChromiumBrowser(AddressPolicy(allow_private=True), "siteseer bench", QUICK)
            found: list[str] = []

            def give(record: Record) -> None:
                found.append(record.children[0].value or "")  # noqa: B023
                if len(found) in (333, 777):  # noqa: B023
                    os.kill(browser.process.pid, signal.SIGKILL)  # noqa: B023

            try:
                Run(browser, give, {"u": server.url + path}).run(WRAPPER)
            finally:
                browser.close()
            wanted = [f"{page}-{row}" for page in range(1, 101) for row in range(10)]
            lost, twice = len(set(wanted) - set(found)), len(found) - len(set(found))
            said = f"1,000 records over 100 pages {name}, killed twice: wanted 0 lost, 0 twice;"
            print(f"{said} measured {lost} lost, {twice} twice, {browser.restarts} restarts", flush=True)


def calls() -> None:
    class Counting:
        def __init__(self, browser: Any) -> None:
            self.browser, self.count = browser, 0

        def __getattr__(self, name: str) -> Any:
            return getattr(self.browser, name)

        def evaluate(self, nodes: Any, xpath: str) -> Any:
            self.count += 1
            return self.browser.evaluate(nodes, xpath)

    ahead = extracting.prefetch
    counted = []
    with Server(site(1)) as server:
        for asks in (lambda *_: None, ahead):
            extracting.prefetch = asks  # type: ignore[assignment]
            with opened(WRAPPER, ExtractionOptions({"u": server.url}, "never", delay=0)) as browser:
                counting: Any = Counting(browser)
                Run(counting, lambda record: None, {"u": server.url}).run(WRAPPER)
                counted.append(counting.count)
    extracting.prefetch = ahead
    print(
        f"calls for ten records: one by one {counted[0]}, asked ahead {counted[1]}, ratio {counted[0] / counted[1]:.1f}"
    )


if __name__ == "__main__":
    calls()
    killed()
    flat(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
