"""`siteseer form understand` on demo sites, over real HTTP: summary, collection, going on, and clear endings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from siteseer.cli.main import run
from siteseer.collection.description import Description
from siteseer.collection.rdf.rdf_reader import read_facts
from siteseer.deepweb.corrections import Correction
from siteseer.deepweb.run import correct, load, understand
from siteseer.deepweb.sampling.query_budget import NoAnswerError
from siteseer.deepweb.understanding import Options
from siteseer.deepweb.understanding_model import Understanding
from siteseer.demo import Server, make_site
from siteseer.demo.ontology import make_ontology
from siteseer.errors import ArchiveError, NotFoundError
from siteseer.settings import CrawlOptions

SEED, SIZE = 17, 50


@pytest.fixture(scope="module")
def ontology(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("ontology") / "books.ttl"
    file.write_text(make_ontology("shop", SEED, "modern", SIZE).turtle, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def shop() -> Iterator[Server]:
    with Server(make_site("shop", SEED, "modern", SIZE)) as server:
        yield server


@pytest.fixture(scope="module")
def films() -> Iterator[Server]:
    with Server(make_site("films", SEED, "modern", 20)) as server:
        yield server


def options(server: Server, folder: Path, **changes: object) -> CrawlOptions:
    made = CrawlOptions((server.url,), folder, "understand", delay=0, assets="none", browser="never")
    return replace(made, **changes)  # type: ignore[arg-type]


def test_a_shop_is_understood_on_the_command_line(
    shop: Server, ontology: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "books"
    command = ["form", "understand", shop.url, "--ontology", str(ontology), "-o", str(folder), "--delay", "0"]
    assert run(command) == 0
    said = capsys.readouterr().out
    assert 'author "Author" searches by, which is created backwards, then label (names of Person)' in said
    assert "records are instances of Book" in said
    assert "words are searched as a phrase" in said
    sent = len(shop.log)
    assert run([*command, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert len(shop.log) == sent, "what is understood is not asked again"
    assert found["collection"] == str(folder)
    assert {match["column"]: len(match["relation"]) for match in found["relations"]} == {
        "title": 1, "by": 2, "cat": 2, "date": 1,
    }  # fmt: skip
    known = load(folder)
    assert known == Understanding.of_json({name: found[name] for name in known.as_json()})
    _check_files(folder, len(found["records"]))


def _check_files(folder: Path, records: int) -> None:
    """See that records are objects with their captures, and that proposals are well-formed and carry a confidence."""
    import pyoxigraph as ox

    with Description.of(folder) as description:
        objects = list(description.objects())
        assert len(objects) == records
        assert all(one["capture"]["file"] and one["fields"]["title"] for one in objects)
        asked = """SELECT (count(DISTINCT ?r) AS ?n) { ?r a wa:Record ; ?p ?title . ?p rdfs:label "title" .
            ?seen prov:specializationOf ?r ; prov:wasDerivedFrom ?capture . ?capture wa:warcFile ?file }"""
        assert description.query(asked).result.rows[0][0].value == str(records)  # type: ignore[union-attr]
    quads = list(ox.parse((folder / "reports" / "enrichment.trig").read_bytes(), ox.RdfFormat.TRIG))
    graphs = {quad.graph_name for quad in quads} - {ox.DefaultGraph()}
    sure = {quad.subject for quad in quads if quad.predicate.value == "urn:x-siteseer:ns#confidence"}
    assert graphs
    assert graphs == sure


def test_a_person_confirms_and_rejects(shop: Server, ontology: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nothing is understood"):
        load(tmp_path)
    found, _ = understand(options(shop, tmp_path / "c"), read_facts(ontology))
    at = next(at for at, one in enumerate(found.proposals) if one.kind == "instance")
    name = found.proposals[at].subject
    assert f"<{name}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>" in _trig(tmp_path / "c")
    correct(tmp_path / "c", Correction("proposal", str(at), "reject"))
    correct(tmp_path / "c", Correction("relation", "title", "confirm"))
    assert load(tmp_path / "c").relations[0].confirmed is True
    assert f"<{name}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>" not in _trig(tmp_path / "c")
    (tmp_path / "c" / "siteseer" / "understanding.json").write_text("{")
    with pytest.raises(ArchiveError, match="is damaged"):
        load(tmp_path / "c")


def test_a_word_of_a_person_steers_the_next_run(
    films: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = tmp_path / "films.ttl", tmp_path / "films"
    file.write_text(make_ontology("films", SEED, "modern", 20).turtle, encoding="utf-8")
    command = ["form", "understand", films.url, "--ontology", str(file), "-o", str(folder), "--delay", "0", "--json"]
    assert run(command) == 0
    first = json.loads(capsys.readouterr().out)
    new = next(one for one in first["proposals"] if one["kind"] == "instance")
    assert (
        run(
            [
                "form",
                "correct",
                str(folder),
                "proposal",
                f"{new['subject']} {new['predicate']} {new['value']}",
                "reject",
            ]
        )
        == 0
    )
    assert run(["form", "correct", str(folder), "field", "director", "set", "title"]) == 0
    assert "corrections.jsonl" in capsys.readouterr().out
    asked = len(films.log)
    assert run(command) == 0
    second = json.loads(capsys.readouterr().out)
    assert not [one for one in second["proposals"] if new["subject"] in (one["subject"], one["value"])]
    director = next(field for field in second["fields"] if field["name"] == "director")
    assert (director["columns"], director["confirmed"]) == (["title"], True)
    sent = [request.path for request in films.log[asked:]]
    assert any("director=" in path and "director=&" not in path for path in sent), "titles are searched for in it now"
    assert run([*command, "--overwrite"]) == 0
    third = json.loads(capsys.readouterr().out)
    assert next(field for field in third["fields"] if field["name"] == "director")["columns"] == ["title"]
    assert run(["form", "correct", str(folder), "field", "nobody", "reject"]) == 2
    assert "no field 'nobody'" in capsys.readouterr().err


def _trig(folder: Path) -> str:
    return (folder / "reports" / "enrichment.trig").read_text(encoding="utf-8")


def test_what_was_stopped_goes_on_as_if_it_had_not_been(shop: Server, tmp_path: Path) -> None:
    whole, _ = understand(options(shop, tmp_path / "whole"), None)
    before = len(shop.log)
    with pytest.raises(NoAnswerError):
        understand(options(shop, tmp_path / "parts", limit=4), None)
    part, summary = understand(options(shop, tmp_path / "parts", limit=40), None)
    assert (bool(part.records), summary["stopped_by"]) == (True, "limit")
    again, summary = understand(options(shop, tmp_path / "parts"), None)
    assert summary["stopped_by"] is None
    assert again == whole
    asked = [request.path for request in shop.log[before:] if request.path != "/robots.txt"]
    assert len(asked) == len(set(asked)), "nothing is asked for twice"


def test_posted_forms_have_their_own_captures(shop: Server, tmp_path: Path) -> None:
    found, _ = understand(
        options(shop, tmp_path, seeds=(shop.url.rstrip("/") + "/antiquarian",)), None, Options(budget=30)
    )
    assert found.form["method"] == "POST"
    with Description.of(tmp_path) as description:
        places = {one["capture"]["offset"] for one in description.objects()}
    assert len(places) > 3, "answers share an address, but not a capture"


@pytest.mark.parametrize(
    ("path", "words", "most"),
    [
        ("press", "every answer of the form of", 7),
        ("lost", "says the same", 5),
        ("members", "needs a login", 2),
        ("login", "robots.txt", 0),
    ],
)
def test_hopeless_forms_end_with_one_sentence(
    films: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], path: str, words: str, most: int
) -> None:
    before = len(films.log)
    assert run(["form", "understand", f"{films.url.rstrip('/')}/{path}", "-o", str(tmp_path), "--delay", "0"]) == 1
    complaints = [line for line in capsys.readouterr().err.splitlines() if line.startswith("siteseer: ")]
    assert len(complaints) == 1
    assert words in complaints[0]
    asked = [request for request in films.log[before:] if request.path != "/robots.txt"]
    assert len(asked) <= most
    assert not films.violations


@pytest.mark.parametrize(
    "command",
    [
        ["form", "understand"],
        ["form", "understand", "a", "b"],
        ["form", "understand", "http://e.org/", "--robots", "no"],
        ["form", "correct", "somewhere", "field", "q"],
        ["form", "correct", "somewhere", "colour", "q", "confirm"],
        ["form", "understand", "http://e.org/", "--ontology", "/nothing/there.ttl"],
    ],
)
def test_wrong_usage_is_said_before_anything_is_fetched(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command) == 2
    assert capsys.readouterr().err.count("siteseer: ") == 1
