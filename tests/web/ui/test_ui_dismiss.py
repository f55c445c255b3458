"""Crawls that are over can be dismissed or deleted; one that failed has pages like any other."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from siteseer.demo import Server, make_site
from tests.web.chromium import Interface, interface


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(make_site("blog", 2)) as server:
        yield server


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    folder = tmp_path_factory.mktemp("service") / "library"
    with interface(folder, SITESEER_KNOWLEDGE=str(folder.parent / "own")) as started:
        yield started


def call(running: Interface, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", urlsplit(running.base).port or 0, timeout=60)
    headers = {"Authorization": f"Bearer {running.token}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    is_json = (answer.getheader("Content-Type") or "").startswith("application/json")
    return answer.status, json.loads(content) if is_json else content


def crawled(running: Interface, site: Server, name: str, **options: Any) -> str:
    """Crawl to the end, and return how it ended."""
    body = {"name": name, "seeds": [site.url], "limit": 6, "delay": 0, **options}
    assert call(running, "POST", "/api/crawls", body)[0] == 201
    events = call(running, "GET", f"/api/crawls/{name}/events")[1]
    return str(events.rpartition("event: ")[2].split()[0])


def names(running: Interface) -> list[str]:
    return [one["name"] for one in call(running, "GET", "/api/crawls")[1]]


def test_a_crawl_is_dismissed_and_its_collection_stays(running: Interface, site: Server) -> None:
    crawled(running, site, "kept")
    assert call(running, "DELETE", "/api/crawls/kept") == (200, {"dismissed": "kept", "deleted": False})
    assert "kept" not in names(running) and call(running, "GET", "/api/crawls/kept")[0] == 404
    assert call(running, "DELETE", "/api/crawls/kept")[0] == 404
    assert call(running, "GET", "/api/collections/kept")[0] == 200


def test_a_crawl_is_deleted_with_its_collection(running: Interface, site: Server) -> None:
    crawled(running, site, "gone")
    assert (running.library / "gone").is_dir()
    assert call(running, "DELETE", "/api/crawls/gone?collection=true")[0] == 200
    assert not (running.library / "gone").exists() and call(running, "GET", "/api/collections/gone")[0] == 404
    crawled(running, site, "gone")
    assert call(running, "GET", "/api/collections/gone")[0] == 200, "its name is free again"


def test_a_running_crawl_has_to_be_stopped_first(running: Interface, site: Server) -> None:
    body = {"name": "slow", "seeds": [site.url], "delay": 30}
    assert call(running, "POST", "/api/crawls", body)[0] == 201
    status, said = call(running, "DELETE", "/api/crawls/slow?collection=true")
    assert status == 409 and "stop it first" in said["error"] and "slow" in names(running)
    call(running, "POST", "/api/crawls/slow/stop")
    assert "stopped" in call(running, "GET", "/api/crawls/slow/events")[1]
    assert call(running, "DELETE", "/api/crawls/slow?collection=true")[0] == 200


def test_nobody_without_the_token_deletes(running: Interface, site: Server) -> None:
    crawled(running, site, "safe")
    connection = HTTPConnection("127.0.0.1", urlsplit(running.base).port or 0, timeout=60)
    connection.request("DELETE", "/api/crawls/safe?collection=true")
    assert connection.getresponse().status == 401 and (running.library / "safe").is_dir()


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("broken", {"policies": ["no-such-policy=yes"], "strategy": "aware"}, "no-such-policy"),
        ("unborn", {"headers": ["no header"]}, "is no header"),
    ],
)
def test_a_failed_crawl_has_pages_and_calls_like_any_other(
    running: Interface, site: Server, chromium: Any, name: str, options: Any, said: str
) -> None:
    """It failed before anything was archived: every page says so, none breaks (the log is looked at in the end)."""
    assert crawled(running, site, name, **options) == "failed"
    now = call(running, "GET", f"/api/crawls/{name}")[1]
    assert now["phase"] == "failed" and now["error"]
    for part in (
        "",
        "/curve",
        "/summary",
        "/broken",
        "/adaptations",
        "/decisions",
        "/skipped",
        "/queue",
        "/objects",
        "/kinds",
    ):
        status, told = call(running, "GET", f"/api/collections/{name}{part}")
        assert status in (200, 404), (part, status, told)
    page = chromium.new_page()
    page.goto(running.link)
    for view in ("result", "read", "ask", "skipped", "form"):
        page.goto(running.at(f"/c/{name}/{view}"))
        expect(page.locator(".page-content").first).to_be_visible()
        page.wait_for_timeout(700)
        shown = page.inner_text("body")
        assert not any(word in shown for word in ("Traceback", "Error", "went wrong")), (view, shown)
        if folder := os.environ.get("SITESEER_SCREENSHOTS"):
            page.screenshot(path=f"{folder}/{name}-{view}.png")
    page.goto(running.at("/live"))
    expect(page.get_by_text(said).first).to_be_visible()
    page.close()


def test_the_buttons_of_the_interface_dismiss_and_delete(running: Interface, site: Server, chromium: Any) -> None:
    for name in ("first", "second"):
        crawled(running, site, name)
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(running.link)
    page.goto(running.at("/live"))
    box = page.locator(".panel", has=page.get_by_role("link", name="first", exact=True))
    box.get_by_role("button", name="Dismiss").click()
    expect(box).to_be_hidden()
    assert "first" not in names(running) and (running.library / "first").is_dir()
    box = page.locator(".panel", has=page.get_by_role("link", name="second", exact=True))
    if folder := os.environ.get("SITESEER_SCREENSHOTS"):
        page.screenshot(path=f"{folder}/live.png", full_page=True)
    box.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Cancel").click()
    assert (running.library / "second").is_dir()
    box.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Delete second").click()
    expect(box).to_be_hidden()
    assert "second" not in names(running) and not (running.library / "second").exists()
    page.close()
