"""Builds the equipment of a crawl from its options: knowledge base, fetcher, browser."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from siteseer.collection.layout import LEARNED
from siteseer.crawler.validate_options import header, seed_of
from siteseer.errors import UsageError
from siteseer.fetch.browser.render import PageBrowser
from siteseer.fetch.crawler_identity import identity_headers, user_agent
from siteseer.fetch.credentials import Credentials, is_harmless
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.login_profiles import load_profile, read_state
from siteseer.fetch.replay import ReplayFetcher
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import Fetcher
from siteseer.model import Seed
from siteseer.plugins import fetcher_factory
from siteseer.settings import CrawlOptions, Politeness
from siteseer.version import __version__

TOLD_OF_TLS = {
    "lenient": "certificates verified; where one cannot be, the metadata record says why, and no credentials were sent",
    "strict": "certificates verified; hosts whose certificate cannot be were refused",
}
"""What the archive says of each policy."""


def knowledge_of(options: CrawlOptions) -> Any:
    """Return the knowledge base: what this collection learned, the user's files, then what is shipped."""
    from siteseer.knowledge.knowledge_base import KnowledgeBase  # a blind crawl does without it

    own = sorted((options.collection / LEARNED).glob("*.xml"))
    user = user_knowledge()
    return KnowledgeBase.with_files([*options.knowledge, *([user] if user.is_dir() else []), *map(str, own)])


def user_knowledge() -> Path:
    """Return the folder of the user's own knowledge files."""
    named = os.environ.get("SITESEER_KNOWLEDGE")
    return Path(named) if named else Path.home() / ".config" / "siteseer" / "knowledge"


def fetcher_of(options: CrawlOptions, seeds: list[Seed]) -> Fetcher:
    """Return what fetches the pages: the network, an archive, or what an installed package offers."""
    return fetcher_factory("archive" if options.offline is not None else options.fetcher)(options, seeds)


def archive_fetcher(options: CrawlOptions, seeds: list[Seed]) -> Fetcher:
    """Return what takes the pages from an archive."""
    if options.offline is None:
        raise UsageError("say which archive the pages come from: --offline FILE")
    return ReplayFetcher(options.offline)


def network_fetcher(options: CrawlOptions, seeds: list[Seed]) -> Fetcher:
    """Return what fetches the pages over HTTP."""
    addresses = AddressPolicy([*(seed.url for seed in seeds), *options.examples], options.allow_private, options.tls)
    headers = [one for one in map(header, options.headers) if is_harmless(one[0])] + identity_headers(options)
    fetcher = HttpFetcher(
        user_agent(options), addresses, options.limits, headers, options.proxy, tells_when_sent=not options.never_waits
    )
    fetcher.lend(credentials_of(options))
    return fetcher


def credentials_of(options: CrawlOptions) -> Credentials:
    """Return what the seeds' sites get and nobody else: headers that may be secret, cookies, the user's login."""
    cookies = read_state(options.cookies)["cookies"] if options.cookies else []
    profile = load_profile(options.profile) if options.profile else {"cookies": [], "origins": []}
    seeds = [seed_of(text).url for text in options.seeds]
    return Credentials.of(seeds, map(header, options.headers), cookies + profile["cookies"], profile["origins"])


def browser_of(options: CrawlOptions, fetcher: Fetcher) -> PageBrowser | None:
    """Return what shows pages whose content needs scripts, where the user wants that; it starts when it is needed."""
    if options.browser == "never" or not isinstance(fetcher, HttpFetcher):
        return None
    storage, credentials = load_profile(options.profile) if options.profile else None, credentials_of(options)
    return PageBrowser(
        user_agent(options),
        storage=lambda url: storage if credentials.reach(url) else None,
        cookies=fetcher.cookies_for,
        take_over=fetcher.take_over,
    )


TOLD_OPTIONS = (
    "seeds", "adapt", "limit", "size_limit", "time_limit", "depth", "scope", "include", "exclude", "delay",
    "concurrency", "robots", "assets", "browser", "examples", "hosts", "seed_options",
)  # fmt: skip
"""The options that an archive names: `siteseer repair` goes on with a crawl by them where its database is lost."""


def robots_word(options: Politeness) -> str:
    """Return the word of the WARC standard for how robots.txt is treated."""
    return "classic" if options.obeys_robots() else options.robots


def warcinfo_of(options: CrawlOptions, number: int) -> dict[str, str]:
    """Return what the archive says of how it was made."""
    return {
        "software": f"siteseer/{__version__}",
        "robots": robots_word(options),
        "tls": TOLD_OF_TLS[options.tls],
        "http-header-user-agent": user_agent(options),
        **({"http-header-from": options.contact} if options.contact else {}),
        **({"http-headers": "; ".join(map(_told, options.headers))} if options.headers else {}),
        **(
            {"cookies": "of the user's own login; values not recorded, neither sent nor received"}
            if options.cookies or options.profile
            else {"cookies": "of this crawl only"}
        ),
        "isPartOf": f"{options.collection.resolve().name}, crawl {number}",
        "description": f"strategy {options.strategy}; seeds: {' '.join(options.seeds)[:500]}",
        "siteseer-options": json.dumps(public_options(options)),
    }


def public_options(options: CrawlOptions) -> dict[str, Any]:
    """Return the options by which a crawl can be gone on with; no secrets, and no paths of this machine."""
    return {name: value for name, value in stored_of(options).items() if name in TOLD_OPTIONS and value is not None}


def _told(text: str) -> str:
    name, value = header(text)
    return f"{name}: {value}" if is_harmless(name) else f"{name} (value not recorded; sent to the seeds' sites only)"


def stored_of(options: CrawlOptions) -> dict[str, Any]:
    """Return the options for the record, without what is secret."""
    values = asdict(options)
    values.pop("limits")
    values["headers"] = [text.partition(":")[0] for text in options.headers]
    values["proxy"] = bool(options.proxy)
    return json.loads(json.dumps(values, default=str))  # type: ignore[no-any-return]
