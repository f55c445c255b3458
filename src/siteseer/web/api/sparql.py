"""`/api/collections/NAME/sparql`: the SPARQL 1.1 protocol, read only, within limits of time and size."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape, quoteattr

from fastapi import APIRouter, HTTPException, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from siteseer.collection.description import Answer
from siteseer.collection.objects.object_formats import csv_line
from siteseer.collection.rdf.sparql import Result, Term
from siteseer.errors import UsageError
from siteseer.verbs.opened_collection import Collection
from siteseer.web.api.dependencies import Opened

router = APIRouter(prefix="/collections/{name}/sparql", tags=["sparql"])
JSON_RESULTS = "application/sparql-results+json"
XML_RESULTS = "application/sparql-results+xml"
CSV = "text/csv"
TURTLE = "text/turtle"
FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"
UNREAD = ("default-graph-uri", "named-graph-uri", "using-graph-uri", "using-named-graph-uri")
MOST_ACCEPT = 2_000
_FIELDS = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
BODY = {
    "requestBody": {"required": True, "content": {FORM: {"schema": _FIELDS}, QUERY: {"schema": {"type": "string"}}}}
}


@router.get("", response_class=Response)
def ask(collection: Opened, request: Request, query: Annotated[str, Query(max_length=100_000)] = "") -> Response:
    """Answer a query; JSON, XML or CSV by the Accept header, Turtle for CONSTRUCT and DESCRIBE."""
    return _answered(collection, query, request)


@router.post("", response_class=Response, openapi_extra=BODY)
async def ask_by_post(collection: Opened, request: Request) -> Response:
    """Answer a query that is sent as a form, or as `application/sparql-query`."""
    body = (await request.body()).decode("utf-8", "replace")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == FORM:
        fields = parse_qs(body, max_num_fields=100)
        if "update" in fields:
            raise UsageError("updates are refused: this endpoint only reads")
        query = next(iter(fields.get("query", ())), "")
    elif kind == QUERY:
        query = body
    else:
        raise HTTPException(415, f"send the query as {QUERY} or {FORM}")
    return await run_in_threadpool(_answered, collection, query, request)


def _answered(collection: Collection, query: str, request: Request) -> Response:
    if not query.strip():
        raise UsageError("there is no query: give it as `query`")
    if any(name in request.query_params for name in UNREAD):
        raise UsageError("a query reads the whole collection; graphs are chosen with GRAPH inside the query")
    answer = collection.query(query)
    kind, body = _written(answer, request.headers.get("accept", ""))
    headers = {"x-siteseer-truncated": "true"} if answer.result.truncated else {}
    return Response(body.encode("utf-8", "replace"), media_type=kind, headers=headers)


def _written(answer: Answer, accept: str) -> tuple[str, str]:
    result = answer.result
    if result.kind == "graph":
        return TURTLE, result.turtle
    kind = preferred(accept, [CSV] if result.kind == "select" else [])
    if kind == CSV:
        return CSV, _csv(result)
    if kind == XML_RESULTS:
        return XML_RESULTS, _xml(result)
    return JSON_RESULTS, json.dumps(_json(answer), ensure_ascii=False)


def preferred(accept: str, further: list[str]) -> str:
    """Return which form of results an Accept header likes best: JSON where it has no wish.

    >>> preferred("text/csv;q=0.3, application/xml", ["text/csv"]), preferred("text/html, */*;q=0.1", [])
    ('application/sparql-results+xml', 'application/sparql-results+json')
    """
    known = {JSON_RESULTS: JSON_RESULTS, "application/json": JSON_RESULTS, XML_RESULTS: XML_RESULTS}
    known |= {"application/xml": XML_RESULTS, "text/xml": XML_RESULTS, **{kind: kind for kind in further}}
    liked = [(weight, kind) for kind, weight in _weights(accept[:MOST_ACCEPT]) if kind in known and weight > 0]
    return known[max(liked, key=lambda pair: pair[0])[1]] if liked else JSON_RESULTS


def _weights(accept: str) -> Iterator[tuple[str, float]]:
    for part in accept.split(","):
        kind, _, rest = part.partition(";")
        found = re.search(r"q=([01](?:\.[0-9]{0,3})?)", rest[:100])
        yield kind.strip().lower(), float(found[1]) if found else 1.0


def _json(answer: Answer) -> Any:
    """Return the SPARQL 1.1 JSON results; beside each row, as an extension, the capture of what it is about."""
    result = answer.result
    if result.kind == "ask":
        return {"head": {}, "boolean": result.truth}
    rows = [
        {name: term.as_json() for name, term in zip(result.variables, row, strict=True) if term} for row in result.rows
    ]
    captures = [answer.capture_of(row) for row in result.rows]
    return {"head": {"vars": list(result.variables)}, "results": {"bindings": rows}, "captures": captures}


def _csv(result: Result) -> str:
    lines = (csv_line(term.value if term else None for term in row) for row in result.rows)
    return csv_line(result.variables) + "".join(lines)


def _xml(result: Result) -> str:
    head = "".join(f"<variable name={quoteattr(name)}/>" for name in result.variables)
    if result.kind == "ask":
        body = f"<boolean>{str(result.truth).lower()}</boolean>"
    else:
        rows = "".join(f"<result>{_bindings(result, row)}</result>" for row in result.rows)
        body = f"<results>{rows}</results>"
    space = 'xmlns="http://www.w3.org/2005/sparql-results#"'
    return f'<?xml version="1.0"?><sparql {space}><head>{head}</head>{body}</sparql>'


def _bindings(result: Result, row: tuple[Term | None, ...]) -> str:
    return "".join(
        f"<binding name={quoteattr(name)}>{_term(term)}</binding>"
        for name, term in zip(result.variables, row, strict=True)
        if term
    )


def _term(term: Term) -> str:
    if term.kind != "literal":
        return f"<{term.kind}>{escape(term.value)}</{term.kind}>"
    said = f" xml:lang={quoteattr(term.language)}" if term.language else ""
    said += f" datatype={quoteattr(term.datatype)}" if term.datatype else ""
    return f"<literal{said}>{escape(term.value)}</literal>"
