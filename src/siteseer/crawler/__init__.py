"""Crawls sites: frontier, crawl loop, one URL at a time."""
