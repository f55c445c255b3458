"""Matches extracted objects with those of the last crawl, so that they keep their IRIs.

An object whose text equals that of a stored one on the same page is that object, even if the new template changes its
permalink: it keeps its IRI, and references to it follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from siteseer.model import WebObject
from siteseer.strategies.aware.adaptation.extraction.value_similarity import same_text


def as_stored(objects: Sequence[WebObject], stored: Sequence[WebObject]) -> list[WebObject]:
    """Return the objects, each under the IRI that the last crawl gave it where it was known."""
    ids = {one.id for one in stored}
    waiting = [one for one in stored if one.text and one.id not in {new.id for new in objects}]
    names: dict[str, str] = {}
    for one in objects:
        if one.id in ids or not one.text:
            continue
        for old in waiting:
            if old.kind == one.kind and same_text(old.text or "", one.text):
                names[one.id] = old.id
                waiting.remove(old)
                break
    if not names:
        return list(objects)
    return [
        replace(
            one,
            id=names.get(one.id, one.id),
            parent=names.get(one.parent, one.parent) if one.parent else None,
            thread=names.get(one.thread, one.thread) if one.thread else None,
        )
        for one in objects
    ]
