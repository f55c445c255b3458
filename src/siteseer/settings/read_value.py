"""Reads the value of an option, wherever it was written, or says in one sentence what is expected."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from siteseer.errors import UsageError
from siteseer.settings.option import Option

_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_SIZE = re.compile(r"(\d{1,15})\s*([kmgt]?)i?b?", re.ASCII)
MOST = 10**12
"""No number of an option is larger."""


def read_value(option: Option, value: Any, spelled: str = "") -> Any:
    """Return a value as the option's type; raise UsageError, which names the option as it was spelled there.

    >>> from siteseer.settings import CrawlOptions, options_of
    >>> by_name = {one.name: one for one in options_of(CrawlOptions)}
    >>> read_value(by_name["size_limit"], "2G"), read_value(by_name["exclude"], "*/print/*")
    (2147483648, ('*/print/*',))
    """
    name = spelled or option.name
    if value is None:
        if option.is_optional or option.default is None:
            return None
        raise UsageError(f"{name} needs a value")
    if option.is_list:
        return tuple(read_one(option, one, name) for one in ([value] if isinstance(value, str) else value))
    return read_one(option, value, name)


def read_one(option: Option, value: Any, name: str) -> Any:
    """Return a value, or one of the several that the option takes."""
    if option.choices and not option.is_open:
        return _choice(option, value, name)
    return _READERS[option.type](option, value, name)


def _choice(option: Option, value: Any, name: str) -> str:
    assert option.choices
    if isinstance(value, str) and value in option.choices:
        return value
    near = get_close_matches(str(value).lower(), option.choices, 1)
    advice = f"did you mean {near[0]}? It is" if near else "use"
    raise UsageError(f"{name} {_shown(value)} is unknown; {advice} one of {', '.join(option.choices)}")


def _bool(option: Option, value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return value
    raise UsageError(f"{name} is true or false, not {_shown(value)}")


def _text(option: Option, value: Any, name: str) -> str:
    if isinstance(value, str) and "\x00" not in value:
        return value
    raise UsageError(f"{name} wants text, not {_shown(value)}")


def _path(option: Option, value: Any, name: str) -> Path:
    return value if isinstance(value, Path) else Path(_text(option, value, name))


def _int(option: Option, value: Any, name: str) -> int:
    if option.unit == "bytes" and isinstance(value, str):
        return _bytes(value, name)
    text = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"-?[0-9]{1,30}", text):
        raise UsageError(f"{name} wants a whole number, not {_shown(value)}")
    return int(_within(option, int(text), name))


def _float(option: Option, value: Any, name: str) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"{name} wants a number{f' of {option.unit}' if option.unit else ''}, not {_shown(value)}")
    return float(_within(option, number, name))


def _within(option: Option, number: float, name: str) -> float:
    low, high = option.least, MOST if option.most is None else option.most
    if (low is not None and number < low) or number > high:
        allowed = f"{low:g} or more" if option.most is None else f"{low or 0:g} to {high:g}"
        raise UsageError(f"{name} {number:g} makes no sense; use {allowed}")
    return number


def _bytes(text: str, name: str) -> int:
    match = _SIZE.fullmatch(text.strip().lower())
    if not match or not int(match[1]):
        raise UsageError(f"{name} {_shown(text)} is no size; write it as 500M or 2G")
    return int(match[1]) * _UNITS[match[2]]


def _shown(value: Any) -> str:
    return str(value)[:60] or "nothing"


_READERS: dict[Any, Callable[[Option, Any, str], Any]] = {
    bool: _bool,
    int: _int,
    float: _float,
    str: _text,
    Path: _path,
}


def read_values(options: Sequence[Option], given: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """Return the values that are given by the names of options; raise UsageError for a name that is none of them."""
    known = {one.name: one for one in options}
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            advice = f"did you mean {near[0]!r}?" if near else f"choose among {', '.join(sorted(known))}"
            raise UsageError(f"{where}there is no option {name[:60]!r}; {advice}")
    return {name: read_value(known[name], value) for name, value in given.items()}
