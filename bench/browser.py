"""Crawling with the browser: the scripted demo forum, wanted and measured.

    python bench/browser.py [--size 40] [--template modern|classic] [--seed N]

Crawls the forum by command with `--browser auto` and with `--browser never`, checks content and objects against the truth,
requests against the server's log, memory over the pages, kills a crawl with SIGKILL and goes on, and opens the archive in
pywb with Chromium while the forum's server is down.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness import run
from lxml.html import document_fromstring, fragment_fromstring
from warcio.archiveiterator import ArchiveIterator

from siteseer.cli.demo_run import content_share
from siteseer.demo import Server, Site, Truth, make_site
from siteseer.fetch.browser.process import executable, memory
from siteseer.page.text import WORD
from siteseer.web.replay_server import Replay

Row = tuple[str, str, str, bool]


def command(url: str, folder: Path, browser: str) -> list[str]:
    """Return the command of a crawl."""
    made = [sys.executable, "-m", "siteseer", "crawl", url + "/", "-o", str(folder), "--delay", "0", "--assets", "none"]
    return [*made, "--browser", browser, "--json"]


def chromium_of(crawl: int) -> list[int]:
    """Return the Chromium processes that a crawl started, first the leaders."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes()
        except OSError:
            continue
        if f"siteseer-browser-{crawl}-".encode() in line and b"guard" not in line:
            found.append((b"--type=" in line, int(entry.parent.name)))
    return [number for _, number in sorted(found)]


class Watch(threading.Thread):
    """Measures the memory of a crawl and of its browser, once a second."""

    def __init__(self, crawl: int) -> None:
        super().__init__(daemon=True)
        self.crawl, self.taken, self.done = crawl, list[tuple[int, int]](), threading.Event()

    def run(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        while not self.done.wait(1.0):
            try:
                own = int(Path(f"/proc/{self.crawl}/statm").read_text().split()[1]) * page
            except (OSError, IndexError):
                return
            leaders = chromium_of(self.crawl)
            if leaders:
                self.taken.append((own, memory(leaders[0])))


def crawled(url: str, folder: Path, browser: str) -> tuple[dict[str, Any], Watch]:
    """Crawl by command; return its summary, and the memory it took."""
    running = subprocess.Popen(command(url, folder, browser), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    watch = Watch(running.pid)
    watch.start()
    answer, _ = running.communicate()
    watch.done.set()
    watch.join()
    return json.loads(answer), watch


def objects_of(folder: Path) -> list[dict[str, Any]]:
    """Return the objects of a collection."""
    asked = [sys.executable, "-m", "siteseer", "objects", str(folder), "--format", "jsonl"]
    lines = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.splitlines()
    return [json.loads(line) for line in lines]


def score(folder: Path, truth: Truth) -> tuple[float, float, float]:
    """Return content, and recall and precision of objects: the same words, author and minute."""
    found = Counter(
        (_words(one.get("text", "")), one.get("author", ""), one.get("published", "")[:16])
        for one in objects_of(folder)
        if one["kind"] in ("post", "comment", "article")
    )
    wanted = Counter((_words(text.text), text.author, text.date[:16]) for text in truth.texts)
    right = (found & wanted).total()
    return content_share(folder, truth), right / wanted.total(), right / max(1, found.total())


def by_others(folder: Path, truth: Truth) -> dict[str, float]:
    """Return the share of the true 2-grams that a plain reader of the WARC finds, by the kind of record it reads."""
    found: dict[str, set[tuple[str, str]]] = {"rendered": set(), "answers": set(), "HTML answers": set()}
    for path in sorted((folder / "archive").glob("*.warc.gz")):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                rendered = (record.rec_headers.get_header("WARC-Target-URI") or "").startswith("urn:rendered:")
                if rendered or record.rec_type == "response":
                    named = (record.http_headers or record.rec_headers).get_header("Content-Type") or ""
                    pairs = _pairs(_shown(named, record.content_stream().read()))
                    found["rendered" if rendered else "answers"] |= pairs
                    found["HTML answers"] |= pairs if "html" in named and not rendered else set()
    wanted = set().union(*(_pairs(text.text) for text in truth.texts))
    return {name: len(wanted & pairs) / len(wanted) for name, pairs in found.items()}


def _shown(kind: str, body: bytes) -> str:
    if "json" in kind:
        return " ".join(_strings(json.loads(body)))
    return " ".join(map(str, document_fromstring(body).itertext())) if "html" in kind and body.strip() else ""


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield " ".join(fragment_fromstring(value, create_parent="div").itertext()) if value.strip() else ""
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _pairs(text: str) -> set[tuple[str, str]]:
    words = WORD.findall(text.lower())
    return set(itertools.pairwise(words))


def _words(text: str) -> str:
    return " ".join(WORD.findall(re.sub(r"https?://\S+", " ", text.lower())))


def killed_and_resumed(site: Site, folder: Path, after: int) -> tuple[int, dict[str, Any], int]:
    """Kill a crawl after so many requests; return the Chromium processes left, and the summary after going on."""
    with Server(site) as server:
        running = subprocess.Popen(
            command(server.url, folder, "auto"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while len(server.log) < after and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
        running.wait()
        end = time.monotonic() + 20
        while chromium_of(running.pid) and time.monotonic() < end:
            time.sleep(0.2)
        left = len(chromium_of(running.pid))
        summary, _ = crawled(server.url, folder, "auto")
        return left, summary, len(server.log)


def replayed(folder: Path, origin: str, truth: Truth, most: int) -> tuple[int, int]:
    """Open threads in pywb with Chromium, pressing `Show more`; return how many posts were seen of how many."""
    from playwright.sync_api import sync_playwright

    replay, seen, wanted = Replay(), 0, 0
    pages = Counter(text.page for text in truth.texts)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable("replay needs"), args=["--no-sandbox"])
            for path, count in sorted(pages.most_common(most)):
                tab = browser.new_page()
                tab.goto(replay.address("bench", folder, origin + path))
                frame = tab.frame_locator("#replay_iframe")
                posts, button = frame.locator("article.post"), frame.locator("button.more")
                posts.first.wait_for(timeout=120_000)
                while button.count():
                    before = posts.count()
                    button.click()
                    posts.nth(before).wait_for(timeout=120_000)
                seen, wanted = seen + posts.count(), wanted + count
                tab.close()
            browser.close()
    finally:
        replay.close()
    return seen, wanted


def measure(size: int, seed: int, template: str) -> list[Row]:
    """Run everything; return the rows of the table."""
    site, rows = make_site("scripted", seed=seed, template=template, size=size), list[Row]()
    with tempfile.TemporaryDirectory(prefix="siteseer-bench-") as folder:
        place = Path(folder)
        with Server(site) as server:
            summary, watch = crawled(server.url, place / "auto", "auto")
            asked, origin = len(server.log), server.url
            posted = sum(one.method != "GET" for one in server.log)
        with Server(site) as server:
            plain, _ = crawled(server.url, place / "never", "never")
        content, recall, precision = score(place / "auto", site.truth)
        rows.append(("content", ">= 0.98", f"{content:.4f}", content >= 0.98))
        for kind, share in by_others(place / "auto", site.truth).items():
            wanted = "(to compare)" if kind == "HTML answers" else ">= 0.98"
            rows.append((f"... read by warcio: {kind}", wanted, f"{share:.4f}", share >= 0.98 or wanted[0] == "("))
        rows.append(("objects recall", ">= 0.98", f"{recall:.4f}", recall >= 0.98))
        rows.append(("objects precision", ">= 0.98", f"{precision:.4f}", precision >= 0.98))
        rows.append(("requests counted", f"{asked}, the log's", str(summary["requests"]), asked == summary["requests"]))
        ratio = asked / site.truth.oracle_requests
        rows.append(("requests / fewest possible", "<= 1.5", f"{ratio:.2f}", ratio <= 1.5))
        rows.append(("other methods than GET", "0", str(posted), posted == 0))
        share = content_share(place / "never", site.truth)
        rows.append(
            ("content with --browser never", "(to compare)", f"{share:.4f}, {plain['requests']} requests", True)
        )
        rows.append(_flat("memory of the crawl, late / early", [own for own, _ in watch.taken]))
        rows.append(_flat("memory of Chromium, late / early", [browser for _, browser in watch.taken]))
        seen, posts = replayed(place / "auto", origin, site.truth, 6)
        rows.append(("posts seen in pywb", f"{posts}", str(seen), seen == posts))
        left, again, total = killed_and_resumed(site, place / "killed", asked // 2)
        rows.append(("Chromium left after kill -9", "0", str(left), left == 0))
        same = again["objects"] == summary["objects"]
        rows.append(("objects after kill and resume", str(summary["objects"]), str(again["objects"]), same))
        rows.append(("requests with kill / without", "<= 1.2", f"{total / asked:.2f}", total <= 1.2 * asked))
    return rows


def _flat(name: str, taken: list[int]) -> Row:
    """Compare the last third of a crawl with its second third: the first is starting."""
    third = len(taken) // 3
    if third < 3:
        return (name, "<= 1.3", "too short to say", True)
    ratio = statistics.median(taken[-third:]) / statistics.median(taken[third : 2 * third])
    return (name, "<= 1.3", f"{ratio:.2f} ({statistics.median(taken[-third:]) / 2**20:.0f} MB)", ratio <= 1.3)


def main(size: int = 40, seed: int = 3, template: str = "modern") -> int:
    """Print the table; fail where something wanted was not reached."""
    rows = measure(size, seed, template)
    print(f"\n{'scripted forum':36}{'wanted':>24}{'measured':>34}")
    for name, wanted, measured, holds in rows:
        print(f"{name:36}{wanted:>24}{measured:>34}{'' if holds else '  <-- short'}")
    return sum(not row[3] for row in rows)


if __name__ == "__main__":
    run(main)
