"""How hosts are treated, and who asks them: one value for crawls, revisits, campaigns, wrapper jobs, forms, audits."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from siteseer.settings.hosts_and_seeds import HOST_KEYS, HostOptions
from siteseer.settings.option import option

OBEY = "obey"
ROBOTS = {OBEY: f"{OBEY} it", "log": "ignore it, but note it", "ignore": "ignore it"}
TLS = {"lenient": "note it", "strict": "refuse the host"}

CRAWLS = ("crawl", "compare", "learn", "revisit", "audit", "form probe", "form understand", "feed watch")
"""The commands that crawl."""
PAGES = ("detect", "article", "timestamp", "changes", "form list", "feed read", "wrapper induce")
"""The commands that fetch single pages, which the user names."""
WRAPPERS = ("wrapper run", "wrapper submit")
EVERYWHERE = (*CRAWLS, *WRAPPERS, *PAGES)
GROUP = "politeness"


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """How politely hosts are asked.

    >>> Politeness(delay=5).robots == OBEY
    True
    """

    delay: float = option(
        1.0, "Seconds between requests to a host.", GROUP, unit="seconds", least=0, most=86_400, commands=EVERYWHERE,
        label="Seconds between requests to a host",
    )  # fmt: skip
    concurrency: int = option(
        2, "Parallel requests per host.", GROUP, least=1, most=64, commands=CRAWLS, label="Requests at once to a host"
    )
    robots: str = option(
        OBEY, "What robots.txt says is followed, ignored, or ignored and noted.", GROUP, choices=ROBOTS,
        commands=EVERYWHERE, label="robots.txt",
    )  # fmt: skip
    user_agent: str = option("", "What the crawler calls itself.", GROUP, commands=EVERYWHERE, label="User agent")
    contact: str = option(
        "", "Whom a webmaster can write to.", GROUP, commands=EVERYWHERE, label="Whom a webmaster can write to"
    )
    tls: str = option(
        "lenient", "What happens at a bad certificate: lenient notes it, strict refuses the host.", GROUP, choices=TLS,
        commands=EVERYWHERE, label="A bad certificate",
    )  # fmt: skip
    allow_private: bool = option(
        False, "Reach private networks too.", GROUP, commands=EVERYWHERE, label="Private networks may be reached"
    )

    hosts: tuple[HostOptions, ...] = ()
    """Hosts that are asked otherwise, from a configuration file."""

    def of_host(self, host: str) -> HostOptions:
        """Return how a host, named with its port, is asked.

        >>> Politeness(hosts=(HostOptions("e.org", delay=5.0),)).of_host("e.org:80").delay
        5.0
        """
        own = self.own_of_host(host)
        values = {name: getattr(own, name) for name in HOST_KEYS}
        return HostOptions(host, **{name: getattr(self, name) if one is None else one for name, one in values.items()})

    def own_of_host(self, host: str) -> HostOptions:
        """Return only what is said of a host itself; of several rules that mean it the first."""
        own = [one for one in self.hosts if one.means(host)]
        said = {name: [getattr(one, name) for one in own if getattr(one, name) is not None] for name in HOST_KEYS}
        return HostOptions(host, **{name: values[0] if values else None for name, values in said.items()})

    def obeys_robots(self, host: str = "") -> bool:
        """Say whether what a host's robots.txt forbids is left alone."""
        return (self.of_host(host).robots if self.hosts else self.robots) == OBEY

    @property
    def never_waits(self) -> bool:
        """Whether no host is given a pause between requests."""
        return not self.delay and not any(one.delay for one in self.hosts)

    def politeness_values(self) -> dict[str, Any]:
        """Return how politely these options ask, by name: for other options that are to ask alike."""
        return {one.name: getattr(self, one.name) for one in fields(Politeness)}
