"""Learns an XPath string expression that cuts the marked part out of a longer text.

The cut uses the constant text right before and right after the part, with as few words as identify the position.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from siteseer.wrapper.induction.induced_xpath import quoted

WHOLE = "normalize-space(.)"
Part = tuple[str, int, int]
"""A text with its spaces folded, and where the marked part begins and ends in it."""
_WORDS = re.compile(r"\S+\s*")
_WORDS_AFTER = re.compile(r"\s*\S+")


@dataclass(frozen=True, slots=True)
class Cut:
    """The text before and after the wanted part; an empty text on a side that is not cut.

    >>> print(Cut("by ", " on"))
    substring-before(substring-after(normalize-space(.),'by '),' on')
    """

    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        written = WHOLE
        if self.before:
            written = f"substring-after({written},{quoted(self.before)})"
        return f"substring-before({written},{quoted(self.after)})" if self.after else written

    def apply(self, text: str) -> str:
        """Return the part of a text, as XPath would: empty where a side is missing."""
        if self.before:
            text = text.partition(self.before)[2]
        if self.after:
            text = text.partition(self.after)[0] if self.after in text else ""
        return text.strip()


def learn_cut(parts: Sequence[Part]) -> Cut | None:
    """Return a cut that is right for all parts, or None where there is none.

    >>> learn_cut([("Posted by Ann on Monday", 10, 13), ("Posted by Bob Ray on Friday", 10, 17)])
    Cut(before='by ', after=' on')
    >>> learn_cut([("Price: 12 EUR", 7, 9)])
    Cut(before='Price: ', after=' EUR')
    """
    lefts = [whole[:start] for whole, start, _ in parts]
    rights = [whole[end:] for whole, _, end in parts]
    for before in _before(lefts):
        for after in _after(rights):
            cut = Cut(before, after)
            if all(cut.apply(whole) == whole[start:end].strip() for whole, start, end in parts):
                return cut
    return None


def _before(lefts: Sequence[str]) -> list[str]:
    """Return endings that all texts before the part share, shortest first, word by word."""
    if not any(lefts):
        return [""]
    shared = _shared([one[::-1] for one in lefts])[::-1]
    starts = [match.start() for match in _WORDS.finditer(shared)]
    return [shared[start:] for start in reversed(starts)] + ([shared] if shared else [])


def _after(rights: Sequence[str]) -> list[str]:
    """Return beginnings that all texts after the part share, shortest first, word by word."""
    if not any(rights):
        return [""]
    shared = _shared(rights)
    ends = [match.end() for match in _WORDS_AFTER.finditer(shared)]
    return [shared[:end] for end in ends] + ([shared] if shared else [])


def _shared(texts: Sequence[str]) -> str:
    """Return the beginning that all texts share."""
    low, high = min(texts), max(texts)
    return low[: next((at for at, letter in enumerate(low) if at >= len(high) or letter != high[at]), len(low))]
