"""Marked examples in, ranked robust expressions out: the generator of wrappers."""

from siteseer.wrappers.induce.attributes import Attribute, Ranked, induce
from siteseer.wrappers.induce.marks import Mark

__all__ = ["Attribute", "Mark", "Ranked", "induce"]
