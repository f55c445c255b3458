"""What tests of jobs share: a shop of a few pages that can change its template, served by real HTTP."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.wrapper.jobs.job_executor import Executor
from siteseer.wrapper.jobs.job_folder import Jobs

WRAPPER = (
    "doc($u)/(//a.next/{click /})*//div.book:<book>[? h2:<title=string(.)>][? span.price:<price=string(.)>]"
    "[? .//i:<note=string(.)>]"
)

MARK = f"jobs-{os.getpid()}"


@dataclass
class Shop:
    """Books on pages `/NAME/1` to `/NAME/3`; `template` is how they are shown, `slow` how long a page takes."""

    server: Server | None = None
    template: str = "old"
    slow: float = 0.0
    seen: list[tuple[float, str]] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0

    @property
    def url(self) -> str:
        assert self.server is not None
        return self.server.url

    def answer(self, request: SiteRequest) -> SiteResponse:
        if request.path == "/robots.txt":
            return html("", 404)
        self.seen.append((time.monotonic(), request.path))
        self.busy += 1
        self.most_busy = max(self.busy, self.most_busy)
        time.sleep(self.slow)
        self.busy -= 1
        shop, _, number = request.path.strip("/").partition("/")
        return html(self.page(shop, int(number))) if number.isdigit() and int(number) < 4 else html("gone", 404)

    def page(self, shop: str, number: int) -> str:
        rows = [(f"{shop} book {number}.{at}", f"{number}{at}.50") for at in range(8)]
        shown = "".join(getattr(self, f"_{self.template}")(*row) for row in rows)
        following = f"<a class='next' href='/{shop}/{number + 1}'>Next</a>" if number < 3 else ""
        return f"<html><body><ul><li>Home<li>Help</ul><h1>Shop</h1><section>{shown}</section>{following}</body></html>"

    def _old(self, title: str, price: str) -> str:
        return f"<div class='book'><h2>{title}</h2><span class='price'>{price}</span></div>"

    def _new(self, title: str, price: str) -> str:
        named = f"<p class='name'><a href='#'>{title}</a></p>"
        return f"<article class='item'>{named}<em>EUR</em> <b class='cost'>{price}</b></article>"

    def _priceless(self, title: str, price: str) -> str:
        return f"<div class='book'><h2>{title}</h2><small class='amount'>{price}</small></div>"

    def _empty(self, title: str, price: str) -> str:
        return ""


@pytest.fixture
def shop(serve: Callable[..., Server]) -> Shop:
    made = Shop()
    made.server = serve(Site(Truth("shop", 0, "", (), frozenset(), frozenset(), 0), made.answer))
    return made


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    made = Jobs(tmp_path / "library")
    yield made
    made.close()


@pytest.fixture
def executor(jobs: Jobs) -> Iterator[Executor]:
    made = Executor(jobs)
    assert made.take()
    yield made
    made.close()


def left_behind() -> list[int]:
    """Return the workers and browsers that were started by these tests and still live."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            marked = b"SITESEER_WORKER=" in entry.read_bytes() and f"TEST_MARK={MARK}".encode() in entry.read_bytes()
            alive = (entry.parent / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            continue
        if marked and alive:
            found.append(int(entry.parent.name))
    return found


@pytest.fixture(autouse=True)
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every process that a test starts be known as the test's."""
    monkeypatch.setenv("TEST_MARK", MARK)
