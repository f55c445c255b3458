"""Who has no token is sent away before a byte of the body is read; whoever watches over the service needs none."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from siteseer.web.api.app import make_app
from siteseer.web.api.auth import guarded_calls
from siteseer.web.service.library import Library
from tests.web.chromium import Interface, interface


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    folder = tmp_path_factory.mktemp("service") / "library"
    folder.mkdir()
    with interface(folder) as started:
        yield started


def send_head(running: Interface, line: str, **headers: str) -> tuple[int, bytes]:
    """Announce a large body, send nothing of it, and return what is answered."""
    port = urlsplit(running.base).port or 0
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        told = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json", "Content-Length": "900000", **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        connection.sendall(f"{line} HTTP/1.1\r\n{head}\r\n".encode())
        answer = connection.recv(65_536)
    return int(answer.split()[1]), answer


@pytest.mark.parametrize(
    "line",
    [
        "POST /api/crawls",
        "POST /api/decide",
        "POST /api/detect",
        "PATCH /api/crawls/x",
        "POST /api/jobs",
        "DELETE /api/jobs/x",
    ],
)
@pytest.mark.parametrize("token", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic Og=="}])
def test_nobody_without_the_token_has_a_body_read(running: Interface, line: str, token: dict[str, str]) -> None:
    status, answer = send_head(running, line, **token)
    assert status == 401 and b"www-authenticate: Bearer" in answer


def test_with_the_token_the_body_is_waited_for(running: Interface) -> None:
    with pytest.raises(TimeoutError):
        port = urlsplit(running.base).port or 0
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            head = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {running.token}\r\nContent-Length: 9\r\n"
            connection.sendall(f"POST /api/crawls HTTP/1.1\r\n{head}\r\n".encode())
            connection.recv(100)


def test_every_call_that_changes_something_is_guarded(tmp_path: Path) -> None:
    app = make_app(Library(tmp_path), "secret")
    guarded = guarded_calls(app)
    open_calls = {
        (method.upper(), path)
        for path, methods in app.openapi()["paths"].items()
        for method in methods
        if not any(method.upper() == one and form.fullmatch(path) for one, form in guarded)
    }
    assert {call for call in open_calls if call[0] != "GET"} == {("POST", "/api/collections/{name}/sparql")}
    assert ("GET", "/health") in open_calls and len(guarded) > 20


def test_health_needs_no_token(running: Interface) -> None:
    connection = HTTPConnection("127.0.0.1", urlsplit(running.base).port or 0, timeout=20)
    connection.request("GET", "/health")
    answer = connection.getresponse()
    assert answer.status == 200 and json.loads(answer.read())["status"] == "ok"
