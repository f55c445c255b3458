"""Reads robots.txt: what a host asks crawlers to leave alone (RFC 9309), with protego."""

from __future__ import annotations

from dataclasses import dataclass, field

from protego import Protego

from siteseer.interfaces import Verdict

MAX_BYTES = 500 * 1024
"""RFC 9309 asks crawlers to read at least 500 KiB."""
UNREACHABLE = "unreachable"
"""The rule of URLs whose host does not answer."""
UNREAD = "robots.txt could not be read"


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one origin.

    >>> rules = RobotsRules.read(200, b"User-agent: *" + bytes([10]) + b"Disallow: /private", "siteseer")
    >>> rules.verdict("http://e.org/private/x").allowed, rules.verdict("http://e.org/").allowed
    (False, True)
    """

    agent: str
    parsed: Protego | None = None
    refused: str = ""
    is_unreachable: bool = False
    """Whether nothing answers at all: then it is the host that keeps us away, not its robots.txt."""
    sitemaps: tuple[str, ...] = ()
    crawl_delay: float | None = field(default=None)

    @classmethod
    def read(cls, status: int | None, body: bytes, agent: str, failure: str = "") -> RobotsRules:
        """Read an answer: a missing file allows everything, a server in trouble (5xx, no answer) nothing."""
        if status is None or status >= 500:
            why = failure or (f"status {status}" if status else "no answer")
            return cls(agent, None, f"{UNREAD} ({why}): crawlers stay away then", status is None)
        if status >= 400:
            return cls(agent)
        parsed = Protego.parse(body[:MAX_BYTES].decode("utf-8", "replace").lstrip("\ufeff"))
        delay = parsed.crawl_delay(agent)
        return cls(agent, parsed, "", False, tuple(parsed.sitemaps)[:100], float(delay) if delay else None)

    def verdict(self, url: str) -> Verdict:
        """Say whether the URL may be fetched."""
        if self.refused:
            return Verdict(False, self.refused, UNREACHABLE if self.is_unreachable else "robots")
        if self.parsed is not None and not self.parsed.can_fetch(url, self.agent):
            return Verdict(False, "robots.txt asks crawlers to leave this URL alone", "robots")
        return Verdict(True, "allowed by robots.txt", "robots")
