"""FOREST: finds the element that holds the article on pages of one template; and COVERAGE, its baseline.

Reference: M. Oita, Deriving Semantic Objects from the Structured Web, PhD thesis, Télécom ParisTech, 2012, section 2.6
("Focused Object Retrieval by Exploiting Significant Tag paths").
"""

from siteseer.extract.article.forest.forest_extractor import Found, coverage, forest

__all__ = ["Found", "coverage", "forest"]
