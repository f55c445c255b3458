"""Right and wrong calls by the OpenAPI document of the service, sent to it, with every check of schemathesis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation

from siteseer.crawler.run import crawl
from siteseer.demo import Server, make_site
from siteseer.settings import CrawlOptions
from siteseer.web.api.app import make_app
from siteseer.web.service.library import Library
from tests.web.understood import store, understood_shop

TOKEN = "let-me-in"
ROOT = Path(__file__).resolve().parents[3]
EVENTS = "/events"
"""Asked for last, when every crawl is over: until then they do not end."""
KEYS = ("seeds", "starts")
LONGEST = 8_000
"""Characters of an address that the service looks at."""


@schemathesis.serializer("application/sparql-query", "application/xml")
def as_text(context: Any, value: Any) -> bytes:
    """Send what is no JSON as it is."""
    return str(value).encode("utf-8", "replace")


class SchemaTarget:
    """A service over a library with one collection, and the local site that all crawls are sent to."""

    def __init__(self, root: Path, site: Server, number: int) -> None:
        self.number = number
        self.site, self.answers, self.failures = site, Counter[int](), Counter[str]()
        self.app = make_app(Library(root), TOKEN, hosts=["testserver"])
        config = SchemathesisConfig.from_path(ROOT / "schemathesis.toml")
        found = schemathesis.openapi.from_asgi("/api/openapi.json", self.app, config=config)
        operations = [one.ok() for one in found.get_all_operations()]
        self.operations = sorted(operations, key=lambda one: one.path.endswith(EVENTS))

    def send(self, operation: Any, mode: GenerationMode, examples: int) -> None:
        """Send so many calls of one kind."""

        @seed(self.number + examples)  # more examples are other ones, not the same again
        @settings(
            max_examples=examples, deadline=None, phases=[Phase.generate], database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy(generation_mode=mode))
        def one(case: Any) -> None:
            self._aim(case, mode)
            headers = {} if _lacks_token(case) else {"Authorization": f"Bearer {TOKEN}"}
            answer = case.call(headers=headers)
            self.answers[answer.status_code] += 1
            try:
                case.validate_response(answer, headers=headers)
            except BaseExceptionGroup as found:
                for error in found.exceptions:
                    self.failures[f"{operation.label}: {answer.status_code}: {error}"[:1_500]] += 1
            except AssertionError as error:
                self.failures[f"{operation.label}: {answer.status_code}: {error}"[:1_500]] += 1

        if operation.path.endswith(EVENTS):
            self.app.state.shelf.crawls.close()
        with suppress(Unsatisfiable):  # a call without parameters cannot be made wrong
            one()

    def _aim(self, case: Any, mode: GenerationMode) -> None:
        """Let every second right call be about what there is, and no call reach for the network."""
        named = case.path_parameters or {}
        if mode is GenerationMode.POSITIVE and "name" in named and self.answers.total() % 2:
            named["name"] = "blog"
        if not isinstance(case.body, dict):
            return
        for key in KEYS:
            if isinstance(case.body.get(key), list):
                case.body[key] = [self._here(one) for one in case.body[key]]
        if "url" in case.body:
            case.body["url"] = self._here(case.body["url"])
        if mode is GenerationMode.POSITIVE and case.path == "/api/crawls":
            case.body |= {"delay": 0, "limit": 2}
        if mode is GenerationMode.POSITIVE and case.path == "/api/jobs":
            case.body |= {"starts": [self.site.url], "browser": "never", "time_limit": 5, "schedule": None}
        if mode is GenerationMode.POSITIVE and case.path.endswith("/audit"):
            case.body["sample"] = 2

    def _here(self, url: Any) -> Any:
        if not isinstance(url, str) or not url or len(url) > LONGEST:  # what is refused as it is needs no other aim
            return url
        return f"{self.site.url}/{quote(url[:100], errors='replace')}"


def _lacks_token(case: Any) -> bool:
    """Say whether a wrong call is wrong because it comes without a token: it must then go without one."""
    header = case.meta.components.get(ParameterLocation.HEADER) if case.meta else None
    return header is not None and header.mode.is_negative and "Authorization" not in (case.headers or {})


@contextmanager
def schema_target(root: Path, number: int = 0) -> Iterator[SchemaTarget]:
    """Give a service over a folder until the end of the block; the number chooses the calls."""
    with Server(make_site("blog", 2)) as server:
        crawl(CrawlOptions((server.url,), root / "blog", "auto", delay=0.0, assets="none", limit=40))
        store(root / "blog", understood_shop(make_site("shop", 2, size=20), server.url))
        made = SchemaTarget(root, server, number)
        try:
            yield made
        finally:
            made.app.state.shelf.crawls.close()
            made.app.state.shelf.jobs.close()
