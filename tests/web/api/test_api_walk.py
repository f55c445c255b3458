"""The executor as others use it: everything over HTTP, with the service that `siteseer ui` runs."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from tests.web.chromium import Interface, interface

WRAPPER = (
    "doc($u)//select#shelf/{$shelf}/following::button/{click /}"
    "//li.book:<book>[? b:<title=string(.)>][? i:<price=string(.)>]"
)
TOWNS, SHELVES = ("York", "Bath", "Ely"), ("new", "used")


class Shop:
    """A shop in each town with a form for its shelves; `redesigned` shows the same books in another template."""

    def __init__(self) -> None:
        self.redesigned = False
        self.is_asked, self.go_on = threading.Event(), threading.Event()

    def answer(self, request: SiteRequest) -> SiteResponse:
        if request.path == "/held":
            self.is_asked.set()
            self.go_on.wait(600)
        if request.path != "/list":
            options = "".join(f"<option>{shelf}</option>" for shelf in SHELVES)
            town = f"<input type=hidden name=town value={request.path.strip('/')}>"
            return html(
                f"<form action=/list>{town}<select id=shelf name=shelf>{options}</select><button>Go</button></form>"
            )
        place = f"{request.query['town']} {request.query['shelf']}"
        books = [(f"{place} book {at}", f"{at}.50") for at in range(1, 7)]
        if self.redesigned:
            rows = "".join(f"<tr><td class=name>{title}</td><td class=cost>{price}</td></tr>" for title, price in books)
            return html(f"<h1>Books</h1><table id=books>{rows}</table>")
        return html(f"<h1>Books</h1><ul>{''.join(f'<li class=book><b>{t}</b> <i>{p}</i></li>' for t, p in books)}</ul>")


@pytest.fixture
def shop(serve: Callable[..., Server]) -> Iterator[tuple[Shop, Server]]:
    made = Shop()
    yield made, serve(Site(Truth("shop", 0, "", (), frozenset(), frozenset(), 0), made.answer))
    made.go_on.set()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Interface]:
    (tmp_path / "library").mkdir()
    with interface(tmp_path / "library") as started:
        yield started


def call(running: Interface, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", urlsplit(running.base).port or 0, timeout=120)
    headers = {"Authorization": f"Bearer {running.token}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    is_json = (answer.getheader("Content-Type") or "").startswith("application/json")
    return answer.status, json.loads(content) if is_json else content.decode()


def until(running: Interface, path: str, is_so: Callable[[Any], bool]) -> Any:
    """Wait for a state; a machine may be slow, a broken service is slow for ever."""
    for _ in range(6_000):
        status, found = call(running, "GET", path)
        assert status == 200, found
        if is_so(found):
            return found
        time.sleep(0.1)
    raise AssertionError(found)


def is_over(job: Any) -> bool:
    return job["phase"] in ("finished", "failed", "stopped")


def test_a_job_from_submission_over_an_alert_and_its_repair_to_deletion(
    running: Interface, shop: tuple[Shop, Server]
) -> None:
    site, server = shop
    wanted = {
        "name": "books", "wrapper": WRAPPER, "starts": [f"{server.url}/{town}" for town in TOWNS],
        "sets": [{"shelf": shelf} for shelf in SHELVES], "browser": "never", "delay": 0,
    }  # fmt: skip
    status, made = call(running, "POST", "/api/jobs", wanted)
    assert (status, made["tasks"]) == (201, len(TOWNS) * len(SHELVES))
    assert call(running, "POST", "/api/jobs", wanted)[0] == 422  # there is one of that name
    assert "event: finished" in call(running, "GET", "/api/jobs/books/events")[1]
    assert [one["name"] for one in call(running, "GET", "/api/jobs")[1]] == ["books"]
    run = call(running, "GET", "/api/jobs/books/runs/1")[1]
    assert (run["phase"], run["records"], run["pages"], run["failed"]) == ("finished", 36, 12, 0)
    assert run["attributes"] == {"book/price": 36, "book/title": 36} and run["seconds"] > 0 and run["memory"] > 0
    tasks = call(running, "GET", "/api/jobs/books/runs/1/tasks")[1]
    assert {(one["variables"]["u"], one["variables"]["shelf"]) for one in tasks} == {
        (f"{server.url}/{town}", shelf) for town in TOWNS for shelf in SHELVES
    }
    titles = {f"{town} {shelf} book {at}" for town in TOWNS for shelf in SHELVES for at in range(1, 7)}
    assert _titles(running, 1) == titles
    table = call(running, "GET", "/api/jobs/books/runs/1/records?format=csv")[1].splitlines()
    assert table[0] == "title,price" and len(table) == 37

    site.redesigned = True
    assert call(running, "POST", "/api/jobs/books/run")[0] == 202
    until(running, "/api/jobs/books", lambda job: job["run"]["number"] == 2 and is_over(job) and job["alerts"])
    (alert,) = call(running, "GET", "/api/jobs/books/alerts")[1]
    assert alert["sentences"][0].startswith("0 book on 12 pages") and "li.book" not in alert["repair"]
    assert call(running, "POST", "/api/jobs/books/alerts/accept")[0] == 200
    assert call(running, "POST", "/api/jobs/books/alerts/accept")[0] == 404
    call(running, "POST", "/api/jobs/books/run")
    until(running, "/api/jobs/books", lambda job: job["run"]["number"] == 3 and is_over(job))
    assert _titles(running, 3) == titles

    assert call(running, "PUT", "/api/jobs/books/schedule", {"every": "soon"})[0] == 422
    assert call(running, "PUT", "/api/jobs/books/schedule", {"every": "1s"})[1]["due"]
    until(running, "/api/jobs/books/runs", lambda runs: runs[0]["number"] > 4)
    assert call(running, "PUT", "/api/jobs/books/schedule", {})[1]["due"] is None
    until(running, "/api/jobs/books", is_over)

    held = {**wanted, "name": "held", "starts": [f"{server.url}/held"], "sets": [{"shelf": "new"}]}
    assert call(running, "POST", "/api/jobs", held)[0] == 201
    assert site.is_asked.wait(600)
    assert call(running, "DELETE", "/api/jobs/held")[0] == 422
    assert call(running, "POST", "/api/jobs/held/stop")[0] == 200
    assert until(running, "/api/jobs/held", is_over)["phase"] == "stopped"
    for name in ("held", "books"):
        assert call(running, "DELETE", f"/api/jobs/{name}")[0] == 200
        assert call(running, "GET", f"/api/jobs/{name}")[0] == 404
    assert call(running, "GET", "/api/jobs")[1] == []


def _titles(running: Interface, number: int) -> set[str]:
    lines = call(running, "GET", f"/api/jobs/books/runs/{number}/records")[1].splitlines()
    assert len(lines) == 36
    return {json.loads(line)["book"]["title"][0] for line in lines}
