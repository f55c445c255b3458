"""Options of single hosts and single seeds, which configuration files give in tables of their own.

[hosts."slow.example.org"]
delay = 5

[[seeds]]
url = "https://example.org/blog/"
scope = "prefix"
limit = 500
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from siteseer.errors import UsageError
from siteseer.settings.option import Option
from siteseer.settings.read_value import read_value

HOST_KEYS = ("delay", "concurrency", "robots")
SEED_KEYS = ("scope", "include", "exclude", "limit", "depth")


@dataclass(frozen=True, slots=True)
class HostOptions:
    """How one host is asked; None is as for all others.

    >>> HostOptions("*.example.org").means("blog.example.org:8080")
    True
    >>> HostOptions("example.org").means("blog.example.org")
    False
    """

    host: str
    """A host, with its port where only that one is meant; `*.example.org` are all hosts below a domain."""
    delay: float | None = None
    concurrency: int | None = None
    robots: str | None = None

    def means(self, host: str) -> bool:
        """Say whether a host, named with its port, is meant."""
        names = (host, host.rpartition(":")[0]) if ":" in host else (host,)
        if self.host.startswith("*."):
            return any(name.endswith(self.host[1:]) for name in names)
        return self.host in names


@dataclass(frozen=True, slots=True)
class SeedOptions:
    """How far one seed reaches; None is as for all others, and `limit` counts its own pages."""

    url: str
    scope: str | None = None
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    limit: int | None = None
    depth: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it says no more than where to start."""
        return self == SeedOptions(self.url)


def read_hosts(found: Any, known: Mapping[str, Option]) -> tuple[HostOptions, ...]:
    """Return the options of hosts from tables by the names of hosts; raise UsageError where one makes no sense."""
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise UsageError('hosts are tables by their names, as in [hosts."example.org"] with delay = 5')
    made = []
    for host, table in found.items():
        values = _read(table, HOST_KEYS, known, f"host {host}")
        made.append(HostOptions(str(host).lower(), **values))
    return tuple(made)


def read_seed(table: Mapping[str, Any], known: Mapping[str, Option]) -> SeedOptions:
    """Return the options of one seed; raise UsageError where one makes no sense."""
    url = table.get("url")
    if not isinstance(url, str) or not url.strip():
        raise UsageError('a seed needs its address, as in [[seeds]] with url = "https://example.org/"')
    return SeedOptions(
        url, **_read({key: table[key] for key in table if key != "url"}, SEED_KEYS, known, f"seed {url}")
    )


def _read(table: Mapping[str, Any], keys: tuple[str, ...], known: Mapping[str, Option], where: str) -> dict[str, Any]:
    for key in table:
        if key not in keys:
            near = get_close_matches(str(key), keys, 1)
            advice = f"did you mean {near[0]!r}?" if near else f"choose among {', '.join(keys)}"
            raise UsageError(f"{where}: there is no option {str(key)[:60]!r}; {advice}")
    return {key: read_value(known[key], value, f"{where}: {key}") for key, value in table.items()}
