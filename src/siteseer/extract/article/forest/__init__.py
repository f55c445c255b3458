"""Pages of one template in, the element that holds each page's article out: FOREST, and COVERAGE to compare it with.

Reference: M. Oita, Deriving Semantic Objects from the Structured Web, PhD thesis, Télécom ParisTech, 2012, section 2.6
("Focused Object Retrieval by Exploiting Significant Tag paths").
"""

from siteseer.extract.forest.extractor import Found, coverage, forest

__all__ = ["Found", "coverage", "forest"]
