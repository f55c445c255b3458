"""Reads dates that pages show, in about sixty languages."""
