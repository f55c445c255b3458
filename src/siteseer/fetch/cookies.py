"""Cookies that the user brings: the cookies.txt format that browsers' add-ons and wget write."""

from __future__ import annotations

from http.cookiejar import LoadError, MozillaCookieJar
from http.cookies import SimpleCookie
from pathlib import Path

from aiohttp import CookieJar
from yarl import URL

from siteseer.errors import ConfigurationError


def read_cookies(path: Path) -> MozillaCookieJar:
    """Read a file of cookies."""
    source = MozillaCookieJar(path)
    try:
        source.load(ignore_discard=True, ignore_expires=True)
    except (OSError, LoadError) as error:
        raise ConfigurationError(f"{path} is no cookies.txt file: {error}") from error
    return source


def load_cookies(path: Path, jar: CookieJar) -> None:
    """Put the cookies of a file into the jar."""
    for cookie in read_cookies(path):
        morsel: SimpleCookie = SimpleCookie()
        morsel[cookie.name] = cookie.value or ""
        morsel[cookie.name]["path"] = cookie.path
        if cookie.domain.startswith("."):
            morsel[cookie.name]["domain"] = cookie.domain
        jar.update_cookies(morsel, URL(f"http://{cookie.domain.lstrip('.')}{cookie.path}"))
