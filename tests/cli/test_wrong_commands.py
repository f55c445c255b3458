"""Forty wrong commands that people make: each is answered in one sentence, with the exit code of the contract."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from siteseer.cli.main import run

C = "crawl http://e.org/ -o {new}"
WRONG: tuple[tuple[str, int, str], ...] = (
    ("crawl http://e.org/", 2, "say where the collection goes: -o DIR"),
    ("crawl -o {new}", 2, "nothing to crawl"),
    ("crawl htp://e.org/ -o {new}", 2, "htp://e.org/ is no URL that can be crawled"),
    ("crawl mailto:me@e.org -o {new}", 2, "no URL that can be crawled"),
    (f"{C} --depht 3", 2, "--depht"),
    (f"{C} --depth three", 2, "--depth wants a whole number, not three"),
    (f"{C} --depth -1", 2, "--depth -1 makes no sense; use 0 to 1e+06"),
    (f"{C} --delay 1s", 2, "--delay wants a number of seconds, not 1s"),
    (f"{C} --delay -2", 2, "--delay -2 makes no sense"),
    (f"{C} --delay nan", 2, "--delay wants a number of seconds"),
    (f"{C} --limit 0", 2, "--limit 0 makes no sense; use 1 or more"),
    (f"{C} --limit 1e3", 2, "--limit wants a whole number, not 1e3"),
    (f"{C} --concurrency 500", 2, "--concurrency 500 makes no sense; use 1 to 64"),
    (f"{C} --size-limit 2GBit", 2, "write it as 500M or 2G"),
    (f"{C} --time-limit 1h", 2, "--time-limit wants a number of seconds, not 1h"),
    (f"{C} --scope subdomain", 2, "did you mean domain?"),
    (f"{C} --robots off", 2, "--robots off is unknown; use one of"),
    (f"{C} --browser yes", 2, "--browser yes is unknown"),
    (f"{C} --tls none", 2, "--tls none is unknown"),
    (f"{C} --strategy awre", 2, "did you mean aware?"),
    (f"{C} --strategy focused-blind", 2, "there is no strategy 'focused-blind'"),
    (f"{C} --strategy blind --exclude re:(", 4, "a closing parenthesis is missing. Leave out `re:`"),
    (f"{C} --strategy blind --exclude re:a**", 4, "is not a valid regular expression"),
    (f"{C} --strategy blind --include re:[a", 4, "a closing bracket is missing"),
    (f"{C} --header Accept-Language", 2, "write it as 'Name: value'"),
    (f"{C} --config {{page}}", 4, "is no TOML file"),
    (f"{C} --config {{toml}}", 4, "did you mean 'exclude'?"),
    (f"{C} --seeds {{none}}", 2, "cannot be read"),
    (f"{C} --strategy example", 2, "--example"),
    ("crawl http://e.org/ -o {page}", 2, "is a file; name a directory"),
    ("crawl http://e.org/ -o {full} --overwrite", 2, "--overwrite will not remove them"),
    ("timestamp {ttl}", 2, "is no Web page: there is no markup in it"),
    ("detect e.org", 2, "did you mean https://e.org?"),
    ("detect {full}", 2, "cannot be read as a page"),
    ("objects {full}", 2, "no collection"),
    ("objects {none}", 2, "none"),
    ("verify {none}", 2, "none"),
    ("export {full}", 2, "say what to write"),
    ("export {full} --format csv -o {page}", 2, "exists already; name another file, or add --overwrite"),
    ("export {full} --wacz {none}/a.wacz", 2, "there is no directory"),
    ("changes {page} {page} --view both", 2, "there is no view 'both'"),
    ("changes {page} {page} --view side -o {page}", 2, "exists already"),
    ("changes {page} {page} -o {new}", 2, "-o is for an HTML view"),
    ("form correct {full} colour a confirm", 2, "form correct takes a collection"),
    ("form understand", 2, "Missing argument"),
    ("wrapper run doc(", 4, "^"),
    ("wrapper run doc('http://e.org/')//a:<b=string(.)> --format pdf", 2, "pdf"),
    ("wrapper run doc('http://e.org/')//a:<b=string(.)> --var q", 2, "write it as NAME=VALUE"),
    ("wrapper list --in {full}", 2, "there are no jobs in"),
    ("kb show phpb", 2, "did you mean phpbb?"),
    ("feed watch {page} -o {new}", 2, "is no address"),
    ("learn http://e.org/ -o {new} --sample all", 2, "complete for the whole site"),
    ("compare --collections {page} {page} --delay 3", 2, "takes no option of a crawl"),
    ("ui {none}", 2, "there is no folder"),
    ("demo serve castle", 2, "castle"),
    ("archive http://e.org/", 2, "archive"),
)


@pytest.mark.parametrize(("line", "code", "words"), WRONG, ids=lambda one: str(one)[:40])
def test_a_wrong_command_is_answered_in_one_sentence(
    line: str,
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {name: tmp_path / name for name in ("new", "none", "full", "page", "toml", "ttl")}
    names["page"].write_text("<html><body><p>words</p></body></html>")
    names["toml"].write_text("exlude = ['*/print/*']\n")
    names["ttl"].write_text("@prefix : <http://e.org/> .\n:a :b <http://e.org/c> .\n")
    names["full"].mkdir()
    (names["full"] / "thesis.doc").write_text("years of work")
    before = sorted(tmp_path.rglob("*"))
    filled = [
        word.format(**names) if "{" in word else word
        for word in shlex.split(line.replace("(", "\\(").replace(")", "\\)").replace("'", "\\'"))
    ]
    assert run(filled) == code
    said = capsys.readouterr()
    assert words in said.err and "Traceback" not in said.err and " b'" not in said.err
    assert said.out == "" and (len(said.err.strip().splitlines()) == 1 or words == "^")
    assert sorted(tmp_path.rglob("*")) == before, "nothing is made"


def test_there_are_at_least_forty() -> None:
    assert len(WRONG) >= 40
