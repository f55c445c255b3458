"""Designs a wrapper from clicks on a page, one step at a time."""
