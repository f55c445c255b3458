"""`/api/crawls`: start, watch, pause, limit and stop crawls."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from siteseer.errors import UsageError
from siteseer.settings import CrawlOptions
from siteseer.web.api.auth import needs_token
from siteseer.web.api.dependencies import Answer, Name, OnShelf
from siteseer.web.api.option_models import option_model

router = APIRouter(prefix="/crawls", tags=["crawls"])
Short = Annotated[str, Field(max_length=8_000)]
Texts = Annotated[list[Short], Field(max_length=1_000)]
Number = Annotated[int, Field(ge=1, le=10**12)]
Seconds = Annotated[float, Field(ge=0, le=10**9, allow_inf_nan=False)]
Token = Depends(needs_token)


class Limits(BaseModel):
    """Limits of a crawl; what is left out stays as it is, `null` takes a limit away."""

    model_config = ConfigDict(extra="forbid")
    limit: Number | None = None
    size_limit: Number | None = None
    time_limit: Annotated[float, Field(ge=1, le=10**9, allow_inf_nan=False)] | None = None
    delay: Seconds | None = None

    def given(self) -> dict[str, Any]:
        """Return what the request names."""
        found = self.model_dump(exclude_unset=True)
        if "delay" in found and found["delay"] is None:
            raise UsageError("delay needs a number of seconds")
        return found


class NewCrawl(option_model("CrawlRequest", CrawlOptions, "crawl")):  # type: ignore[misc]
    """A crawl to be started: the options of `siteseer crawl`."""

    name: Annotated[str, Field(max_length=100, description="What its collection is called.")]
    seeds: Annotated[list[Short], Field(min_length=1, max_length=10_000)]


class Exclusion(BaseModel):
    """A glob or `re:` expression of URLs to leave."""

    expression: Annotated[str, Field(min_length=1, max_length=2_000)]


@router.get("")
def crawls(on: OnShelf) -> Any:
    """List the crawls that this service started, the newest first."""
    return Answer([one.as_json() for one in on.crawls.all()])


@router.post("", status_code=201, dependencies=[Token])
def start(wanted: NewCrawl, on: OnShelf) -> Any:
    """Start a crawl into a new collection, or go on with it."""
    if wanted.allow_private and not on.allow_private:
        raise UsageError("this service was not started with leave to reach private networks")
    options = wanted.model_dump(exclude_unset=True, exclude={"name", "seeds"})
    return Answer(on.crawls.start(on.crawls.options(wanted.name, wanted.seeds, **options)).as_json(), 201)


@router.get("/{name}")
def snapshot(name: Name, on: OnShelf) -> Any:
    """Tell how far a crawl is."""
    return Answer(on.crawls.snapshot(name))


@router.patch("/{name}", dependencies=[Token])
def change(name: Name, limits: Limits, on: OnShelf) -> Any:
    """Change the limits of a running crawl."""
    return Answer(on.crawls.change(name, **limits.given()).as_json())


@router.delete("/{name}", dependencies=[Token])
def dismiss(
    name: Name, on: OnShelf, collection: Annotated[bool, Query(description="Delete its collection, too.")] = False
) -> Any:
    """Take a crawl that is over from the list; its collection stays unless you want that deleted, too."""
    on.crawls.dismiss(name, collection)
    return Answer({"dismissed": name, "deleted": collection})


@router.post("/{name}/pause", dependencies=[Token])
def pause(name: Name, on: OnShelf) -> Any:
    """Let a crawl take nothing new until it is resumed."""
    return Answer(on.crawls.pause(name).as_json())


@router.post("/{name}/resume", dependencies=[Token])
def resume(name: Name, on: OnShelf, limits: Limits | None = None) -> Any:
    """Go on after a pause, or with a crawl that was stopped; other limits may be given."""
    return Answer(on.crawls.resume(name, **(limits.given() if limits else {})).as_json())


@router.post("/{name}/stop", dependencies=[Token])
def stop(name: Name, on: OnShelf) -> Any:
    """End a crawl when what it sent has been answered."""
    return Answer(on.crawls.stop(name).as_json())


@router.get("/{name}/preview")
def preview(name: Name, on: OnShelf, expression: Annotated[str, Query(min_length=1, max_length=2_000)]) -> Any:
    """Tell what an exclusion would hit among the URLs that wait."""
    return Answer(on.crawls.preview(name, expression))


@router.post("/{name}/exclude", dependencies=[Token])
def exclude(name: Name, wanted: Exclusion, on: OnShelf) -> Any:
    """Leave further URLs out of a running crawl, those that wait and those to come."""
    return Answer(on.crawls.exclude(name, wanted.expression).as_json())


@router.get("/{name}/events", response_class=StreamingResponse)
def events(name: Name, on: OnShelf) -> StreamingResponse:
    """Tell of progress as server-sent events, until the crawl is over."""
    on.crawls.get(name)

    async def told() -> AsyncIterator[bytes]:
        async for now in on.crawls.events(name):
            yield f"event: {now['phase']}\ndata: {json.dumps(now)}\n\n".encode()

    return StreamingResponse(told(), media_type="text/event-stream", headers={"cache-control": "no-store"})
