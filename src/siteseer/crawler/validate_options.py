"""Validates the options of a crawl before anything is written; an error says what cannot work."""

from __future__ import annotations

import re

from siteseer.archive.archived_pages import check_holds_records
from siteseer.collection.collection import refuse_file
from siteseer.errors import UsageError
from siteseer.fetch.browser.playwright_library import require_browser
from siteseer.fetch.browser.render import WHO
from siteseer.fetch.cookies import read_cookies
from siteseer.fetch.login_profiles import load_profile
from siteseer.model import Seed
from siteseer.page.urls import wire
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions
from siteseer.strategies.seed_scopes import CrawlScope, scope_of

_OTHER_SCHEME = re.compile(r"(?!https?:)[A-Za-z][A-Za-z0-9+-]*:(?!\d)")
"""Begins what is no address of the Web: `mailto:`; a host may be followed by a port."""


def seeds_and_scope(options: CrawlOptions) -> tuple[list[Seed], CrawlScope]:
    """Return the seeds and the scope of a crawl; raise where the crawl cannot be begun as it is asked for."""
    seeds = [seed_of(text) for text in options.seeds]
    if not seeds:
        raise UsageError("there is nothing to crawl: give at least one URL")
    refuse_file(options.collection)
    if options.offline is not None:
        if not options.offline.exists():
            raise UsageError(f"--offline {options.offline}: there is no such file or directory")
        check_holds_records(options.offline)
    strategy_factory(options.strategy)
    for text in options.headers:
        header(text)
    if options.cookies is not None:
        read_cookies(options.cookies)
    if options.profile:
        load_profile(options.profile)
    if options.browser == "always" and options.offline is None:
        require_browser(WHO)
    named = [*(seed.url for seed in seeds), *options.examples]
    return seeds, scope_of(options, named)


def header(text: str) -> tuple[str, str]:
    """Return name and value of a header that the user gave.

    >>> header("Accept-Language: de")
    ('Accept-Language', 'de')
    """
    name, colon, value = text.partition(":")
    if not colon or not name.strip() or any(character in text for character in "\r\n"):
        raise UsageError(f"--header {text!r} is no header: write it as 'Name: value'")
    return name.strip(), value.strip()


def seed_of(text: str) -> Seed:
    """Return where a crawl begins.

    >>> seed_of("example.org").url
    'http://example.org/'
    """
    try:
        url = wire(text if "://" in text else f"http://{text}")
    except ValueError:
        url = None
    if url is None or _OTHER_SCHEME.match(text):
        raise UsageError(f"{text} is no URL that can be crawled; write it as http://host/path")
    return Seed(url)
