"""Compares two captures of a page: changes by kind, place and measure, and the verdict on the main object."""

from siteseer.change.diff.change_kinds import Change, Kind
from siteseer.change.diff.compare_captures import Comparison, compare
from siteseer.change.diff.comparison_page import VIEWS, comparison_html
from siteseer.change.diff.object_changes import ObjectChanges, compare_objects

__all__ = ["VIEWS", "Change", "Comparison", "Kind", "ObjectChanges", "compare", "compare_objects", "comparison_html"]
