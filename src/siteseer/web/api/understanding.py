"""`/api/collections/NAME/understanding`: returns what was learned about a form, and takes a person's corrections."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, Field

from siteseer.deepweb.corrections import Correction, Subject
from siteseer.web.api.auth import needs_token
from siteseer.web.api.dependencies import Answer, Opened

router = APIRouter(prefix="/collections/{name}/understanding", tags=["understanding"])


class Word(BaseModel):
    """A person's word on a field, on the relation of a column, on the instance that a record is, or on a proposal."""

    what: Subject
    name: str = Field(
        max_length=20_000, description="The field, the id of the column, or the place of the proposal, from 0."
    )
    decision: Literal["confirm", "reject", "set"]
    value: str = Field(
        default="", max_length=8_000, description="With `set`: a column, relations ` / `, or an instance."
    )


@router.get("")
def understanding(
    collection: Opened,
    limit: Annotated[int, Query(ge=0, le=10_000, description="So many records and proposals.")] = 100,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Any:
    """Tell what was understood: form, fields, columns, relations, classes, a page of records and of proposals."""
    return Answer(_page(collection.understanding().as_json(), limit, offset))


@router.post("", dependencies=[Depends(needs_token)])
def correct(collection: Opened, word: Word) -> Any:
    """Keep a person's word: it holds in all later runs. The answer is what is thought now, without records."""
    correction = Correction(word.what, word.name, word.decision, word.value)
    return Answer(_page(collection.correct(correction).as_json(), 0, 0))


def _page(found: Any, limit: int, offset: int) -> Any:
    """Return an understanding with a part of its long lists, and how long they are."""
    for name in ("records", "instances", "proposals"):
        found[f"{name}_count"] = len(found[name])
        found[name] = found[name][offset : offset + limit]
    return found
