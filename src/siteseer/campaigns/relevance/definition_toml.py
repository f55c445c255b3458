"""Writes the definition of a campaign as TOML, with hints for values that were not given."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

from siteseer.settings import Politeness, options_of

_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")

HINTS = """
# Links from many distinct authors count more: 0 counts only the best, 1 all alike.
# social = 0.5
# How pages of a site are found: blind leaves nothing out; aware and auto know software.
# strategy = "blind"
"""
MORE_HINTS = """
# [sites]
# follow = "linked"    # or "seeds": no other sites than those of the seeds
# most = 1000
# at_once = 100

# [stores]             # where the sites are kept besides; keys come from the environment
# archive = "s3://bucket/prefix"
# objects = "http://host:7878/query"
"""


def _politeness_hints() -> list[str]:
    options = options_of(Politeness)
    return ["# [politeness]", *(f"# {one.name} = {_value(one.default)}  # {one.help}" for one in options)]


def entity_of(text: str) -> dict[str, Any]:
    """Return name and aliases.

    >>> entity_of("Harbour Board = HB, the Board")
    {'name': 'Harbour Board', 'aliases': ['HB', 'the Board']}
    """
    name, _, aliases = text.partition("=")
    return {"name": name.strip(), "aliases": [one.strip() for one in aliases.split(",") if one.strip()]}


def definition_toml(given: dict[str, Any]) -> str:
    """Return a definition as TOML, with hints for values that were not given."""
    lines = [
        f"{key} = {_value(given[key])}"
        for key in ("name", "seeds", "keywords", "examples", "languages")
        if given.get(key)
    ]
    lines += [
        f"{key} = {given[key] if _is_day(given[key]) else _value(given[key])}"
        for key in ("since", "until")
        if given.get(key)
    ]
    for entity in given.get("entities") or ():
        lines += ["", "[[entities]]", f"name = {_value(entity['name'])}"]
        lines += [f"aliases = {_value(entity['aliases'])}"] if entity["aliases"] else []
    budget = [
        f"{key} = {given[key] if _NUMBER.fullmatch(str(given[key])) else _value(given[key])}"
        for key in ("requests", "bytes", "days") if given.get(key) is not None
    ]  # fmt: skip
    lines += ["", "[budget]", *budget] if budget else []
    top = next((number for number, line in enumerate(lines) if line.startswith("[")), len(lines))
    hints = [*_politeness_hints(), "", MORE_HINTS.strip("\n"), ""]
    return "\n".join([*lines[:top], HINTS.strip("\n"), "", *lines[top:], "", *hints])


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
