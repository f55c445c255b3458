"""The example and the questions of the vocabulary's note, asked of the example and of our own statements."""

from pathlib import Path

import pytest
import rdflib

from siteseer.collection.description import Description
from siteseer.collection.rdf.vocabulary import PREFIXES
from tests.collection.examples import ARTICLE, PAIRS

EXAMPLE = (Path(__file__).parent / "example.ttl").read_text()
QUESTIONS = {
    "posts by a user name": (
        'SELECT ?p ?d ?text { ?u sioc:name "ann" . ?p sioc:has_creator ?u ; sioc:content ?text .'
        " OPTIONAL { ?p dcterms:created ?d } } ORDER BY ?d",
        1,
    ),
    "comments of an article": (
        f"SELECT ?c ?d ?who {{ ?c sioc:reply_of+ <{ARTICLE}> ; sioc:has_creator/sioc:name ?who ."
        " OPTIONAL { ?c dcterms:created ?d } } ORDER BY ?d",
        1,
    ),
    "most active accounts per forum": (
        "SELECT ?f ?u (COUNT(?p) AS ?n) { ?p sioc:has_creator ?u ; sioc:has_container/sioc:has_parent ?f }"
        " GROUP BY ?f ?u ORDER BY DESC(?n) LIMIT 50",
        2,
    ),
    "which record proves this text": (
        f"SELECT ?rec ?file ?off {{ ?s prov:specializationOf <{ARTICLE}> ; prov:wasDerivedFrom ?rec ."
        " ?rec wa:warcFile ?file ; wa:offset ?off }",
        1,
    ),
}
OURS = {
    **QUESTIONS,
    "a word within a period": (
        'SELECT ?p { ?p a sioc:Post ; sioc:content ?t ; dcterms:created ?d . FILTER(CONTAINS(LCASE(STR(?t)),"festival")'
        ' && ?d >= "2014-03-01T00:00:00Z"^^xsd:dateTime) }',
        1,
    ),
    "edited between crawls": (
        "SELECT ?o (COUNT(DISTINCT ?s) AS ?v) { ?s prov:specializationOf ?o } GROUP BY ?o"
        " HAVING (COUNT(DISTINCT ?s) > 1)",
        0,
    ),
    "found by an action": ('SELECT ?s { ?s wa:actionId "wordpress/post/body#2" }', 1),
}


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    with Description(tmp_path_factory.mktemp("collection")) as found:
        found.add(PAIRS)
        yield found


@pytest.fixture(scope="module")
def example():
    graph = rdflib.Graph()
    graph.parse(data=EXAMPLE, format="turtle")
    return graph


def test_the_example_has_66_triples(example):
    assert len(example) == 66


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_example_answers(example, question):
    sparql, rows = QUESTIONS[question]
    assert len(list(example.query(sparql, initNs=PREFIXES))) == rows


@pytest.mark.parametrize("question", OURS)
def test_our_statements_answer_the_same(description, question):
    sparql, rows = OURS[question]
    assert len(description.query(sparql).result.rows) == rows


@pytest.mark.parametrize("question", [name for name in QUESTIONS if name != "which record proves this text"])
def test_our_statements_say_the_same_things(description, example, question):
    sparql, _ = QUESTIONS[question]
    ours = {tuple(term.value if term else "" for term in row[:1]) for row in description.query(sparql).result.rows}
    theirs = {(str(row[0]),) for row in example.query(sparql, initNs=PREFIXES)}
    assert ours == theirs


def test_turtle_and_nquads_are_read_by_another_library(description, tmp_path):
    for form, parser in (("ttl", "turtle"), ("nq", "nquads")):
        with (tmp_path / form).open("wb") as out:
            description.export(form, out)
        graph = rdflib.Dataset(default_union=True)
        graph.parse(tmp_path / form, format=parser)
        assert len(list(graph.query(QUESTIONS["posts by a user name"][0], initNs=PREFIXES))) == 1
    assert len(list(graph.graphs())) >= 3  # one for each capture, one for the sites
