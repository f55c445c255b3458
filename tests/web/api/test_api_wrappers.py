"""The generator over HTTP: marks in, ranked expressions out; only for those with the token, only so much at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from lxml import html

from siteseer.web.api.app import make_app
from siteseer.web.api.wrappers import MOST_PAGES
from siteseer.web.service.library import Library
from siteseer.wrapper.oxpath.language.parser import parse

HEADERS = {"Authorization": "Bearer let-me-in"}
LIST = """<ul><li><h3>beech</h3><i>12</i><li><h3>oak</h3><li><h3>elm</h3><i>7</i></ul><a href='?page=2'>Next</a>"""


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(make_app(Library(tmp_path), "let-me-in", hosts=["testserver"]))


def call(client: TestClient, body: Any, headers: dict[str, str] = HEADERS) -> Any:
    return client.post("/api/wrappers/induce", json=body, headers=headers)


def test_a_list_with_a_missing_attribute_and_a_next_link(client):
    body = {
        "pages": [{"url": "http://e.org/trees", "body": LIST}],
        "records": [{"at": "//li[1]"}, {"at": "//li[2]"}],
        "examples": [{"name": "tree", "at": "beech"}, {"name": "height", "at": "12"}],
        "next": [{"at": "//a"}],
    }
    answer = call(client, body)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["records"][0]["rank"] == 1 and len(found["records"][0]["hits"][0]) == 3
    heights = found["attributes"]["height"]
    assert heights["optional"] and [row for row in heights["expressions"][0]["hits"] if row] == [["12"], ["7"]]
    assert [one.text for one in html.fromstring(LIST).xpath(found["next"][0]["xpath"])] == ["Next"]
    assert str(parse(found["wrapper"])).startswith("doc('http://e.org/trees')/(")


def test_values_on_several_pages_without_records(client):
    pages = [{"body": f"<p><b>By:</b> <i>{name}</i> <u>{at}</u>"} for at, name in enumerate(("Ann", "Bob Ray", "Cy"))]
    marks = [{"name": "author", "page": 0, "at": "Ann"}, {"name": "author", "page": 1, "at": "Bob Ray"}]
    found = call(client, {"pages": pages, "examples": marks}).json()
    assert found["attributes"]["author"]["expressions"][0]["hits"] == [["Ann"], ["Bob Ray"], ["Cy"]]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"examples": [{"name": "tree", "at": "//li[["}]}, 422),
        ({"examples": [{"name": "tree", "at": "palm"}]}, 422),
        ({"examples": [{"name": "tree", "at": "beech", "page": 7}]}, 422),
        ({"examples": []}, 422),
        ({"pages": []}, 422),
        ({"pages": [{"body": LIST}] * (MOST_PAGES + 1)}, 422),
        ({"examples": [{"name": "tree", "at": "x" * 5000}]}, 422),
    ],
)
def test_what_cannot_be_induced_is_said_in_one_sentence(client, change, status):
    body = {"pages": [{"body": LIST}], "examples": [{"name": "tree", "at": "beech"}], **change}
    answer = call(client, body)
    assert answer.status_code == status and answer.json()["error"], answer.text


def test_without_the_token_nothing_is_computed(client):
    body = {"pages": [{"body": LIST}], "examples": [{"name": "tree", "at": "beech"}]}
    assert call(client, body, {}).status_code == 401
    assert "/api/wrappers/induce" in client.get("/api/openapi.json").json()["paths"]
