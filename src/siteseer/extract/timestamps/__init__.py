"""When a page was published and last changed: every source weighed into one answer with its source and confidence.

Reference: Oita, Deriving Semantic Objects from the Structured Web, thesis 2012, section 1.2.1 (sources of timestamps).
Differs: the sources of a page are weighed by a model (see `model`) instead of being tried in turn.
"""

from siteseer.changes.timestamps.fuse import Outside, Timestamps, date_page
from siteseer.changes.timestamps.model import Answer, answer
from siteseer.changes.timestamps.sitemap import SitemapEntry, sitemap_dates, sitemap_entries

__all__ = ["Answer", "Outside", "SitemapEntry", "Timestamps", "answer", "date_page", "sitemap_dates", "sitemap_entries"]
