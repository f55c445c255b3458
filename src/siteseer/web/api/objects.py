"""`/api/collections/NAME/objects`: lists, searches and downloads posts, comments and articles."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import StreamingResponse

from siteseer.collection.objects.object_search import Filter, Order
from siteseer.model import ObjectKind
from siteseer.plugins import object_format, object_formats
from siteseer.web.api.collections import Limit, Offset
from siteseer.web.api.dependencies import Answer, Opened

router = APIRouter(prefix="/collections/{name}", tags=["objects"])
Text = Annotated[str | None, Query(max_length=1_000)]
Id = Annotated[str, Query(alias="id", max_length=8_000)]
Form = Annotated[str, Query(alias="format", max_length=60, description=", ".join(object_formats()))]


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
def export(collection: Opened, wanted: Wanted, form: Form = "jsonl") -> Response:
    """Download the objects that pass the filter; `limit=0` means all of them."""
    chosen = replace(wanted, limit=wanted.limit or None)
    collection.count(chosen)  # a wrong filter is told before the first byte is sent
    headers = {"content-disposition": f"attachment; filename=objects.{form}"}
    form = "jsonl" if form == "json" else form
    pieces = collection.file(chosen, form)
    return StreamingResponse(pieces, media_type=object_format(form).media_type, headers=headers)


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
