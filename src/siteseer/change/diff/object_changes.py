"""Compares the objects of two crawls: which are new, gone or edited."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from siteseer.model import WebObject
from siteseer.page.similarity.text_measures import common_subsequence
from siteseer.page.text import WORD

NOTICED = ("title", "author", "published", "text")
"""What must differ for an object to be edited; a comment count or a signature is not the object."""


@dataclass(frozen=True, slots=True)
class EditedObject:
    """An object whose text or fields changed."""

    old: WebObject
    new: WebObject
    fields: tuple[str, ...]
    similarity: float
    """Of the texts, by their longest common subsequence."""


@dataclass(slots=True)
class ObjectChanges:
    """The new, gone and edited objects of a collection."""

    new: list[WebObject] = field(default_factory=list)
    gone: list[WebObject] = field(default_factory=list)
    edited: list[EditedObject] = field(default_factory=list)
    same: int = 0


def compare_objects(old: Iterable[WebObject], new: Iterable[WebObject]) -> ObjectChanges:
    """Compare the objects of two crawls by their identifiers.

    >>> before = [WebObject("post", "a", "u", text="One two"), WebObject("post", "b", "u", text="Three")]
    >>> after = [WebObject("post", "a", "u", text="One too"), WebObject("post", "c", "u", text="Four")]
    >>> found = compare_objects(before, after)
    >>> [o.id for o in found.new], [o.id for o in found.gone], [e.new.id for e in found.edited]
    (['c'], ['b'], ['a'])
    """
    before, after = {one.id: one for one in old}, {one.id: one for one in new}
    found = ObjectChanges()
    for name, one in after.items():
        earlier = before.get(name)
        if earlier is None:
            found.new.append(one)
            continue
        differing = tuple(key for key in NOTICED if _said(earlier, key) != _said(one, key))
        if differing:
            alike = common_subsequence(_said(earlier, "text"), _said(one, "text"))
            found.edited.append(EditedObject(earlier, one, differing, round(alike, 4)))
        else:
            found.same += 1
    found.gone = [one for name, one in before.items() if name not in after]
    return found


def _said(one: WebObject, key: str) -> list[str]:
    return WORD.findall(str(getattr(one, key) or "").lower())
