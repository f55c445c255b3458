"""A format of objects is one class and one row: everything that hands out objects then offers it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from siteseer import plugins
from siteseer.cli.main import run
from siteseer.collection.description import Description
from siteseer.verbs.opened_collection import Collection
from tests.collection.examples import BLOG, FORUM, capture

MANUAL = (Path(__file__).parents[2] / "docs" / "extend.md").read_text()
exec(re.findall(r"^```python\n(.*?)^```", MANUAL, re.MULTILINE | re.DOTALL)[0])  # the class Titles


@pytest.fixture
def collection(tmp_path, monkeypatch):
    (tmp_path / "siteseer").mkdir()
    with Description(tmp_path) as description:
        description.describe((found, capture(number)) for number, found in enumerate([*BLOG, *FORUM]))
    monkeypatch.setitem(plugins.OBJECT_FORMATS, "titles", f"{__name__}:Titles")
    return tmp_path


def test_a_new_format_is_offered_everywhere(collection, capfdbinary, tmp_path):
    assert "titles" in plugins.object_formats()
    assert run(["objects", str(collection), "--format", "titles"]) == 0
    listed = capfdbinary.readouterr().out
    assert listed.count(b"\n") == Collection("c", collection).count() > 0
    assert run(["export", str(collection), "--format", "titles", "-o", str(tmp_path / "file")]) == 0
    assert (tmp_path / "file").read_bytes() == listed


@pytest.mark.parametrize("form", plugins.object_formats())
def test_list_and_export_write_the_same(form, collection, capfdbinary):
    assert run(["objects", str(collection), "--format", form]) == 0
    listed = capfdbinary.readouterr().out
    assert run(["export", str(collection), "--format", form]) == 0
    assert capfdbinary.readouterr().out == listed != b""


def test_an_unknown_format_is_refused(collection, capsys):
    assert run(["export", str(collection), "--format", "pdf"]) == 2
    assert run(["objects", str(collection), "--format", "pdf"]) == 2
    assert capsys.readouterr().err.count("choose one of") == 2
