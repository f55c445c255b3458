"""One object however often it is met; what changed, what was only seen again, what is forgotten."""

import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siteseer.collection.description import Description
from siteseer.collection.layout import RDF, objects_folder
from siteseer.collection.objects.object_json import as_json, cleaned, from_json
from siteseer.collection.objects.object_search import Filter
from siteseer.collection.rdf.object_triples import Site
from siteseer.errors import SiteseerError, UsageError
from siteseer.model import WebObject
from tests.collection.examples import ARTICLE, BOARD, PAIRS, THREAD, capture, post

STATES = "SELECT DISTINCT ?s ?r { ?s prov:specializationOf ?o ; prov:wasDerivedFrom ?r }"


@pytest.fixture
def description(tmp_path):
    with Description(tmp_path) as found:
        yield found


def rows(description, sparql):
    return [tuple(term.value if term else None for term in row) for row in description.query(sparql).result.rows]


def test_an_object_as_json_is_as_the_contract_says():
    thing = post(1, published="2014-03-01", links=("http://e.org/",))
    assert as_json(thing, capture(3)) == {
        "kind": "post",
        "id": "http://f.example/t/9#p1",
        "url": "http://f.example/t/9",
        "author": "ann",
        "published": "2014-03-01",
        "text": "Text of post 1.",
        "thread": THREAD,
        "links": ["http://e.org/"],
        "capture": {
            "file": "B-00000.warc.gz",
            "offset": 3000,
            "time": "2014-03-02T10:00:00Z",
            "digest": f"sha256:{3:064x}",
        },
        "because": "forum/post",
        "confidence": 1.0,
    }


def test_a_post_on_two_pages_is_one_row_and_the_fuller_text_wins(description):
    excerpt = WebObject("post", "http://f.example/t/9#p1", "http://f.example/u/45", text="Text", title="Lens")
    for order in ([(excerpt, capture(1)), (post(1), capture(2))], [(excerpt, capture(1))]):
        description.add(order)
    (found,) = description.objects()
    assert found["text"] == "Text of post 1."
    assert found["title"] == "Lens"
    assert found["author"] == "ann"
    assert found["capture"]["offset"] == 1000


def test_an_edited_post_has_two_states_and_the_new_words_are_found(description):
    description.add([(post(1, text="old words here"), capture(1))])
    assert len(list(description.search("old"))) == 1
    assert len(rows(description, STATES)) == 1
    description.add([(post(1, text="new"), capture(2, days=1))])
    assert len(rows(description, STATES)) == 2
    assert list(description.search("old")) == []
    assert [found["text"] for found in description.search("new")] == ["new"]


def test_an_unchanged_post_seen_again_adds_one_observation_only(description):
    description.add([(post(1), capture(1))])
    description.settle()
    before = rows(description, "SELECT (COUNT(*) AS ?n) { GRAPH ?g { <http://f.example/t/9#p1> ?p ?o } }")
    description.add([(post(1), capture(2, days=1))])
    after = rows(description, "SELECT (COUNT(*) AS ?n) { GRAPH ?g { <http://f.example/t/9#p1> ?p ?o } }")
    assert before == after
    states = rows(description, STATES)
    assert len(states) == 2 and len({state for state, _ in states}) == 1


def test_adding_again_changes_nothing(description):
    description.add(PAIRS)
    description.settle()
    once = rows(description, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"), description.kinds()
    description.add(PAIRS)
    assert (rows(description, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"), description.kinds()) == once


def test_met_twice_in_one_capture_both_tell(description):
    description.add([(post(1, text="short"), capture(1)), (post(1, text="short and long", title="T"), capture(1))])
    assert rows(description, "SELECT ?t { ?p sioc:content ?t ; dcterms:title 'T' }") == [("short and long",)]


def test_forgetting_a_capture_keeps_what_others_show(description):
    description.add([(post(1), capture(1)), (post(2), capture(1)), (post(1), capture(2))])
    description.settle()
    description.forget(capture(1).record)
    assert [found["id"] for found in description.objects()] == ["http://f.example/t/9#p1"]
    assert next(description.objects())["capture"]["offset"] == 2000
    assert rows(description, "SELECT ?t { ?p sioc:content ?t }") == [("Text of post 1.",)]
    assert list(description.search("2")) == []
    assert rows(description, "SELECT ?r { ?r wa:offset ?o }") == [(capture(2).record,)]


def test_sites_say_what_boards_and_articles_are(description):
    description.note_site(Site("http://b.example/", "B", "news"))
    description.add(PAIRS)
    assert rows(description, f"SELECT ?h {{ <{BOARD}> sioc:has_host ?h . ?h a sioc:Site }}") == [
        ("http://f.example/#this",)
    ]
    assert rows(description, "SELECT ?t { <http://b.example/#this> dcterms:title ?t }") == [("B",)]
    assert description.query(f"ASK {{ <{ARTICLE}> a schema:NewsArticle }}").result.truth


def test_dates_are_as_precise_as_the_page(description):
    for number, date in enumerate(("2014-03-01T10:12:00+02:00", "2014-03-01", "2014-03", "yesterday", "2014-02-31")):
        description.add([(post(number, published=date), capture(1))])
    found = description.query("SELECT ?d { ?p dcterms:created ?d }").result.rows
    kinds = sorted((row[0].value, row[0].datatype.rpartition("#")[2]) for row in found)
    assert kinds == [("2014-03", "gYearMonth"), ("2014-03-01", "date"), ("2014-03-01T08:12:00Z", "dateTime")]
    assert sorted(rows(description, "SELECT ?t { ?p wa:dateText ?t }")) == [("2014-02-31",), ("yesterday",)]


def test_what_was_met_on_a_page_last_time(description):
    description.add([(post(1), capture(1)), (post(2), capture(1)), (post(1), capture(2, days=1))])
    assert [found.id for found in description.on_page("http://f.example/t/9#x")] == ["http://f.example/t/9#p1"]
    assert description.on_page("http://f.example/other") == []


def test_rebuilding_replaces_everything(description):
    description.add(PAIRS)
    description.settle()
    description.rebuild(iter([(post(1), capture(1))]))
    assert description.kinds() == {"post": 1}
    assert rows(description, "SELECT (COUNT(*) AS ?n) { ?p a sioc:Post }") == [("1",)]


def test_the_rdf_store_is_made_again_when_it_is_gone(description, tmp_path):
    description.add(PAIRS)
    description.settle()
    for path in (objects_folder(tmp_path) / RDF).iterdir():
        path.unlink()
    assert len(rows(description, "SELECT ?p { ?p a sioc:Post }")) == 4


def test_no_collection_and_no_objects_are_said_in_one_sentence(tmp_path):
    with pytest.raises(UsageError, match="is no collection"):
        Description.of(tmp_path)
    (tmp_path / "archive").mkdir()
    with pytest.raises(SiteseerError, match="no objects yet"):
        Description.of(tmp_path)


HOSTILE = st.text(alphabet=st.characters(blacklist_categories=()), max_size=60) | st.sampled_from(
    [
        '"',
        "\\",
        '\\"',
        "<>",
        "\n\r\t",
        "\x00",
        "\ud800",
        "\ufffe",
        "<urn:g> .\n<urn:evil> <urn:p> <urn:o>",
        "\u202e",
        "%",
        "é",
    ]
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(HOSTILE, HOSTILE, HOSTILE, HOSTILE), min_size=1, max_size=8))
def test_hostile_texts_come_back_as_they_were_cleaned(tmp_path_factory, said):
    with Description(tmp_path_factory.mktemp("hostile")) as description:
        things = [
            WebObject("record", f"urn:x:{number}{name}", url, text=text, author=name, title=title, links=(url,),
                      media=(title,), tags=(text,), fields={name: text, title: name}, parent=url, published=title)
            for number, (name, url, text, title) in enumerate(said)
        ]  # fmt: skip
        description.add((thing, capture(1)) for thing in things)
        found = {each["id"]: from_json(each) for each in description.objects()}
        for thing in things:
            assert found[cleaned(thing).id].text == (cleaned(thing).text or None)
        texts = {row[0] for row in _triples(description) if row}
        assert texts == {thing.text for thing in found.values() if thing.text}


def _triples(description):
    import pyoxigraph

    lines = "".join(description.statements(each["id"] for each in description.objects()))
    for quad in pyoxigraph.parse(lines, pyoxigraph.RdfFormat.N_QUADS):
        assert quad.graph_name.value in (capture(1).record, "urn:x-siteseer:sites")
        if quad.predicate.value == "http://rdfs.org/sioc/ns#content":
            yield (quad.object.value,)


KILLED = """
import sys
from pathlib import Path
from tests.collection.examples import capture, post
from siteseer.collection.description import Description
description = Description(Path(sys.argv[1]))
for page in range(100000):
    description.add([(post(page * 20 + n), capture(page)) for n in range(20)])
    if page % 10 == 9:
        description.settle()
    print(page, flush=True)
"""


@pytest.mark.parametrize("seconds", [0.02, 0.15, 0.3])
def test_a_kill_in_the_middle_of_adding_loses_nothing_that_was_reported(tmp_path, seconds):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, env=environment)
    child.stdout.readline()
    time.sleep(seconds)
    child.send_signal(signal.SIGKILL)
    reported = len(child.stdout.read().split()) + 1
    child.wait()
    child.stdout.close()
    with Description(tmp_path) as description:
        count = description.count()
        assert count >= reported * 20 and count % 20 == 0
        assert rows(description, "SELECT (COUNT(DISTINCT ?p) AS ?n) { ?p sioc:content ?t }") == [(str(count),)]
        assert description.count(Filter(text="text")) == count
