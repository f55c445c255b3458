"""A real Chromium for tests, found or installed; and the web interface started as a person starts it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from siteseer.crawler.run import crawl
from siteseer.settings import CrawlOptions

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
NAMES = ("chromium", "chromium-browser", "google-chrome")
INSTALL_SECONDS = 600


def find() -> str | None:
    """Return the system's Chromium, or Playwright's own."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def install() -> None:
    """Install Chromium where this process may: as a package, or into Playwright's own folder."""
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        commands.insert(0, ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"])
        commands.insert(0, ["apt-get", "update", "-q"])
    for command in commands:
        subprocess.run(command, capture_output=True, timeout=INSTALL_SECONDS, check=False)


def required() -> str:
    """Return a Chromium; skip the test where there is none and none can be had. In CI its absence is a failure."""
    pytest.importorskip("playwright", reason="browser tests need playwright")
    if (path := find()) is None:
        install()
        path = find()
    if path is None and os.environ.get("CI"):
        raise AssertionError("no Chromium was found, and none could be installed")
    if path is None:
        pytest.skip("browser tests need Chromium: none was found, and none could be installed")
    return path


@contextmanager
def launched() -> Iterator[Any]:
    """Give a browser."""
    path = required()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def crawl_beside(url: str, folder: Path, **options: Any) -> Any:
    """Crawl in a thread: the loop of the browser's driver runs in this one."""
    usual: dict[str, Any] = {"delay": 0.0, "concurrency": 4, "robots": "ignore"}
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(crawl, CrawlOptions((url,), folder, **{**usual, **options})).result()


@dataclass(frozen=True)
class Interface:
    """A running web interface."""

    link: str
    seconds: float
    """From the command to the link."""
    own: str = ""
    """The folder of the person's own knowledge."""
    process: int = 0
    library: Path = Path()
    """The folder of its collections."""

    def cpu(self) -> float:
        """Return the CPU seconds that it has used so far."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def base(self) -> str:
        return self.link.partition("/?")[0]

    @property
    def token(self) -> str:
        return self.link.partition("token=")[2]

    def at(self, path: str) -> str:
        return self.base + path


@contextmanager
def interface(folder: Path, **environment: str) -> Iterator[Interface]:
    """Run `siteseer ui` on a folder until the end of the block."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "siteseer", "ui", str(folder), "--port", "0"]
    began = time.monotonic()
    log = (folder.parent / f"{folder.name}.log").open("wb")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env={**os.environ, **environment})
    try:
        assert process.stdout is not None
        link = process.stdout.readline().decode().strip()
        assert link.startswith("http://127.0.0.1:"), (folder.parent / f"{folder.name}.log").read_text()
        yield Interface(link, time.monotonic() - began, environment.get("SITESEER_KNOWLEDGE", ""), process.pid, folder)
    finally:
        process.terminate()
        process.wait(30)
        log.close()
    said = (folder.parent / f"{folder.name}.log").read_text()
    assert "Traceback" not in said, said[-4000:]
