"""What analysers read is kept once, replaced when it changes, and found in the store, embedded or elsewhere."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siteseer.collection.annotations import Annotations
from siteseer.collection.description import Description
from siteseer.collection.layout import RDF, objects_folder, rows_of
from siteseer.collection.stores.store_config import choose_stores
from siteseer.model import Annotation, Capture, WebObject
from tests.collection.stores.servers import sparql_server

NAMES = "SELECT DISTINCT ?n { ?o schema:mentions ?e . ?e rdfs:label ?n } ORDER BY ?n"
HOSTILE = 'Ann "\\ <x> \n\x00 } \ud800'


def post(number: int, text: str = "Ann met Bo.") -> tuple[WebObject, Capture]:
    place = Capture("a.warc.gz", number, 9, datetime(2026, 1, 1, tzinfo=UTC), "sha256:0", f"urn:uuid:{number}")
    return WebObject("post", f"http://e.org/t#{number}", "http://e.org/t", text=text), place


def read(collection: Path, version: str, *labels: str) -> int:
    """Let an analyser that always finds the same read what waits; return how much that was."""
    count = 0
    with Annotations.at(rows_of(collection), "names", version) as annotations:
        while waiting := annotations.waiting(2):
            found = [Annotation("entity", label, 1.0, 0.5, 0, 3, "Ann") for label in labels]
            annotations.keep([(seq, key, found) for seq, key, _ in waiting])
            count += len(waiting)
    return count


def names(collection: Path) -> list[str]:
    with Description(collection) as description:
        return [row[0].value for row in description.query(NAMES).result.rows if row[0]]


@pytest.fixture(params=["embedded", "endpoint"])
def collection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A collection of five posts, its statements in its own store or in a SPARQL endpoint."""
    with Description(tmp_path) as description:
        description.add([post(number) for number in range(5)])
    if request.param == "embedded":
        yield tmp_path
        return
    with sparql_server() as address:
        choose_stores(tmp_path, objects=f"{address}/query")
        yield tmp_path


def test_each_object_is_read_once_and_again_when_the_analyser_changes(collection: Path) -> None:
    assert read(collection, "1", "Ann", "Bo") == 5
    assert read(collection, "1", "Ann", "Bo") == 0
    assert names(collection) == ["Ann", "Bo"]
    with Description(collection) as description:
        description.add([post(5)])
    assert read(collection, "1", "Ann", "Bo") == 1
    assert read(collection, "2", "Cleo") == 6
    assert names(collection) == ["Cleo"]
    assert read(collection, "1", "Ann") == 6, "an older version counts as another one"


def test_an_object_that_says_something_else_is_read_again(tmp_path: Path) -> None:
    with Description(tmp_path) as description:
        description.add([post(1)])
        assert read(tmp_path, "1", "Ann") == 1
        thing, place = post(1, "Cleo met Dan, whom nobody had seen.")
        later = Capture(place.file, 99, 9, datetime(2026, 2, 1, tzinfo=UTC), "sha256:1", "urn:uuid:99")
        description.add([(thing, later), (thing, Capture(place.file, 100, 9, later.time, "sha256:1", "urn:uuid:100"))])
    assert read(tmp_path, "1", "Ann") == 1


def test_a_store_that_was_deleted_comes_back_with_its_annotations(tmp_path: Path) -> None:
    with Description(tmp_path) as description:
        description.add([post(1)])
    read(tmp_path, "1", "Ann")
    assert names(tmp_path) == ["Ann"]
    shutil.rmtree(objects_folder(tmp_path) / RDF)
    assert names(tmp_path) == ["Ann"]


def test_hostile_labels_stay_text(tmp_path: Path) -> None:
    with Description(tmp_path) as description:
        description.add([post(1)])
    read(tmp_path, "1", HOSTILE, "")
    (empty, label) = names(tmp_path)
    assert (empty, label) == ("", 'Ann "\\ <x> \n } ')
    with Description(tmp_path) as description:
        (found,) = description.objects()
        assert json.dumps(found["annotations"]).isascii() and found["annotations"][0]["analyser"] == "names"
