"""Objects in a SPARQL endpoint: the answers of the embedded store, from a real server; nothing lost when it is down."""

import http.server
import io
import threading
from dataclasses import replace

import pytest

from siteseer.collection.description import Description
from siteseer.collection.rdf.sparql import Limits
from siteseer.collection.rdf.sparql_endpoint import SparqlEndpointStore, _batches, statements
from siteseer.collection.stores.store_config import Stores, choose_stores, load_stores
from siteseer.errors import ConfigurationError, SiteseerError, StoreError, UsageError
from tests.collection.examples import PAIRS, capture, post
from tests.collection.stores.servers import refused_port, sparql_server

EVERYTHING = "SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o"
EVIL = [
    '" } } ; DROP ALL #',
    "\\u0022 } } ; DROP ALL # \\U00000022",
    "\\\\u0022 . \\\\\\u0022 \\",
    "a\x00\x07b\u2028c\u0085d\r\ne\tf",
    "😀 é ' ''' \"\"\" > <urn:x> .",
    "\ud800 half",
]
HOSTILE = [(post(900 + number, text=text, title=text), capture(3)) for number, text in enumerate(EVIL)]


@pytest.fixture(scope="module")
def server():
    with sparql_server() as address:
        yield address


@pytest.fixture
def pair(server, tmp_path):
    """The same objects in an endpoint and in the embedded store."""
    choose_stores(tmp_path / "there", objects=f"{server}/query")
    with Description(tmp_path / "there") as there, Description(tmp_path / "here") as here:
        for one in (there, here):
            one.add([*PAIRS, *HOSTILE])
        yield there, here


QUERIES = [
    EVERYTHING,
    "SELECT ?p ?text { ?u sioc:name 'ann' . ?p sioc:has_creator ?u ; sioc:content ?text } ORDER BY ?p",
    "SELECT ?t ?missing { <http://f.example/t/9#p100> dcterms:created ?t OPTIONAL { ?t sioc:none ?missing } }",
    "ASK { ?p sioc:content 'Which lens?' }",
    "PREFIX s: <http://rdfs.org/sioc/ns#>\nASK { ?p s:content 'nothing' }",
]


def test_an_endpoint_answers_as_the_embedded_store(pair):
    for query in QUERIES:
        there, here = (one.query(query) for one in pair)
        assert there.result == here.result, query
        assert there.captures == here.captures, query


def test_graphs_come_as_turtle(pair):
    wanted = "CONSTRUCT { ?s dcterms:title ?o } { ?s dcterms:title ?o }"
    there, here = (sorted(one.query(wanted).result.turtle.split("\n")) for one in pair)
    assert there == here


def test_exports_do_not_need_the_endpoint(pair):
    there, here = io.BytesIO(), io.BytesIO()
    for one, out in zip(pair, (there, here), strict=True):
        one.export("nq", out)
    assert set(there.getvalue().split(b"\n")) == set(here.getvalue().split(b"\n"))


def test_collections_share_an_endpoint_and_see_themselves(pair, server, tmp_path):
    choose_stores(tmp_path / "other", objects=f"{server}/query")
    with Description(tmp_path / "other") as other:
        other.add(PAIRS[:1])
        before = pair[0].query(EVERYTHING).result
        assert len(other.query(EVERYTHING).result.rows) < len(before.rows)
        graphs = other.query("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }").result.rows
        assert [row[0].value for row in graphs] == [load_stores(tmp_path / "other").graph]
        other.rebuild([])
    assert pair[0].query(EVERYTHING).result == before


def test_queries_only_read(pair):
    before = pair[0].query(EVERYTHING).result
    for query in ("INSERT DATA { <urn:a> <urn:b> 1 }", "DROP ALL", "SELECT * { SERVICE <urn:a> {} }"):
        with pytest.raises(UsageError):
            pair[0].query(query)
    assert pair[0].query(EVERYTHING).result == before


def test_a_query_that_is_none_is_told_in_one_sentence(pair):
    for wrong in ("SELECT * { ?s ?p", "SELEKT", "", "SELECT * { ?s nope:x ?o }"):
        with pytest.raises(UsageError) as told:
            pair[0].query(wrong)
        assert "\n" not in str(told.value)


def test_answers_have_limits(pair):
    cut = pair[0].query(EVERYTHING, Limits(rows=3)).result
    assert (len(cut.rows), cut.truncated) == (3, True)
    with pytest.raises(SiteseerError, match="longer than"):
        pair[0].query(EVERYTHING, Limits(result_bytes=100))


def test_pushing_again_changes_nothing(pair):
    there = pair[0]
    before = there.query(EVERYTHING).result
    store = SparqlEndpointStore(load_stores(there.collection))
    store.add("".join(there._all_quads()))
    assert there.query(EVERYTHING).result == before


def test_an_endpoint_that_was_emptied_is_filled_again(pair):
    there = pair[0]
    before = there.query(EVERYTHING).result
    SparqlEndpointStore(load_stores(there.collection)).clear()
    assert there.query(EVERYTHING).result == before


def test_a_capture_can_be_forgotten(pair):
    for one in pair:
        one.query("ASK { ?s ?p ?o }")
        one.forget(capture(2).record)
    of_objects = "SELECT ?s ?p ?o { ?s ?p ?o FILTER NOT EXISTS { ?s a sioc:Site } } ORDER BY ?s ?p ?o"
    there, here = (one.query(of_objects).result for one in pair)
    assert there == here


def test_large_texts_and_many_statements_are_split(pair, monkeypatch):
    monkeypatch.setattr("siteseer.collection.rdf.sparql_endpoint.BATCH_STATEMENTS", 7)
    monkeypatch.setattr("siteseer.collection.rdf.sparql_endpoint.BATCH_BYTES", 5_000)
    for one in pair:
        one.add([(post(700 + number, text="x" * 4_000), capture(4)) for number in range(4)])
    there, here = (set(one.query(EVERYTHING).result.rows) for one in pair)
    assert (there - here, here - there) == (set(), set())


def test_what_could_not_be_delivered_is_delivered_later(tmp_path):
    with refused_port() as port, Description(tmp_path / "c") as description:
        choose_stores(tmp_path / "c", objects=f"http://127.0.0.1:{port}/query")
        with pytest.raises(StoreError, match="cannot be reached"):
            description.describe(PAIRS)
        assert description.count() == len(PAIRS)
        assert "http://f.example/t/9#p100" in [one["id"] for one in description.search("lens")]
        with pytest.raises(StoreError) as told:
            description.query("ASK { ?s ?p ?o }")
        assert told.value.exit_code == 9
    with sparql_server(port), Description(tmp_path / "c") as description:
        assert description.query("ASK { ?p sioc:content 'Which lens?' }").result.truth


def test_text_cannot_end_its_own_quotation_marks():
    nquads = '<urn:a> <urn:b> "x \\\\u0022 \\\\\\\\U0022 \\u0007" <urn:g> .\n'
    (one,) = statements(nquads)
    assert one == '<urn:a> <urn:b> "x \\\\\\U000000750022 \\\\\\\\\\U000000550022 \\U00000007"'


def test_another_library_reads_the_same_statements(tmp_path):
    """rdflib resolves escapes before it parses, wherever they stand."""
    rdflib = pytest.importorskip("rdflib")
    with Description(tmp_path) as description:
        description.add(HOSTILE)
        wanted = description.query("SELECT ?s ?o { ?s sioc:content ?o }").result.rows
        there = rdflib.Dataset()
        for batch in _batches(statements("".join(description._all_quads()))):
            there.update(f"INSERT DATA {{ GRAPH <urn:g> {{\n{batch}}} }}")
    found = there.query("SELECT ?s ?o { GRAPH <urn:g> { ?s <http://rdfs.org/sioc/ns#content> ?o } }")
    assert {(str(row.s), str(row.o)) for row in found} == {(one.value, other.value) for one, other in wanted}


@pytest.fixture
def answering():
    """A server that says what it is told to, and remembers what it was asked."""
    asked = []
    told = {"status": 200, "headers": {}, "body": b"{}"}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append((self.path, dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(told["status"])
            for name, value in told["headers"].items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(told["body"])

        def log_message(self, *given):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", told, asked
        server.shutdown()
        thread.join()


def test_credentials_come_from_the_environment_and_stay_out_of_messages(answering, monkeypatch):
    address, told, asked = answering
    store = SparqlEndpointStore(Stores("n", objects=address, objects_update=address))
    monkeypatch.setenv("SITESEER_SPARQL_USER", "ann")
    monkeypatch.setenv("SITESEER_SPARQL_PASSWORD", "hush")
    told["status"] = 401
    with pytest.raises(StoreError, match="refuses these credentials") as error:
        store.clear()
    assert asked[-1][1]["Authorization"] == "Basic YW5uOmh1c2g="
    assert "hush" not in str(error.value) and "ann" not in str(error.value)
    monkeypatch.setenv("SITESEER_SPARQL_TOKEN", "t0ken")
    with pytest.raises(StoreError):
        store.clear()
    assert asked[-1][1]["Authorization"] == "Bearer t0ken"


def test_credentials_do_not_follow_redirects(answering, monkeypatch):
    address, told, asked = answering
    monkeypatch.setenv("SITESEER_SPARQL_TOKEN", "t0ken")
    told |= {"status": 307, "headers": {"Location": f"{address}/elsewhere"}}
    with pytest.raises(StoreError, match="sends elsewhere"):
        SparqlEndpointStore(Stores("n", objects=address, objects_update=address)).clear()
    assert [path for path, _, _ in asked] == ["/"]


def test_an_endpoint_that_shows_no_graphs_is_told(answering, tmp_path):
    address, told, asked = answering
    told["body"] = b'{"boolean": false}'
    choose_stores(tmp_path, objects=address)
    with Description(tmp_path) as description, pytest.raises(StoreError, match="default-graph-uri"):
        description.describe(PAIRS)
    assert len(asked) == 3


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b'{"head":{}}', b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":1}]}}', b"[" * 99_999,
     b'{"head":{"vars":["s"]},"results":{"bindings":7}}', b"\xff\xfe"],
)  # fmt: skip
@pytest.mark.parametrize("query", ["SELECT ?s { ?s ?p ?o }", "ASK { ?s ?p ?o }", "DESCRIBE <urn:a>"])
def test_what_is_no_answer_is_told_in_one_sentence(answering, body, query):
    address, told, _ = answering
    told["body"] = body
    store = SparqlEndpointStore(Stores("n", objects=address, objects_update=address))
    if query.startswith("DESCRIBE") and body == b"":
        assert store.query(query).turtle == ""
        return
    with pytest.raises(StoreError) as error:
        store.query(query)
    assert "\n" not in str(error.value)


def test_where_updates_go(tmp_path):
    for number, (query, update) in enumerate(
        {
            "http://h/query": "http://h/update",
            "http://h:3030/ds/query": "http://h:3030/ds/update",
            "https://h/repositories/r": "https://h/repositories/r/statements",
            "http://h/sparql": "http://h/sparql",
        }.items()
    ):
        assert choose_stores(tmp_path / str(number), objects=query).objects_update == update
    chosen = choose_stores(tmp_path / "0", objects_update="http://h/other")
    assert (chosen.objects, chosen.objects_update) == ("http://h/query", "http://h/other")
    again = choose_stores(tmp_path / "0", archive="s3://b/p")
    assert again == replace(chosen, archive="s3://b/p")
    assert choose_stores(tmp_path / "0", archive="none", objects="none") == Stores(chosen.name)


@pytest.mark.parametrize("url", ["ftp://h/q", "h/q", "http://", "http://u:hush@h/q", "http://h:99999/", "http://h/\n"])
def test_addresses_that_are_no_endpoint(tmp_path, url):
    with pytest.raises(UsageError) as told:
        choose_stores(tmp_path, objects=url)
    assert "hush" not in str(told.value)
    assert not (tmp_path / "siteseer").exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"name": 1}', "\x00" * 200_000, "[" * 50_000])
def test_a_broken_choice_is_told(tmp_path, text):
    (tmp_path / "siteseer").mkdir()
    (tmp_path / "siteseer" / "stores.json").write_text(text)
    with pytest.raises(ConfigurationError, match=r"stores\.json"):
        load_stores(tmp_path)
