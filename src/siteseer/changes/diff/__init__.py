"""Two captures of a page in, what changed between them out: by kind, by place, by measure, and on the main object."""

from siteseer.changes.diff.compare import Comparison, compare
from siteseer.changes.diff.kinds import Change, Kind
from siteseer.changes.diff.objects import ObjectChanges, compare_objects
from siteseer.changes.diff.views import VIEWS, view

__all__ = ["VIEWS", "Change", "Comparison", "Kind", "ObjectChanges", "compare", "compare_objects", "view"]
