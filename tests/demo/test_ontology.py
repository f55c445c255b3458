"""The reference ontology, read back by an RDF store."""

from __future__ import annotations

import unicodedata

import pytest
from pyoxigraph import RdfFormat, Store

from siteseer.demo import TEMPLATES, make_site
from siteseer.demo.ontology import make_ontology
from siteseer.errors import UsageError

KINDS = pytest.mark.parametrize("kind", ["shop", "films", "places"])
PREFIXES = """PREFIX : <http://ontology.example.org/schema#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX e: <http://ontology.example.org/entity/> """
JOINS = {"shop": ("author", "^:created/rdfs:label"), "films": ("director", "^:directed/rdfs:label"),
         "places": ("city", ":locatedIn/rdfs:label")}  # fmt: skip


def stored(turtle: str) -> Store:
    store = Store()
    store.load(turtle.encode(), format=RdfFormat.TURTLE)
    return store


def plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(one for one in decomposed if not unicodedata.combining(one))


def values(store: Store, path: str) -> dict[str, str]:
    """Return what a path leads to from every instance."""
    rows = store.query(f"{PREFIXES} SELECT ?s ?v {{ ?s {path} ?v }}")
    return {row["s"].value: row["v"].value for row in rows}  # type: ignore[index, union-attr]


@KINDS
@pytest.mark.parametrize("seed", [0, 7])
def test_a_part_of_the_records_is_known_and_others_besides(kind, seed):
    made, truth = make_ontology(kind, seed), make_site(kind, seed).truth
    assert 0.45 < len(made.same) / len(truth.texts) < 0.75
    store = stored(made.turtle)
    labels = values(store, "rdfs:label")
    of_kind = [iri for iri in labels if iri in set(made.same.values())]
    assert len(of_kind) == len(made.same)
    main = {row["s"].value for row in store.query(f"{PREFIXES} SELECT DISTINCT ?s {{ ?s :hasGenre|:locatedIn ?o }}")}
    assert len(main - set(made.same.values())) > len(made.same)
    known = {text.title for text in truth.texts if text.page not in made.same}
    assert not known & {labels[iri] for iri in main - set(made.same.values())}


@KINDS
def test_labels_and_joins_say_what_the_records_say(kind):
    made, truth = make_ontology(kind, 3), make_site(kind, 3).truth
    store = stored(made.turtle)
    labels, (attribute, path) = values(store, "rdfs:label"), JOINS[kind]
    joined = values(store, path)
    odd = 0
    for text in truth.texts:
        if iri := made.same.get(text.page):
            assert plain(labels[iri]).startswith(plain(text.title))
            assert plain(joined[iri]) == plain(dict(text.fields)[attribute])
            odd += labels[iri] != text.title
    assert 0.05 < odd / len(made.same) < 0.35
    added = {"shop": "isbn", "films": "minutes", "places": "coordinates"}[kind]
    assert not any(f'"{dict(text.fields).get(added, "?")}"' in made.turtle for text in truth.texts)


@KINDS
def test_same_arguments_same_ontology_and_templates_only_differ_in_pages(kind):
    one, two = (make_ontology(kind, 5, template) for template in TEMPLATES)
    assert one.turtle == two.turtle == make_ontology(kind, 5).turtle != make_ontology(kind, 6).turtle
    assert list(one.same.values()) == list(two.same.values())
    for template, made in zip(TEMPLATES, (one, two), strict=True):
        assert made.same.keys() < make_site(kind, 5, template).truth.content_paths


def test_other_sites_have_no_ontology():
    with pytest.raises(UsageError, match="shop, films, places"):
        make_ontology("wiki")
