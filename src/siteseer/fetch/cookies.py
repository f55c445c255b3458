"""Cookies: where those of servers and of the user's cookies.txt may go, as browsers decide it (RFC 6265bis).

aiohttp's jar keeps path, domain, expiry and `Secure`. What a server may set at all is decided here: nothing for a
domain that belongs to many, no `Secure` cookie without TLS, and none that only looks like one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http.cookiejar import LoadError, MozillaCookieJar
from http.cookies import CookieError, Morsel, SimpleCookie
from pathlib import Path
from typing import Any

from aiohttp import CookieJar
from yarl import URL

from siteseer.errors import ConfigurationError, NotFoundError
from siteseer.model import JSON
from siteseer.strategies.scope import is_public_suffix


class SiteCookies(CookieJar):
    """The cookies of a crawl."""

    def __init__(self) -> None:
        super().__init__(unsafe=True)  # sites named by an address of four numbers have cookies, too

    def update_cookies_from_headers(self, headers: Sequence[str], response_url: URL) -> None:
        """Take the cookies that an answer sets, where it may."""
        super().update_cookies_from_headers([one for one in headers if self._may_set(one, response_url)], response_url)

    def lend(self, cookies: Iterable[JSON]) -> None:
        """Take cookies of a profile; each goes only where its domain and path allow."""
        for one in cookies:
            made: SimpleCookie = SimpleCookie()
            try:
                made[one["name"]] = one["value"]
            except CookieError:
                continue
            made[one["name"]]["path"] = one["path"]
            for name, attribute in (("secure", "secure"), ("httpOnly", "httponly")):
                if one.get(name):
                    made[one["name"]][attribute] = True
            if one["domain"].startswith("."):
                made[one["name"]]["domain"] = one["domain"]
            scheme = "https" if one["secure"] else "http"
            self.update_cookies(made, URL(f"{scheme}://{one['domain'].lstrip('.')}{one['path']}"))

    def shown_to_browser(self, url: str) -> list[JSON]:
        """Return the cookies that go with a request to a URL, as Playwright writes them."""
        address = URL(url, encoded=True)
        sent, host = self.filter_cookies(address), address.raw_host or ""
        return [
            _of_browser(cookie, host)
            for cookie in self
            if cookie.key in sent
            and sent[cookie.key].value == cookie.value
            and f".{host}".endswith(f".{cookie['domain']}")
        ]

    def _may_set(self, header: str, url: URL) -> bool:
        pair, *rest = header.split(";")
        name = pair.partition("=")[0].strip()
        attributes = {key.strip().lower(): value.strip() for key, _, value in (one.partition("=") for one in rest)}
        domain = attributes.get("domain", "").removeprefix(".").lower()
        if domain and domain != url.raw_host and is_public_suffix(domain):
            return False
        return _keeps_its_name(name, attributes, url) and not self._would_replace(name, attributes, url)

    def _would_replace(self, name: str, attributes: Mapping[str, str], url: URL) -> bool:
        """Say whether an answer without TLS would set a `Secure` cookie, or put another in the place of one."""
        if url.scheme == "https":
            return False
        host = f".{url.raw_host or ''}"
        return "secure" in attributes or any(
            cookie.key == name and cookie["secure"] and host.endswith(f".{cookie['domain']}") for cookie in self
        )


def _keeps_its_name(name: str, attributes: Mapping[str, str], url: URL) -> bool:
    """Say whether a cookie is what a name such as `__Host-id` says."""
    is_secure = "secure" in attributes and url.scheme == "https"
    lowered = name.lower()
    if lowered.startswith("__host-"):
        return is_secure and "domain" not in attributes and attributes.get("path") == "/"
    return is_secure or not lowered.startswith("__secure-")


def _of_browser(cookie: Morsel[str], host: str) -> dict[str, Any]:
    return {
        "name": cookie.key, "value": cookie.value, "domain": host, "path": cookie["path"] or "/",
        "secure": bool(cookie["secure"]), "httpOnly": bool(cookie["httponly"]),
    }  # fmt: skip


def read_cookies(path: Path) -> MozillaCookieJar:
    """Read a file of cookies."""
    source = MozillaCookieJar(path)
    try:
        source.load(ignore_discard=True, ignore_expires=True)
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no cookies.txt file {path}") from error
    except (OSError, LoadError) as error:
        raise ConfigurationError(f"{path} is no cookies.txt file: {error}") from error
    return source
