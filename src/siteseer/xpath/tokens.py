"""A text and a place in it in, the token that begins there out: the words of the XPath fragment for `parse.py`.

A token takes the blanks behind it along, so that the next one begins where it ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn

Place = int
END = "\x00"
"""Put behind the text, in which it is refused: looking one character ahead is then always possible."""


def _token(pattern: str) -> Callable[[str, Place], re.Match[str] | None]:
    return re.compile(rf"(?:{pattern})\s*").match


_NAME = r"[A-Za-z_][A-Za-z0-9_\-]*(?::(?!:)[A-Za-z0-9_\-]+)*"
_SELECTOR = r"[.#][\w\-]+(?::(?!:)[\w\-]+)*"
WRITTEN_AXIS = _token(r"((?i:parent|ancestor|following-sibling|preceding-sibling))\s*::")
ELEMENT = _token(rf"({_NAME}|\*)((?:{_SELECTOR})*)|((?:{_SELECTOR})+)")
NAME_OR_STAR = _token(rf"({_NAME}|\*)")
TEXT = _token(r"text\s*\(\s*\)")
SELF = _token(r"\.(?![\w\-])")
POSITION_OR_LAST = _token(r"([1-9][0-9]{0,8})|last\s*\(\s*\)")
FUNCTION = _token(r"(contains|starts-with|not)\s*\(")
STRING = _token(r"'([^']*(?:''[^']*)*)'" + "|" + r'"([^"]*(?:""[^"]*)*)"')
OR = _token(r"or(?![\w\-:])")
AND = _token(r"and(?![\w\-:])")
SELECTORS = re.compile(_SELECTOR).findall


class Unexpected(Exception):
    """The text stops making sense at that place."""

    def __init__(self, place: Place) -> None:
        self.place = place


def fail(place: Place) -> NoReturn:
    """Say that the text stops making sense here."""
    raise Unexpected(place)


def skip(text: str, place: Place) -> Place:
    """Return where the next token begins, from `place` on."""
    while text[place].isspace():
        place += 1
    return place


def behind(character: str, text: str, place: Place) -> Place:
    """Return where the next token begins behind the character; fail where another stands there."""
    if text[place] != character:
        fail(place)
    place += 1
    return skip(text, place) if text[place].isspace() else place
