"""Campaigns: many sites crawled for one topic, a slice of a site at a time."""
