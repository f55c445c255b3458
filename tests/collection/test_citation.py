"""One object as a file that can be cited: from the command line, and safe whatever the object says."""

from __future__ import annotations

import json
import re
from pathlib import Path

from siteseer.cli.main import run
from siteseer.collection.description import Description
from siteseer.collection.objects.citation import citation
from siteseer.settings import FetchLimits


def test_an_object_is_exported_as_one_file(serve, run_crawl, tmp_path: Path) -> None:
    run_crawl(serve("forum", seed=3, size=10).url, "board", strategy="auto")
    with Description.of(tmp_path / "board") as description:
        post = next(one for one in description.objects() if one.get("author") and one.get("text"))
    target = tmp_path / "cited.html"
    assert run(["export", str(tmp_path / "board"), "--object", post["id"], "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    told = json.loads(re.search(r"<script type='application/json'>(.*?)</script>", text, re.DOTALL)[1])
    assert told == post
    assert post["capture"]["digest"] in text and post["capture"]["file"] in text


def test_an_object_that_is_not_there_is_said_in_one_sentence(serve, run_crawl, tmp_path: Path, capsys) -> None:
    run_crawl(serve("forum", seed=3, size=4).url, "board", strategy="auto", limits=FetchLimits())
    assert run(["export", str(tmp_path / "board"), "--object", "urn:none"]) != 0
    assert "there is no object urn:none" in capsys.readouterr().err


def test_script_in_every_field_stays_text() -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    made = citation(dict.fromkeys(("id", "kind", "title", "author", "text", "url", "because"), evil), evil)
    assert made.count("<script") == 1 and "<img" not in made
