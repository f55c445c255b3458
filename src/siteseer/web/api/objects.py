"""`/api/collections/NAME/objects`: posts, comments, articles; listed, searched, downloaded."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import StreamingResponse

from siteseer.describe.exports import lines, rows, write
from siteseer.describe.search import Filter, Order
from siteseer.model import ObjectKind
from siteseer.present.api.collections import Limit, Offset
from siteseer.present.api.shelf import Answer, Opened
from siteseer.present.service.collection import Collection
from siteseer.present.tables import parquet

router = APIRouter(prefix="/collections/{name}", tags=["objects"])
Text = Annotated[str | None, Query(max_length=1_000)]
Id = Annotated[str, Query(alias="id", max_length=8_000)]
Form = Literal["json", "jsonl", "csv", "ttl", "nq", "parquet"]
TYPES = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "ttl": "text/turtle; charset=utf-8",
    "nq": "application/n-quads",
    "parquet": "application/vnd.apache.parquet",
}


def wanted(
    kind: ObjectKind | None = None,
    author: Text = None,
    since: Text = None,
    until: Text = None,
    text: Text = None,
    site: Text = None,
    thread: Annotated[str | None, Query(max_length=8_000)] = None,
    order: Order | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Filter:
    """Return the filter that a request describes."""
    return Filter(kind, author, since, until, text, site, thread, (), order, limit, offset)


Wanted = Annotated[Filter, Depends(wanted)]


@router.get("/objects")
def objects(collection: Opened, wanted: Wanted) -> Any:
    """List the objects that pass the filter, with how many there are in all."""
    return Answer({"count": collection.count(wanted), "objects": collection.objects(wanted)})


@router.get("/export", response_class=Response)
def export(collection: Opened, wanted: Wanted, form: Annotated[Form, Query(alias="format")] = "jsonl") -> Response:
    """Download the objects that pass the filter; `limit=0` means all of them."""
    chosen = replace(wanted, limit=wanted.limit or None)
    name = f"attachment; filename=objects.{form}"
    if form in ("json", "jsonl", "csv"):
        collection.count(chosen)  # a wrong filter is told before the first byte is sent
        found = collection.stream(chosen)
        body = rows(found) if form == "csv" else lines(found)
        kind = TYPES["csv" if form == "csv" else "jsonl"]
        return StreamingResponse(_encoded(body), media_type=kind, headers={"content-disposition": name})
    content = parquet(collection.stream(chosen)) if form == "parquet" else _statements(collection, chosen, form)
    return Response(content, media_type=TYPES[form], headers={"content-disposition": name})


@router.get("/kinds")
def kinds(collection: Opened) -> dict[str, int]:
    """Tell how many objects of each kind there are."""
    return collection.kinds()


@router.get("/object")
def one(collection: Opened, identity: Id) -> Any:
    """Return one object by its id."""
    return Answer(collection.object(identity))


@router.get("/thread")
def thread(collection: Opened, identity: Id) -> Any:
    """Return what belongs together with an object: a post and its comments, the whole thread."""
    return Answer(collection.thread(identity))


@router.get("/search")
def search(
    collection: Opened, words: Annotated[str, Query(max_length=1_000)], limit: Limit = 50, offset: Offset = 0
) -> Any:
    """Return the objects in which the words stand, the best first."""
    return Answer(collection.search(words, limit, offset))


def _encoded(parts: Iterator[str]) -> Iterator[bytes]:
    return (part.encode("utf-8", "replace") for part in parts)


def _statements(collection: Collection, chosen: Filter, form: str) -> bytes:
    out, description = io.BytesIO(), collection.description()
    if description is not None:
        write(description, chosen, form, out)
    return out.getvalue()
