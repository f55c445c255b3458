"""What is said of a text outside the fragment: a caret under the column, and what to write instead."""

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


HINTS: tuple[tuple[str, str, str], ...] = (
    # what stands before the error, what stands there, what to do
    (r"", r"$", "the expression ends too early: complete it"),
    (r"\s$", r"[.#]", "write '//' between the steps: a blank does not mean 'inside' here"),
    (r"\.$", r"\.", "write parent::* instead of '..'"),
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
    """Say what to write where the text stops making sense, `at` characters into it."""
    before, there = text[max(0, at - 200) : at], text[at : at + 50]
    return next(hint for b, t, hint in HINTS if re.search(b, before) and re.match(t, there))
