"""Runs FOREST, or the baselines COVERAGE and DESCRIPTION, on pages of one template: the element with the article.

Reference: Oita's thesis, section 2.6.3 for the baselines. Differs: a heading or a paragraph is never the article,
however dense in signifiers; a feed that tells only the first lines of a text, in words that are not repeated, would
else point to its title.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lxml import html

from siteseer.extract.article.forest.comment_zones import comment_zones
from siteseer.extract.article.forest.forest_document import Document, document
from siteseer.extract.article.forest.signifiers import SIGNIFIERS, tf_idf
from siteseer.extract.article.forest.structural_patterns import (
    MEASURES,
    Pattern,
    Values,
    choose,
    covering,
    informative,
    rank,
)
from siteseer.extract.read_values import plain_text
from siteseer.model import Page
from siteseer.page.feeds import FeedItem, plain
from siteseer.page.tree import tree

PARTS = frozenset("h1 h2 h3 h4 h5 h6 header hgroup p figure figcaption caption a b i em strong span font".split())
"""Elements that are parts of an article, never the whole."""
Signifiers = Sequence[Mapping[str, float]]
_TYPE = re.compile(r"\[@([a-z]+)='([^']*)'\]")


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


@dataclass(frozen=True, slots=True)
class Wrapper:
    """The generic expressions of a pattern, from strict to loose."""

    exact: str
    """Type and level."""
    relaxed: str
    """Type alone."""
    audit: str
    """As the thesis prints it: type and the dfs numbers met in the sample."""


def wrapper(pattern: Pattern) -> Wrapper | None:
    """Return the expressions of a pattern; None where only its number identifies it, which fits one page only.

    >>> wrapper(Pattern("div[@class='story']", 3, nodes={0: [77], 1: [81]})).exact
    "/html/body/*/div[starts-with(normalize-space(@class),'story')]"
    """
    tag = pattern.type.partition("[")[0]
    told = _TYPE.findall(pattern.type)
    if not told and tag != "body":
        return None
    tests = "".join(f"[starts-with(normalize-space(@{name}),'{value}')]" for name, value in told)
    inner = "/*" * (pattern.level - 2)
    exact = f"/html/body{inner}/{tag}{tests}" if pattern.level > 1 else "/html/body"
    clues = " and ".join(f"contains(@{name},'{value}')" for name, value in told)
    numbers = " or ".join(f"@dfs='{number}'" for number in pattern.positions)
    return Wrapper(exact, f"//{tag}{tests}", f"//{tag}[{clues} and ({numbers})]" if clues else f"//{tag}[{numbers}]")


def description(item: FeedItem) -> str:
    """Return title and description, without markup.

    >>> description(FeedItem("1", title="Kites", description="<p>They <b>fly</b></p>"))
    'Kites\\nThey fly'
    """
    return "\n".join(part for part in (item.title, plain(item.description or item.content)) if part)
