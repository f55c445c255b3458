"""Siteseer: application-aware Web archiving.

The verbs of the command line are functions here: `crawl`, `compare`, `audit`, `detect`, `open`.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
VERBS = ("compare", "audit", "detect", "open")
"""`crawl` is one too; as it is also the name of a folder, that folder can be called."""


def __getattr__(name: str) -> Any:
    """Return a verb; what it needs is only loaded now."""
    if name in VERBS:
        return getattr(import_module("siteseer.present.verbs"), name)
    if name == "crawl":
        return import_module("siteseer.crawl")
    raise AttributeError(f"siteseer has no {name!r}")
