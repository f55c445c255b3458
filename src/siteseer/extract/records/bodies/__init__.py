"""Learns which elements hold the text of records."""
