"""Records (posts, comments, articles) from pages of unknown software: learn, apply, align, describe.

The learner is loaded when it is first asked for: a crawl whose known actions work never needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from siteseer.extract.records.actions import as_actions
    from siteseer.extract.records.align import align_records
    from siteseer.extract.records.learn import RecordModel, learn_records
    from siteseer.extract.records.objects import to_objects
    from siteseer.extract.records.rules import Record

__all__ = ["Record", "RecordModel", "align_records", "as_actions", "learn_records", "to_objects"]
_HOMES = {
    "Record": "rules",
    "RecordModel": "learn",
    "align_records": "align",
    "as_actions": "actions",
    "learn_records": "learn",
    "to_objects": "objects",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
