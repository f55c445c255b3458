"""`/metrics` for Prometheus, `/health` for monitoring."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from siteseer.version import __version__
from siteseer.web.api.dependencies import OnShelf, ServiceState

router = APIRouter(tags=["health"])
PHASES = ("waiting", "running", "paused", "stopping", "stopped", "finished", "failed")
FIGURES = {
    "requests": ("counter", "requests_total", "HTTP requests sent."),
    "pages": ("counter", "pages_total", "Pages kept."),
    "objects": ("counter", "objects_total", "Objects found."),
    "skipped": ("counter", "skipped_total", "URLs skipped."),
    "two_grams": ("gauge", "two_grams", "Distinct 2-grams seen."),
    "waiting": ("gauge", "waiting", "URLs in the queue."),
    "in_flight": ("gauge", "in_flight", "Requests under way."),
    "seconds": ("counter", "seconds_total", "Time that the crawl has run."),
}


@router.get("/health")
def health() -> dict[str, str]:
    """Say that the service is there."""
    return {"status": "ok", "version": __version__}


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(on: OnShelf) -> PlainTextResponse:
    """Return the figures of all crawls in the text format of Prometheus."""
    return PlainTextResponse("\n".join(_lines(on)) + "\n", media_type="text/plain; version=0.0.4; charset=utf-8")


def _lines(on: ServiceState) -> Iterator[str]:
    told = [one.as_json() for one in on.crawls.all()]
    yield "# HELP siteseer_crawls Crawls of this service by phase."
    yield "# TYPE siteseer_crawls gauge"
    for phase in PHASES:
        yield f'siteseer_crawls{{phase="{phase}"}} {sum(one["phase"] == phase for one in told)}'
    for key, (kind, name, said) in FIGURES.items():
        yield f"# HELP siteseer_crawl_{name} {said}"
        yield f"# TYPE siteseer_crawl_{name} {kind}"
        for one in told:
            if key in one:
                yield f'siteseer_crawl_{name}{{collection="{_label(one["name"])}"}} {one[key]}'
    yield "# HELP siteseer_sessions Sessions of other crawlers."
    yield "# TYPE siteseer_sessions gauge"
    yield f"siteseer_sessions {on.sessions.count()}"


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
