"""Extracted records and their output formats."""
