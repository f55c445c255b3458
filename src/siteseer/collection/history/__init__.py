"""The history of a collection: each crawl, its options, and the last known outcome of every URL."""
