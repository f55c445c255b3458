"""Options, each described once, and limits with their reasons: a file per group."""

from siteseer.settings.acebot import AcebotOptions
from siteseer.settings.config_file import ConfigFile, read_config
from siteseer.settings.crawl import CrawlOptions
from siteseer.settings.hosts_and_seeds import HostOptions, SeedOptions, read_hosts
from siteseer.settings.limits import (
    COMMIT_PAGES,
    COMMIT_SECONDS,
    DEDUPLICATE_ABOVE_BYTES,
    EXACT_TWO_GRAMS,
    USER_AGENT,
    WARC_ROLLOVER_BYTES,
    BrowserLimits,
    FetchLimits,
    ShowLimits,
)
from siteseer.settings.option import Option, option, options_of
from siteseer.settings.politeness import OBEY, ROBOTS, TLS, Politeness
from siteseer.settings.read_value import read_one, read_value, read_values
from siteseer.settings.wrapper import ExtractionOptions, JobOptions

__all__ = [
    "COMMIT_PAGES",
    "COMMIT_SECONDS",
    "DEDUPLICATE_ABOVE_BYTES",
    "EXACT_TWO_GRAMS",
    "OBEY",
    "ROBOTS",
    "TLS",
    "USER_AGENT",
    "WARC_ROLLOVER_BYTES",
    "AcebotOptions",
    "BrowserLimits",
    "ConfigFile",
    "CrawlOptions",
    "ExtractionOptions",
    "FetchLimits",
    "HostOptions",
    "JobOptions",
    "Option",
    "Politeness",
    "SeedOptions",
    "ShowLimits",
    "option",
    "options_of",
    "read_config",
    "read_hosts",
    "read_one",
    "read_value",
    "read_values",
]
