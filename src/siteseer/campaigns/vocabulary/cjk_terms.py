"""Finds likely words in texts of scripts without spaces (Chinese, Japanese), without a dictionary.

Particles and other function characters split the text; between them every run of two to six characters may be a word.
Of runs that contain each other the longer is the word where it is nearly as frequent, else the shorter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from siteseer.campaigns.relevance.term_matcher import UNPARTED

SHORTEST, LONGEST = 2, 6
LETTERS = 5_000
"""Of a text; the rest is not looked at."""
NEARLY = 0.8
_PARTICLES = "的了是在和与與被这這那有不很就都也个個之为為因而及或把我你他她它们們をはがにのでとも"
_RUN = re.compile(f"(?:(?![{_PARTICLES}])[{UNPARTED}]){{{SHORTEST},}}")


def letter_runs(text: str) -> Iterator[str]:
    """Return the runs of characters that may be words.

    >>> list(letter_runs("the 大坝上, 水和的"))
    ['大坝', '坝上', '大坝上']
    """
    for run in _RUN.findall(text[:LETTERS]):
        for length in range(SHORTEST, LONGEST + 1):
            for start in range(len(run) - length + 1):
                yield run[start : start + length]


def likely_words(pages: Mapping[str, int]) -> set[str]:
    """Return the runs that are likely words, given for each run the number of pages that hold it.

    >>> sorted(likely_words({"大坝": 9, "大坝上": 3, "护谷": 5, "谷盟": 5, "护谷盟": 5}))
    ['大坝', '护谷盟']
    """
    left = set(pages)
    for run in sorted(pages, key=len, reverse=True):
        for length in range(SHORTEST, len(run)):
            for start in range(len(run) - length + 1):
                part = run[start : start + length]
                if run in left and part in left:
                    left.discard(part if pages[run] >= NEARLY * pages[part] else run)
    return left
