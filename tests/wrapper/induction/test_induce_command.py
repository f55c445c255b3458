"""`siteseer wrapper induce` on pages served by real HTTP, and the composed wrapper run by the language itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siteseer.cli.main import run
from siteseer.demo import Server
from siteseer.settings import ExtractionOptions
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.record_formats import as_json
from siteseer.wrapper.run import extract

NAMES = ("ash", "beech", "cedar", "dogwood", "elm", "fir", "gorse", "hazel", "iris", "jasmine", "kale", "lime")


def shop(number: int) -> str:
    items = [
        f"<li class=thing><h3>{name}</h3>" + (f"<p><b>Price:</b> <i>{at + 1}.50</i></p>" if at % 3 else "") + "</li>"
        for at, name in enumerate(NAMES)
        if at // 4 == number - 1
    ]
    more = f"<a class=more href='/{number + 1}'>More</a>" if number < 3 else ""
    return f"<html><body><ul class=menu><li>Home<li>Help</ul><ul>{''.join(items)}</ul>{more}</body></html>"


def test_a_list_with_paging_from_four_examples(
    serve_pages: Callable[..., Server], capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve_pages({f"/{number}": shop(number) for number in (1, 2, 3)})
    first = f"{server.url.rstrip('/')}/1"
    examples = ["--example", "name=beech", "--example", "price=2.50", "--record", "//li[h3='beech']", "--next", "More"]
    assert run(["wrapper", "induce", first, *examples, "--format", "oxpath"]) == 0
    text = capsys.readouterr().out
    found: list[Any] = []
    extract(parse(text), found.append, ExtractionOptions({}, "never", delay=0), pytest.fail)
    rows = [as_json(one, single=True) for one in found]
    wanted = [{"name": name} | ({"price": f"{at + 1}.50"} if at % 3 else {}) for at, name in enumerate(NAMES)]
    assert rows == wanted


def test_ranked_expressions_with_their_hits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate(("Ann Lee", "Bob Ray", "Cy Dunn")):
        (tmp_path / f"{number}.html").write_text(f"<p>Nr {number}</p><p><b>Author:</b> <i>{name}</i></p>")
    assert run(["wrapper", "induce", str(tmp_path), "--example", "author=Ann Lee", "--example", "author=Bob Ray"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["rank"] == 1 and rows[0]["hits"] == [["Ann Lee"], ["Bob Ray"], ["Cy Dunn"]]
    assert [row["name"] for row in rows] == ["author"] * len(rows)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "nothing is marked"),
        (["--example", "author"], "is no example"),
        (["--example", "author=nobody"], "no page shows 'nobody'"),
        (["--example", "9:author=Ann"], "there are 1 pages"),
        (["--example", "author=//b["], "no page shows"),
        (["--example", "author=Ann", "--format", "pdf"], "no format 'pdf'"),
    ],
)
def test_mistakes_get_one_sentence(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p><b>By</b> Ann</p>")
    assert run(["wrapper", "induce", str(page), *options]) == 2
    assert words in capsys.readouterr().err
