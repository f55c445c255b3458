"""`/api/campaigns/NAME/analyse`, `report`, `changes`, `proposal`, `select`, `selection`: results of a campaign."""

from __future__ import annotations

import mimetypes
from pathlib import Path as File
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from siteseer.campaigns.selection import proposal_marks as marks
from siteseer.campaigns.selection.proposal_marks import ProposalFilter
from siteseer.web.api.auth import needs_token
from siteseer.web.api.campaigns import Limit, Named, Offset
from siteseer.web.api.dependencies import Answer, OnShelf
from siteseer.web.service import campaign_results as offline

router = APIRouter(prefix="/campaigns/{name}", tags=["campaigns"])
Token = Depends(needs_token)
Degree = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Mark = Literal["accept", "reject", "?"]
Words = Annotated[str, Field(max_length=200)]
Address = Annotated[str, Field(max_length=4_000)]


class Analysis(BaseModel):
    """What is read, and what it is compared with."""

    model_config = ConfigDict(extra="forbid")
    again: Annotated[bool, Field(description="Learn names and topics anew, and read everything.")] = False
    before: Annotated[str, Field(max_length=200, description="An earlier campaign, to tell what changed.")] = ""


class Marked(BaseModel):
    """A person's word on a site, by its host, or on a page, by its URL."""

    model_config = ConfigDict(extra="forbid")
    address: Address
    mark: Mark


class Marks(BaseModel):
    """A person's words."""

    model_config = ConfigDict(extra="forbid")
    marks: Annotated[list[Marked], Field(max_length=10_000)]


class MarkFound(BaseModel):
    """One word on everything that a search finds."""

    model_config = ConfigDict(extra="forbid")
    mark: Mark
    kind: Literal["site", "page", ""] = "page"
    site: Words = ""
    words: Words = ""
    having: Annotated[Literal["accept", "reject", "?", ""], Field(description="Only what counts as this now.")] = ""


class Selection(BaseModel):
    """What enters besides what was accepted."""

    model_config = ConfigDict(extra="forbid")
    threshold: Annotated[Degree | None, Field(description="Open pages enter from this degree on.")] = None


@router.post("/analyse", status_code=202, dependencies=[Token])
def analyse(name: Named, on: OnShelf, wanted: Analysis | None = None) -> Any:
    """Read what was gathered; then write report and proposal. Marks of an earlier proposal are kept."""
    asked = wanted or Analysis()
    on.campaigns.analyse(name, asked.again, asked.before)
    return Answer(on.campaigns.state(name), 202)


@router.get("/report")
def report(name: Named, on: OnShelf) -> Any:
    """Return the figures of the report, and the names of its files."""
    return Answer(offline.report(on.campaigns.folder(name)))


@router.get("/report/{file}", response_class=FileResponse)
def report_file(name: Named, file: Annotated[str, Path(max_length=200)], on: OnShelf) -> Any:
    """Return a file of the report, to be saved: the page, a table, a picture."""
    return _saved(offline.report_file(on.campaigns.folder(name), file), file)


@router.get("/changes")
def changes(
    name: Named,
    on: OnShelf,
    change: Literal["new", "gone", "changed", "edited", ""] = "",
    kind: Literal["page", "object", ""] = "",
    words: Annotated[str, Query(max_length=200)] = "",
    limit: Limit = 100,
    offset: Offset = 0,
) -> Any:
    """List pages and objects that are new, gone or changed between crawls."""
    count, found = offline.changes(on.campaigns.folder(name), offline.Changes(change, kind, words), limit, offset)
    return Answer({"count": count, "changes": found})


@router.get("/proposal")
def proposal(
    name: Named,
    on: OnShelf,
    kind: Literal["site", "page", ""] = "",
    site: Annotated[str, Query(max_length=200, description="Pages of this site only.")] = "",
    words: Annotated[str, Query(max_length=200)] = "",
    mark: Annotated[Literal["accept", "reject", "?", ""], Query(description="As it counts.")] = "",
    limit: Limit = 100,
    offset: Offset = 0,
) -> Any:
    """List the sites and pages that are proposed, with degree, reasons and marks: the best sites first, then pages."""
    count, found = offline.proposal(on.campaigns.folder(name), ProposalFilter(kind, site, words, mark), limit, offset)
    return Answer({"count": count, "proposed": found})


@router.patch("/proposal", dependencies=[Token])
def mark(name: Named, wanted: Marks, on: OnShelf) -> Any:
    """Accept or reject sites and pages, or leave them open again; a mark on a site counts for its pages without one."""
    file = offline.proposal_file(on.campaigns.folder(name))
    return Answer({"changed": marks.mark_lines(file, {one.address: one.mark for one in wanted.marks})})


@router.post("/proposal/mark", dependencies=[Token])
def mark_found(name: Named, wanted: MarkFound, on: OnShelf) -> Any:
    """Accept, reject or leave open everything that a search finds."""
    file = offline.proposal_file(on.campaigns.folder(name))
    sought = ProposalFilter(wanted.kind, wanted.site, wanted.words, wanted.having)
    return Answer({"changed": marks.mark_found(file, sought, wanted.mark)})


@router.get("/proposal/file", response_class=FileResponse)
def proposal_file(name: Named, on: OnShelf) -> Any:
    """Return the proposal as the file that the command line reads."""
    return _saved(offline.proposal_file(on.campaigns.folder(name)), "proposal.tsv")


@router.get("/proposal/tally")
def tally(
    name: Named, on: OnShelf, threshold: Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False)] = None
) -> Any:
    """Tell how many pages and bytes enter the archive; without a threshold only what was accepted."""
    return Answer(offline.tally(on.campaigns.folder(name)).at(threshold))


@router.post("/select", status_code=202, dependencies=[Token])
def select(name: Named, on: OnShelf, wanted: Selection | None = None) -> Any:
    """Make the WACZ of the selection."""
    on.campaigns.select(name, (wanted or Selection()).threshold)
    return Answer(on.campaigns.state(name), 202)


@router.get("/selection")
def selection(name: Named, on: OnShelf) -> Any:
    """Tell what the WACZ of the selection holds, and whether marks were changed since."""
    return Answer(offline.selection(on.campaigns.folder(name)))


@router.get("/selection/file", response_class=FileResponse)
def selection_file(name: Named, on: OnShelf) -> Any:
    """Return the WACZ of the selection."""
    return _saved(offline.selection_file(on.campaigns.folder(name)), f"{name}.wacz")


def _saved(path: File, name: str) -> FileResponse:
    """Return a file that a browser saves and never shows: what stands in it comes from pages."""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return FileResponse(path, filename=name, media_type=kind, content_disposition_type="attachment")
