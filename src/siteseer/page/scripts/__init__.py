"""Tells whether a page needs its scripts, and what they do."""
