"""Asks the questions of `siteseer campaign new`, and writes the definition from the answers."""

from __future__ import annotations

import re
import tomllib
from collections import deque
from collections.abc import Callable
from typing import Any

import typer

from siteseer.campaigns.relevance.definition_toml import definition_toml, entity_of
from siteseer.campaigns.relevance.parse_definition import definition_errors
from siteseer.cli.terminal import print_message

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
                print_message(why)
                open_questions.extendleft(one for one in reversed(QUESTIONS) if one[0] in again)
                break
    return answers


def _wrong(answers: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the questions whose answers cannot be used, with the reason."""
    entities = [entity_of(text) for text in answers.get("entities") or ()]
    found = definition_errors(tomllib.loads(definition_toml({**answers, "entities": entities})))
    return [("entities" if table == "entities" else key, why) for table, key, why in found]
