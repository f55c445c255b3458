"""Syntax errors of the XPath fragment: a caret under the column, and what to write instead."""

from __future__ import annotations

import re

from siteseer.errors import ConfigurationError


class XPathSyntaxError(ConfigurationError):
    """An expression is outside the fragment: carries the text, the column (from 1) and what to do."""

    def __init__(self, text: str, column: int, hint: str) -> None:
        self.text, self.column, self.hint = text, column, hint
        super().__init__(text, column, hint)

    def __str__(self) -> str:
        first = max(0, self.column - 60)
        shown = re.sub(r"\s", " ", self.text[first : first + 120])
        return f"column {self.column}: {self.hint}\n  {shown}\n  {' ' * (self.column - 1 - first)}^"


MAX_LENGTH = 4000
"""No pattern written by a person or learned from a page comes near; it bounds what a hostile file can cost."""
MAX_NESTING = 24
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_STRING_OR_BRACKET = re.compile(r"'[^']*'|\"[^\"]*\"|[\[(\])]")

HINTS: tuple[tuple[str, str, str], ...] = (
    # what stands before the error, what stands there, what to do
    (r"", r"\Z", "the expression ends too early: complete it"),
    (r"\s$", r"[.#]", "write '//' between the steps: a blank does not mean 'inside' here"),
    (r"\.$", r"\.", "write parent::* instead of '..'"),
    (r"(?i)//\s*(parent|ancestor|(following|preceding)-sibling)\s*$", r"::", "write a single '/' before an axis"),
    (r"\[\s*$", r"0", "positions are counted from 1"),
    (r"", r"::", "only parent::, ancestor::, following-sibling:: and preceding-sibling:: can be written out"),
    (r"", r"\(", "only contains(), starts-with(), not(), last() and text() are known functions"),
    (r"", r"['\"]", "close the string with the quote that opens it, and compare it with = or contains()"),
    (r"(=|,)\s*$", r"", "compare with a string in quotes"),
    (r"@[\w:\-]+(\[[^\]]*\])*\s*$|text\(\)\s*$", r"/", "an attribute or text() must be the last step"),
    (r"", r"[\])]", "remove the bracket or complete what stands before it"),
    (r"", r"[<>+]", "write '/' for a child and '//' for anything inside; numbers are not compared"),
    (r"", r",", "separate alternatives with '|'"),
    (r"\w\s+$", r"\w", "write '/' or '//' between the steps"),
    (r"", r"", "expected a step such as div, *, .class, #id, @name or text()"),
)


def hint_for(text: str, at: int) -> str:
    """Return what to write where the text stops being valid, `at` characters into it."""
    before, there = text[max(0, at - 200) : at], text[at : at + 50]
    return next(hint for b, t, hint in HINTS if re.search(b, before) and re.match(t, there))


def refuse_hostile(text: str) -> None:
    """Raise for a text that is too long, too deeply nested or has control characters, before a parser reads it."""
    if len(text) > MAX_LENGTH:
        raise XPathSyntaxError(text, MAX_LENGTH + 1, f"shorten the expression to {MAX_LENGTH} characters")
    if illegal := _ILLEGAL.search(text):
        raise XPathSyntaxError(text, illegal.start() + 1, "remove the control character")
    if text.count("[") + text.count("(") > MAX_NESTING:
        _refuse_deep(text)


def _refuse_deep(text: str) -> None:
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        depth += (found[0] in "[(") - (found[0] in "])")
        if depth > MAX_NESTING:
            raise XPathSyntaxError(text, found.start() + 1, f"nest at most {MAX_NESTING} brackets")
