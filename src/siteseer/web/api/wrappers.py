"""`/api/wrappers`: induces ranked expressions and a wrapper from pages and marks."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from siteseer.errors import UsageError
from siteseer.model import Page
from siteseer.web.api.auth import needs_token
from siteseer.web.api.dependencies import Answer
from siteseer.wrapper.induction import Mark
from siteseer.wrapper.induction.induced_json import induced_json

router = APIRouter(prefix="/wrappers", tags=["wrappers"])
MOST_PAGES = 40
MOST_MARKS = 200
LARGEST_PAGE = 8 * 2**20
Token = Depends(needs_token)


class ShownPage(BaseModel):
    """A page as HTML, with its address."""

    model_config = ConfigDict(extra="forbid")
    body: Annotated[str, Field(max_length=LARGEST_PAGE)]
    url: Annotated[str, Field(max_length=8_000)] = "http://example.org/"


class Marked(BaseModel):
    """A mark: on that page (counted from 0), at an XPath that selects it or at the value that is read there."""

    model_config = ConfigDict(extra="forbid")
    page: Annotated[int, Field(ge=0, lt=MOST_PAGES)] = 0
    at: Annotated[str, Field(min_length=1, max_length=1_000)]
    part: Annotated[str, Field(max_length=1_000, description="The part of a text that is meant.")] = ""


class Example(Marked):
    """A mark of an attribute."""

    name: Annotated[str, Field(min_length=1, max_length=100)]


Marks = Annotated[list[Marked], Field(max_length=MOST_MARKS)]


class Shown(BaseModel):
    """Pages and what is marked on them; pages without marks help to tell what is stable."""

    model_config = ConfigDict(extra="forbid")
    pages: Annotated[list[ShownPage], Field(min_length=1, max_length=MOST_PAGES)]
    examples: Annotated[list[Example], Field(max_length=MOST_MARKS)] = []
    records: Marks = []
    next: Marks = []


@router.post("/induce", dependencies=[Token])
def induced(shown: Shown) -> Any:
    """Return ranked expressions for what is marked, best first, and the wrapper that they make.

    With `records` the examples are inside them; without, a page is one record.
    """
    if not (shown.examples or shown.records or shown.next):
        raise UsageError("nothing is marked; give examples, records or a next link")
    pages = [_page(one) for one in shown.pages]
    examples = [Mark(one.page, one.name, one.at, one.part) for one in shown.examples]
    rows = [Mark(one.page, "record", one.at, one.part) for one in shown.records]
    links = [Mark(one.page, "next", one.at, one.part) for one in shown.next]
    return Answer(induced_json(pages, examples, rows, links, shown.pages[0].url))


def _page(shown: ShownPage) -> Page:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Page(shown.url, 200, headers, shown.body.encode("utf-8", "replace"))
