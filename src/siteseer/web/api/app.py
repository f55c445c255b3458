"""The REST service: what the command line does with collections and crawls, over HTTP, with an OpenAPI document.

Reading is open to this machine; what fetches or changes needs the token. `siteseer ui` serves it beside the interface.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from siteseer.errors import ArchiveError, BusyError, DiskFullError, FetchError, NotFoundError, SiteseerError
from siteseer.version import __version__
from siteseer.web.api import (
    campaign_results,
    campaigns,
    collections,
    crawls,
    decide,
    jobs,
    knowledge,
    metrics,
    objects,
    sparql,
    tasks,
    understanding,
    wrappers,
)
from siteseer.web.api.auth import ApiAuth
from siteseer.web.api.dependencies import Answer, ServiceState
from siteseer.web.api.error_responses import COMPLAINTS, METHODS, nowhere
from siteseer.web.service.crawl_library import CrawlLibrary
from siteseer.web.service.library import Library
from siteseer.web.service.running_crawl import ConflictError

STATUSES: tuple[tuple[type[SiteseerError], int], ...] = (
    (NotFoundError, 404),
    (FetchError, 424),
    (DiskFullError, 507),
    (ArchiveError, 409),
    (BusyError, 409),
    (ConflictError, 409),
    (SiteseerError, 422),
)
"""What each kind of our errors is answered with; the first that fits."""


def make_app(
    library: Library,
    token: str,
    crawls_of: CrawlLibrary | None = None,
    hosts: Collection[str] | None = None,
    allow_private: bool = False,
) -> FastAPI:
    """Return the service for a library; `hosts` are the values of Host that it answers to, else those of this machine.

    >>> import tempfile
    >>> from pathlib import Path
    >>> app = make_app(Library(Path(tempfile.mkdtemp())), "secret")
    >>> "/api/collections/{name}/objects" in app.openapi()["paths"]
    True
    """
    app = FastAPI(
        title="Siteseer",
        version=__version__,
        description="Crawls, collections, objects and decisions of Siteseer.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        responses=COMPLAINTS,
    )
    app.state.token = token
    app.state.shelf = ServiceState(library, crawls_of or CrawlLibrary(library), allow_private)
    collected = collections, objects, sparql, understanding, crawls, campaigns, campaign_results
    for part in (*collected, knowledge, tasks, decide, jobs, wrappers):
        app.include_router(part.router, prefix="/api")
    app.include_router(metrics.router)
    app.add_route("/api/{rest:path}", nowhere, list(METHODS), include_in_schema=False)
    app.add_exception_handler(SiteseerError, _complain)
    app.add_exception_handler(HTTPException, _refuse)
    app.add_exception_handler(RequestValidationError, _reject)
    app.add_middleware(ApiAuth, hosts=hosts)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    looking = asyncio.create_task(app.state.shelf.jobs.begin())
    yield
    looking.cancel()
    app.state.shelf.jobs.close()
    app.state.shelf.crawls.close()
    app.state.shelf.campaigns.close()


async def _complain(request: Request, error: Exception) -> JSONResponse:
    status = next(status for kind, status in STATUSES if isinstance(error, kind))
    if status == 422 and request.url.path.endswith("/sparql"):
        status = 400  # so the SPARQL 1.1 Protocol has it
    return Answer({"error": str(error)}, status)


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return Answer({"error": str(error.detail)}, error.status_code, dict(error.headers or {}))


async def _reject(request: Request, error: Exception) -> JSONResponse:
    """Say what is wrong with a request, in one sentence."""
    assert isinstance(error, RequestValidationError)
    said = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:3]]
    return Answer({"error": "; ".join(said)[:1_000]}, 422)
