"""`/api/decide` and `/api/sessions`: tell other crawlers what to do with a page."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field

from siteseer.web.api.auth import needs_token
from siteseer.web.api.crawls import Short, Texts
from siteseer.web.api.dependencies import Answer, OnShelf

router = APIRouter(tags=["decide"], dependencies=[Depends(needs_token)])
Session = Annotated[str, Path(max_length=60)]


class NewSession(BaseModel):
    """A site that another crawler crawls."""

    seeds: Annotated[list[Short], Field(min_length=1, max_length=1_000)]
    strategy: Annotated[str, Field(max_length=60)] = "aware"
    include: Texts = []
    exclude: Texts = []
    policies: Texts = []


class Fetched(BaseModel):
    """What became of a URL: the page as it was received, or the error."""

    url: Short
    session: Annotated[str, Field(max_length=60)] = ""
    strategy: Annotated[str, Field(max_length=60, description="Only without a session.")] = "aware"
    status: Annotated[int, Field(ge=100, le=599)] = 200
    headers: dict[str, str] = {}
    body: Annotated[str, Field(max_length=40_000_000)] = ""
    body_base64: Annotated[str, Field(max_length=45_000_000)] = ""
    error: Short = ""


@router.post("/sessions", status_code=201)
def begin(wanted: NewSession, on: OnShelf) -> Any:
    """Begin a session for one crawl: its strategy remembers what it saw. The answer holds the first actions."""
    options = {name: tuple(getattr(wanted, name)) for name in ("include", "exclude", "policies")}
    session, told = on.sessions.begin(wanted.seeds, wanted.strategy, **options)
    return Answer({"session": session.id, **told}, 201)


@router.post("/decide")
def decide(fetched: Fetched, on: OnShelf) -> Any:
    """Give a page; get what to do next (`actions`, each with its reason) and what the page holds (`objects`)."""
    page = fetched.model_dump()
    if fetched.session:
        return Answer(on.sessions.decide(fetched.session, page))
    return Answer(on.sessions.decide_alone(page, fetched.strategy))


@router.post("/sessions/{session}/refill")
def refill(session: Session, on: OnShelf, room: Annotated[int, Query(ge=1, le=10_000)] = 1) -> Any:
    """Ask for more when the queue runs low; no `follow` among the actions means that the site is done."""
    return Answer(on.sessions.refill(session, room))


@router.delete("/sessions/{session}", status_code=204)
def end(session: Session, on: OnShelf) -> None:
    """End a session."""
    on.sessions.end(session)
