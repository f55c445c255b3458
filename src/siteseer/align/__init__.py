"""PARIS: facts of two sources in, the instances, relations and classes that belong together out."""

from siteseer.align.align import align
from siteseer.align.model import Alignment, Fact, Match, Settings

__all__ = ["Alignment", "Fact", "Match", "Settings", "align"]
