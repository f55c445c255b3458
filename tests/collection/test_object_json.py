"""One form of objects as JSON: whatever a page says comes back from it, and any database and any reader takes it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import fields, replace
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.collection.objects.object_json import KEYS, cleaned, dumps, facts, from_json, loads
from siteseer.model import ObjectKind, WebObject

WHOLE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
ANY = st.text(min_size=1)


def objects(texts: st.SearchStrategy[str]) -> st.SearchStrategy[WebObject]:
    """Any object; a value that is there is never empty."""
    maybe, several = st.none() | texts, st.lists(texts).map(tuple)
    named: dict[str, Any] = {one.name: maybe for one in fields(WebObject)}
    named |= {"kind": st.sampled_from(get_args(ObjectKind)), "id": texts, "url": texts, "because": texts | st.just("")}
    named |= {"tags": several, "links": several, "media": several, "fields": st.dictionaries(texts, texts)}
    return st.builds(WebObject, **{**named, "confidence": st.floats(0, 1)})


@settings(deadline=None)
@given(objects(WHOLE))
def test_an_object_comes_back_as_it_was(thing: WebObject) -> None:
    assert loads(dumps(thing)) == thing
    assert from_json(json.loads(json.dumps(facts(thing)))) == thing


@settings(deadline=None)
@given(objects(ANY))
def test_every_object_can_be_kept_and_what_is_kept_stays(thing: WebObject) -> None:
    with sqlite3.connect(":memory:") as db:
        (text,) = db.execute("SELECT ?", (dumps(thing),)).fetchone()
    kept = loads(text)
    assert loads(dumps(kept)) == kept
    assert replace(kept, confidence=0.0) == replace(_without_halves(thing), confidence=0.0)


@settings(deadline=None)
@given(objects(ANY))
def test_a_clean_object_is_clean(thing: WebObject) -> None:
    clean = cleaned(thing)
    json.dumps({**facts(clean), "kind": ""}, ensure_ascii=False).encode("utf-8")
    assert cleaned(clean) == clean


def test_every_field_has_its_key() -> None:
    assert {one.name for one in fields(WebObject)} | {"capture"} == set(KEYS)


def _without_halves(thing: WebObject) -> WebObject:
    def whole(value: Any) -> Any:
        if isinstance(value, str):
            return value.encode("utf-8", "replace").decode("utf-8")
        if isinstance(value, tuple):
            return tuple(map(whole, value))
        return {whole(name): whole(text) for name, text in value.items()} if isinstance(value, dict) else value

    return WebObject(**{one.name: whole(getattr(thing, one.name)) for one in fields(WebObject)})
