"""Marked examples in, ranked robust expressions out: the generator of wrappers."""

from siteseer.wrappers.induce.attributes import Attribute, induce
from siteseer.wrappers.induce.compose import compose
from siteseer.wrappers.induce.emit import Ranked
from siteseer.wrappers.induce.following import induce_next
from siteseer.wrappers.induce.marks import Mark
from siteseer.wrappers.induce.records import Records, induce_records

__all__ = ["Attribute", "Mark", "Ranked", "Records", "compose", "induce", "induce_next", "induce_records"]
