"""Tests an application of the knowledge base on its test pages: type, level, objects and links of each page.

Beside the pages lies `expected.json`: for each file its `url` and `level`, and as far as wanted its `objects` (each
with `kind`, any of its values, `text_has`, `text_lacks`), what it `follows`, what is `not_followed`, HTTP `headers`,
and when it was `fetched` (else at `FETCHED`, for dates such as "yesterday").
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siteseer.errors import KnowledgeError
from siteseer.extract.by_knowledge import extract
from siteseer.interfaces import Verdict
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise_in_full
from siteseer.model import Follow, Outcome, Page, WebObject
from siteseer.strategies.aware.aware_strategy import AwareStrategy

FETCHED = datetime(2026, 11, 15, 21, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Trial:
    """The result for one test page: `wrong` is empty where everything is as expected."""

    file: str
    wrong: tuple[str, ...]


class _Everywhere:
    def verdict(self, url: str, depth: int = 0) -> Verdict:
        return Verdict(True, "everything is in scope")


def run_trials(name: str, folder: Path, knowledge: KnowledgeBase) -> list[Trial]:
    """Recognise and extract every test page of a folder, and compare with what is expected."""
    try:
        expected = json.loads((folder / "expected.json").read_text("utf-8"))
    except OSError:
        raise KnowledgeError(f"{folder}: there is no expected.json; write one beside the pages") from None
    except ValueError as error:
        raise KnowledgeError(f"{folder / 'expected.json'}: no JSON ({error}); correct it") from None
    return [Trial(file, tuple(_wrong(name, folder / file, wanted, knowledge))) for file, wanted in expected.items()]


def _wrong(name: str, file: Path, wanted: dict[str, Any], knowledge: KnowledgeBase) -> Iterator[str]:
    try:
        page = _page(file, wanted)
    except OSError:
        yield "the file is missing"
        return
    is_json = file.suffix == ".json"
    seen = recognise_in_full(page, knowledge, name if is_json else None)
    found = (seen.recognition.application, seen.recognition.level)
    if found != (name, wanted["level"]):
        yield f"recognised as {found[0]}/{found[1]}, not {name}/{wanted['level']}"
        return
    assert seen.level is not None
    if "version" in wanted and seen.recognition.version != wanted["version"]:
        yield f"version {seen.recognition.version}, not {wanted['version']}"
    if "objects" in wanted:
        yield from _wrong_objects(extract(page, seen.level, seen.application), wanted["objects"])
    yield from _wrong_links(page, wanted, knowledge)


def _page(file: Path, wanted: dict[str, Any]) -> Page:
    kind = "application/json" if file.suffix == ".json" else "text/html; charset=utf-8"
    headers = (("Content-Type", kind), *((str(key), str(value)) for key, value in wanted.get("headers", {}).items()))
    fetched = datetime.fromisoformat(wanted["fetched"]) if "fetched" in wanted else FETCHED
    return Page(wanted["url"], 200, headers, file.read_bytes(), fetched)


def _wrong_objects(found: list[WebObject], wanted: list[dict[str, Any]]) -> Iterator[str]:
    kinds, wanted_kinds = [one.kind for one in found], [one["kind"] for one in wanted]
    if kinds != wanted_kinds:
        yield f"objects {' '.join(kinds) or 'none'}, not {' '.join(wanted_kinds) or 'none'}"
        return
    for number, (one, expected) in enumerate(zip(found, wanted, strict=True), start=1):
        text = " ".join((one.text or "").split())
        for key, value in expected.items():
            if key == "text_has":
                yield from (f"{one.kind} {number} lacks {words!r}" for words in value if words not in text)
            elif key == "text_lacks":
                yield from (f"{one.kind} {number} has {words!r}" for words in value if words in text)
            elif (is_now := getattr(one, key)) != (tuple(value) if isinstance(value, list) else value):
                yield f"{one.kind} {number}: {key} is {is_now!r}, not {value!r}"


def _wrong_links(page: Page, wanted: dict[str, Any], knowledge: KnowledgeBase) -> Iterator[str]:
    actions = AwareStrategy(knowledge, _Everywhere()).decide(
        Outcome(page.url, "page", page=page), Follow(page.url, "trial")
    )
    found = {action.url for action in actions if isinstance(action, Follow)}
    yield from (f"does not follow {url}" for url in wanted.get("follows", ()) if url not in found)
    yield from (f"follows {url}" for url in wanted.get("not_followed", ()) if url in found)
