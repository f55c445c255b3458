"""Finds records in result pages, and the columns of their attributes."""
