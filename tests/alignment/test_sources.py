"""Facts from files and endpoints, and what hostile ones are answered with."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox
import pytest

from siteseer.alignment import Fact
from siteseer.collection.rdf.rdf_reader import read_facts
from siteseer.errors import FetchError, NotFoundError, SiteseerError, UnreachableError, UsageError
from siteseer.fetch.sparql_client import PAGE, endpoint_facts

RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"'
WANTED = {
    Fact("http://e/b", "http://e/title", "Émma", True),
    Fact("http://e/b", "http://e/by", "http://e/w", False),
    Fact("http://e/w", "http://e/name", "Jane Austen", True),
}
TURTLE = '@prefix e: <http://e/> . e:b e:title "Émma"@fr ; e:by e:w . e:w e:name "Jane Austen" .'
TRIPLES = """<http://e/b> <http://e/title> "\\u00C9mma" .
<http://e/b> <http://e/by> <http://e/w> .
<http://e/w> <http://e/name> "Jane Austen"^^<http://www.w3.org/2001/XMLSchema#string> .
"""
XML = f"""<rdf:RDF {RDF}><rdf:Description rdf:about="http://e/b"><e:title>Émma</e:title><e:by>
<rdf:Description rdf:about="http://e/w" e:name="Jane Austen"/></e:by></rdf:Description></rdf:RDF>"""
TABLE = """<http://e/b>\thttp://e/title\tÉmma
# a note

http://e/b\thttp://e/by\thttp://e/w\t.
http://e/w\thttp://e/name\t"Jane Austen"@en\r
"""


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.ttl", TURTLE),
        ("a.nt", TRIPLES),
        ("a.nq", TRIPLES),
        ("a.rdf", XML),
        ("A.OWL", '<?xml version="1.0" encoding="utf-8"?>' + XML),
        ("a.xml", ("<?xml version='1.0' encoding='windows-1252'?>" + XML).encode("cp1252")),
        ("b.xml", ('<?xml version="1.0" encoding="UTF-16"?>' + XML).encode("utf-16")),
        ("a.tsv", TABLE),
        ("b.tsv", b"\xef\xbb\xbf" + TABLE.encode()),
    ],
)
def test_every_format_says_the_same(tmp_path: Path, name: str, content: str | bytes) -> None:
    assert set(read_facts(written(tmp_path, name, content))) == WANTED


def test_entities_that_do_not_grow_are_resolved(tmp_path: Path) -> None:
    text = f'<!DOCTYPE r [<!ENTITY e "http://e/">]><rdf:RDF {RDF}><rdf:Description rdf:about="&e;b" e:p="x"/></rdf:RDF>'
    assert [fact.subject for fact in read_facts(written(tmp_path, "a.owl", text))] == ["http://e/b"]


def bomb() -> str:
    entities = "".join(f'<!ENTITY {chr(98 + k)} "{f"&{chr(97 + k)};" * 10}">' for k in range(9))
    return (
        f'<!DOCTYPE r [<!ENTITY a "lol">{entities}]><rdf:RDF {RDF}><rdf:Description rdf:about="http://e/a">'
        "<e:p>&j;</e:p></rdf:Description></rdf:RDF>"
    )


HOSTILE: list[tuple[str, str, Callable[[], str | bytes]]] = [
    ("a bomb of entities", "a.rdf", bomb),
    ("very deep XML", "a.rdf", lambda: f"<rdf:RDF {RDF}>" + "<rdf:Description><e:p>" * 20_000),
    (
        "a file from elsewhere",
        "a.rdf",
        lambda: (
            f'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><rdf:RDF {RDF}>'
            '<rdf:Description rdf:about="http://e/a"><e:p>&x;</e:p></rdf:Description></rdf:RDF>'
        ),
    ),
    ("XML cut off", "a.rdf", lambda: XML[:-40]),
    ("no XML at all", "a.owl", lambda: b"\x00\x01\x02"),
    ("an unknown encoding", "a.xml", lambda: '<?xml version="1.0" encoding="klingon"?>' + XML),
    ("a literal without end", "a.nt", lambda: '<http://e/a> <http://e/b> "' + "x" * 17_000_000),
    ("broken UTF-8", "a.nt", lambda: b'<http://e/a> <http://e/b> "\xff\xfe" .\n'),
    ("broken Turtle", "a.ttl", lambda: "@prefix e: <http://e/> . e:a e:b"),
    ("broken UTF-8 in a table", "a.tsv", lambda: b"a\tb\t\xff\xff\n"),
    ("two columns", "a.tsv", lambda: "a\tb\tc\na\tb\n"),
    ("a line without end", "a.tsv", lambda: b"a\tb\t" + b"x" * (16 * 2**20 + 1)),
]


@pytest.mark.parametrize(("name", "content"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_hostile_files_are_answered_in_one_sentence(
    tmp_path: Path, name: str, content: Callable[[], str | bytes]
) -> None:
    path = written(tmp_path, name, content())
    with pytest.raises(SiteseerError) as told:
        list(read_facts(path))
    assert str(path) in str(told.value) and "\n" not in str(told.value) and len(str(told.value)) < 500
    assert told.value.exit_code == 1


def test_a_file_is_named_by_its_ending(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ending"):
        list(read_facts(written(tmp_path, "a.doc", "")))
    with pytest.raises(NotFoundError, match="no file"):
        list(read_facts(tmp_path / "none.nt"))


class Endpoint(BaseHTTPRequestHandler):
    """A SPARQL 1.1 endpoint over a real RDF engine; `answer` replaces what it says."""

    store = ox.Store()
    asked: list[str] = []  # noqa: RUF012
    most: int | None = None
    """Rows that it gives at once."""
    answer: tuple[int, bytes, dict[str, str]] | None = None

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)["query"][0]
        self.asked.append(query)
        if self.most is not None:
            query = query.replace(f"LIMIT {PAGE}", f"LIMIT {self.most}")
        status, body, headers = self.answer or (200, None, {})
        if body is None:
            found = self.store.query(query)
            assert isinstance(found, ox.QuerySolutions)
            body = found.serialize(format=ox.QueryResultsFormat.JSON) or b""
            headers = {"Content-Type": "application/sparql-results+json"}
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Endpoint.asked.clear()
    Endpoint.answer = Endpoint.most = None
    Endpoint.store.clear()
    yield f"http://127.0.0.1:{server.server_port}/sparql"
    server.shutdown()
    server.server_close()


def test_an_endpoint_is_asked_page_by_page(endpoint: str) -> None:
    Endpoint.store.load(TRIPLES.encode(), ox.RdfFormat.N_TRIPLES)
    assert set(endpoint_facts(endpoint, page=2)) == WANTED
    assert len(Endpoint.asked) == 3


def test_an_endpoint_that_gives_less_at_once_than_asked_for(endpoint: str) -> None:
    Endpoint.store.load(TRIPLES.encode(), ox.RdfFormat.N_TRIPLES)
    Endpoint.most = 1
    assert set(endpoint_facts(endpoint)) == WANTED


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ((404, b"no", {}), FetchError),
        ((503, b"later", {}), UnreachableError),
        ((200, b"<html>hello</html>", {}), FetchError),
        ((200, b'{"results": {"bindings": 3}}', {}), FetchError),
        ((200, b"[" * 100_000, {}), FetchError),
        ((200, gzip.compress(b" " * 80_000_000), {"Content-Encoding": "gzip"}), FetchError),
        ((302, b"", {"Location": "/sparql?query=x"}), FetchError),
    ],
    ids=["missing", "overloaded", "a page", "no rows", "nested", "a bomb", "a circle"],
)
def test_an_endpoint_that_is_none(
    endpoint: str, answer: tuple[int, bytes, dict[str, str]], kind: type[FetchError]
) -> None:
    Endpoint.answer = answer
    with pytest.raises(kind) as told:
        endpoint_facts(endpoint)
    assert "127.0.0.1" in str(told.value)


def test_rows_that_are_no_facts_are_left_out(endpoint: str) -> None:
    good = {
        "s": {"type": "bnode", "value": "x"},
        "p": {"type": "uri", "value": "p"},
        "o": {"type": "uri", "value": "o"},
    }
    rows = [good, {}, 7, None, {**good, "o": {"type": "literal"}}, {**good, "o": {"type": "literal", "value": ""}}]
    Endpoint.answer = (200, json.dumps({"results": {"bindings": rows}}).encode(), {})
    assert endpoint_facts(endpoint) == [Fact("_:x", "p", "o", False)]


def test_nobody_answers() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(UnreachableError) as told:
            endpoint_facts(f"http://127.0.0.1:{taken.getsockname()[1]}/sparql")
    assert told.value.exit_code == 9
