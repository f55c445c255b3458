"""`/api/campaigns`: define campaigns, learn their vocabulary, run, stop, watch and delete them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from siteseer.campaigns import overview
from siteseer.campaigns.relevance.edit_definition import values_of
from siteseer.web.api.auth import needs_token
from siteseer.web.api.dependencies import Answer, OnShelf
from siteseer.web.service.campaign_library import Marked, as_json

router = APIRouter(prefix="/campaigns", tags=["campaigns"])
Named = Annotated[str, Path(max_length=200, description="The name of a campaign.")]
Token = Depends(needs_token)
Toml = Annotated[str, Field(max_length=500_000, description="A definition in TOML.")]
Limit = Annotated[int, Query(ge=1, le=1_000)]
Offset = Annotated[int, Query(ge=0, le=10**9)]


class Text(BaseModel):
    """A definition as a person writes it."""

    model_config = ConfigDict(extra="forbid")
    definition: Toml


class NewCampaign(Text):
    """A campaign to be made."""

    name: Annotated[str, Field(max_length=100, description="What its folder is called.")]


class Values(BaseModel):
    """Values of a definition to be changed, tables as objects; null takes a key out."""

    model_config = ConfigDict(extra="forbid")
    values: dict[Annotated[str, Field(max_length=100)], Any]


class Reference(BaseModel):
    """A reference crawl."""

    model_config = ConfigDict(extra="forbid")
    limit: Annotated[int, Field(ge=1, le=10**6, description="Its requests.")] = 200


class Word(BaseModel):
    """A person's word on a proposed term."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(max_length=200)]
    mark: Literal["accept", "reject", "?"]
    weight: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None


class Words(BaseModel):
    """A person's words."""

    model_config = ConfigDict(extra="forbid")
    terms: Annotated[list[Word], Field(max_length=10_000)]


@router.get("")
def campaigns(on: OnShelf) -> Any:
    """List the campaigns with how far they are."""
    return Answer([on.campaigns.state(name) for name in on.campaigns.names()])


@router.post("", status_code=201, dependencies=[Token])
def create(wanted: NewCampaign, on: OnShelf) -> Any:
    """Make a campaign of a definition; `run` starts it."""
    on.campaigns.create(wanted.name, wanted.definition)
    return Answer(on.campaigns.state(wanted.name), 201)


@router.post("/check", dependencies=[Token])
def check(wanted: Text, on: OnShelf) -> Any:
    """Tell everything that is wrong with a definition: `table`, `key` and `error` each."""
    return Answer({"complaints": on.campaigns.check(wanted.definition)})


@router.get("/{name}")
def state(name: Named, on: OnShelf) -> Any:
    """Tell how far a campaign is."""
    return Answer(on.campaigns.state(name))


@router.delete("/{name}", dependencies=[Token])
def delete(name: Named, on: OnShelf) -> Any:
    """Delete a campaign with everything that it has archived; one that is being worked on has to be stopped first."""
    on.campaigns.delete(name)
    return Answer({"deleted": name})


@router.get("/{name}/definition")
def definition(name: Named, on: OnShelf) -> Any:
    """Return the definition: as it is written, and its values."""
    text = on.campaigns.text(name)
    return Answer({"definition": text, "values": values_of(text)})


@router.put("/{name}/definition", dependencies=[Token])
def write(name: Named, wanted: Text, on: OnShelf) -> Any:
    """Replace the definition."""
    on.campaigns.write(name, wanted.definition)
    return Answer({"definition": wanted.definition, "values": values_of(wanted.definition)})


@router.patch("/{name}/definition", dependencies=[Token])
def revise(name: Named, wanted: Values, on: OnShelf) -> Any:
    """Change values of the definition; comments and everything else stay as they are written."""
    text = on.campaigns.revise(name, wanted.values)
    return Answer({"definition": text, "values": values_of(text)})


@router.post("/{name}/run", status_code=202, dependencies=[Token])
def run(name: Named, on: OnShelf) -> Any:
    """Run a campaign, or go on where it stopped."""
    on.campaigns.run(name)
    return Answer(on.campaigns.state(name), 202)


@router.post("/{name}/learn", status_code=202, dependencies=[Token])
def learn(name: Named, on: OnShelf, wanted: Reference | None = None) -> Any:
    """Start a reference crawl: it proposes terms and sites of the topic."""
    on.campaigns.learn(name, (wanted or Reference()).limit)
    return Answer(on.campaigns.state(name), 202)


@router.post("/{name}/stop", status_code=202, dependencies=[Token])
def stop(name: Named, on: OnShelf) -> Any:
    """End what runs when what it sent has been answered."""
    on.campaigns.stop(name)
    return Answer(on.campaigns.state(name), 202)


@router.get("/{name}/terms")
def terms(name: Named, on: OnShelf) -> Any:
    """List what the reference crawl proposed."""
    return Answer([as_json(one) for one in on.campaigns.terms(name)])


@router.patch("/{name}/terms", dependencies=[Token])
def mark(name: Named, wanted: Words, on: OnShelf) -> Any:
    """Accept or reject proposed terms, or give them other weights; what is accepted completes the definition."""
    words = [Marked(one.text, one.mark, one.weight) for one in wanted.terms]
    return Answer([as_json(one) for one in on.campaigns.mark(name, words)])


@router.get("/{name}/sites")
def sites(
    name: Named, on: OnShelf, limit: Limit = 100, offset: Offset = 0, words: Annotated[str, Query(max_length=200)] = ""
) -> Any:
    """List sites: promise, requests, pages, relevant pages, status and reason; those that promise most first."""
    found = overview.sites(on.campaigns.folder(name), limit, offset, words)
    return Answer([{**as_json(one), "promise": one.promise} for one in found])


@router.get("/{name}/workers")
def workers(name: Named, on: OnShelf) -> Any:
    """List the workers that were heard of; a campaign in one process has none."""
    return Answer([as_json(one) for one in overview.workers(on.campaigns.folder(name))])


@router.get("/{name}/curve")
def curve(name: Named, on: OnShelf) -> Any:
    """Return how many relevant pages the first so many requests brought, as pairs."""
    return Answer(overview.curve(on.campaigns.folder(name)))
