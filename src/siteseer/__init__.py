"""Siteseer: application-aware Web archiving.

The verbs of the command line are functions here; each works in a script, a thread and a notebook. What a verb needs is
loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from siteseer.version import __version__ as __version__

if TYPE_CHECKING:
    from siteseer.verbs.for_collections import describe, export, objects, open, query, repair, verify
    from siteseer.verbs.for_pages import article, changes, detect, form, timestamp
    from siteseer.verbs.for_records import align, induce, run_wrapper
    from siteseer.verbs.for_sites import audit, campaign, compare, crawl, revisit

__all__ = [
    "align",
    "article",
    "audit",
    "campaign",
    "changes",
    "compare",
    "crawl",
    "describe",
    "detect",
    "export",
    "form",
    "induce",
    "objects",
    "open",
    "query",
    "repair",
    "revisit",
    "run_wrapper",
    "timestamp",
    "verify",
]
_MODULES = {
    "for_sites": ("crawl", "revisit", "compare", "audit", "campaign"),
    "for_pages": ("detect", "article", "timestamp", "changes", "form"),
    "for_collections": ("describe", "open", "objects", "query", "verify", "repair", "export"),
    "for_records": ("induce", "run_wrapper", "align"),
}
"""The verbs of each module of `siteseer.verbs`."""
_MODULE_OF = {verb: module for module, verbs in _MODULES.items() for verb in verbs}


def __getattr__(name: str) -> Any:
    """Return a verb; what it needs is only loaded now."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    verb = globals()[name] = getattr(import_module(f"{__name__}.verbs.{_MODULE_OF[name]}"), name)
    return verb


def __dir__() -> list[str]:
    """List the verbs beside what every module has."""
    return sorted({*globals(), *__all__})
