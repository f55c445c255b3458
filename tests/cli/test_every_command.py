"""What every command has: a help with examples, --json, --quiet, and the same exit codes; nothing made when wrong."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from siteseer.cli.main import build, run, understand
from siteseer.cli.parameters.examples import EXAMPLES, GROUPS
from siteseer.errors import UsageError


def commands() -> Iterator[tuple[str, Any]]:
    waiting: list[tuple[str, Any]] = [("", typer.main.get_command(build()))]
    while waiting:
        name, command = waiting.pop()
        if inner := getattr(command, "commands", None):
            waiting += [(f"{name} {one}".strip(), made) for one, made in inner.items()]
        else:
            yield name, command


COMMANDS = dict(commands())
NAMES = sorted(COMMANDS)


def test_there_are_many_commands_and_each_has_a_place_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(NAMES) > 50
    assert {name.split()[0] for name in NAMES} == {name for names in GROUPS.values() for name in names}
    assert run(["--help"]) == 0
    told = capsys.readouterr().out
    assert [told.index(f"{group}:") for group in GROUPS] == sorted(told.index(f"{group}:") for group in GROUPS)


@pytest.mark.parametrize("name", NAMES)
def test_the_help_ends_with_examples_and_fits(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*name.split(), "--help"]) == 0
    told = capsys.readouterr().out
    before, _, examples = told.partition("Examples:\n")
    assert len(examples.splitlines()) >= 2 and all(one.startswith("  siteseer ") for one in examples.splitlines())
    assert max(map(len, before.splitlines())) <= 80


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_examples_are_commands(name: str) -> None:
    assert len(EXAMPLES[name]) >= 2
    for example in EXAMPLES[name]:
        understand(shlex.split(example))


@pytest.mark.parametrize("name", NAMES)
def test_every_command_takes_the_options_of_every_command(name: str) -> None:
    flags = {flag for one in COMMANDS[name].params for flag in one.opts}
    assert {"--json", "--quiet", "--verbose"} <= flags


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_option_is_2_in_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*name.split(), "--no-such-option"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and len(said.err.strip().splitlines()) == 1 and "Traceback" not in said.err
    assert list(tmp_path.iterdir()) == []


MISSING = (
    "objects {x}", "query {x} 'ASK { ?a ?b ?c }'", "article {x}", "detect {x}", "align {x} {x}", "audit {x}",
    "compare --collections {x} {x}", "timestamp {x}", "changes {x} {x}", "revisit {x}", "export {x} --wacz {y}.wacz",
    "verify {x}", "repair {x}", "describe {x} -o {y}", "ui {x}", "form {x}", "form correct {x} field a confirm",
    "wrapper run {x}.oxpath", "wrapper induce {x} --example a=b", "wrapper list --in {x}", "kb check {x}", "feed {x}",
    "campaign run {x}.toml -o {y}", "campaign check {x}.toml", "campaign report {x}", "schedule list {x}.toml",
    "schedule run {x}.toml", "store push {x}", "store check {x}", "crawl http://e.org/ -o {y} --seeds {x}",
    "crawl http://e.org/ -o {y} --offline {x}", "crawl http://e.org/ -o {y} --cookies {x}",
)  # fmt: skip


@pytest.mark.parametrize("line", MISSING)
def test_a_missing_file_is_2(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        word.replace("{x}", str(tmp_path / "none")).replace("{y}", str(tmp_path / "made")) for word in _split(line)
    ]
    assert run(words) == 2
    said = capsys.readouterr()
    assert said.out == "" and "Traceback" not in said.err and "none" in said.err
    assert list(tmp_path.iterdir()) == []


def _split(line: str) -> list[str]:
    return shlex.split(line)


HOST = "http://127.0.0.1:9/"
UNREACHABLE = (
    "crawl {u} -o {y} --delay 0", "article {u}", "detect {u}", "timestamp {u}", "changes {u} {u}", "form {u}",
    "feed {u}", "compare {u} -o {y}", "form probe {u} -o {y} --delay 0", "learn {u} -o {y} --delay 0",
    "wrapper induce {u} --example a=b",
)  # fmt: skip


@pytest.mark.parametrize("line", UNREACHABLE)
def test_an_unreachable_host_is_9(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.replace("{u}", HOST).replace("{y}", str(tmp_path / "made")) for word in shlex.split(line)]
    assert run(words) == 9
    said = capsys.readouterr()
    assert "127.0.0.1:9" in said.err and "Traceback" not in said.err


def test_json_is_json_for_commands_whose_results_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["kb", "export", "phpbb", "--format", "wget", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines and all(list(line) == ["line"] for line in lines)
    assert run(["kb", "list", "--json"]) == 0
    assert all(json.loads(line)["application"] for line in capsys.readouterr().out.splitlines())


def test_quiet_says_results_and_errors_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html><head><title>x</title></head><body><p>words</p></body></html>")
    assert run(["kb", "check", str(tmp_path), "--quiet"]) in (0, 2, 4)
    assert run(["detect", str(page), "--quiet"]) == 0
    said = capsys.readouterr()
    assert "unknown" in said.out and "problem" not in said.err
    assert run(["detect", str(tmp_path / "none"), "--quiet"]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip().count(".") == 2


def test_an_example_that_is_wrong_would_be_found() -> None:
    with pytest.raises(UsageError):
        understand(["objects", "forum", "--autor", "ann"])


def test_the_demonstration_is_json_and_says_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("siteseer.cli.demo_run.KINDS", ("blog",))  # one site is enough, and quick
    assert run(["demo", "--json", "--quiet", "-o", str(tmp_path / "demo")]) == 0
    said = capsys.readouterr()
    rows = json.loads(said.out)["crawls"]
    assert said.err == "" and {(row["site"], row["strategy"]) for row in rows} == {
        ("blog", strategy) for strategy in ("auto", "blind")
    }
    assert all(row["times_fewer"] == 1 for row in rows if row["strategy"] == "blind")
    assert all(Path(row["folder"]).is_dir() and row["requests"] > 1 for row in rows)
