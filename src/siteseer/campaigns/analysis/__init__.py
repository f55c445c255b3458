"""Analyses the objects of a campaign after its crawl: index, statistics, trends, report."""
