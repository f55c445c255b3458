"""Objects found now and objects of the last crawl in, the same objects under the same names out.

An object whose text is that of a stored one on the same page is that object, whatever the new template makes of its
permalink: it keeps its IRI, and what refers to it follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from siteseer.adaptation.agree import same_text
from siteseer.model import WebObject


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
