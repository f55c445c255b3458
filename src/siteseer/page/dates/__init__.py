"""Reads dates that pages show, in about forty languages."""
