"""Keeps a collection's statements in a shared SPARQL endpoint, and queries them there.

The same methods as the embedded store, over the SPARQL 1.1 Protocol. A collection has one named graph, and queries see
only that. Statements are inserted in batches; inserting them again changes nothing, so a batch whose answer was lost is
simply sent again. User and password, or a token, come from the environment.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator
from http.client import HTTPException, HTTPMessage
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from siteseer.collection.rdf.rdf_store import graph_as_turtle
from siteseer.collection.rdf.sparql import Limits, Result, Row, Term, check, form_of
from siteseer.collection.rdf.vocabulary import PREFIXES
from siteseer.collection.stores.store_config import Stores
from siteseer.errors import SiteseerError, StoreError, UsageError
from siteseer.version import __version__

BATCH_STATEMENTS = 2_000
"""Of one update: servers that compile updates give up at 10,000 lines."""
BATCH_BYTES = 2**20
UPDATE_SECONDS = 120.0
LONGEST_COMPLAINT = 200
ACCEPT = {
    "select": "application/sparql-results+json",
    "ask": "application/sparql-results+json",
    "graph": "application/n-triples",
}
USER, PASSWORD, TOKEN = "SITESEER_SPARQL_USER", "SITESEER_SPARQL_PASSWORD", "SITESEER_SPARQL_TOKEN"
_ESCAPE = re.compile(r"\\(.)([uU]?)", re.DOTALL)
_KINDS = {"uri": "uri", "literal": "literal", "typed-literal": "literal", "bnode": "bnode"}


class _NotAccepted(StoreError):
    """The endpoint says that what it was sent is no SPARQL."""


class SparqlEndpointStore:
    """The named graph of one collection in a SPARQL 1.1 endpoint."""

    def __init__(self, stores: Stores) -> None:
        self.stores, self.graph = stores, stores.graph

    def add(self, nquads: str) -> None:
        """Add statements, whatever their graph, to the collection's own; those already there stay as they are."""
        for batch in _batches(statements(nquads)):
            self._update(f"INSERT DATA {{ GRAPH <{self.graph}> {{\n{batch}}} }}")

    def clear(self) -> None:
        """Remove everything of this collection."""
        self._update(f"DROP SILENT GRAPH <{self.graph}>")

    def exists(self) -> bool:
        """Say whether the endpoint has statements of this collection."""
        return self._answer("ASK { ?s ?p ?o }", Limits()).truth

    def query(self, sparql: str, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Answer a query over the collection's graph, within limits of time and size."""
        check(sparql)
        try:
            return self._answer(sparql, limits)
        except _NotAccepted as error:
            raise UsageError(str(error)) from error

    def _answer(self, sparql: str, limits: Limits) -> Result:
        kind = form_of(sparql)
        prologue = " ".join(f"PREFIX {name}: <{url}>" for name, url in PREFIXES.items())
        asked = {"query": f"{prologue} {sparql}", "default-graph-uri": self.graph, "named-graph-uri": self.graph}
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": ACCEPT[kind]}
        body = self._ask(self.stores.objects, urlencode(asked).encode(), headers, limits.seconds, limits.result_bytes)
        if kind == "graph":
            return self._graph(body, limits.rows)
        return _read(self._json(body), kind, limits, self.place)

    @property
    def place(self) -> str:
        """The endpoint's host, as it may be printed."""
        return f"the SPARQL endpoint at {urlsplit(self.stores.objects).netloc.rpartition('@')[2]}"

    def _update(self, update: str) -> None:
        headers = {"Content-Type": "application/sparql-update; charset=utf-8", "Accept": "*/*"}
        self._ask(self.stores.objects_update, update.encode(), headers, UPDATE_SECONDS, BATCH_BYTES)

    def _ask(self, url: str, body: bytes, headers: dict[str, str], seconds: float, most: int) -> bytes:
        fixed = {"User-Agent": f"siteseer/{__version__}", **_credentials()}
        try:
            with _OPENER.open(Request(url, body, {**headers, **fixed}, method="POST"), timeout=seconds) as answer:
                found: bytes = answer.read(most + 1)
        except HTTPError as error:
            with error:
                said = error.read(LONGEST_COMPLAINT).decode(errors="replace")
            raise self._refused(error.code, said) from error
        except TimeoutError as error:
            raise StoreError(f"{self.place} did not answer within {seconds:g} s; try again") from error
        except (OSError, HTTPException, ValueError) as error:
            raise StoreError(f"{self.place} cannot be reached; try again later") from error
        if len(found) > most:
            raise SiteseerError(f"the answer of {self.place} is longer than {most:,} bytes; add a LIMIT or narrow it")
        return found

    def _refused(self, status: int, said: str) -> StoreError:
        if status == 400:
            return _NotAccepted(f"{self.place} does not accept this SPARQL: {' '.join(said.split())}")
        if status in (401, 403):
            return StoreError(f"{self.place} refuses these credentials ({status}); see {USER}, {PASSWORD}, {TOKEN}")
        if status in (301, 302, 303, 307, 308):
            return StoreError(f"{self.place} sends elsewhere ({status}); name the address it sends to")
        return StoreError(f"{self.place} answered {status}; check its addresses for queries and for updates")

    def _graph(self, body: bytes, most: int) -> Result:
        try:
            text, truncated = graph_as_turtle(body.decode(), most)
        except (SyntaxError, ValueError) as error:
            raise StoreError(f"{self.place} does not answer with N-Triples") from error
        return Result("graph", turtle=text, truncated=truncated)

    def _json(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise StoreError(f"{self.place} does not answer with SPARQL results in JSON") from error


def statements(nquads: str) -> Iterator[str]:
    r"""Return the statements of N-Quads without their graphs, as SPARQL may hold them.

    SPARQL resolves \u escapes before it looks for quotation marks, also behind an escaped backslash: there the letter
    itself is escaped, so that no text can end its own quotation marks.

    >>> print(*statements('<urn:a> <urn:b> "c:\\\\u0022" <urn:g> .'))
    <urn:a> <urn:b> "c:\\\U000000750022"
    """
    for line in nquads.split("\n"):
        if line:
            yield _ESCAPE.sub(_escaped, line.rsplit(" ", 2)[0])


def _escaped(match: re.Match[str]) -> str:
    """Eight digits always: some read four as eight where more hexadecimal digits follow."""
    if match[1] == "u":
        return f"\\U0000{match[2]}"
    return match[0] if match[1] != "\\" or not match[2] else f"\\\\\\U{ord(match[2]):08X}"


def _batches(found: Iterable[str]) -> Iterator[str]:
    batch: list[str] = []
    size = 0
    for statement in dict.fromkeys(found):
        if batch and (len(batch) == BATCH_STATEMENTS or size + len(statement) > BATCH_BYTES):
            yield "".join(batch)
            batch, size = [], 0
        batch.append(f"{statement} .\n")
        size += len(statement)
    if batch:
        yield "".join(batch)


def _credentials() -> dict[str, str]:
    if token := os.environ.get(TOKEN):
        return {"Authorization": f"Bearer {token}"}
    if user := os.environ.get(USER):
        pair = f"{user}:{os.environ.get(PASSWORD, '')}".encode()
        return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
    return {}


def _read(found: Any, kind: str, limits: Limits, place: str) -> Result:
    try:
        if kind == "ask":
            return Result("ask", truth=found["boolean"] is True)
        names = tuple(map(str, found["head"]["vars"]))
        bindings = found["results"]["bindings"]
        rows = tuple(_row(names, binding) for binding in bindings[: limits.rows])
    except (KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{place} does not answer with SPARQL results in JSON") from error
    return Result("select", names, rows, truncated=len(bindings) > limits.rows)


def _row(names: tuple[str, ...], binding: dict[str, Any]) -> Row:
    return tuple(_term(binding[name]) if name in binding else None for name in names)


def _term(found: dict[str, Any]) -> Term:
    datatype = str(found.get("datatype", ""))
    plain = datatype in (PREFIXES["xsd"] + "string", PREFIXES["rdf"] + "langString")
    kind: Any = _KINDS.get(found["type"], "literal")
    return Term(kind, str(found["value"]), "" if plain else datatype, str(found.get("xml:lang", "")))


class _NoRedirect(HTTPRedirectHandler):
    """Credentials go to the address that the user named, and nowhere else."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


_OPENER = build_opener(_NoRedirect)
