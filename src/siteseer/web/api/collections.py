"""`/api/collections`: lists collections, the figures of each crawl, and why each URL was followed or not."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, Field

from siteseer.collection.read_only_state import Decisions
from siteseer.errors import NotFoundError
from siteseer.page.text import text
from siteseer.page.tree import title
from siteseer.web.api.auth import needs_token
from siteseer.web.api.dependencies import Answer, Name, OnShelf, Opened

router = APIRouter(prefix="/collections", tags=["collections"])
Limit = Annotated[int, Query(ge=0, le=1_000)]
Offset = Annotated[int, Query(ge=0, le=10**9)]
Status = Literal["waiting", "in flight", "done", "failed", "skipped"]
SHOWN_TEXT = 1_000_000


class Lift(BaseModel):
    """A rule whose URLs are to be fetched after all; with `urls` only those."""

    rule: str = Field(max_length=2_000)
    urls: list[Annotated[str, Field(max_length=8_000)]] = Field(default=[], max_length=10_000)


@router.get("")
def collections(on: OnShelf) -> list[Any]:
    """List the collections, the newest first."""
    return [{**asdict(one), "path": one.path.name} for one in on.library.collections()]


@router.get("/{name}")
def figures(collection: Opened) -> Any:
    """Tell what the newest crawl took and brought, also while it runs, and under `total` what all crawls did."""
    return collection.figures()


@router.get("/{name}/crawls")
def crawls(collection: Opened) -> list[Any]:
    """List the crawls of a collection, the oldest first: kind, times, and what each brought that was new."""
    return collection.history()


@router.get("/{name}/history")
def url_history(collection: Opened, url: Annotated[str, Query(max_length=8_000)]) -> list[Any]:
    """Tell what became of a URL in each crawl that had to do with it, the oldest first."""
    return collection.url_history(url)


@router.get("/{name}/summary")
def summary(collection: Opened) -> Any:
    """Tell the summary as the crawl wrote it when it ended."""
    return collection.summary()


Curve = list[Annotated[list[int], Field(min_length=2, max_length=2, description="requests, 2-grams")]]


@router.get("/{name}/curve")
def curve(collection: Opened) -> Curve:
    """Tell how the distinct 2-grams grew with the requests."""
    return [list(point) for point in collection.curve()]


@router.get("/{name}/decisions")
def decisions(
    collection: Opened,
    status: Status | None = None,
    rule: Annotated[str | None, Query(max_length=2_000)] = None,
    part: Annotated[str | None, Query(alias="text", max_length=1_000)] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Any:
    """List URLs with their status and the reason for it."""
    count, urls = collection.decisions(Decisions(status, rule, part, limit, offset))
    return {"count": count, "urls": urls}


@router.get("/{name}/skipped")
def skipped(collection: Opened, examples: Annotated[int, Query(ge=0, le=100)] = 3) -> list[Any]:
    """List the rules that skipped URLs, with how many and examples."""
    return collection.skipped(examples)


@router.post("/{name}/lift", dependencies=[Depends(needs_token)])
def lift(name: Name, wanted: Lift, on: OnShelf) -> Any:
    """Let what a rule skipped be fetched after all when the crawl goes on."""
    return {"lifted": on.crawls.lift(name, wanted.rule, wanted.urls)}


@router.get("/{name}/queue")
def queue(collection: Opened, limit: Annotated[int, Query(ge=0, le=1_000)] = 20) -> list[Any]:
    """List the families of waiting URLs by rank, each with its next URLs."""
    return collection.queue(limit)


@router.get("/{name}/broken")
def broken(collection: Opened) -> list[Any]:
    """List the links that led nowhere."""
    return collection.broken()


@router.get("/{name}/adaptations")
def adaptations(collection: Opened) -> list[Any]:
    """List failed and repaired actions."""
    return collection.adaptations()


@router.get("/{name}/certificate")
def certificate(collection: Opened) -> Any:
    """Return the coverage certificate of the last audit."""
    found = collection.certificate()
    if found is None:
        raise NotFoundError(f"{collection.name} was not audited yet")
    return found


@router.get("/{name}/page")
def page(collection: Opened, url: Annotated[str, Query(max_length=8_000)]) -> Any:
    """Return the newest capture of a URL: status, headers, title and visible text."""
    found = collection.page(url)
    time = found.fetched_at.isoformat() if found.fetched_at else None
    said = {"url": found.url, "status": found.status, "time": time, "headers": [list(one) for one in found.headers]}
    return Answer({**said, "title": title(found), "text": text(found)[:SHOWN_TEXT]})


@router.get("/{name}/capture", response_class=Response)
def capture(collection: Opened, url: Annotated[str, Query(max_length=8_000)]) -> Response:
    """Return the bytes of the newest capture of a URL, to be saved, never shown: it may hold anything."""
    headers = {"content-disposition": "attachment; filename=capture.bin"}
    return Response(collection.page(url).body, media_type="application/octet-stream", headers=headers)
