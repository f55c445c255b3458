"""PARIS: finds the equal instances, relations and classes of two sources of facts (ontology alignment)."""

from siteseer.alignment.align_sources import align
from siteseer.alignment.alignment_model import Alignment, Fact, Match, Settings

__all__ = ["Alignment", "Fact", "Match", "Settings", "align"]
