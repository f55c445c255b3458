"""What the OpenAPI document allows, and what it does not, sent to the service: no answer is an error of ours."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from siteseer.crawl.run import crawl
from siteseer.demo import Server, make_site
from siteseer.present.api.app import make_app
from siteseer.present.service.library import Library
from siteseer.settings import CrawlOptions

TOKEN = "let-me-in"
EXAMPLES = int(os.environ.get("SITESEER_EXAMPLES", "6"))
FETCHES = ("/api/crawls", "/api/detect", "/api/crawls/{name}/resume", "/api/collections/{name}/audit")
"""Left out: random seeds must not make the tests reach for the network."""


@schemathesis.serializer("application/sparql-query", "application/xml")
def as_text(context: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "replace")


@pytest.fixture(scope="module")
def operations(tmp_path_factory) -> list[Any]:
    root: Path = tmp_path_factory.mktemp("library")
    with Server(make_site("blog", 2)) as server:
        crawl(CrawlOptions((server.url,), root / "blog", "auto", delay=0.0, assets="none", limit=40))
    found = schemathesis.openapi.from_asgi("/api/openapi.json", make_app(Library(root), TOKEN, hosts=["testserver"]))
    for path in FETCHES:
        found = found.exclude(method="POST", path=path)
    found = found.exclude(path_regex="/events$")  # never ends
    return [one.ok() for one in found.get_all_operations()]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_call_is_answered_with_a_server_error(operations, mode):
    answers: Counter[int] = Counter()
    for operation in operations:
        _send_many(operation, mode, answers)
    assert answers.total() > 20 * EXAMPLES and len(answers) > 2, answers


def _send_many(operation: Any, mode: GenerationMode, answers: Counter[int]) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.generate],
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        if "name" in (case.path_parameters or {}) and answers.total() % 2:
            case.path_parameters["name"] = "blog"
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {TOKEN}"}
        answer = case.call()
        answers[answer.status_code] += 1
        assert answer.status_code < 500, (operation.label, answer.status_code, answer.text[:300])

    with suppress(Unsatisfiable):  # a call without parameters cannot be made wrong
        send()
