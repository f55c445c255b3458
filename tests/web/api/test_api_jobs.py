"""Jobs over HTTP: submitted, watched, stopped, scheduled, deleted; and nothing that is sent breaks the service."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.web.api.app import make_app
from siteseer.web.service.library import Library
from siteseer.wrapper.jobs.job_folder import FOLDER

TOKEN = "let-me-in"
EXAMPLES = int(os.environ.get("SITESEER_EXAMPLES", "6"))
WRAPPER = "doc($u)//li:<item>[. :<name=string(.)>]"
QUICK = {"wrapper": WRAPPER, "browser": "never", "delay": 0, "retries": 0}
PATIENCE = 600
"""Seconds: a machine may be slow, a broken service is slow for ever."""
PROMISED = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
Called = tuple[int, Any, dict[str, str]]


class Service:
    """A running service and a small client."""

    def __init__(self, port: int) -> None:
        self.port = port

    def call(self, path: str, method: str = "GET", body: Any = None, token: str = TOKEN) -> Called:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, sent)
            answer = connection.getresponse()
            content, headers = answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()
        is_json = headers.get("content-type", "").partition(";")[0] == "application/json"
        return answer.status, json.loads(content) if is_json else content, headers

    def until(self, path: str, phase: str) -> Any:
        until = time.monotonic() + PATIENCE
        while (found := self.call(path)[1])["phase"] != phase:
            assert time.monotonic() < until, found
            time.sleep(0.1)
        return found


@contextmanager
def running(root: Path) -> Iterator[Service]:
    app = make_app(Library(root), TOKEN)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield Service(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(30)


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    def answer(request: SiteRequest) -> SiteResponse:
        return html("<ul><li>A</li><li>=1+1</li></ul>", 404 if request.path == "/gone" else 200)

    with Server(Site(Truth("list", 0, "", (), frozenset(), frozenset(), 0), answer)) as server:
        yield server


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("library")) as started:
        yield started


def test_a_job_is_submitted_watched_read_and_deleted(service: Service, site: Server) -> None:
    assert service.call("/api/jobs")[:2] == (200, [])
    body = {**QUICK, "name": "list", "starts": [f"{site.url}/1", f"{site.url}/gone"]}
    status, made, _ = service.call("/api/jobs", "POST", body)
    assert (status, made["phase"], made["tasks"]) == (201, "waiting", 2)
    events = service.call("/api/jobs/list/events")[1].decode()
    assert "event: finished" in events and events.count("event:") >= 2
    told = service.call("/api/jobs/list")[1]
    assert (told["run"]["records"], told["run"]["failed"], told["run"]["attributes"]) == (2, 1, {"item/name": 2})
    tasks = service.call("/api/jobs/list/runs/1/tasks")[1]
    assert "answered 404" in tasks[1]["error"] and tasks[1]["step"] == f"doc('{site.url}/gone')"
    lines = service.call("/api/jobs/list/runs/1/records")[1].decode().splitlines()
    assert [json.loads(line) for line in lines] == [{"item": {"name": ["A"]}}, {"item": {"name": ["=1+1"]}}]
    assert service.call("/api/jobs/list/runs/1/records?format=csv")[1] == b"name\r\nA\r\n'=1+1\r\n"
    assert service.call("/api/jobs/list/run", "POST")[0] == 202
    service.until("/api/jobs/list", "finished")
    assert [run["number"] for run in service.call("/api/jobs/list/runs")[1]] == [2, 1]
    assert service.call("/api/jobs/list/alerts")[1] == []
    assert service.call("/api/jobs/list/runs/1/screenshots/1")[0] == 404
    assert service.call("/api/jobs/list", "DELETE")[0] == 200
    assert service.call("/api/jobs/list")[0] == 404


def test_what_is_wrong_is_said_in_one_sentence(service: Service, site: Server) -> None:
    status, said, _ = service.call("/api/jobs", "POST", {**QUICK, "name": "x", "wrapper": "doc('e.org')//a/{clik}"})
    assert status == 422 and said["error"].splitlines()[-1].strip() == "^"
    wrong: dict[str, dict[str, Any]] = {
        "has no value": {}, "no address": {"starts": ["ftp://x"]}, "is no interval": {"schedule": {"every": "soon"}},
        "private networks": {"starts": [site.url], "allow_private": True},
        "cannot be a name": {"starts": [site.url], "collection": "../x"},
    }  # fmt: skip
    for sentence, more in wrong.items():
        status, said, _ = service.call("/api/jobs", "POST", {**QUICK, "name": "x", **more})
        assert status == 422 and sentence in said["error"], (sentence, said)
    assert service.call("/api/jobs", "POST", {**QUICK, "name": "x", "starts": ["http://e.org/"] * 10_001})[0] == 422
    assert service.call("/api/jobs", "POST", {**QUICK, "name": "x", "sets": [{"u": "x" * 7_000}] * 200})[0] == 413
    assert service.call("/api/jobs/x")[0] == 404


def test_changing_and_secrets_need_the_token(service: Service) -> None:
    assert service.call("/api/jobs", "POST", {}, token="wrong")[0] == 401
    assert service.call("/api/jobs/x", "DELETE", token="wrong")[0] == 401
    assert service.call("/api/jobs/x/run", "POST", token="wrong")[0] == 401
    assert service.call("/api/jobs/x/runs/1/tasks", token="wrong")[0] == 401


def test_schedules_run_while_the_service_runs_and_after_it_comes_back(tmp_path: Path, site: Server) -> None:
    with running(tmp_path) as first:
        body = {**QUICK, "name": "often", "starts": [site.url], "schedule": {"every": "1s"}, "run": False}
        assert first.call("/api/jobs", "POST", body)[1]["due"]
        first.until("/api/jobs/often", "finished")
    with running(tmp_path) as second:
        until = time.monotonic() + PATIENCE
        while len(second.call("/api/jobs/often/runs")[1]) < 4:
            assert time.monotonic() < until
            time.sleep(0.2)
        assert second.call("/api/jobs/often/schedule", "PUT", {})[1]["due"] is None
    assert (tmp_path / FOLDER).stat().st_mode & 0o077 == 0  # variables may be passwords


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_call_is_answered_as_the_document_promises(tmp_path: Path, site: Server, mode: GenerationMode) -> None:
    app = make_app(Library(tmp_path), TOKEN, hosts=["testserver"])
    found = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    operations = [one.ok() for one in found.get_all_operations() if one.ok().path.startswith("/api/jobs")]
    assert len(operations) >= 16
    answers: Counter[int] = Counter()
    operations.sort(key=lambda one: (one.method != "post", one.path.endswith("/events")))
    for operation in operations:
        if operation.path.endswith("/events"):
            _settle(app)
        _send_many(operation, mode, answers, site.url)
    assert answers.total() > 10 * EXAMPLES and len(answers) > 2, answers
    assert mode is GenerationMode.NEGATIVE or answers[201], answers
    app.state.shelf.jobs.close()


def _settle(app: Any) -> None:
    """Let every run be over: until then events do not end."""
    jobs = app.state.shelf.jobs.jobs
    for one in jobs.all():
        with suppress(Exception):
            jobs.stop(one["name"])
    until = time.monotonic() + PATIENCE
    while any(one["phase"] in ("waiting", "running") and "run" in one for one in jobs.all()):
        assert time.monotonic() < until
        time.sleep(0.1)


def _send_many(operation: Any, mode: GenerationMode, answers: Counter[int], url: str) -> None:
    @settings(
        max_examples=EXAMPLES, deadline=None, phases=[Phase.generate], derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        if "job" in (case.path_parameters or {}) and answers.total() % 2:
            case.path_parameters["job"] = "known"
        if isinstance(case.body, dict) and case.path == "/api/jobs":
            wanted = {**QUICK, "name": "known" if not answers[201] else f"job{answers.total()}", "sets": []}
            if answers.total() % 3 == 0:
                case.body |= wanted
            case.body |= {"starts": [url], "browser": "never", "retries": 0, "time_limit": 5}
            case.body.pop("allow_private", None)
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {TOKEN}"}
        answer = case.call()
        answers[answer.status_code] += 1
        case.validate_response(answer, checks=PROMISED)

    with suppress(Unsatisfiable):
        send()


def test_a_wrong_method_or_address_is_answered_as_one(service: Service) -> None:
    status, said, headers = service.call("/api/jobs/list/runs", "PATCH")
    assert (status, headers["allow"], said) == (405, "GET", {"error": "this is called with GET"})
    assert service.call("/api/jobs", "TRACE")[2]["allow"] == "GET, POST"
    assert service.call("/api/nothing")[0] == 404 and "openapi.json" in service.call("/api/nothing")[1]["error"]
