"""An analyser of whoever wrote it in, one that can be relied on out: what fails is one sentence, what it read fits.

Analysers come from installed packages. A wrong number, a label as long as a book or a place outside the text must not
reach the stores, and an error must name the analyser and the object, not end in a traceback.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import get_args

from siteseer.errors import SiteseerError, UsageError
from siteseer.interfaces import Analyser, AnalyserContext, AnalyserFactory
from siteseer.model import Annotation, AnnotationKind, WebObject

LONGEST_LABEL, LONGEST_QUOTE = 200, 500
MOST = 500
"""Annotations of an object."""
KINDS = frozenset(get_args(AnnotationKind))


class Guarded:
    """Reads with an analyser, and checks what it says."""

    def __init__(self, name: str, make: AnalyserFactory, context: AnalyserContext) -> None:
        self.name = name
        try:
            self._analyser: Analyser = make(context)
            self.version = str(self._analyser.version)
        except SiteseerError:
            raise
        except Exception as error:  # foreign code: whatever it raises
            raise UsageError(f"the analyser {name} cannot be made: {_told(error)}") from error

    def analyse(self, thing: WebObject) -> Sequence[Annotation]:
        """Return what was read in an object, as far as it makes sense."""
        try:
            return list(self._fitting(self._analyser.analyse(thing), len(thing.text or "")))
        except SiteseerError:
            raise
        except Exception as error:
            raise UsageError(f"the analyser {self.name} failed on {thing.id[:200]}: {_told(error)}") from error

    @staticmethod
    def _fitting(found: Sequence[Annotation], length: int) -> Iterator[Annotation]:
        for one in list(found)[:MOST]:
            least = -1.0 if one.kind == "opinion" else 0.0
            if one.kind in KINDS and math.isfinite(one.degree) and math.isfinite(one.confidence):
                is_inside = one.start is not None and one.end is not None and 0 <= one.start < one.end <= length
                start, end = (one.start, one.end) if is_inside else (None, None)
                yield Annotation(
                    one.kind, _line(one.label)[:LONGEST_LABEL], min(1.0, max(least, one.degree)),
                    min(1.0, max(0.0, one.confidence)), start, end, one.quote[:LONGEST_QUOTE],
                    _line(one.sort)[:LONGEST_LABEL],
                )  # fmt: skip


def _line(text: str) -> str:
    """Return a text as one line that can be shown.

    >>> _line(" a\\x00\\nb ")
    'a b'
    """
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text[:10_000]).split())


def _told(error: Exception) -> str:
    """Return an error of foreign code in one line."""
    return f"{type(error).__name__}: {_line(str(error))[:200]}"
