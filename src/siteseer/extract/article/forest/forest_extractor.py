"""Pages of one template in, the element of each that holds its article out: the whole of FOREST, and of COVERAGE.

Differs: a heading or a paragraph is never the article, however dense in signifiers; a feed that tells only the first
lines of a text, in words that are not repeated, would else point to its title.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lxml import html

from siteseer.extract.forest.comments import comment_zones
from siteseer.extract.forest.document import Document, document
from siteseer.extract.forest.measures import MEASURES
from siteseer.extract.forest.patterns import Values, choose, covering, informative, rank
from siteseer.extract.forest.signifiers import SIGNIFIERS, tf_idf
from siteseer.extract.forest.wrapper import Wrapper, wrapper
from siteseer.extract.values import plain_text
from siteseer.model import Page
from siteseer.page.tree import tree

PARTS = frozenset("h1 h2 h3 h4 h5 h6 header hgroup p figure figcaption caption a b i em strong span font".split())
"""Elements that are parts of an article, never the whole."""
Signifiers = Sequence[Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Found:
    """The element of a page that holds its article."""

    element: html.HtmlElement
    left_out: frozenset[html.HtmlElement]
    """Zones of comments inside it."""
    pages: int
    """How many pages of the sample have the same structural pattern."""
    relevance: float
    wrapper: Wrapper | None

    @property
    def text(self) -> str:
        """The text of the article, line by line."""
        return plain_text(self.element, self.left_out)


def forest(
    pages: Sequence[Page], signifiers: Signifiers | None = None, k: int = SIGNIFIERS, measure: str = "I"
) -> list[Found | None]:
    """Return the most informative element of each page; signifiers come from the pages (tf-idf) unless given.

    Tf-idf needs at least two pages; None stands where no signifier is found. `measure` is a name of `MEASURES`.
    """
    documents, zones = _documents(pages)
    known = signifiers if signifiers is not None else tf_idf([one.all_terms() for one in documents], k)
    formula = MEASURES[measure]
    values = [informative(one, own, formula) for one, own in zip(documents, known, strict=True)]
    return _found(documents, zones, values)


def coverage(pages: Sequence[Page], signifiers: Signifiers | None = None, k: int = SIGNIFIERS) -> list[Found | None]:
    """Return the element of each page that covers its signifiers best: the baseline of formulas 2.6 and 2.7."""
    documents, zones = _documents(pages)
    known = signifiers if signifiers is not None else tf_idf([one.all_terms() for one in documents], k)
    return _found(documents, zones, [covering(one, own) for one, own in zip(documents, known, strict=True)])


def _documents(pages: Sequence[Page]) -> tuple[list[Document[str]], list[frozenset[html.HtmlElement]]]:
    zones = [frozenset(comment_zones(tree(page))) for page in pages]
    return [document(tree(page), zone) for page, zone in zip(pages, zones, strict=True)], zones


def _found(
    documents: list[Document[str]], zones: list[frozenset[html.HtmlElement]], values: list[Values]
) -> list[Found | None]:
    ranked = [pattern for pattern in rank(documents, values) if pattern.type.partition("[")[0] not in PARTS]
    found: list[Found | None] = []
    for number, choice in enumerate(choose(ranked, len(documents))):
        if choice is None:
            found.append(None)
            continue
        pattern, node = choice
        element = documents[number].elements[node]
        found.append(Found(element, zones[number], pattern.pages, pattern.relevance, wrapper(pattern)))
    return found
