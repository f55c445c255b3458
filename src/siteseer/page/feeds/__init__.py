"""Reads feeds: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed, also when they are broken.

References: RSS 0.90-2.0, RDF Site Summary 1.0 with its modules, RFC 4287 (Atom), JSON Feed 1.1, RFC 4685 (threading).
"""

from siteseer.page.feeds.discover import feed_guesses, feed_links
from siteseer.page.feeds.feed import Feed, FeedItem, plain
from siteseer.page.feeds.parse_feed import is_feed, read_feed

__all__ = ["Feed", "FeedItem", "feed_guesses", "feed_links", "is_feed", "plain", "read_feed"]
