"""`siteseer align` as people run it: tables, JSON lines, files, and what goes wrong in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from siteseer.cli.main import run

SHOP = """r1\ttitle\tGreat Expectations
r1\tauthor\tCharles Dickens
r2\ttitle\tDavid Copperfield
r2\tauthor\tCharles Dickens
"""
WORLD = """@prefix w: <http://w.org/> .
w:b1 a w:Book ; w:label "Great Expectations" . w:b2 a w:Book ; w:label "David Copperfield" .
w:d a w:Person ; w:label "Charles Dickens" ; w:created w:b1, w:b2 .
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "shop.tsv").write_text(SHOP)
    (tmp_path / "world.ttl").write_text(WORLD)
    return [str(tmp_path / "shop.tsv"), str(tmp_path / "world.ttl")]


def lines(text: str) -> set[tuple[str, str, str, str]]:
    rows = [json.loads(line) for line in text.splitlines()]
    assert all(0 < row["probability"] <= 1 and row["support"] >= 1 for row in rows)
    return {(row["kind"], row["left"], row["direction"], row["right"]) for row in rows}


FOUND = {
    ("instance", "r1", "=", "http://w.org/b1"),
    ("instance", "r2", "=", "http://w.org/b2"),
    ("relation", "title", "<", "http://w.org/label"),
    ("relation", "title", ">", "http://w.org/label"),
    ("relation", "author", "<", "http://w.org/created~ / http://w.org/label"),
    ("relation", "author", ">", "http://w.org/created~ / http://w.org/label"),
}


def test_json_lines(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["align", *files, "--json"]) == 0
    assert lines(capsys.readouterr().out) == FOUND


def test_a_file(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "matches.jsonl"
    assert run(["align", *files, "--joins", "1", "-o", str(out)]) == 0
    assert lines(out.read_text()) == {row for row in FOUND if row[1] != "author"}
    told = capsys.readouterr()
    assert told.out == "" and "4 matches" in told.err


def test_a_table_for_people(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["align", *files]) == 0
    text = capsys.readouterr().out
    assert "author  is contained in  created~ / label" in text and "r1  is  b1" in text and "settled after" in text


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "ab":
        (tmp_path / f"{name}.tsv").write_text(f"{name}\x1b[31m\tname\tsomething\n{name}2\tname\telse\n")
    assert run(["align", str(tmp_path / "a.tsv"), str(tmp_path / "b.tsv")]) == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text and "a[31m" in text


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["none.nt"], 2, "none.nt"),
        (["shop.doc"], 2, "ending"),
        (["{0}", "--literals", "guess"], 2, "shingle"),
        (["{0}", "--theta", "3"], 2, "theta"),
        (["{0}", "--joins", "7"], 2, "joins"),
        (["bad.rdf"], 1, "bad.rdf"),
        (["http://127.0.0.1:9/sparql"], 9, "127.0.0.1"),
    ],
)
def test_what_goes_wrong_is_said_in_one_sentence(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, told: str
) -> None:
    (tmp_path / "bad.rdf").write_text("<rdf")
    first, *rest = arguments
    named = first if first.startswith("http") else files[0] if first == "{0}" else str(tmp_path / first)
    assert run(["align", named, files[1], *rest]) == code
    captured = capsys.readouterr()
    assert captured.out == "" and told in captured.err and captured.err.count("\n") == 1
