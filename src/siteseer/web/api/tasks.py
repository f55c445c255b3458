"""`/api/compare`, `/api/collections/NAME/audit` and `/api/tasks`: run work that takes longer than a request may."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, Field

from siteseer.measure.certificate.audit import audit as certify
from siteseer.measure.compare import compare_collections
from siteseer.web.api.auth import needs_token
from siteseer.web.api.dependencies import Answer, Name, OnShelf, Opened

router = APIRouter(tags=["tasks"])
Token = Depends(needs_token)


class Comparison(BaseModel):
    """Collections to be compared, the reference first."""

    collections: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=2, max_length=20)]


class Audit(BaseModel):
    """How many skipped URLs are looked at, and whether rules that lost content are lifted."""

    sample: Annotated[int, Field(ge=1, le=10_000)] = 100
    fix: bool = False


@router.post("/compare", status_code=202, dependencies=[Token])
def compare(wanted: Comparison, on: OnShelf) -> Any:
    """Compare collections of the library; the answer names the task whose result is the comparison."""
    paths = [on.library.open(name).path for name in wanted.collections]
    task = on.tasks.start("compare", lambda tell: compare_collections(paths, tell=tell).as_json())
    return Answer(task.as_json(), 202)


@router.post("/collections/{name}/audit", status_code=202, dependencies=[Token])
def audit(name: Name, collection: Opened, wanted: Audit, on: OnShelf) -> Any:
    """Estimate what the skipped URLs would have brought; the answer names the task."""
    path = collection.path
    task = on.tasks.start("audit", lambda tell: certify(path, wanted.sample, wanted.fix, tell=tell))
    return Answer(task.as_json(), 202)


@router.get("/tasks")
def tasks(on: OnShelf) -> Any:
    """List what runs and what was done lately."""
    return Answer([{"id": one.id, "kind": one.kind, "phase": one.phase} for one in on.tasks.all()])


@router.get("/tasks/{task}")
def task(task: Annotated[str, Path(max_length=60)], on: OnShelf) -> Any:
    """Tell how far a task is, and its result."""
    return Answer(on.tasks.get(task).as_json())
