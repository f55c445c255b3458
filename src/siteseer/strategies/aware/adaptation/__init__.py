"""Repairs extraction and navigation rules that a new template broke (adaptation)."""
