"""Compares links by their URLs and their markup, to find those that are linked in the same way."""

from __future__ import annotations

import re

from siteseer.change.change_signals import Signal

_OLDER = re.compile(
    r"^\W*(?:next|older|older (?:posts|entries)|n[äa]chste|[äa]ltere|[äa]ltere eintr[äa]ge|weiter|suivant|page suivante"
    r"|siguiente|successiv\w+|volgende|dalej|следующая|›|»|>|→)\b.{0,20}$|^[›»>→]{1,2}$",
    re.I,
)
_RECENT = re.compile(
    r"(?:recent|latest) (?:changes|edits|updates|posts|topics|discussions)|recently changed|what'?s new"
    r"|(?:new|active) (?:posts|topics)|(?:letzte|neueste) änderungen|neue beiträge|aktive themen|modifications récentes"
    r"|dernières modifications|derniers? (?:changements|messages)|cambios recientes|últimos (?:cambios|mensajes)"
    r"|ultime modifiche|modifiche recenti|(?:mudanças|alterações) recentes|(?:recente|laatste) wijzigingen"
    r"|ostatnie zmiany|senaste ändringar(?:na)?|seneste ændringer|siste endringer|poslední změny|son değişiklikler"
    r"|свежие правки|последние изменения|новые сообщения|нові редагування|最近の更新|最近更改|최근 바뀜",
    re.I,
)
_NUMBERS = re.compile(r"\d+")


def leads_to_older(signal: Signal) -> bool:
    """Say whether a link leads to the next page of a list, by its relation or its words."""
    return signal.is_next or any(_OLDER.match(text) for text in signal.says.split(" | "))


def is_recent_changes(signal: Signal) -> bool:
    """Say whether a link leads to a page of recent changes, as wikis and forums have it.

    >>> is_recent_changes(Signal("http://e.org/?do=recent", "Recent changes"))
    True
    """
    return any(_RECENT.fullmatch(text.strip()) for text in signal.says.split(" | "))


def markup_of(signal: Signal) -> tuple[str, ...]:
    """Return the markup of a link, numbers left out."""
    return tuple(_NUMBERS.sub("", step) for step in signal.path)


def shape_of(url: str) -> str:
    """Return a URL with its last words and all numbers left out: what pages of one kind have in common.

    >>> shape_of("http://e.org/2015/05/a-title-7/"), shape_of("http://e.org/index.php?eintrag=12")
    ('http://e.org/#/#/*/', 'http://e.org/index.php?eintrag=#')
    """
    head, slash, tail = url.rstrip("/").rpartition("/")
    tail = _NUMBERS.sub("#", tail) if "?" in tail or "." in tail or tail.isdigit() else "*"
    return f"{_NUMBERS.sub('#', head)}{slash}{tail}{'/' if url.endswith('/') else ''}"


def continues(url: str, of: str) -> bool:
    """Say whether a URL is a further page of another: the same with one more number.

    >>> [continues(f"http://e.org/a/{more}", "http://e.org/a/") for more in ("comment-page-2/", "?p=3", "feed/")]
    [True, True, False]
    """
    more = url.removeprefix(of)
    return (
        more != url
        and bool(re.fullmatch(r"[/?&]?[a-z_=/-]{0,24}(?:[2-9]|[1-9]\d)/?", more, re.I))
        and "repl" not in more
    )
