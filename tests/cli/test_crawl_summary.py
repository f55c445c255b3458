"""The summary that people read: prose, reasons in words, and commands that can be typed next."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.cli.main import run, understand
from siteseer.cli.output.crawl_summary import summary_lines
from siteseer.cli.output.skip_words import skip_sentence
from tests.crawler.small_site import SmallSite, pages

QUICK = ("--delay", "0", "--assets", "none", "--browser", "never")


def test_a_crawl_ends_with_what_was_found_and_what_to_do(
    serve: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    server = serve("blog", seed=3, size=12)
    assert run(["crawl", server.url, "-o", str(tmp_path / "c"), *QUICK]) == 0
    said = capsys.readouterr().out
    summary = json.loads((tmp_path / "c/reports/summary.json").read_text())
    prose = " ".join(said.partition("\n\n")[0].split())
    assert re.match(r"Done in .*: [\d,]+ pages of http://.* kept with [\d,]+ requests\.", prose)
    assert f"{summary['requests']:,} requests" in prose and summary["requests"] == len(server.log)
    assert re.search(r"Found +\d+ \w+, \d+ comments", said) and "Skipped" in said
    for internal in ("two grams", "adapted", "other name of", "/0/", "None", "{"):
        assert internal not in said
    commands = re.split(r"\n +| · ", said.partition("Next: ")[2].strip())
    assert len(commands) >= 3
    for command in commands:
        understand(shlex.split(command.removeprefix("siteseer ")))


def test_every_figure_is_there_for_those_who_ask(
    serve: Callable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve("blog", seed=3, size=4)
    assert run(["crawl", server.url, "-o", str(tmp_path / "c"), *QUICK, "--limit", "5", "--verbose"]) == 0
    said = capsys.readouterr().out
    assert "two grams" in said and said.startswith("Stopped at your limit of requests after")
    assert "run the same command again" in said


def test_a_host_that_does_not_answer_is_no_robots_and_no_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["crawl", "http://nowhere.invalid/", "-o", str(tmp_path / "c"), *QUICK]) == 9
    said = capsys.readouterr()
    assert said.out.startswith("Nothing of http://nowhere.invalid/ was kept; 0 requests sent in")
    assert "1 on a host that does not answer" in said.out and "nowhere.invalid" in said.err
    summary = json.loads((tmp_path / "c/reports/summary.json").read_text())
    assert summary["skipped"] == {"unreachable": 1} and summary["requests"] == 0


def test_reasons_are_grouped_and_the_rest_is_counted() -> None:
    rules = {
        "/*/feed/: feed": 3,
        "/?replytocom=0: other name of /": 9,
        "--exclude *x*": 1,
        "depth": 2,
        "scope": 5,
        "a": 1,
    }
    assert skip_sentence(rules) == (
        "21 links: 9 reply links, 5 on other sites, 3 feeds, 2 deeper than your limit, 1 that you excluded, 1 other"
    )


@pytest.mark.parametrize("width", [60, 80, 120])
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    summary = {
        "collection": "kept", "strategy": "auto", "application": "phpbb", "version": "3.2", "requests": 12_206,
        "pages": 1, "seconds": 7_261.0, "finished": True, "stopped_by": None, "errors": 3, "failed_actions": 2,
        "adapted_actions": 1, "objects": {"comment": 215, "post": 42}, "problems": [],
        "skipped": {f"/{name}/*: {name}": 10 for name in ("feed", "print", "login", "search", "sort", "edit")},
        "total": {"crawls": 2, "seeds": ["http://e.org/", "http://f.org/"], "pages": 7, "objects": {"post": 1}},
    }  # fmt: skip
    lines = list(summary_lines(summary, width))
    assert max(map(len, lines)) <= width
    told = " ".join(" ".join(lines).split())
    for words in ("Done in 2 h 1 min", "and 1 other seed", "phpbb 3.2", "2 crawls, 7 pages, 1 post", "3 addresses"):
        assert words in told


def test_a_wrapper_writes_the_file_that_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SmallSite(pages({"/": "<ul><li><b>tea</b></li><li><b>rye</b></li></ul>"})) as site:
        command = ["wrapper", "run", f"doc('{site.url}/')//li:<drink>[b:<name=string(.)>]", "--browser", "never"]
        file = tmp_path / "drinks.csv"
        assert run([*command, "--delay", "0", "-o", str(file)]) == 0
        assert [row["name"] for row in csv.DictReader(file.open())] == ["tea", "rye"]
        assert capsys.readouterr().out == ""
        assert run([*command, "--delay", "0", "-o", str(file)]) == 2
        assert "add --overwrite" in capsys.readouterr().err
        assert run([*command, "--delay", "0", "-o", str(file), "--overwrite"]) == 0
    assert [one.name for one in tmp_path.iterdir()] == ["drinks.csv"]
