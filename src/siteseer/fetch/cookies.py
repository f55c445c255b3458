"""Cookies that the user brings: the cookies.txt format that browsers' add-ons and wget write."""

from __future__ import annotations

from http.cookiejar import LoadError, MozillaCookieJar
from pathlib import Path

from siteseer.errors import ConfigurationError


def read_cookies(path: Path) -> MozillaCookieJar:
    """Read a file of cookies."""
    source = MozillaCookieJar(path)
    try:
        source.load(ignore_discard=True, ignore_expires=True)
    except (OSError, LoadError) as error:
        raise ConfigurationError(f"{path} is no cookies.txt file: {error}") from error
    return source
