"""Extracts records (posts, comments, articles) from pages of unknown software: learns a record model and applies it.

The learner is loaded when it is first asked for: a crawl whose known actions work never needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from siteseer.extract.records.align_template import align_records
    from siteseer.extract.records.extraction_actions import as_actions
    from siteseer.extract.records.learn_model import RecordModel, learn_records
    from siteseer.extract.records.record_model import Record
    from siteseer.extract.records.record_objects import to_objects

__all__ = ["Record", "RecordModel", "align_records", "as_actions", "learn_records", "to_objects"]
_HOMES = {
    "Record": "record_model",
    "RecordModel": "learn_model",
    "align_records": "align_template",
    "as_actions": "extraction_actions",
    "learn_records": "learn_model",
    "to_objects": "record_objects",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
