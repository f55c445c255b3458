"""Canonicalises URLs by the rules of an application: which URLs are one document, and which one object."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from siteseer.knowledge.types import Application, DropParameter, Paging, regex
from siteseer.page.urls import identity

_PARAMETER = re.compile(r"([^&;]*)([&;]|$)")


def document_key(url: str, application: Application | None) -> str:
    """Return the form that all spellings of one document share.

    >>> from siteseer.knowledge.types import Identity
    >>> board = Application("b", "forum", identity=Identity(pagings=(Paging("start", first="0"),)))
    >>> document_key("http://e.org/t.php?t=5&start=0", board), document_key("http://e.org/t.php?t=5&start=9", board)
    ('http://e.org/t.php?t=5', 'http://e.org/t.php?t=5&start=9')
    """
    key = identity(url)
    if application is None:
        return key
    for paging in application.identity.pagings:
        if paging.first:
            key = _without_paging(key, paging, only_first=True)
    return _without_parameters(key, application.identity.drops)


def clean_url(url: str, application: Application | None) -> str:
    """Return the URL as it is requested: without parameters that never change the page (session ids, sort marks).

    >>> from siteseer.knowledge.types import Identity
    >>> board = Application("b", "forum", identity=Identity((DropParameter("sid", "session id"),)))
    >>> clean_url("http://e.org/t.php?t=5&sid=abc", board)
    'http://e.org/t.php?t=5'
    """
    drops = application.identity.drops if application else ()
    return _without_parameters(url, tuple(drop for drop in drops if not (drop.value or drop.path)))


def object_url(url: str, application: Application | None) -> str:
    """Return the URL of the object that several pages show together: without paging; the fragment stays."""
    page, mark, fragment = url.partition("#")
    key = document_key(page, application)
    for paging in application.identity.pagings if application else ():
        key = _without_paging(key, paging, only_first=False)
    return key + mark + fragment


def _without_paging(url: str, paging: Paging, only_first: bool) -> str:
    if paging.parameter:
        query = url.partition("?")[2]
        if paging.parameter not in query and "%" not in query:
            return url
        return _filtered(url, lambda name, value: name != paging.parameter or (only_first and value != paging.first))
    path, mark, query = url.partition("?")
    found = regex(paging.matches).search(url) if paging.matches else regex(paging.path).search(path)
    if not found or (only_first and (found.groups() or ("",))[0] != paging.first):
        return url
    if paging.matches:
        return url[: found.start(1)] + url[found.end(1) :]
    slash = "/" if found.group(0).startswith("/") else ""
    return path[: found.start()] + slash + path[found.end() :].lstrip("/") + mark + query


def _without_parameters(url: str, drops: tuple[DropParameter, ...]) -> str:
    path, mark, query = url.partition("?")
    if not mark or not ("%" in query or any(drop.name in query for drop in drops)):
        return url
    return _filtered(url, lambda name, value: not any(_drops(drop, path, name, value) for drop in drops))


def _drops(drop: DropParameter, path: str, name: str, value: str) -> bool:
    if name != drop.name:
        return False
    return (not drop.value or bool(regex(drop.value).search(value))) and (
        not drop.path or bool(regex(drop.path).search(path))
    )


def _filtered(url: str, keep: Callable[[str, str], bool]) -> str:
    """Leave out the parameters that are not to be kept; `;` separates them as `&` does."""
    path, mark, query = url.partition("?")
    if not mark:
        return url
    parts = _PARAMETER.findall(query)
    kept = [(text, end) for text, end in parts if text and keep(*_split(text))]
    joined = "".join(text + end for text, end in kept).rstrip("&;")
    return f"{path}?{joined}" if joined else path


def parameters_of(url: str) -> list[tuple[str, str]]:
    """Return names and values of the query; `;` separates them as `&` does."""
    return [_split(text) for text, _ in _PARAMETER.findall(url.partition("?")[2]) if text]


def _split(parameter: str) -> tuple[str, str]:
    name, _, value = parameter.partition("=")
    return unquote(name), unquote(value)
