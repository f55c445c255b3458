"""Campaigns: focused crawls of many sites for one topic, a slice of a site at a time."""
