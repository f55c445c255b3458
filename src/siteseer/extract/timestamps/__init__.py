"""Dates a page: when it was published and last changed, from all sources, with source and confidence.

Reference: Oita, Deriving Semantic Objects from the Structured Web, thesis 2012, section 1.2.1 (sources of timestamps).
Differs: the sources of a page are weighed by a model (see `model`) instead of being tried in turn.
"""

from siteseer.extract.timestamps.combine import Outside, Timestamps, date_page
from siteseer.extract.timestamps.day_model import Answer, answer
from siteseer.extract.timestamps.sitemap_dates import SitemapEntry, sitemap_dates, sitemap_entries

__all__ = ["Answer", "Outside", "SitemapEntry", "Timestamps", "answer", "date_page", "sitemap_dates", "sitemap_entries"]
