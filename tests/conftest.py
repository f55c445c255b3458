"""What tests share: demo sites on loopback, crawls into temporary collections."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from siteseer.crawler.run import crawl
from siteseer.demo import Server, Site, make_site
from siteseer.model import JSON
from siteseer.settings import CrawlOptions, FetchLimits

QUICK = FetchLimits(connect_seconds=3, idle_seconds=1.0, total_seconds=6, retries=2, retry_seconds=0.05)


@pytest.fixture(autouse=True)
def own_knowledge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tests away from the knowledge of the person who runs them."""
    folder = tmp_path / "own-knowledge"
    monkeypatch.setenv("SITESEER_KNOWLEDGE", str(folder))
    return folder


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Serve a site until the test ends: a kind with a seed, or a site."""
    running: list[Server] = []

    def start(site: str | Site, **how: Any) -> Server:
        made = make_site(site, **how) if isinstance(site, str) else site
        server = Server(made)
        server.__enter__()
        running.append(server)
        return server

    yield start
    for server in running:
        server.__exit__(None, None, None)


@pytest.fixture
def run_crawl(tmp_path: Path) -> Callable[..., JSON]:
    """Crawl without waiting: no delay, short time-outs, no page requisites unless asked for."""

    def run(url: str, folder: str | Path = "collection", **options: Any) -> JSON:
        usual: dict[str, Any] = {"strategy": "blind", "delay": 0.0, "concurrency": 4, "assets": "none", "limits": QUICK}
        return crawl(CrawlOptions((url,), tmp_path / folder, **(usual | options)))

    return run
