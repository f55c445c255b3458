"""Records (posts, comments, articles) from pages of unknown software: learn, apply, align, describe."""

from siteseer.extract.records.actions import as_actions
from siteseer.extract.records.align import align_records
from siteseer.extract.records.learn import RecordModel, learn_records
from siteseer.extract.records.objects import to_objects
from siteseer.extract.records.rules import Record

__all__ = ["Record", "RecordModel", "align_records", "as_actions", "learn_records", "to_objects"]
