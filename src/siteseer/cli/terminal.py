"""Writes to the terminal: messages on stderr, results on stdout, never a control character from a page."""

from __future__ import annotations

import json
import logging
import re
import sys
from typing import Any

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    r"""Return text without the control characters that could change the terminal.

    >>> plain("a\x1b[31mb")
    'a[31mb'
    """
    return _CONTROL.sub("", text)


_verbosity = 0
_is_json = False


def set_verbosity(level: int, is_json: bool = False) -> None:
    """Say how much is told: -1 nothing but results and errors, 0 the usual, 1 all figures and what goes on.

    `is_json` says that a program reads the results.
    """
    global _verbosity, _is_json
    _verbosity, _is_json = level, is_json
    logging.getLogger("siteseer").setLevel(logging.INFO if level > 0 else logging.NOTSET)


def verbosity() -> int:
    """Return how much is told."""
    return _verbosity


def shows_progress() -> bool:
    """Say whether somebody wants to see how far long work is: not with --quiet or --json."""
    return _verbosity >= 0 and not _is_json


def print_message(text: str) -> None:
    """Say something to the person who watches, unless they asked for quiet."""
    if _verbosity >= 0:
        print(plain(text), file=sys.stderr)


def print_problem(text: str) -> None:
    """Say what was lost or is in doubt, whatever the person asked for."""
    print(plain(text), file=sys.stderr)


def print_error(text: str) -> None:
    """Say what went wrong, in one sentence."""
    print(f"siteseer: {plain(text)}", file=sys.stderr)


def answer(value: Any) -> None:
    """Print one JSON object as the result."""
    print(json.dumps(value, ensure_ascii=False))
