"""A cursor in the text of a wrapper: matches tokens, and raises syntax errors with their position."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NoReturn

from siteseer.wrapper.oxpath.language.syntax_error import WrapperSyntaxError

NAME = r"[A-Za-z_][A-Za-z0-9_\-]*"
_BLANK = re.compile(r"\s*")
_STRING = re.compile(r"'((?:[^']|'')*)'|\"((?:[^\"]|\"\")*)\"")


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class Cursor:
    """A text and a position in it; taking a token also takes the blanks after it.

    >>> reader = Cursor("doc ('x')")
    >>> reader.take("doc"), reader.take("("), reader.string(), reader.place
    (True, True, 'x', 8)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self._skip()

    def _skip(self) -> None:
        self.place = _BLANK.match(self.text, self.place).end()  # type: ignore[union-attr]  # it matches nothing too

    def at(self, token: str) -> bool:
        """Say whether this token comes next."""
        return self.text.startswith(token, self.place)

    def find(self, pattern: str) -> re.Match[str] | None:
        """Return the match of a regular expression here, without taking it."""
        return _compiled(pattern).match(self.text, self.place)

    def take(self, token: str) -> bool:
        """Take this token if it comes next."""
        if not self.at(token):
            return False
        self.place += len(token)
        self._skip()
        return True

    def match(self, pattern: str) -> str | None:
        """Take what a regular expression matches here; its first group, or all of it."""
        found = self.find(pattern)
        if found is None:
            return None
        self.place = found.end()
        self._skip()
        return found[1] if found.re.groups else found[0]

    def word(self, word: str) -> bool:
        """Take a keyword that is not the beginning of a longer name."""
        found = self.find(re.escape(word) + r"(?![A-Za-z0-9_\-])")
        return bool(found) and self.take(word)

    def name(self, what: str) -> str:
        """Take a name."""
        return self.match(NAME) or self.fail(f"expected {what}")

    def string(self) -> str | None:
        """Take a string in quotes."""
        found = _STRING.match(self.text, self.place)
        if found is None:
            if self.at("'") or self.at('"'):
                self.fail("close the string with the quote that opens it")
            return None
        self.place = found.end()
        self._skip()
        single, double = found.groups()
        return str(single.replace("''", "'") if double is None else double.replace('""', '"'))

    def expect(self, token: str, hint: str) -> None:
        """Take this token, or raise a syntax error."""
        if not self.take(token):
            self.fail(hint)

    def is_glued(self) -> bool:
        """Say whether no blank precedes this position."""
        return self.place > 0 and not self.text[self.place - 1].isspace()

    def is_done(self) -> bool:
        """Say whether the text is at its end."""
        return self.place >= len(self.text)

    def fail(self, hint: str, at: int | None = None) -> NoReturn:
        """Raise a syntax error at this position, or at another."""
        place = min(self.place if at is None else at, len(self.text.rstrip()))
        if at is None and self.is_done():
            hint = f"the wrapper ends too early: {hint}"
        raise WrapperSyntaxError(self.text, place, hint)
