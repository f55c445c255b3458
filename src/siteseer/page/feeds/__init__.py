"""A fetched document in, the channel and its items out: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed, also when broken.

References: RSS 0.90-2.0, RDF Site Summary 1.0 with its modules, RFC 4287 (Atom), JSON Feed 1.1, RFC 4685 (threading).
"""

from siteseer.page.feeds.discover import feed_guesses, feed_links
from siteseer.page.feeds.read import is_feed, read_feed
from siteseer.page.feeds.shapes import Feed, FeedItem, plain

__all__ = ["Feed", "FeedItem", "feed_guesses", "feed_links", "is_feed", "plain", "read_feed"]
