"""Compares the scripts of two pages: code in the page, files that it loads, event handlers.

Parts that change with every request do not count: session keys, timestamps, nonces. Blocks of data (JSON-LD and the
like) are no scripts and are reported as `data`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from siteseer.change.diff.change_kinds import Edit, Kind

LONGEST_CODE, LONGEST_SHOWN, AROUND = 500_000, 300, 40
_TOKEN = re.compile(
    r"(?<![0-9A-Za-z])(?=[0-9A-Za-z_+/=-]*\d)(?=[0-9A-Za-z_+/=-]*[A-Za-z])[0-9A-Za-z_+/=-]{16,400}(?![0-9A-Za-z])"
)
"""A key that a server makes up: letters and figures mixed, sixteen and more."""
_MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|(?<![\d.])\d{9,19}(?!\d)"
)
_FRESH_QUERY = re.compile(r"([?&][\w-]{1,20}=)\d{9,19}(?=&|$)")
_CODE = re.compile(r"(?:text|application)/(?:x-)?(?:java|ecma)script|module|importmap", re.I)


class Script(NamedTuple):
    """A script of a page: its kind, its position, its text, and its text without the parts that change with every
    request.
    """

    kind: Kind
    place: str
    element: etree._Element
    text: str
    plain: str


def script_edits(old: etree._Element, new: etree._Element) -> Iterator[Edit]:
    """Yield the scripts that were added, removed or changed; a script that only moved is none of these.

    >>> from lxml import html
    >>> pages = [html.fromstring(f"<p>x</p><script>var a = {n}; var k = '5f2a9c77e01b4d3c';</script>") for n in (1, 2)]
    >>> [(edit.kind, edit.what, edit.new) for edit in script_edits(*pages)]
    [('script', 'changed', "var a = 2; var k = '5f2a9c77e01b4d3c';")]
    """
    before, after = list(_scripts(old)), list(_scripts(new))
    left, right = _without_shared(before, after), _without_shared(after, before)
    by_place: dict[tuple[Kind, str], list[Script]] = defaultdict(list)
    for script in left:
        by_place[script.kind, script.place].append(script)
    for script in right:
        if same := by_place[script.kind, script.place]:
            earlier = same.pop(0)
            yield Edit(script.kind, "changed", earlier.element, script.element, *_shown(earlier.text, script.text))
        else:
            yield Edit(script.kind, "added", None, script.element, "", script.text[:LONGEST_SHOWN])
    for scripts in by_place.values():
        for script in scripts:
            yield Edit(script.kind, "removed", script.element, None, script.text[:LONGEST_SHOWN], "")


def _without_shared(mine: list[Script], others: list[Script]) -> list[Script]:
    """Return the scripts that the other page does not have."""
    there = Counter((one.kind, one.place, one.plain) for one in others)
    kept = []
    for script in mine:
        key = script.kind, script.place, script.plain
        if there[key]:
            there[key] -= 1
        else:
            kept.append(script)
    return kept


def _scripts(root: etree._Element) -> Iterator[Script]:
    for element in root.iter("*"):
        if element.tag == "script":
            yield from _of_element(element)
        for name, value in element.items():
            if str(name).startswith("on") and value:
                yield Script("script", f"{element.tag!s} {name!s}", element, str(value), _lasting(str(value)))


def _of_element(element: etree._Element) -> Iterator[Script]:
    kind: Kind = "script" if not element.get("type") or _CODE.search(str(element.get("type"))) else "data"
    if source := element.get("src"):
        yield Script(kind, "file", element, f'src="{source}"', _FRESH_QUERY.sub(r"\1", str(source)))
    if code := " ".join((element.text or "")[:LONGEST_CODE].split()):
        yield Script(kind, "code", element, code, _lasting(code))


def _lasting(code: str) -> str:
    """Return code without keys and moments."""
    return _MOMENT.sub("□", _TOKEN.sub("□", " ".join(code.split())))


def _shown(old: str, new: str) -> tuple[str, str]:
    """Return the part of two codes in which they begin to differ."""
    start = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, start - AROUND)
    return old[start : start + LONGEST_SHOWN], new[start : start + LONGEST_SHOWN]
