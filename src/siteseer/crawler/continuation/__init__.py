"""Continues the crawls of a collection: chooses which crawl goes on, and what waits again in it."""
