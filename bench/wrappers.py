"""Wrappers at length: memory over 500 result pages, and 1,000 records over 100 pages with the browser killed twice.

    python bench/wrappers.py [pages]       500 unless said otherwise

Memory is that of our process, of the driver that speaks to the browser, and of the browser with all its children; the
site is served by another process. The other ratio is calls of the browser with and without asking ahead, for the records
of one page.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from harness import run

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.fetch.browser.chromium import ChromiumBrowser
from siteseer.fetch.browser.process import memory
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.settings import BrowserLimits, ExtractionOptions
from siteseer.wrapper.oxpath.evaluation import markers
from siteseer.wrapper.oxpath.evaluation.evaluate import Run
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.run import open_browser

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


def driver_memory() -> float:
    """Return the memory of our child processes that are neither Chromium nor the site: Playwright's driver."""
    total = 0.0
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = entry.read_text().partition("(")[2].rpartition(")")
            if int(rest.split()[1]) == os.getpid() and name.startswith(("node", "MainThread")):
                fields = (entry.parent / "statm").read_text().split()
                total += (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE") / 2**20
        except (OSError, ValueError):
            continue  # it has ended this moment
    return total


@contextmanager
def served(pages: int) -> Iterator[str]:
    """Serve the site from another process: what it writes down is not ours."""
    command = [sys.executable, __file__, "--serve", str(pages)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def walk(url: str, browser: Any, pages: int) -> tuple[tuple[float, ...], tuple[float, ...], int, float]:
    """Walk all pages; return memory (ours, driver, browser) after a tenth and at the end, records, CPU seconds."""
    seen: list[tuple[float, ...]] = []
    count = 0
    began = time.process_time()

    def give(record: Record) -> None:
        nonlocal count
        count += 1
        if count in (pages, pages * 10 - 5):
            theirs = memory(browser.process.pid) / 2**20 if isinstance(browser, ChromiumBrowser) else 0.0
            seen.append((own_memory(), driver_memory(), theirs))

    Run(browser, give, {"u": url}).run(WRAPPER)
    early, late = seen
    return early, late, count, time.process_time() - began


def flat(pages: int) -> None:
    print(f"memory in MB from page {pages // 10} to page {pages}; wanted: all records, together at most 1.10 times")
    print(f"{'walk':20} {'records':>8} {'ours':>12} {'driver':>12} {'browser':>12} {'together':>9} {'CPU s':>6}")
    with served(pages) as url:
        for name, path, kind in (
            ("static", "/", "never"),
            ("Chromium", "/", "auto"),
            ("Chromium, in place", "/place", "auto"),
        ):
            options = ExtractionOptions({"u": url}, kind, delay=0, browser_limits=QUICK)
            with open_browser(WRAPPER, options) as browser:
                early, late, count, cpu = walk(url + path, browser, pages)
            spans = " ".join(f"{f'{one:.0f} -> {other:.0f}':>12}" for one, other in zip(early, late, strict=True))
            print(f"{name:20} {count:>8} {spans} {sum(late) / sum(early):>9.2f} {cpu:>6.1f}", flush=True)


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

    module: Any = markers
    ahead = module.prefetch
    counted = []
    with Server(site(1)) as server:
        for asks in (lambda *_: None, ahead):
            module.prefetch = asks
            with open_browser(WRAPPER, ExtractionOptions({"u": server.url}, "never", delay=0)) as browser:
                counting: Any = Counting(browser)
                Run(counting, lambda record: None, {"u": server.url}).run(WRAPPER)
                counted.append(counting.count)
    module.prefetch = ahead
    print(
        f"calls for ten records: one by one {counted[0]}, asked ahead {counted[1]}, ratio {counted[0] / counted[1]:.1f}"
    )


def serve_site(pages: int) -> None:
    with Server(site(pages)) as server:
        print(server.url, flush=True)
        sys.stdin.read()


def main(pages: int = 500, /, serve: Annotated[int | None, "only serve a site of so many pages"] = None) -> None:
    if serve:
        serve_site(serve)
        return
    calls()
    killed()
    flat(pages)


if __name__ == "__main__":
    run(main)
