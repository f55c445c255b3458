"""What the OpenAPI document allows, and what it does not, sent to the service: no answer is an error of ours."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from siteseer.crawler.run import crawl
from siteseer.demo import Server, make_site
from siteseer.settings import CrawlOptions
from siteseer.web.api.app import make_app
from siteseer.web.service.library import Library
from tests.web.understood import store, understood_shop

TOKEN = "let-me-in"
EXAMPLES = int(os.environ.get("SITESEER_EXAMPLES", "4"))
EVENTS = "/events"
"""Asked for last, when every crawl is over: until then they do not end."""


@schemathesis.serializer("application/sparql-query", "application/xml")
def as_text(context: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "replace")


class Target:
    """A service over a library, and the site that everything it fetches is fetched from."""

    def __init__(self, root: Path, site: Server) -> None:
        self.site = site
        self.app = make_app(Library(root), TOKEN, hosts=["testserver"])
        found = schemathesis.openapi.from_asgi("/api/openapi.json", self.app)
        operations = [one.ok() for one in found.get_all_operations()]
        self.operations = sorted(operations, key=lambda one: one.path.endswith(EVENTS))

    def aim(self, case: Any, answers: Counter[int]) -> None:
        """Let every second call be about what there is, and no call reach for the network."""
        if "name" in (case.path_parameters or {}) and answers.total() % 2:
            case.path_parameters["name"] = "blog"
        if isinstance(case.body, dict):
            if isinstance(case.body.get("seeds"), list):
                case.body["seeds"] = [self._here(one) for one in case.body["seeds"]]
                case.body |= {"delay": 0, "limit": 2} if case.path == "/api/crawls" else {}
            if "url" in case.body:
                case.body["url"] = self._here(case.body["url"])
            if case.path == "/api/jobs":
                case.body |= {"starts": [self.site.url], "browser": "never", "time_limit": 5, "schedule": None}
            if case.path.endswith("/audit"):
                case.body["sample"] = 2
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {TOKEN}"}

    def _here(self, url: Any) -> Any:
        return f"{self.site.url}/{quote(url[:100], errors='replace')}" if isinstance(url, str) else url


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    root: Path = tmp_path_factory.mktemp("library")
    with Server(make_site("blog", 2)) as server:
        crawl(CrawlOptions((server.url,), root / "blog", "auto", delay=0.0, assets="none", limit=40))
        store(root / "blog", understood_shop(make_site("shop", 2, size=20), server.url))
        made = Target(root, server)
        yield made
        made.app.state.shelf.crawls.close()
        made.app.state.shelf.jobs.close()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_call_is_answered_with_a_server_error(target, mode):
    answers: Counter[int] = Counter()
    before = len(target.site.log)
    for operation in target.operations:
        if operation.path.endswith(EVENTS):
            target.app.state.shelf.crawls.close()
        _send_many(operation, mode, answers, target)
    assert answers.total() > 20 * EXAMPLES and len(answers) > 2, answers
    if mode is GenerationMode.POSITIVE:
        assert len(target.site.log) > before and answers[201] and answers[202], answers


def _send_many(operation: Any, mode: GenerationMode, answers: Counter[int], target: Target) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.generate],
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        target.aim(case, answers)
        answer = case.call()
        answers[answer.status_code] += 1
        assert answer.status_code < 500, (operation.label, answer.status_code, answer.text[:300])

    with suppress(Unsatisfiable):  # a call without parameters cannot be made wrong
        send()
