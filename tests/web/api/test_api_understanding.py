"""What was understood of a form, over REST: read, confirmed and corrected; a word is kept and the file follows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pyoxigraph import RdfFormat, parse

from siteseer.collection.collection import Collection
from siteseer.collection.rdf.rdf_reader import read_facts
from siteseer.deepweb.run import understand
from siteseer.demo import Server, make_site
from siteseer.demo.ontology import make_ontology
from siteseer.settings import CrawlOptions
from siteseer.web.api.app import make_app
from siteseer.web.service.library import Library
from tests.web.understood import store, understood_shop

AT = "/api/collections/books/understanding"
TOKEN = {"Authorization": "Bearer let-me-in"}


@pytest.fixture
def books(tmp_path: Path) -> Path:
    for name in ("books", "plain"):
        with Collection.open(tmp_path / name, "create") as collection:
            collection.write("indexes/index.cdxj", "")
    store(tmp_path / "books", understood_shop(make_site("shop", 4, size=40), "http://shop.example"))
    return tmp_path / "books"


@pytest.fixture
def client(books: Path) -> Iterator[Any]:
    with TestClient(make_app(Library(books.parent), "let-me-in", hosts=["testserver"])) as made:
        yield made


def say(client: Any, *word: str) -> Any:
    body = dict(zip(("what", "name", "decision", "value"), word, strict=False))
    return client.post(AT, json=body, headers=TOKEN)


def test_a_page_of_records_with_their_number(client):
    found = client.get(AT, params={"limit": 5, "offset": 2}).json()
    whole = client.get(AT).json()
    assert len(found["records"]) == 5 and found["records"] == whole["records"][2:7]
    assert found["records_count"] == len(whole["records"]) == 24
    assert {one["name"]: one["columns"] for one in found["fields"]}["author"] == ["author"]
    assert client.get("/api/collections/plain/understanding").json() == {"error": "no form was understood in plain"}


def test_words_are_kept_and_need_the_token(client, books):
    assert client.post(AT, json={"what": "field", "name": "author", "decision": "reject"}).status_code == 401
    assert say(client, "field", "author", "reject").json()["records"] == []
    said = say(client, "field", "category", "set", "year").json()
    fields = {one["name"]: one for one in said["fields"]}
    assert fields["author"]["confirmed"] is False
    assert (fields["category"]["columns"], fields["category"]["confirmed"]) == (["year"], True)
    path = "http://o.example/madeBy / http://o.example/name"
    say(client, "relation", "price", "set", path)
    relations = {one["column"]: one for one in client.get(AT).json()["relations"]}
    assert relations["price"]["relation"] == path.split(" / ") and relations["price"]["confirmed"]
    assert len((books / "siteseer" / "corrections.jsonl").read_text().splitlines()) == 3


def test_a_rejected_proposal_leaves_the_enrichment(client, books):
    proposals = client.get(AT).json()["proposals"]
    first, second = (one["value"] for one in proposals[:2])
    say(client, "proposal", "0", "reject")
    values = {quad.object.value for quad in parse(path=books / "reports" / "enrichment.trig", format=RdfFormat.TRIG)}
    assert second in values and first not in values
    stored = json.loads((books / "siteseer" / "understanding.json").read_text())
    stored["proposals"].insert(0, stored["proposals"].pop())
    (books / "siteseer" / "understanding.json").write_text(json.dumps(stored))
    after = {one["value"]: one["confirmed"] for one in client.get(AT).json()["proposals"]}
    assert [after[first], after[second], after[stored["proposals"][0]["value"]]] == [False, None, None]
    say(client, "proposal", "1", "confirm")
    values = {quad.object.value for quad in parse(path=books / "reports" / "enrichment.trig", format=RdfFormat.TRIG)}
    assert first in values


def test_the_instance_that_a_record_is_can_be_put_right(client, books):
    found = client.get(AT).json()
    wrong, other = found["instances"][:2]
    new = next(
        one["id"] for one in found["records"] if one["id"] not in {each["record"] for each in found["instances"]}
    )
    stored = json.loads((books / "siteseer" / "understanding.json").read_text())
    for one in (wrong, other):
        fact = {"kind": "fact", "subject": one["instance"], "predicate": "http://o.example/price", "value": "9"}
        stored["proposals"].append({**fact, "is_literal": True, "confidence": 0.9, "because": "it says so"})
    (books / "siteseer" / "understanding.json").write_text(json.dumps(stored))
    say(client, "instance", wrong["record"], "reject")
    say(client, "instance", new, "set", "http://o.example/Q1")
    after = {one["record"]: (one["instance"], one["confirmed"]) for one in client.get(AT).json()["instances"]}
    assert after[wrong["record"]] == (wrong["instance"], False) and after[other["record"]][1] is None
    assert after[new] == ("http://o.example/Q1", True)
    about = {quad.subject.value for quad in parse(path=books / "reports" / "enrichment.trig", format=RdfFormat.TRIG)}
    assert other["instance"] in about and wrong["instance"] not in about


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (422, ("instance", "no such", "confirm")),
        (422, ("field", "no such", "confirm")),
        (422, ("field", "author", "set", "no such column")),
        (422, ("relation", "no such", "confirm")),
        (422, ("relation", "price", "set", " ")),
        (422, ("proposal", "99999", "confirm")),
        (422, ("proposal", "000000000000999", "confirm")),
        (422, ("proposal", "9" * 2000, "confirm")),
        (422, ("proposal", "0", "set", "x")),
        (422, ("record", "0", "confirm")),
        (422, ("field", "author", "burn")),
        (422, ("field", "x" * 30_000, "confirm")),
    ],
)
def test_wrong_words_are_answered_in_one_sentence(client, books, status, word):
    answer = say(client, *word)
    assert answer.status_code == status and "\n" not in answer.json()["error"]
    assert not (books / "siteseer" / "corrections.jsonl").exists()


def test_a_relation_of_any_letters_leaves_a_file_that_can_be_read(client, books):
    assert say(client, "relation", "price", "set", 'a> <b> "c" / d\'\n\\e').status_code == 200
    assert list(parse(path=books / "reports" / "enrichment.trig", format=RdfFormat.TRIG))
    assert client.get(AT).status_code == 200


def test_a_word_holds_in_the_next_run(tmp_path):
    """The form of a real site is understood, corrected, and understood again with another ontology."""
    with Server(make_site("places", 3, size=40)) as server:
        options = CrawlOptions((server.url,), tmp_path / "guide", "understand", delay=0.0, assets="none")
        file = tmp_path / "places.ttl"
        file.write_text(make_ontology("places", 3, size=40).turtle, encoding="utf-8")
        understand(options, None)
        with TestClient(make_app(Library(tmp_path), "let-me-in", hosts=["testserver"])) as client:
            at = "/api/collections/guide/understanding"
            columns = [one["id"] for one in client.get(at).json()["columns"]]
            word = {"what": "field", "name": "name", "decision": "set", "value": columns[-1]}
            assert client.post(at, json=word, headers=TOKEN).status_code == 200
            asked = len(server.log)
            understand(options, list(read_facts(file)))
            found = client.get(at).json()
    assert found["relations"] and found["instances_count"] > 10
    field = next(one for one in found["fields"] if one["name"] == "name")
    assert (field["columns"], field["confirmed"]) == ([columns[-1]], True)
    assert len(server.log) - asked < asked
