"""The version of Siteseer."""

__version__ = "0.1.0"
