"""Sites whose URLs say nothing: every page of another site under a name without words, or with meaningless ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from html import escape, unescape
from urllib.parse import quote, unquote, urljoin

from siteseer.model import Page
from tests.strategies.learned.learned_driver import ORIGIN, Fetch

_HREF = re.compile(rb'(href|src|action)=(["\'])([^"\'#]*)')
_WORD = re.compile(r"[^\W\d_]+")
KEPT = ("", "/", "/robots.txt")
"""The home page and robots.txt keep their names."""


def without_words(path: str) -> str:
    """Return a name that tells nothing at all."""
    return f"/p/{sha256(path.encode()).hexdigest()[:12]}"


def with_other_words(path: str) -> str:
    """Return the path with every word replaced by a meaningless one; numbers and separators stay."""
    return quote(_WORD.sub(lambda found: _meaningless(found[0]), unquote(path)), safe="/?&=;:+,-_.~")


def _meaningless(word: str) -> str:
    number = int(sha256(word.lower().encode()).hexdigest()[:8], 16)
    return "".join("bdfghjklmnpqrstvwxz"[number // 19**place % 19] for place in range(4))


class Opaque:
    """Serves another site under other names."""

    def __init__(self, fetch: Fetch, origin: str = ORIGIN, rename: Callable[[str], str] = without_words) -> None:
        self._fetch, self._origin, self._rename = fetch, origin, rename
        self.paths = {origin + path: origin + path for path in KEPT}

    def name(self, url: str) -> str:
        """Return the name of a page of the other site."""
        if not url.startswith(self._origin) or url in self.paths:
            return url
        name = self._origin + self._rename(url.removeprefix(self._origin))
        self.paths.setdefault(name, url)
        return name

    def fetch(self, url: str) -> Page | None:
        """Return the page of that name, its links renamed."""
        real = self.paths.get(url)
        if real is None:
            return Page(url, 404)
        page = self._fetch(real)
        if page is None:
            return None
        headers = tuple(
            (key, self.name(urljoin(real, value)) if key.lower() == "location" else value)
            for key, value in page.headers
            if key.lower() != "link"
        )
        body = _HREF.sub(lambda found: self._renamed(real, found), page.body)
        return Page(url, page.status, headers, body)

    def _renamed(self, base: str, found: re.Match[bytes]) -> bytes:
        target = urljoin(base, unescape(found[3].decode("utf-8", "replace")))
        return b"%s=%s%s" % (found[1], found[2], escape(self.name(target)).encode())
