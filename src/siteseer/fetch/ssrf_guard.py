"""Guards against SSRF: checks each address at connect time, after name resolution, for every client that we run.

A page may redirect or link into the local network, or name a host that resolves to it. Public addresses may always be
reached; private, loopback and link-local ones only where a seed names that host and port, or the user allowed them.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from siteseer.errors import FetchError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
_SHARED = ipaddress.ip_network("100.64.0.0/10")


PRIVATE = "is a private address"
"""What is said of an address that may not be reached."""


class RefusedAddressError(FetchError):
    """The address lies in a private network and nobody allowed it."""

    was_sent = False


def is_public(address: Address) -> bool:
    """Say whether an address is reachable by anybody; an IPv4 address wrapped in IPv6 is judged by what it wraps.

    >>> [is_public(ipaddress.ip_address(a)) for a in ("93.184.216.34", "10.0.0.1", "::1", "::ffff:127.0.0.1")]
    [True, False, False, False]
    """
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and address in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    elif address in _SHARED:
        return False
    return address.is_global and not address.is_multicast


class AddressPolicy:
    """Decides whether a connection may be opened.

    >>> policy = AddressPolicy(["http://127.0.0.1:8000/"])
    >>> policy.allows("127.0.0.1", 8000), policy.allows("127.0.0.1", 22), policy.allows("10.0.0.1", 80)
    (True, False, False)
    """

    def __init__(self, seeds: Iterable[str] = (), allow_private: bool = False, tls: str = "lenient") -> None:
        self.allow_private = allow_private
        self.tls = tls
        """What becomes of hosts with a bad certificate: `lenient` or `strict` (`certificates`)."""
        self._named: set[tuple[str, int]] = set()
        for seed in seeds:
            self.name(seed)

    def name(self, url: str) -> None:
        """Let the host and port of this URL be reached, wherever its name leads."""
        try:
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
            found = socket.getaddrinfo(known_name(parts.hostname or ""), port, type=socket.SOCK_STREAM)
        except (OSError, ValueError):
            return
        self._named.update((str(_plain(str(entry[4][0]))), port) for entry in found)

    def allows(self, ip: str, port: int) -> bool:
        """Say whether this address and port may be reached."""
        address = _plain(ip)
        return self.allow_private or is_public(address) or (str(address), port) in self._named

    def check(self, ip: str, port: int) -> None:
        """Raise where the address may not be reached."""
        if not self.allows(ip, port):
            raise RefusedAddressError(f"{ip} port {port} {PRIVATE}; --allow-private lets it be reached")


def known_name(host: str) -> str:
    """Return the name to look up for a host: all names below `localhost` are this machine (RFC 6761, section 6.3).

    >>> known_name("site7.localhost"), known_name("e.org")
    ('localhost', 'e.org')
    """
    return "localhost" if host.rstrip(".").lower().endswith(".localhost") else host


def _plain(ip: str) -> Address:
    address = ipaddress.ip_address(ip.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address
