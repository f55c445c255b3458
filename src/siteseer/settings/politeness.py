"""How hosts are treated, and who asks them: one value for crawls, revisits, campaigns, wrapper jobs, forms, audits."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from siteseer.settings.option import option

OBEY = "obey"
ROBOTS = {OBEY: f"{OBEY} it", "log": "ignore it, but note it", "ignore": "ignore it"}
TLS = {"lenient": "note it", "strict": "refuse the host"}

CRAWLS = ("crawl", "compare", "learn", "revisit", "audit", "form probe", "form understand", "feed watch")
"""The commands that crawl."""
PAGES = ("detect", "article", "timestamp", "changes", "form", "feed", "wrapper induce")
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
        commands=(*CRAWLS, *WRAPPERS), label="robots.txt",
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

    @property
    def obeys_robots(self) -> bool:
        """Whether what robots.txt forbids is left alone."""
        return self.robots == OBEY

    def politeness_values(self) -> dict[str, Any]:
        """Return how politely these options ask, by name: for other options that are to ask alike."""
        return {one.name: getattr(self, one.name) for one in fields(Politeness)}
