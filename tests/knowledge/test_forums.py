"""Small pages of forum software: each is recognised, also without its generator, and gives its objects and links.

Beside the pages of an application lies `expected.json`: for each file its URL, its level, what its objects say, and
which URLs are followed or not; `fetched` is when a page that says "yesterday" was fetched.
"""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from siteseer.extract.by_knowledge import extract
from siteseer.interfaces import Verdict
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise, recognise_in_full
from siteseer.model import Follow, Outcome, Page
from siteseer.strategies.aware.aware_strategy import AwareStrategy

PAGES = Path(__file__).parent / "pages"
NAMES = ("phpbb2", "vbulletin", "mybb", "xenforo", "invision", "discourse", "flarum", "vanilla", "nodebb")
TELL_TALES = re.compile(rb"<meta[^>]{0,200}generator[^>]{0,200}>|Powered [bB]y|MyBB</a>|vBulletin</a>|phpBB</a>")
CASES = [
    (name, file, expected)
    for name in NAMES
    for file, expected in json.loads((PAGES / name / "expected.json").read_text("utf-8")).items()
]
every_page = pytest.mark.parametrize(
    ("name", "file", "expected"), CASES, ids=[f"{name}-{file}" for name, file, _ in CASES]
)


def load_page(name: str, file: str, expected: dict[str, Any], is_bare: bool = False) -> Page:
    body = (PAGES / name / file).read_bytes()
    kind = "application/json" if file.endswith(".json") else "text/html; charset=utf-8"
    fetched = datetime.fromisoformat(expected["fetched"]) if "fetched" in expected else None
    body = TELL_TALES.sub(b"", body) if is_bare else body
    return Page(expected["url"], 200, (("Content-Type", kind),), body, fetched)


@every_page
@pytest.mark.parametrize("is_bare", [False, True])
def test_type_and_level(name: str, file: str, expected: dict[str, Any], is_bare: bool) -> None:
    page = load_page(name, file, expected, is_bare)
    found = recognise(page, KnowledgeBase.shipped(), name if file.endswith(".json") else None)
    assert (found.application, found.level) == (name, expected["level"])


@every_page
def test_html_is_recognised_without_its_url(name: str, file: str, expected: dict[str, Any]) -> None:
    if file.endswith(".json") or expected.get("needs_url"):
        pytest.skip("known by its URL")
    page = Page("file:///page.html", 200, (("Content-Type", "text/html"),), (PAGES / name / file).read_bytes())
    assert recognise(page, KnowledgeBase.shipped()).application == name


@every_page
def test_objects(name: str, file: str, expected: dict[str, Any]) -> None:
    page = load_page(name, file, expected)
    seen = recognise_in_full(page, KnowledgeBase.shipped(), name)
    assert seen.level is not None
    found = extract(page, seen.level, seen.application)
    assert [one.kind for one in found] == [wanted["kind"] for wanted in expected["objects"]]
    for one, wanted in zip(found, expected["objects"], strict=True):
        values = {key: value for key, value in wanted.items() if not key.startswith("text_")}
        assert {key: getattr(one, key) for key in values} == values
        text = " ".join((one.text or "").split())
        assert [words for words in wanted.get("text_has", ()) if words not in text] == []
        assert [words for words in wanted.get("text_lacks", ()) if words in text] == []


class Everywhere:
    """A scope without borders."""

    def verdict(self, url: str, depth: int = 0) -> Verdict:
        return Verdict(True, "everything is in scope")


@every_page
def test_links(name: str, file: str, expected: dict[str, Any]) -> None:
    page = load_page(name, file, expected)
    strategy = AwareStrategy(KnowledgeBase.shipped(), Everywhere())
    actions = strategy.decide(Outcome(page.url, "page", page=page), Follow(page.url, "test"))
    found = {action.url for action in actions if isinstance(action, Follow)}
    assert set(expected["follows"]) - found == set()
    assert found & set(expected["not_followed"]) == set()
