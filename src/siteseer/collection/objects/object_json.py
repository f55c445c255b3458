"""Converts Web objects to JSON and back: the one form in which they are kept, indexed, listed, exported and sent.

Everything that comes from a page is cleaned on the way in: no control characters, no half characters, legal IRIs.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import Any, cast

from siteseer.model import JSON, Capture, WebObject
from siteseer.page.dates import normal_form
from siteseer.page.object_iris import legal

KEYS = (
    "kind", "id", "url", "permalink", "title", "author", "author_url", "published", "modified", "text", "html",
    "parent", "thread", "tags", "links", "media", "fields", "capture", "because", "confidence",
)  # fmt: skip
"""The keys of an object as JSON, in the order in which they are written."""

_TEXTS = ("url", "permalink", "author", "title", "author_url", "published", "modified", "text", "html",
          "because")  # fmt: skip
_LISTS = ("tags", "links", "media")
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def clean(text: str) -> str:
    """Return the text without control characters and half characters; all line breaks become one kind.

    >>> clean("a\\x00b\\r\\nc")
    'ab\\nc'
    """
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return _UNWANTED.sub("", _BREAKS.sub("\n", text))


def cleaned(thing: WebObject) -> WebObject:
    """Return the object with clean texts, legal IRIs and dates in UTC."""
    changes: dict[str, Any] = {}
    for name in _TEXTS:
        value = getattr(thing, name)
        if value and not value.isprintable():
            changes[name] = clean(value)
    for name in _LISTS:
        if values := getattr(thing, name):
            changes[name] = tuple(map(clean, values))
    for name in ("id", "parent", "thread"):
        value = getattr(thing, name)
        if value and legal(value) != value:
            changes[name] = legal(value)
    for name in ("published", "modified"):
        value = changes.get(name) or getattr(thing, name)
        if value and (when := normal_form.read(value)) and when.text != value:
            changes[name] = when.text
    if thing.fields:
        changes["fields"] = {clean(name): clean(value) for name, value in thing.fields.items()}
    return replace(thing, **changes) if changes else thing


def facts(thing: WebObject) -> dict[str, JSON]:
    """Return what the page says about the object as JSON, without its capture; keys without a value are left out."""
    found: dict[str, JSON] = {}
    for key in KEYS:
        value = dict(thing.fields) if key == "fields" else getattr(thing, key, None)
        if value or key in ("url", "confidence"):
            found[key] = list(value) if isinstance(value, tuple) else value
    return found


def place(capture: Capture) -> dict[str, JSON]:
    """Return where the capture lies, as every answer names it."""
    return {
        "file": capture.file,
        "offset": capture.offset,
        "time": normal_form.utc(capture.time),
        "digest": capture.digest,
    }


def as_json(thing: WebObject, capture: Capture | None) -> dict[str, JSON]:
    """Return the object as JSON, with its capture.

    >>> as_json(WebObject("post", "http://f.example/t/9#p1", "http://f.example/t/9", text="Which lens?"), None)["text"]
    'Which lens?'
    """
    found = facts(thing)
    if capture is None:
        return found
    return {key: place(capture) if key == "capture" else found[key] for key in KEYS if key in found or key == "capture"}


def from_json(found: dict[str, JSON]) -> WebObject:
    """Return the object that the JSON describes; its capture is left aside.

    >>> from_json({"kind": "post", "id": "urn:x:1", "url": "http://f.example/"}).kind
    'post'
    """
    values = {key: tuple(value) if key in _LISTS else value for key, value in found.items() if key in KEYS}
    values.pop("capture", None)
    return WebObject(**cast(dict[str, Any], values))


def dumps(thing: WebObject) -> str:
    """Return an object as a line of JSON that any database takes: half a character, as a script may write one, is "?".

    >>> loads(dumps(WebObject("post", "urn:x:1", "http://f.example/", title="a \\ud83d b"))).title
    'a ? b'
    """
    return json.dumps(facts(thing), ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


def loads(text: str) -> WebObject:
    """Return the object that a line of JSON tells of."""
    return from_json(json.loads(text))


def state(thing: WebObject) -> str:
    """Return 12 digits that change when what the object says changes.

    Dates stay out: a page that says "two hours ago" says something else on every crawl about an unchanged post.
    """
    fields = [text for field in sorted(thing.fields.items()) for text in field]
    said = [thing.title or "", thing.author or "", " ".join((thing.text or "").split()), *fields]
    return hashlib.sha256("\0".join(said).encode("utf-8", "replace")).hexdigest()[:12]


def merged(known: WebObject, met: WebObject, *, same_page: bool) -> WebObject:
    """Return one object from two meetings with it.

    On the page where it was met before, the later meeting tells how it is now. On another page, which may show less
    of it, the fuller text wins and only what was missing is added.
    """
    changes: dict[str, Any] = {}
    for name in ("permalink", "author", "author_url", "published", "modified", "parent", "thread", *_LISTS):
        old, new = getattr(known, name), getattr(met, name)
        changes[name] = (new or old) if same_page else (old or new)
    for name in ("title", "text", "html"):
        old, new = getattr(known, name), getattr(met, name)
        changes[name] = (new or old) if same_page or len(new or "") > len(old or "") else old
    changes["fields"] = {**met.fields, **known.fields} if not same_page else {**known.fields, **met.fields}
    if changes["text"] != known.text:
        changes["because"] = met.because or known.because
    changes["confidence"] = max(known.confidence, met.confidence)
    return replace(known, **changes)
