"""What the tests of the web interface share: one browser, one library that was crawled before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from siteseer.demo import Server, make_site
from tests.web.chromium import Interface, crawl_beside, interface, launched

WAIT = 60_000
"""Milliseconds: a loaded machine is slow, a broken page is slow for ever."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with launched() as browser:
        from playwright.sync_api import expect

        expect.set_options(timeout=WAIT)
        yield browser


@pytest.fixture(scope="session")
def crawled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A library with a forum, crawled cleverly and blindly; the forum can still be reached."""
    folder = tmp_path_factory.mktemp("crawled") / "collections"
    with Server(make_site("forum", 3, size=10)) as server:
        for strategy in ("auto", "blind"):
            crawl_beside(server.url, folder / strategy, strategy=strategy, limit=None if strategy == "auto" else 60)
        yield folder


@pytest.fixture(scope="module")
def crawled(crawled_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the crawled library, to change at will."""
    return Path(shutil.copytree(crawled_once, tmp_path_factory.mktemp("library") / "collections"))


@pytest.fixture(scope="module")
def running(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    own = tmp_path_factory.mktemp("own") / "knowledge"
    with interface(crawled, SITESEER_KNOWLEDGE=str(own)) as started:
        yield started


@pytest.fixture(scope="module")
def context(chromium: Any) -> Iterator[Any]:
    """One window for all tests of a module: what the interface is made of is loaded once."""
    size = {"width": 1280, "height": 850}
    made = chromium.new_context(viewport=size, accept_downloads=True, reduced_motion="reduce")
    made.set_default_timeout(WAIT)
    yield made
    made.close()


@pytest.fixture
def page(context: Any, running: Interface) -> Iterator[Any]:
    """A page of the interface, let in by the link."""
    tab = context.new_page()
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    tab.goto(running.link)
    yield tab
    tab.close()
    assert problems == []
