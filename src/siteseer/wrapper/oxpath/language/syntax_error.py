"""Syntax errors of wrappers: line and column, a caret under the position, and what to write instead."""

from __future__ import annotations

import re

from siteseer.errors import ConfigurationError

MAX_LENGTH = 50_000
"""No wrapper written by a person or a machine comes near; it bounds what a hostile file can cost."""
MAX_NESTING = 32
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_STRING_OR_BRACKET = re.compile(r"'[^']*'|\"[^\"]*\"|[\[({\])}]")
_SHOWN = 60


class WrapperSyntaxError(ConfigurationError):
    """A wrapper is not valid: carries the text, the offset of the error in it, and what to do.

    >>> print(WrapperSyntaxError("//a/{clik}", 5, "there is no action 'clik'"))
    line 1, column 6: there is no action 'clik'
      //a/{clik}
           ^
    """

    def __init__(self, text: str, offset: int, hint: str) -> None:
        self.text, self.offset, self.hint = text, offset, hint
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - (text.rfind("\n", 0, offset) + 1) + 1
        super().__init__(text, offset, hint)

    def __str__(self) -> str:
        line = (self.text.split("\n")[self.line - 1 : self.line] or [""])[0]
        first = max(0, self.column - 1 - _SHOWN)
        shown = re.sub(r"\s", " ", line[first : first + 2 * _SHOWN])
        caret = " " * (self.column - 1 - first) + "^"
        return f"line {self.line}, column {self.column}: {self.hint}\n  {shown}\n  {caret}"


def refuse_hostile(text: str) -> None:
    """Raise for a text that is too long, too deeply nested or has control characters, before the parser reads it."""
    if len(text) > MAX_LENGTH:
        raise WrapperSyntaxError(text, MAX_LENGTH, f"shorten the wrapper to {MAX_LENGTH} characters")
    if illegal := _ILLEGAL.search(text):
        raise WrapperSyntaxError(text, illegal.start(), "remove the control character")
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        depth += (found[0] in "[({") - (found[0] in "])}")
        if depth > MAX_NESTING:
            raise WrapperSyntaxError(text, found.start(), f"nest at most {MAX_NESTING} brackets")
