"""`/api/knowledge` and `/api/detect`: show the knowledge base, and recognise the software behind a page."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from siteseer.errors import NotFoundError, UsageError
from siteseer.fetch.fetch_one import fetch_page
from siteseer.knowledge.check import problems_of
from siteseer.knowledge.export_rules import export
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import read
from siteseer.knowledge.recognition_json import recognition_json
from siteseer.knowledge.save import to_xml
from siteseer.model import Page
from siteseer.web.api.auth import needs_token
from siteseer.web.api.dependencies import Answer

router = APIRouter(tags=["knowledge"])
Form = Literal["xml", "wadl", "browsertrix", "heritrix", "wget"]
XML = {"requestBody": {"required": True, "content": {"application/xml": {"schema": {"type": "string"}}}}}


class Look(BaseModel):
    """A page to be recognised: its address, which is then fetched, or its HTML."""

    url: Annotated[str, Field(max_length=8_000)] = ""
    html: Annotated[str, Field(max_length=40_000_000)] | None = None
    headers: dict[str, str] = {}


@router.get("/knowledge")
def applications() -> Any:
    """List the software that is known, with its levels."""
    found = sorted(KnowledgeBase.shipped(), key=lambda application: application.id)
    return Answer(
        [
            {
                "application": one.id,
                "category": one.category,
                "name": one.name,
                "levels": list(dict.fromkeys(level.id for level in one.levels)),
            }
            for one in found
        ]
    )


@router.get("/knowledge/{application}", response_class=Response)
def application(
    application: Annotated[str, Path(max_length=100)], form: Annotated[Form, Query(alias="format")] = "xml"
) -> Response:
    """Return what is known of a software: its knowledge file, or its rules in the language of another crawler."""
    known = KnowledgeBase.shipped()
    if application not in known:
        raise NotFoundError(f"no application is called {application[:100]!r}")
    if form == "xml":
        return Response(to_xml(known[application]), media_type="application/xml")
    kind = "application/xml" if form in ("wadl", "heritrix") else "text/plain; charset=utf-8"
    return Response(export(known[application], form), media_type=kind)


@router.post("/knowledge/check", dependencies=[Depends(needs_token)], openapi_extra=XML)
async def check(request: Request) -> Any:
    """Check a knowledge file: what is wrong, on which line, and what to do."""
    return Answer(await run_in_threadpool(_problems, await request.body()))


def _problems(body: bytes) -> list[Any]:
    reading = read(body, "knowledge.xml")
    found = list(reading.problems)
    if reading.application is not None:
        found.extend(problems_of(reading.application, "knowledge.xml"))
    return [{"line": one.line, "problem": one.what, "todo": one.todo} for one in found]


@router.post("/detect", dependencies=[Depends(needs_token)], tags=["knowledge"])
def detect(look: Look) -> Any:
    """Recognise the software behind a page, and the kind of page; a page given by its address is fetched."""
    if look.html is None and not look.url:
        raise UsageError("give the page's url, or its html")
    if look.html is None:
        page = fetch_page(look.url)
    else:
        named = tuple(look.headers.items()) or (("Content-Type", "text/html; charset=utf-8"),)
        page = Page(look.url, 200, named, look.html.encode("utf-8", "replace"))
    return Answer({"url": look.url, **recognition_json(page, KnowledgeBase.shipped())})
