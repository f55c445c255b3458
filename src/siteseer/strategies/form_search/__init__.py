"""Searches with the forms that a crawl finds (hidden-Web crawling)."""
