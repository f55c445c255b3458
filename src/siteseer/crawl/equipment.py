"""What a crawl goes out with: knowledge, a fetcher, a browser, and what it says of itself."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from siteseer import __version__
from siteseer.crawl.check import header
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.browser_pages import PageBrowser
from siteseer.fetch.cookies import load_cookies
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.profiles import lend_cookies, load_profile
from siteseer.fetch.replay import ReplayFetcher
from siteseer.interfaces import Fetcher
from siteseer.model import Seed
from siteseer.settings import USER_AGENT, CrawlOptions


def knowledge_of(options: CrawlOptions) -> Any:
    """Return the knowledge base: what this collection learned, the user's files, then what is shipped."""
    from siteseer.knowledge.base import KnowledgeBase  # a blind crawl does without it

    own = sorted((options.collection / "siteseer" / "knowledge").glob("*.xml"))
    user = user_knowledge()
    return KnowledgeBase.with_files([*options.knowledge, *([user] if user.is_dir() else []), *map(str, own)])


def user_knowledge() -> Path:
    """Return the folder of the user's own knowledge files."""
    named = os.environ.get("SITESEER_KNOWLEDGE")
    return Path(named) if named else Path.home() / ".config" / "siteseer" / "knowledge"


def fetcher_of(options: CrawlOptions, seeds: list[Seed]) -> Fetcher:
    """Return what fetches the pages: the network, or an archive."""
    if options.offline is not None:
        return ReplayFetcher(options.offline)
    addresses = AddressPolicy([*(seed.url for seed in seeds), *options.examples], options.allow_private)
    headers = [header(text) for text in options.headers]
    if options.contact:
        headers.append(("From", options.contact))
    fetcher = HttpFetcher(
        user_agent(options), addresses, options.limits, headers, options.proxy, tells_when_sent=options.delay > 0
    )
    if options.cookies is not None:
        load_cookies(options.cookies, fetcher.cookies)
    if options.profile:
        lend_cookies(load_profile(options.profile), fetcher.cookies)
    fetcher.is_logged_in = bool(options.cookies or options.profile)
    return fetcher


def browser_of(options: CrawlOptions, fetcher: Fetcher) -> PageBrowser | None:
    """Return what shows pages whose content needs scripts, where the user wants that; it starts when it is needed."""
    if options.browser == "never" or not isinstance(fetcher, HttpFetcher):
        return None
    storage = load_profile(options.profile) if options.profile else None
    return PageBrowser(user_agent(options), storage=storage, cookies=fetcher.cookies_for)


def user_agent(options: CrawlOptions) -> str:
    """Return what the crawler calls itself."""
    name = options.user_agent or USER_AGENT.format(version=__version__)
    return f"{name} (+{options.contact})" if options.contact and not options.user_agent else name


def warcinfo_of(options: CrawlOptions, number: int) -> dict[str, str]:
    """Return what the archive says of how it was made."""
    return {
        "software": f"siteseer/{__version__}",
        "robots": {"obey": "classic"}.get(options.robots, options.robots),
        "http-header-user-agent": user_agent(options),
        **({"http-header-from": options.contact} if options.contact else {}),
        **(
            {"cookies": "of the user's own login; values not recorded, neither sent nor received"}
            if options.cookies or options.profile
            else {"cookies": "of this crawl only"}
        ),
        "isPartOf": f"{options.collection.resolve().name}, crawl {number}",
        "description": f"strategy {options.strategy}; seeds: {' '.join(options.seeds)[:500]}",
    }


def stored_of(options: CrawlOptions) -> dict[str, Any]:
    """Return the options for the record, without what is secret."""
    values = asdict(options)
    values.pop("limits")
    values["headers"] = [text.partition(":")[0] for text in options.headers]
    values["proxy"] = bool(options.proxy)
    return json.loads(json.dumps(values, default=str))  # type: ignore[no-any-return]
