"""Limits a user's headers, cookies and logins to the seeds' own sites.

A site is scheme, host and port of a seed. Another port, another scheme and every subdomain are other sites: whoever
runs them need not be whom the secret was meant for. Only headers that are known to be harmless go to every host.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from siteseer.interfaces import Request
from siteseer.model import JSON, Headers
from siteseer.page.urls import origin_of

HARMLESS = frozenset(
    ("accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "dnt", "from", "pragma")
    + ("referer", "save-data", "sec-gpc", "upgrade-insecure-requests", "user-agent")
)
"""Names of headers that say nothing secret. Any other that a user adds may be a key."""

LONG = 16
"""Characters of a value that nobody else would use by chance."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What is sent to the seeds' sites only.

    >>> made = Credentials.of(["https://e.org/forum/"], [("Authorization", "Bearer x"), ("Accept-Language", "de")])
    >>> made.headers, made.reach("https://e.org/t/1"), made.reach("http://e.org/"), made.reach("https://cdn.e.org/")
    ((('Authorization', 'Bearer x'),), True, False, False)
    """

    sites: frozenset[str] = frozenset()
    headers: Headers = ()
    cookies: tuple[JSON, ...] = ()
    """As Playwright writes them: name, value, domain, path, secure."""

    storage: tuple[JSON, ...] = ()
    """What scripts keep in a browser: for each origin a list of names and values."""

    @classmethod
    def of(
        cls,
        seeds: Iterable[str],
        headers: Iterable[tuple[str, str]] = (),
        cookies: Iterable[JSON] = (),
        storage: Iterable[JSON] = (),
    ) -> Credentials:
        """Return the credentials of a crawl: of the headers only those that may be secret."""
        secret = tuple(pair for pair in headers if not is_harmless(pair[0]))
        return cls(frozenset(map(origin_of, seeds)), secret, tuple(cookies), tuple(storage))

    def __bool__(self) -> bool:
        return bool(self.headers or self.cookies or self.storage)

    def reach(self, url: str) -> bool:
        """Say whether they may be sent with a request to this URL."""
        return bool(self) and origin_of(url) in self.sites

    def would_leak(self, request: Request) -> bool:
        """Say whether a request to somebody else carries a secret in its address, headers or body, as scripts may do.

        >>> made = Credentials.of(["https://e.org/"], [("Authorization", "Bearer 0123456789abcdef")])
        >>> [made.would_leak(Request(f"https://{one}")) for one in ("other.org/?t=0123456789abcdef", "other.org/")]
        [True, False]
        """
        if not self or self.reach(request.url):
            return False
        said = [unquote(request.url), request.url, *(value for _, value in request.headers)]
        told = "\n".join(said) + request.body.decode("utf-8", "replace")
        return any(secret in told for secret in self._secrets())

    def _secrets(self) -> Iterator[str]:
        """Yield the values that are too long to be met by chance."""
        values = [word for _, value in self.headers for word in value.split()]
        values += [str(one["value"]) for one in self.cookies]
        values += [str(one["value"]) for origin in self.storage for one in origin["localStorage"]]
        yield from (value for value in values if len(value) >= LONG)


def is_harmless(name: str) -> bool:
    """Say whether a header of that name may be sent to every host."""
    return name.lower() in HARMLESS
