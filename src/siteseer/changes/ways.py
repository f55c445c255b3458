"""Links in, what their addresses and their markup have in common with those of other pages out."""

from __future__ import annotations

import re

from siteseer.changes.signals import Signal

_OLDER = re.compile(
    r"^\W*(?:next|older|older (?:posts|entries)|n[äa]chste|[äa]ltere|[äa]ltere eintr[äa]ge|weiter|suivant|page suivante"
    r"|siguiente|successiv\w+|volgende|dalej|следующая|›|»|>|→)\b.{0,20}$|^[›»>→]{1,2}$",
    re.I,
)
_NUMBERS = re.compile(r"\d+")


def leads_to_older(signal: Signal) -> bool:
    """Say whether a link leads to the next page of a list, by its words."""
    return any(_OLDER.match(text) for text in signal.says.split(" | "))


def way_of(signal: Signal) -> tuple[str, ...]:
    """Return how a link is marked up, numbers left out."""
    return tuple(_NUMBERS.sub("", step) for step in signal.path)


def shape_of(url: str) -> str:
    """Return an address with its last words and all numbers left out: what pages of one kind have in common.

    >>> shape_of("http://e.org/2015/05/a-title-7/"), shape_of("http://e.org/index.php?eintrag=12")
    ('http://e.org/#/#/*/', 'http://e.org/index.php?eintrag=#')
    """
    head, slash, tail = url.rstrip("/").rpartition("/")
    tail = _NUMBERS.sub("#", tail) if "?" in tail or "." in tail or tail.isdigit() else "*"
    return f"{_NUMBERS.sub('#', head)}{slash}{tail}{'/' if url.endswith('/') else ''}"


def continues(url: str, of: str) -> bool:
    """Say whether an address is a further page of another: the same with one more number.

    >>> [continues(f"http://e.org/a/{more}", "http://e.org/a/") for more in ("comment-page-2/", "?p=3", "feed/")]
    [True, True, False]
    """
    more = url.removeprefix(of)
    return (
        more != url
        and bool(re.fullmatch(r"[/?&]?[a-z_=/-]{0,24}(?:[2-9]|[1-9]\d)/?", more, re.I))
        and "repl" not in more
    )
