"""Queries only read, only here, and not for ever."""

import socket
import time

import pytest

from siteseer.collection.description import Description
from siteseer.collection.rdf.rdf_store import RdfStore
from siteseer.collection.rdf.sparql import Limits, check
from siteseer.errors import ArchiveError, SiteseerError, UsageError
from tests.collection.examples import PAIRS, capture, post


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    with Description(tmp_path_factory.mktemp("collection")) as found:
        found.add(PAIRS)
        yield found


@pytest.mark.parametrize(
    "update",
    [
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "PREFIX x: <urn:x> DELETE WHERE { ?s ?p ?o }",
        "LOAD <http://127.0.0.1:1/x>",
        "clear all",
        "DROP GRAPH <urn:a>",
        "WITH <urn:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    ],
)
def test_updates_are_refused(description, update):
    before = description.query("SELECT * { ?s ?p ?o }").result.rows
    with pytest.raises(UsageError):
        description.query(update)
    assert description.query("SELECT * { ?s ?p ?o }").result.rows == before


SERVICES = [
    "SELECT * { SERVICE <%s> { ?s ?p ?o } }",
    "SELECT * { service silent <%s> { ?s ?p ?o } }",
    "SELECT * {\n#<\nSERVICE#>\n<%s> { ?s ?p ?o } }",
    "SELECT * { #'\rSERVICE <%s> { ?s ?p ?o } #'\n }",
    "PREFIX e: <%s> SELECT * { ?s ?p 1 .SERVICE e:{ ?s ?p ?o } }",
    "PREFIX e: <%s> SELECT * { ?s e:a\\' ?o .SERVICE e: { ?s ?p 'x' } }",
    "SELECT * { ?s ?p 1SERVICE <%s> { ?s ?p ?o } }",
    "SELECT * { \\u0053ERVICE <%s> { ?s ?p ?o } }",
    "SELECT * { FILTER(1<2)SERVICE<%s>{ ?s ?p ?o } FILTER(2>1) }",
    "SELECT * { ?s ?p '''a''b''' . SERVICE <%s> { ?s ?p '''c''' } }",
    'SELECT * { ?s ?p "\\\\" . SERVICE <%s> { ?s ?p "" } }',
]


@pytest.mark.parametrize("query", SERVICES)
def test_no_query_calls_another_machine(description, query):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        with pytest.raises(UsageError):
            description.query(query.replace("%s", f"http://127.0.0.1:{server.getsockname()[1]}/sparql"))
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?service { ?service a sioc:Post }",
        'SELECT * { ?s dcterms:title "customer SERVICE" } # SERVICE',
        "SELECT * { ?s <http://e.org/service> ?o ; schema:serviceType ?t }",
        "SELECT * { ?s sioc:content '''a ' SERVICE ''' }",
    ],
)
def test_the_word_itself_may_be_used(query):
    check(query)


def test_wrong_syntax_is_told_with_its_place(description):
    with pytest.raises(UsageError, match=r"^the prefix of nope:x is not declared \(line 2, column 5 of the query\)$"):
        description.query("SELECT ?s {\n ?s nope:x 1 }")
    with pytest.raises(UsageError, match=r"^the query is not valid SPARQL at line 1, column 28, at 'x'$"):
        description.query("SELECT ?s { ?s a 1 } LIMIT x")
    with pytest.raises(UsageError, match="ends too early"):
        description.query("SELECT ?s { ?s ?p ")


def test_a_query_without_end_is_stopped(description):
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n2 ?o }"
    begun = time.monotonic()
    with pytest.raises(SiteseerError, match="stopped after 1 s"):
        description.query(endless, Limits(seconds=1))
    assert time.monotonic() - begun < 5


def test_a_long_answer_is_cut_and_says_so(description):
    cut = description.query("SELECT * { ?s ?p ?o }", Limits(rows=3)).result
    assert len(cut.rows) == 3 and cut.truncated
    assert description.query("SELECT * { ?s ?p ?o }", Limits(result_bytes=500)).result.truncated
    assert description.query("CONSTRUCT WHERE { ?s ?p ?o }", Limits(rows=3)).result.truncated
    assert not description.query("SELECT * { ?s a sioc:Forum }").result.truncated


def test_a_hungry_query_is_stopped(description):
    doubled = " ".join(f"BIND(CONCAT({','.join([f'?a{n}'] * 10)}) AS ?a{n + 1})" for n in range(9))
    with pytest.raises(SiteseerError, match="more memory than allowed"):
        description.query(f"SELECT * {{ BIND('0123456789' AS ?a0) {doubled} }}", Limits(memory_bytes=300 * 2**20))


def test_a_damaged_store_is_told_in_one_sentence(tmp_path):
    store = RdfStore(tmp_path / "rdf")
    store.add("<urn:a:1> <urn:a:p> <urn:a:2> <urn:g:1> .\n")
    (tmp_path / "rdf" / "CURRENT").write_text("rubbish\n")
    with pytest.raises(ArchiveError, match="`siteseer repair "):
        store.add("<urn:a:1> <urn:a:p> <urn:a:2> <urn:g:1> .\n")


def test_answers_name_the_capture(description):
    answer = description.query('SELECT ?p ?text { ?u sioc:name "ann" . ?p sioc:has_creator ?u ; sioc:content ?text }')
    assert answer.capture_of(answer.result.rows[0])["offset"] == 1000
    assert set(answer.captures) == {"http://f.example/t/9#p100"}


def test_what_many_captures_show_is_counted_once(tmp_path):
    """An author's name stands on every page with a post of hers."""
    with Description(tmp_path) as found:
        found.add([(post(number), capture(number)) for number in range(1, 5)])
        count = "SELECT (COUNT(?p) AS ?n) { ?p sioc:has_creator/sioc:name 'ann' }"
        assert found.query(count).result.rows[0][0].value == "4"
        assert len(found.query("SELECT ?g { GRAPH ?g { ?u sioc:name 'ann' } }").result.rows) == 4
        for number in (1, 2, 3):
            found.forget(capture(number).record)
        assert found.query(count).result.rows[0][0].value == "1"
        found.forget(capture(4).record)
        assert found.query("SELECT ?s { ?s sioc:name ?o }").result.rows == ()


def test_a_store_of_an_older_version_is_made_again(tmp_path):
    import pyoxigraph

    with Description(tmp_path) as found:
        found.add(PAIRS)
        folder = found.folder / "rdf"
        old = pyoxigraph.Store(folder)
        old.load("<urn:a> <urn:b> <urn:c> <urn:g> .", pyoxigraph.RdfFormat.N_QUADS)
        old.flush()
        del old
        assert found.query("ASK { ?p sioc:content 'Which lens?' }").result.truth
        assert not found.query("ASK { <urn:a> ?p ?o }").result.truth
