"""The options of a crawl."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from siteseer.settings.acebot import AcebotOptions
from siteseer.settings.hosts_and_seeds import SeedOptions
from siteseer.settings.limits import FetchLimits
from siteseer.settings.option import option
from siteseer.settings.politeness import Politeness

SCOPES = {
    "page": "this page only",
    "prefix": "below this address",
    "host": "this host",
    "domain": "this domain with its subdomains",
    "any": "anywhere",
}
STRATEGIES = {
    "auto": "auto: choose by itself",
    "aware": "aware: by the knowledge base",
    "learned": "learned: by what the site teaches",
    "acebot": "acebot: by navigation patterns",
    "example": "example: pages like a sample",
    "blind": "blind: follow every link",
}
"""The strategies that are offered; others are installed, or belong to a command of their own."""
BROWSERS = {"auto": "those whose content needs scripts", "never": "none", "always": "all"}
ASSETS = {"all": "keep what pages need to be shown", "none": "documents only"}

START, SCOPE, LIMITS, ACCESS, SHOWN, STORES = (
    "what is crawled, and how", "scope", "limits", "access", "how pages are shown", "stores",
)  # fmt: skip
CRAWL = ("crawl", "compare")
FORMS = ("form probe", "form understand")
KNOWING = ("detect", "article", "repair", "describe", "kb list", "kb show", "kb test", "kb export")
"""The commands that look things up in the knowledge base without crawling."""


@dataclass(frozen=True, slots=True)
class CrawlOptions(Politeness):
    """The options of `siteseer crawl`; being a `Politeness`, they can be given wherever one is wanted."""

    seeds: tuple[str, ...]
    collection: Path
    strategy: str = option(
        "auto", f"{', '.join(STRATEGIES)}, or one that is installed.", START, choices=STRATEGIES, is_open=True,
        commands=("crawl",), metavar="NAME", label="Strategy of the intelligent crawl",
    )  # fmt: skip
    recrawl: bool = option(False, "A new crawl in the same directory.", START, commands=CRAWL)
    offline: Path | None = option(
        None, "Take pages from this WARC, WACZ or directory.", START, commands=(*CRAWL, "learn"), is_remote=False
    )
    adapt: bool = option(
        True, "Use known actions only.", START, commands=CRAWL, label="Repair actions that bring nothing"
    )
    limit: int | None = option(
        None, "Stop after this many requests.", LIMITS, least=1, commands=(*CRAWL, *FORMS), label="Limit of requests"
    )
    size_limit: int | None = option(
        None, "Stop after this many bytes (500M, 2G).", LIMITS, unit="bytes", least=1, commands=CRAWL,
        label="Limit of bytes",
    )  # fmt: skip
    time_limit: float | None = option(
        None, "Stop after this many seconds.", LIMITS, unit="seconds", least=0, commands=CRAWL,
        label="Limit of seconds",
    )  # fmt: skip
    depth: int | None = option(
        None, "Follow links no deeper than this.", LIMITS, least=0, most=10**6, commands=CRAWL, label="Links deep"
    )
    scope: str = option(
        "host", "How far around the seeds pages are taken.", SCOPE, choices=SCOPES, commands=CRAWL, label="How far"
    )
    include: tuple[str, ...] = option(
        (), "Glob or re: expression of URLs to take too.", SCOPE, commands=CRAWL, metavar="GLOB",
        label="Take too (one expression per line)",
    )  # fmt: skip
    exclude: tuple[str, ...] = option(
        (), "Glob or re: expression of URLs to leave.", SCOPE, commands=CRAWL, metavar="GLOB",
        label="Leave out (one expression per line)",
    )  # fmt: skip
    cookies: Path | None = option(
        None, "A cookies.txt file.", ACCESS, commands=CRAWL, metavar="FILE", is_remote=False
    )  # fmt: skip
    headers: tuple[str, ...] = option(
        (), "'Name: value', sent with every request.", ACCESS, flag="--header", commands=CRAWL, metavar="'K: V'",
        label="Headers (one 'Name: value' per line)",
    )  # fmt: skip
    fetcher: str = option(
        "http", "What fetches pages: http, or one that is installed.", ACCESS, commands=("crawl",), metavar="NAME",
        is_remote=False,
    )  # fmt: skip
    proxy: str | None = option(None, "http://host:port of a proxy.", ACCESS, commands=CRAWL, metavar="URL")
    knowledge: tuple[str, ...] = option(
        (), "Extra knowledge files; none: no shipped ones.", START, commands=(*CRAWL, *KNOWING), metavar="PATH",
        is_remote=False,
    )  # fmt: skip
    assets: str = option(
        "all", "What kept pages need to be shown, or documents only.", SHOWN, choices=ASSETS, commands=CRAWL,
        label="Pictures and style sheets",
    )  # fmt: skip
    browser: str = option(
        "auto", "Which pages a browser shows.", SHOWN, choices=BROWSERS, commands=CRAWL, label="Pages in a browser"
    )
    profile: str = option(
        "", "A login recorded with siteseer login.", ACCESS, commands=(*CRAWL, "form understand"), metavar="NAME",
        is_remote=False,
    )  # fmt: skip
    policies: tuple[str, ...] = option(
        (), "NAME=VALUE of a policy; see kb show NAME.", START, flag="--policy", commands=CRAWL, metavar="NAME=VALUE",
        label="Policies (one NAME=VALUE per line)",
    )  # fmt: skip
    patterns: Path | None = option(
        None, "Stored navigation patterns to start from.", START, commands=CRAWL, metavar="FILE", is_remote=False
    )
    examples: tuple[str, ...] = option(
        (), "A page like those to find, for strategy example.", START, flag="--example", commands=CRAWL,
        metavar="URL", label="Pages like those to find (one address per line)",
    )  # fmt: skip
    values: tuple[str, ...] = option(
        (), "FIELD=VALUE for forms on the way.", START, flag="--set", commands=(*CRAWL, *FORMS),
        metavar="FIELD=VALUE", label="Values for forms (one FIELD=VALUE per line)",
    )  # fmt: skip
    definition: str = ""
    """The text of a campaign's definition, for the strategy `focused`."""
    archive_to: str = option(
        "", "Copy the collection there: s3://bucket/prefix, a folder.", STORES, commands=("crawl",), metavar="PLACE",
        is_remote=False,
    )  # fmt: skip
    objects_to: str = option(
        "", "Keep the objects in this SPARQL 1.1 endpoint.", STORES, commands=("crawl",), metavar="URL", is_remote=False
    )
    objects_update: str = option(
        "", "Where that endpoint takes updates, if elsewhere.", STORES, commands=("crawl",), metavar="URL",
        is_remote=False,
    )  # fmt: skip
    overwrite: bool = option(
        False, "Start again instead of resuming.", START, commands=(*CRAWL, *FORMS, "learn"), is_remote=False
    )
    seed_options: tuple[SeedOptions, ...] = ()
    """Seeds with a scope and limits of their own, from a configuration file."""
    random_seed: int = 0
    acebot: AcebotOptions = field(default_factory=AcebotOptions)
    limits: FetchLimits = field(default_factory=FetchLimits)
