"""The RDF store of a collection on disk, queried with SPARQL. The only file that knows the RDF engine.

Each statement stands in the graph of every capture that proves it, and once in the default graph, which queries see:
over the union of the graphs the engine would count a statement as often as it was seen. One process writes at a time
and no one reads meanwhile (a lock file says so); every query runs in a process of its own that only reads, and is ended
when it takes too long or too much memory.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import pyoxigraph as ox

from siteseer.collection.database_errors import damage_sentence
from siteseer.collection.rdf.sparql import Limits, Result, Term, check, wrong_syntax
from siteseer.collection.rdf.vocabulary import PREFIXES
from siteseer.collection.whole_file import write_text
from siteseer.errors import ArchiveError, DiskFullError, SiteseerError

BULK_CHARACTERS = 200_000
"""From here on the engine's bulk loader costs less than half of single writes; below, its fixed cost is more."""
LOCK_SECONDS = 60.0
FORMATS = {"nq": ox.RdfFormat.N_QUADS, "ttl": ox.RdfFormat.TURTLE}


class RdfStore:
    """The RDF store in one directory.

    >>> import tempfile
    >>> store = RdfStore(Path(tempfile.mkdtemp()) / "rdf")
    >>> store.add('<urn:a:1> <urn:a:p> "hello" <urn:g:1> .')
    >>> store.query("SELECT ?t { ?s ?p ?t }").rows[0][0].value
    'hello'
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, nquads: str) -> None:
        """Add statements, on disk when this returns; those already there stay as they are."""
        with self._locked(fcntl.LOCK_EX), _translated(self.path):
            if not self.exists():
                shutil.rmtree(self.path, ignore_errors=True)  # none yet, or one whose default graph is empty
                self._merged.write_text("")
            engine = ox.Store(self.path)
            load = engine.bulk_load if len(nquads) > BULK_CHARACTERS else engine.load
            load(nquads, ox.RdfFormat.N_QUADS, lenient=True)
            load(_merged(nquads), ox.RdfFormat.N_TRIPLES, lenient=True)
            engine.flush()
            del load, engine  # closed before the lock is let go
            self._note_tables()

    def remove(self, graphs: Iterable[str]) -> None:
        """Remove these graphs with everything in them."""
        with self._locked(fcntl.LOCK_EX), _translated(self.path):
            engine = ox.Store(self.path)
            for graph in graphs:
                told = [quad.triple for quad in engine.quads_for_pattern(None, None, None, ox.NamedNode(graph))]
                engine.remove_graph(ox.NamedNode(graph))
                for triple in told:
                    kept = engine.quads_for_pattern(triple.subject, triple.predicate, triple.object, None)
                    if all(quad.graph_name == ox.DefaultGraph() for quad in kept):
                        engine.remove(ox.Quad(*triple))
            engine.flush()
            del engine
            self._note_tables()

    def clear(self) -> None:
        """Remove everything."""
        with self._locked(fcntl.LOCK_EX):
            self._merged.unlink(missing_ok=True)
            shutil.rmtree(self.path, ignore_errors=True)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep everybody else from reading and writing."""
        with self._locked(fcntl.LOCK_EX):
            yield

    def query(self, sparql: str, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Answer a query over all statements, each of them once, within limits of time and size."""
        check(sparql)
        self._make_sure_it_exists()
        request = json.dumps({"path": str(self.path), "sparql": sparql, "limits": asdict(limits)})
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with self._locked(fcntl.LOCK_SH):
            try:
                done = subprocess.run(
                    [sys.executable, "-P", "-m", __name__],
                    input=request.encode(),
                    capture_output=True,
                    timeout=limits.seconds,
                    env=environment,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise SiteseerError(
                    f"the query was stopped after {limits.seconds:g} s; add a LIMIT or narrow it"
                ) from None
        if done.returncode:
            raise SiteseerError("the query needed more memory than allowed and was stopped; add a LIMIT or narrow it")
        answer = json.loads(done.stdout)
        if "damaged" in answer:
            raise _unusable(self.path, answer["damaged"])
        return _result(answer, sparql)

    def export(self, form: str, out: IO[bytes]) -> None:
        """Write everything as `nq` (N-Quads) or `ttl` (Turtle), piece by piece."""
        self._make_sure_it_exists()
        with self._locked(fcntl.LOCK_SH), _translated(self.path):
            engine = ox.Store.read_only(str(self.path))
            quads: Iterable[Any] = (quad for quad in engine if quad.graph_name != ox.DefaultGraph())
            if form == "ttl":
                quads = (quad.triple for quad in engine.quads_for_pattern(None, None, None, ox.DefaultGraph()))
            ox.serialize(quads, out, FORMATS[form], prefixes=PREFIXES if form == "ttl" else None)

    def problems(self, expected: Iterable[str]) -> Iterator[str]:
        """Read everything, and yield what cannot be read and which statements of these N-Quads are not there."""
        try:
            with self._locked(fcntl.LOCK_SH):
                for name, known in self._noted_tables().items():
                    if (self.path / name).is_file() and _digest(self.path / name) != known:
                        yield f"the RDF store is damaged: {name} is not what was written"
                engine = ox.Store.read_only(str(self.path))
                for _ in engine:
                    pass
                for nquads in expected:
                    for quad in ox.parse(nquads, ox.RdfFormat.N_QUADS, lenient=True):
                        if quad not in engine:
                            yield f"a statement is missing: {str(quad)[:300]}"
                del engine
        except (OSError, RuntimeError, ValueError) as error:
            yield f"the RDF store is damaged: {' '.join(str(error).split())[:300]}"

    def _note_tables(self) -> None:
        """Write down the digests of the engine's tables: a file of them is never changed after it was written."""
        known = self._noted_tables()
        found = {}
        for path in sorted(self.path.glob("*.sst")):
            with contextlib.suppress(FileNotFoundError):  # the engine has merged it into another meanwhile
                found[path.name] = known.get(path.name) or _digest(path)
        if found != known:
            write_text(self._merged, json.dumps(found))

    def _noted_tables(self) -> dict[str, str]:
        try:
            return dict(json.loads(self._merged.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def exists(self) -> bool:
        """Say whether something was ever written here."""
        return (self.path / "CURRENT").is_file() and self._merged.exists()

    @property
    def _merged(self) -> Path:
        """The file that says that the default graph holds everything."""
        return self.path.with_suffix(".merged")

    def _make_sure_it_exists(self) -> None:
        if not self.exists():
            self.add("")

    @contextlib.contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            file = self.path.with_suffix(".lock").open("a")
        except OSError as error:
            if error.errno != errno.EROFS or how != fcntl.LOCK_SH:
                raise
            yield  # nobody can write to a disk that is read-only
            return
        with file as lock:
            for waited in itertools.count():
                try:
                    fcntl.flock(lock, how | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if waited * 0.05 > LOCK_SECONDS:
                        raise SiteseerError(
                            f"another process is using {self.path}; try again when it is done"
                        ) from None
                    time.sleep(0.05)
            yield


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _merged(nquads: str) -> str:
    """Return the statements of N-Quads without their graphs."""
    return "".join(f"{line.rsplit(' ', 2)[0]} .\n" for line in nquads.split("\n") if line)


def turtle(nquads: Iterable[str], out: IO[bytes]) -> None:
    """Write N-Quads as Turtle, forgetting the graphs, piece by piece."""
    parsed = (quad.triple for text in nquads for quad in ox.parse(text, ox.RdfFormat.N_QUADS))
    ox.serialize(parsed, out, ox.RdfFormat.TURTLE, prefixes=PREFIXES)


def graph_as_turtle(ntriples: str, most: int) -> tuple[str, bool]:
    """Return at most so many statements as Turtle, and whether there were more."""
    triples = [quad.triple for quad in itertools.islice(ox.parse(ntriples, ox.RdfFormat.N_TRIPLES), most + 1)]
    text = ox.serialize(triples[:most], format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)
    return (text or b"").decode(), len(triples) > most


@contextlib.contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turn the engine's complaints into ours."""
    try:
        yield
    except (OSError, RuntimeError, SyntaxError, ValueError) as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: object) -> SiteseerError:
    """Return the sentence about a store that the engine cannot read, or has no room to write."""
    reason = " ".join(str(error).split())[:200]
    if "No space left" in reason or "File too large" in reason:
        return DiskFullError(f"the disk is full: {path} could not be written; make room and run the command again")
    if "file descriptors" in reason:
        return ArchiveError(f"{path} cannot be opened, and is not damaged: {reason}")
    return damage_sentence(path, reason)


def _result(answer: dict[str, Any], sparql: str) -> Result:
    if "syntax" in answer:
        raise wrong_syntax(sparql, answer["syntax"])
    if "failed" in answer:
        raise SiteseerError(f"the query failed: {answer['failed']}")
    rows = tuple(tuple(Term(*term) if term else None for term in row) for row in answer.pop("rows", ()))
    return Result(rows=rows, variables=tuple(answer.pop("variables", ())), **answer)


# ── the process that answers one query ─────────────────────────────────────────────────────────────────────────────


def _answer(path: str, sparql: str, limits: Limits) -> dict[str, Any]:
    try:
        engine = ox.Store.read_only(path)
    except (OSError, RuntimeError, ValueError) as error:
        return {"damaged": str(error)}
    try:
        found = engine.query(sparql, prefixes=PREFIXES)
        if isinstance(found, ox.QueryBoolean):
            return {"kind": "ask", "truth": bool(found)}
        if isinstance(found, ox.QueryTriples):
            triples = list(itertools.islice(found, limits.rows + 1))
            text = ox.serialize(triples[: limits.rows], format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)
            return {"kind": "graph", "turtle": (text or b"").decode(), "truncated": len(triples) > limits.rows}
        return _rows(found, limits)
    except SyntaxError as error:
        return {"syntax": str(error)}
    except OSError as error:
        return {"damaged": str(error)}
    except (RuntimeError, ValueError) as error:
        return {"failed": " ".join(str(error).split())[:300]}


def _rows(found: Any, limits: Limits) -> dict[str, Any]:
    variables = [variable.value for variable in found.variables]
    rows: list[list[Any]] = []
    size = 0
    for solution in found:
        row = [_term(value) for value in solution]
        size += sum(len(term[1]) + 20 for term in row if term)
        if len(rows) == limits.rows or size > limits.result_bytes:
            return {"kind": "select", "variables": variables, "rows": rows, "truncated": True}
        rows.append(row)
    return {"kind": "select", "variables": variables, "rows": rows}


def _term(value: Any) -> tuple[str, str, str, str] | None:
    match value:
        case None:
            return None
        case ox.NamedNode():
            return "uri", value.value, "", ""
        case ox.Literal():
            plain = value.datatype.value in (PREFIXES["xsd"] + "string", PREFIXES["rdf"] + "langString")
            return "literal", value.value, "" if plain else value.datatype.value, value.language or ""
        case ox.BlankNode():
            return "bnode", value.value, "", ""
        case _:
            return "literal", str(value), "", ""


def _serve() -> None:
    request = json.load(sys.stdin)
    limits = Limits(**request["limits"])
    resource.setrlimit(resource.RLIMIT_DATA, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds = int(limits.seconds) + 2  # should nobody be left to stop it
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    json.dump(_answer(request["path"], request["sparql"], limits), sys.stdout)


if __name__ == "__main__":
    _serve()
