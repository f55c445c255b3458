"""Writes the results of a crawl: derived files, problems, failed URLs, what remains."""
