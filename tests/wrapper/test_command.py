"""`siteseer wrapper run` and `check` as a person types them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.cli.main import run
from siteseer.demo import Server

FLATS = """
doc($site)//select#sale_type_id/{"Lettings"}/following::button.formbtn/{click /}
  /(//a[.='NEXT'][1]/{click /})*{0,30}
  //div.proplist_wrap:<Property>
    [? .//span.prop_price:<Price=string(.)>]
    [? .//span.orange:<Postcode=string(.)>]
    [? .//p:<Descr=string(.)>]
"""


def test_a_wrapper_in_a_file_gives_a_table(
    serve: Callable[..., Server], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve("estate", seed=1, template="classic", size=23)
    file = tmp_path / "flats.oxpath"
    file.write_text(FLATS)
    usual = ["wrapper", "run", str(file), "--var", f"site={server.url}", "--browser", "never", "--delay", "0"]
    assert run([*usual, "--format", "csv"]) == 0
    told = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(told.out)))
    wanted = [dict(text.fields) for text in server.site.truth.texts if "Lettings" in text.tags]
    assert [{name: value for name, value in row.items() if value} for row in rows] == wanted
    assert "23 records" in told.err
    assert run([*usual, "-o", str(tmp_path / "kept"), "--single"]) == 0
    lines = [json.loads(line)["Property"] for line in capsys.readouterr().out.splitlines()]
    assert lines == wanted
    assert run(["objects", str(tmp_path / "kept"), "--kind", "record", "--format", "jsonl"]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(one["fields"].get("Price", "") for one in objects) == sorted(one.get("Price", "") for one in wanted)
    assert run(["verify", str(tmp_path / "kept")]) == 0


def test_check_tells_what_a_wrapper_extracts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["wrapper", "check", FLATS, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["records"] == {"Property": ["Price", "Postcode", "Descr"]}
    assert found["variables"] == ["site"]
    assert found["warnings"] == []
    assert run(["wrapper", "check", "//a[style::color='red']:<x=string(.)>[b:<y=string(.)>]"]) == 0
    told = capsys.readouterr().out
    assert "leave '=...' out" in told
    assert "no page is loaded" in told


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["check", "//a/{clik}"], 4, "there is no action 'clik'"),
        (["run", "//a/{clik}"], 4, "there is no action 'clik'"),
        (["run", "missing.oxpath"], 2, "there is no file missing.oxpath"),
        (["run", "doc($u)//a:<x>", "--browser", "never"], 2, "needs a value for $u"),
        (["run", "//a:<x>", "--browser", "never"], 2, "needs a page"),
        (["run", "doc('http://127.0.0.1:9/')//a:<x>", "--format", "pdf"], 2, "there is no format 'pdf'"),
        (["run", "doc('http://127.0.0.1:9/')//a:<x>", "--browser", "sometimes"], 2, "--browser sometimes is unknown"),
        (["run", "doc('ftp://x/')//a:<x>", "--browser", "never"], 2, "is no address of a page"),
        (["run", "doc('http://e.org/')//a:<x>", "--var", "x"], 2, "gives no value"),
        (["run", "doc('http://e.org/')//a:<x>", "--offline", "nowhere.warc"], 2, "no such file"),
    ],
)
def test_bad_input_gets_one_sentence(
    arguments: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["wrapper", *arguments]) == code
    told = capsys.readouterr()
    assert sentence in told.err
    assert "Traceback" not in told.err
