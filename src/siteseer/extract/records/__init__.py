"""Records (posts, comments, articles) from pages of unknown software: learn, apply, align, describe."""

from siteseer.extract.records.learn import RecordModel, learn_records
from siteseer.extract.records.rules import Record

__all__ = ["Record", "RecordModel", "learn_records"]
