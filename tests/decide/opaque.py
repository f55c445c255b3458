"""A site whose URLs say nothing: every path of a demo site behind a meaningless name."""

from __future__ import annotations

import re
from hashlib import sha256
from urllib.parse import urljoin

from decide.learned_driver import ORIGIN, Fetch
from siteseer.model import Page

_HREF = re.compile(rb'(href|src|action)=(["\'])([^"\'#]*)')


class Opaque:
    """Serves another site with names such as `/p/0f3a...`; the home page keeps its name."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self.paths: dict[str, str] = {ORIGIN + "/": ORIGIN + "/"}

    def name(self, url: str) -> str:
        if not url.startswith(ORIGIN) or (
            url.partition("?")[0] in (ORIGIN + "/", ORIGIN + "/robots.txt") and "?" not in url
        ):
            return url
        name = f"{ORIGIN}/p/{sha256(url.encode()).hexdigest()[:12]}"
        self.paths[name] = url
        return name

    def fetch(self, url: str) -> Page | None:
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
        target = urljoin(base, found[3].decode().replace("&amp;", "&"))
        return b"%s=%s%s" % (found[1], found[2], self.name(target).encode())
