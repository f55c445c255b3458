"""Demo sites served on loopback, made from a seed, each with the truth about what it holds; for tests, too."""

from siteseer.demo.catalogue import KINDS, TEMPLATES, make_site
from siteseer.demo.server import LoggedRequest, Server, Violation
from siteseer.demo.site import Site, SiteRequest, SiteResponse
from siteseer.demo.truth import SearchTruth, TrueText, Truth

__all__ = [
    "KINDS",
    "TEMPLATES",
    "LoggedRequest",
    "SearchTruth",
    "Server",
    "Site",
    "SiteRequest",
    "SiteResponse",
    "TrueText",
    "Truth",
    "Violation",
    "make_site",
]
