"""What a user's headers, cookies and logins may reach: the seeds' own sites, and nobody else.

A site is scheme, host and port of a seed. Another port, another scheme and every subdomain are other sites: whoever
runs them need not be whom the secret was meant for. Only headers that are known to be harmless go to every host.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from siteseer.model import JSON, Headers
from siteseer.page.urls import origin_of

HARMLESS = frozenset(
    ("accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "dnt", "from", "pragma")
    + ("referer", "save-data", "sec-gpc", "upgrade-insecure-requests", "user-agent")
)
"""Names of headers that say nothing secret. Any other that a user adds may be a key."""


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

    @classmethod
    def of(
        cls, seeds: Iterable[str], headers: Iterable[tuple[str, str]] = (), cookies: Iterable[JSON] = ()
    ) -> Credentials:
        """Return the credentials of a crawl: of the headers only those that may be secret."""
        secret = tuple(pair for pair in headers if not is_harmless(pair[0]))
        return cls(frozenset(map(origin_of, seeds)), secret, tuple(cookies))

    def __bool__(self) -> bool:
        return bool(self.headers or self.cookies)

    def reach(self, url: str) -> bool:
        """Say whether they may be sent with a request to this URL."""
        return bool(self) and origin_of(url) in self.sites


def is_harmless(name: str) -> bool:
    """Say whether a header of that name may be sent to every host."""
    return name.lower() in HARMLESS
