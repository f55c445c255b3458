"""Extracts the article of each page with trained models, the knowledge base and the site's feed.

A single page is enough; pages of the same site give better results together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np
from lxml import html

from siteseer.extract.article.block_arrays import BlockArrays, Floats, measured, spans
from siteseer.extract.article.block_models import Model, shipped
from siteseer.extract.article.classify_blocks import ClassifiedBlocks, classify_blocks, keep
from siteseer.extract.article.confidence import confidence
from siteseer.extract.article.headline import headline
from siteseer.extract.article.parts.article_output import as_html, as_markdown
from siteseer.extract.article.parts.article_parts import Parts, parts_of
from siteseer.extract.article.prior_knowledge import Facts, Hint, facts_of
from siteseer.extract.article.token_features import HASH_MASK, codes, grams
from siteseer.extract.article.unspaced_scripts import tokens_of
from siteseer.model import Page
from siteseer.page.feeds import plain

KNOWN_WEIGHT, ITEM_WEIGHT, OVERRULED = 1.0, 2.5, 5.0
"""How far the knowledge base and the feed's own text move a block's logit. Both only add: actions point to elements,
and the models see more finely what is furniture inside them; the feed may be cut short. Actions overrule an unsure
model."""
UNSURE = 0.6
NO_ARTICLE = 0.1
"""What is left of the confidence on an error page, or on one that the knowledge base knows to be a list."""
LEAST_ITEM_WORDS = 20
MAX_DEPTH = 400


def _nothing() -> None:
    return None


@dataclass(frozen=True)
class Article:
    """The article of a page. `text` does not repeat the title; what costs time is computed when first asked for."""

    url: str
    title: str
    text: str
    method: str
    """What decided: `knowledge`, `feed`, `siblings`, `page`, or the name of a single method that was asked for."""
    find: Callable[[], html.HtmlElement | None] = field(default=_nothing, compare=False, repr=False)
    estimate: Callable[[], float | None] = field(default=_nothing, compare=False, repr=False)
    read: Callable[[], Facts] = field(default=Facts, compare=False, repr=False)
    divide: Callable[[], Parts] = field(default=Parts, compare=False, repr=False)

    @cached_property
    def element(self) -> html.HtmlElement | None:
        """The element that holds the text."""
        return self.find()

    @cached_property
    def xpath(self) -> str:
        """The path of that element."""
        return xpath_of(self.element)

    @cached_property
    def confidence(self) -> float | None:
        """Expected F1 of the text; None for a single method, which cannot tell."""
        return self.estimate()

    @cached_property
    def facts(self) -> Facts:
        """Author, dates, links and images."""
        return self.read()

    @cached_property
    def parts(self) -> Parts:
        """The content as parts: paragraphs, headings, lists, tables, code, quotes, images with captions; comments."""
        return self.divide()

    def markdown(self) -> str:
        """Return the article as Markdown."""
        return as_markdown(self.title, self.parts)

    def html(self) -> str:
        """Return the article as clean HTML: no scripts, no styles, absolute links."""
        return as_html(self.title, self.parts)


def articles(pages: Sequence[Page], hints: Sequence[Hint] | None = None, model: Model | None = None) -> list[Article]:
    """Return the article of each page; the pages should be of one site.

    >>> body = b"<title>Kites</title><h1>Kites</h1><p>" + b"They fly high over the hill, and people look up. " * 9
    >>> found = articles([Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)])[0]
    >>> found.title, found.text[:14], found.method
    ('Kites', 'They fly high ', 'page')
    """
    verdicts = classify_blocks([measured(page) for page in pages], model or shipped())
    told = hints or [Hint()] * len(pages)
    return [_article(page, verdict, hint) for page, verdict, hint in zip(pages, verdicts, told, strict=True)]


def article(page: Page, hint: Hint | None = None) -> Article:
    """Return the article of one page."""
    return articles([page], [hint or Hint()])[0]


def _article(page: Page, verdict: ClassifiedBlocks, hint: Hint) -> Article:
    verdict, method = _weighed(verdict, hint)
    found = verdict.page.blocks

    @cache
    def element() -> html.HtmlElement | None:
        node = verdict.element
        return found.element(node) if node >= 0 else None

    return Article(
        page.url,
        _title(verdict, hint),
        "\n".join(found.facts[block].text for block in np.flatnonzero(verdict.kept).tolist()),
        method,
        element,
        lambda: _confidence(page, verdict, hint, method),
        lambda: facts_of(page, element(), hint),
        lambda: parts_of(page, verdict),
    )


def _confidence(page: Page, verdict: ClassifiedBlocks, hint: Hint, method: str) -> float:
    """Return the expected F1; little for a page that is known to hold no article."""
    found = confidence(verdict, certain=method == "knowledge")
    return round(found * NO_ARTICLE, 3) if page.status >= 400 or hint.is_listing else found


def _weighed(verdict: ClassifiedBlocks, hint: Hint) -> tuple[ClassifiedBlocks, str]:
    """Move the logits by what the knowledge base and the feed item say, and name what decided."""
    page, logits = verdict.page, verdict.logits
    method = "siblings" if verdict.compared.has_siblings else "page"
    if hint.known and hint.known.text:
        share = _share(page, hint.known.text)
        is_unsure = confidence(verdict) < UNSURE
        logits = logits + (OVERRULED * (2 * share - 1) if is_unsure else KNOWN_WEIGHT * share)
        method = "knowledge"
    elif hint.item and len(tokens_of(said := plain(hint.item.content or hint.item.description))) >= LEAST_ITEM_WORDS:
        logits = logits + ITEM_WEIGHT * _share(page, said)
        method = "feed"
    if method in ("siblings", "page"):
        return verdict, method
    return replace(verdict, logits=logits, kept=keep(page, logits)), method


def _share(page: BlockArrays, text: str) -> Floats:
    """Return the share of each block's 2-grams that a text has; of a block of one word, whether the text has it."""
    words = codes(tokens_of(text)) & HASH_MASK
    hits = np.isin(grams(page.hashes, 2), grams(words, 2))
    inside = spans(hits, page.offsets[:-1], np.maximum(page.offsets[1:] - 1, page.offsets[:-1]))
    single = np.isin(page.hashes, words)[page.offsets[:-1]] if len(page.blocks) else np.zeros(0)
    return np.where(page.lengths > 1, inside / np.maximum(1, page.lengths - 1), single)


def _title(verdict: ClassifiedBlocks, hint: Hint) -> str:
    """Return the title: of the knowledge base, of the feed, of the page's headline, of its head."""
    page = verdict.page
    shown = page.blocks.facts[page.title].text if page.title >= 0 else ""
    known = hint.known.title if hint.known else ""
    return known or (hint.item.title if hint.item else "") or shown or headline(page.claims)


def xpath_of(element: html.HtmlElement | None) -> str:
    """Return the path of an element; empty for none, and for one deeper than any page for people."""
    if element is None or sum(1 for _, _ in zip(range(MAX_DEPTH), element.iterancestors(), strict=False)) >= MAX_DEPTH:
        return ""
    return str(element.getroottree().getpath(element))
