"""The shipped test pages are as expected, with and without the generator, and a trial can fail."""

import json
import re
from pathlib import Path

import pytest

from siteseer.errors import KnowledgeError
from siteseer.knowledge.check import find_test_pages
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise
from siteseer.model import Page
from siteseer.strategies.aware.knowledge_test import run_trials

NAMES = sorted(application.id for application in KnowledgeBase.shipped())
DOCS = Path(__file__).parents[2] / "docs" / "add-a-cms.md"
GENERATOR = re.compile(rb"<meta[^>]{0,200}generator[^>]{0,200}>", re.IGNORECASE)
PINBOARD = b"""<html><head><link rel=stylesheet href="/css/pinboard.css"></head><body id=pinboard>
<h1>Knots</h1><div class=message>
<b class=who>Ann</b> <i class=when>1 May 2020</i>
<div class=text><blockquote>Which?</blockquote>Use a bowline.</div></div>
<a rel=next href="/t/1?page=2">2</a> <a href="/reply.php?t=1">Reply</a></body></html>"""


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_as_expected(name: str) -> None:
    folder = find_test_pages(name)
    assert folder is not None, f"{name} has no test pages"
    trials = run_trials(name, folder, KnowledgeBase.shipped())
    assert trials
    assert {trial.file: trial.wrong for trial in trials if trial.wrong} == {}


@pytest.mark.parametrize("name", NAMES)
def test_recognised_without_generator(name: str) -> None:
    folder = find_test_pages(name)
    assert folder is not None
    for file, wanted in json.loads((folder / "expected.json").read_text("utf-8")).items():
        if file.endswith(".html"):
            body = GENERATOR.sub(b"", (folder / file).read_bytes())
            page = Page(wanted["url"], 200, (("Content-Type", "text/html; charset=utf-8"),), body)
            assert recognise(page, KnowledgeBase.shipped()).application == name, file


def test_the_recipe_works(tmp_path: Path) -> None:
    text = DOCS.read_text("utf-8")
    (tmp_path / "pinboard.xml").write_text(re.findall(r"```xml\n(.*?)```", text, re.DOTALL)[0])
    folder = tmp_path / "tests" / "pinboard"
    folder.mkdir(parents=True)
    (folder / "thread.html").write_bytes(PINBOARD)
    (folder / "expected.json").write_text(re.findall(r"```json\n(.*?)```", text, re.DOTALL)[0])
    knowledge = KnowledgeBase.with_files([tmp_path / "pinboard.xml"])
    assert find_test_pages("pinboard", tmp_path) == folder
    assert [trial.wrong for trial in run_trials("pinboard", folder, knowledge)] == [()]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"level": "list"}, "recognised as phpbb/thread"),
        ({"objects": []}, "objects thread post post, not none"),
        ({"objects": [{"kind": "thread"}, {"kind": "post", "author": "Nobody"}, {"kind": "post"}]}, "author is 'Ivo'"),
        ({"objects": [{"kind": "thread"}, {"kind": "post", "text_has": ["zebra"]}, {"kind": "post"}]}, "lacks 'zebra'"),
        ({"follows": ["http://rope.example/no"]}, "does not follow"),
        ({"not_followed": ["http://rope.example/viewtopic.php?f=2&t=9&start=10"]}, "follows http"),
    ],
)
def test_a_trial_says_what_is_wrong(tmp_path: Path, change: dict[str, object], said: str) -> None:
    source = find_test_pages("phpbb")
    assert source is not None
    wanted = {"url": "http://rope.example/viewtopic.php?f=2&t=9", "level": "thread", **change}
    (tmp_path / "expected.json").write_text(json.dumps({"thread.html": wanted}))
    (tmp_path / "thread.html").write_bytes((source / "thread.html").read_bytes())
    (trial,) = run_trials("phpbb", tmp_path, KnowledgeBase.shipped())
    assert any(said in wrong for wrong in trial.wrong)


def test_missing_expectations_are_said(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"expected\.json"):
        run_trials("phpbb", tmp_path, KnowledgeBase.shipped())
