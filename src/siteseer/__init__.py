"""Siteseer: application-aware Web archiving."""

__version__ = "0.1.0"
