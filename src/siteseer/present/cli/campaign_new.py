"""The questions of `siteseer campaign new`, and the definition that the answers make."""

from __future__ import annotations

import json
import re
import tomllib
from collections import deque
from collections.abc import Callable
from datetime import date
from typing import Any

import typer

from siteseer.decide.focused.reading import complaints
from siteseer.present.cli.say import tell

QUESTIONS = (
    ("name", "What is the campaign about, in a few words", False),
    ("seeds", "Where does it start (URLs, parted by commas)", True),
    ("keywords", "Which words or phrases does the topic use (parted by commas)", True),
    ("entities", "Which people, places, organisations ('Name = alias, alias', parted by semicolons)", True),
    ("examples", "Pages about it, as examples (URLs or files, parted by commas)", True),
    ("since", "The first day that matters (2019-01-01, or nothing)", False),
    ("until", "The last day that matters (or nothing)", False),
    ("languages", "Languages (en, de, ...; or nothing)", True),
    ("requests", "How many requests at most (or nothing)", False),
    ("bytes", "How many bytes at most (500M, 2G; or nothing)", False),
    ("days", "How many days at most (or nothing)", False),
)
SOUGHT = ("keywords", "entities", "examples")
"""One of them must be answered; whoever answered none is asked for all again."""
_PARTS = {"seeds": r"[,\s]", "entities": ";"}
_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
HINTS = """
# Links from many distinct authors count more: 0 counts only the best, 1 all alike.
# social = 0.5
# How pages of a site are found: blind leaves nothing out; aware and auto know software.
# strategy = "blind"

# [politeness]
# delay = 1.0          # seconds between two requests to a host
# concurrency = 2
# robots = "obey"
# contact = "archive@example.org"

# [sites]
# follow = "linked"    # or "seeds": no other sites than those of the seeds
# most = 1000
# at_once = 100

# [stores]             # where the sites are kept besides; keys come from the environment
# archive = "s3://bucket/prefix"
# objects = "http://host:7878/query"
"""


def interview(given: dict[str, Any], ask: Callable[[str], str] | None = None) -> dict[str, Any]:
    """Ask for what was not given, again where an answer cannot be used; `ask` gets a question and returns the answer.

    >>> interview({"name": "Kelp", "seeds": None}, lambda question: "e.org, f.org")["seeds"]
    ['e.org', 'f.org']
    """
    asked = ask or (lambda question: str(typer.prompt(question, default="", show_default=False)))
    answers = dict(given)
    open_questions = deque(one for one in QUESTIONS if one[0] in given and not given[one[0]])
    while open_questions:
        key, question, is_list = open_questions.popleft()
        text = asked(question).strip()
        parts = [part.strip() for part in re.split(_PARTS.get(key, ","), text) if part.strip()]
        answers[key] = parts if is_list else text or None
        for blamed, why in _wrong(answers):
            if blamed == key or (key == SOUGHT[-1] and blamed in SOUGHT):
                again = (key,) if blamed == key else SOUGHT
                tell(why)
                open_questions.extendleft(one for one in reversed(QUESTIONS) if one[0] in again)
                break
    return answers


def _wrong(answers: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the questions whose answers cannot be used, with the reason."""
    entities = [entity_of(text) for text in answers.get("entities") or ()]
    found = complaints(tomllib.loads(definition_toml({**answers, "entities": entities})))
    return [("entities" if table == "entities" else key, why) for table, key, why in found]


def entity_of(text: str) -> dict[str, Any]:
    """Return name and aliases.

    >>> entity_of("Harbour Board = HB, the Board")
    {'name': 'Harbour Board', 'aliases': ['HB', 'the Board']}
    """
    name, _, aliases = text.partition("=")
    return {"name": name.strip(), "aliases": [one.strip() for one in aliases.split(",") if one.strip()]}


def definition_toml(given: dict[str, Any]) -> str:
    """Return a definition as TOML, with hints for what was not asked."""
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
    hints = HINTS.partition("# [politeness]")
    return "\n".join([*lines[:top], hints[0].strip("\n"), "", *lines[top:], "", (hints[1] + hints[2]).strip("\n"), ""])


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
