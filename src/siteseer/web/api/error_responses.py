"""The error responses of the service, as its OpenAPI document describes them."""

from __future__ import annotations

import re
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field


class ErrorBody(BaseModel):
    """What is wrong, in one sentence."""

    error: str = Field(description="One sentence for people.")


SAID = {
    400: "What was sent cannot be read.",
    401: "The token is missing or wrong.",
    403: "A page of another site may not call this service.",
    404: "There is no such thing here.",
    405: "This address is not called so; `Allow` says how.",
    409: "An archive is damaged or in use, or a crawl is in a state in which this cannot be done.",
    413: "The body is too large.",
    415: "The body is of a kind that this call does not take.",
    421: "The service answers under its own name only.",
    422: "What was sent is not of the shape that this document tells, or cannot be done: the sentence says why.",
    424: "A page that is needed could not be had.",
    507: "The disk is full.",
}
COMPLAINTS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody, "description": text} for status, text in SAID.items()
}
"""For every call of the service."""
PARAMETER = re.compile(r"\{[^}]{1,100}\}")
LONGEST = 2_000
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY")


async def nowhere(request: Request) -> JSONResponse:
    """Answer a call that no other part answers: a wrong method, or a wrong address."""
    calls: dict[str, dict[str, Any]] = request.app.openapi()["paths"]
    known = [methods for path, methods in calls.items() if _is_at(path, request.url.path)]
    allowed = ", ".join(sorted({method.upper() for methods in known for method in methods}))
    if allowed:
        return JSONResponse({"error": f"this is called with {allowed}"}, 405, {"Allow": allowed})
    return JSONResponse({"error": "there is no such call; /api/openapi.json lists them"}, 404)


def _is_at(template: str, path: str) -> bool:
    """Say whether a path is of this form.

    >>> _is_at("/api/jobs/{job}/runs", "/api/jobs/books/runs"), _is_at("/api/jobs/{job}", "/api/jobs/books/runs")
    (True, False)
    """
    return len(path) < LONGEST and re.fullmatch(PARAMETER.sub("[^/]+", template), path) is not None
