"""Extracts the articles of pages of many sites, in batches by site, and yields a row for each page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from siteseer.batch.article_sources import FeedItems, NamedPage, site_of
from siteseer.errors import UsageError
from siteseer.extract.article import Article, Facts, Hint, articles
from siteseer.extract.article.declared_metadata import claims
from siteseer.extract.article.forest import Found, coverage, forest
from siteseer.extract.article.forest.forest_extractor import description
from siteseer.extract.article.forest.signifiers import of_items
from siteseer.extract.article.headline import headline
from siteseer.extract.article.parts.article_output import as_rows
from siteseer.extract.article.sigfeed import SigfeedResult, sigfeed
from siteseer.extract.by_knowledge import extract
from siteseer.extract.timestamps import Outside, date_page
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise_in_full
from siteseer.model import Page
from siteseer.page.feeds import FeedItem
from siteseer.plugins import extractor

BATCH = 40
"""Pages of a site that are judged together: more bring nothing."""
WAITING = 400
"""Pages that wait for others of their site; then the oldest site is judged with those it has."""
MAIN = ("article", "post", "page")
FORMATS = ("text", "markdown", "html")
Row = dict[str, Any]
Pair = tuple[NamedPage, FeedItem | None]
Method = Callable[[Sequence[Pair], FeedItems, KnowledgeBase], list[Article]]
"""Extracts the articles of pages of one site, in order; each page comes with its item of the feed, if it has one."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a row tells beside title and text."""

    formats: tuple[str, ...] = ("text",)
    parts: bool = False

    @classmethod
    def named(cls, formats: str, parts: bool) -> Output:
        """Return the output of formats with commas between them.

        >>> Output.named("markdown,html", True)
        Output(formats=('markdown', 'html'), parts=True)
        """
        names = tuple(name.strip() for name in formats.split(","))
        if unknown := [name for name in names if name not in FORMATS]:
            raise UsageError(f"--format {', '.join(unknown)} is unknown; use {', '.join(FORMATS)}")
        return cls(names, parts)

    def of(self, one: Article) -> Row:
        """Return what an article's row has beside the usual."""
        row: Row = {}
        if "markdown" in self.formats:
            row["markdown"] = one.markdown()
        if "html" in self.formats:
            row["html"] = one.html()
        if self.parts:
            row["parts"], row["comments"] = as_rows(one.parts.content), list(one.parts.comments)
        return row


def article_rows(
    found: Iterable[NamedPage],
    items: FeedItems,
    method: str,
    base: KnowledgeBase,
    now: datetime,
    output: Output = Output(),
) -> Iterator[Row]:
    """Yield a row for each page, in order."""
    if method != "auto" and output != Output():
        raise UsageError("--format and --parts need --method auto: a single method only finds the text")
    extract_articles: Method = extractor(method)
    if method in ("sigfeed", "description") and not items.all:
        raise UsageError(f"--method {method} needs the feed; name it with --feed")
    done: dict[int, Row] = {}
    printed = 0
    for batch in _batches(found):
        pairs = [(named, items.of(named)) for _, named in batch]
        for (number, named), (_, item), one in zip(batch, pairs, extract_articles(pairs, items, base), strict=True):
            done[number] = _row(named, item, one, now) | output.of(one)
        while printed in done:
            yield done.pop(printed)
            printed += 1


def _batches(found: Iterable[NamedPage]) -> Iterator[list[tuple[int, NamedPage]]]:
    """Yield pages of one site together, each with its number; sites in the order in which they were met."""
    waiting: OrderedDict[str, list[tuple[int, NamedPage]]] = OrderedDict()
    count = 0
    for number, named in enumerate(found):
        site = site_of(named)
        waiting.setdefault(site, []).append((number, named))
        count += 1
        full = site if len(waiting[site]) >= BATCH else next(iter(waiting)) if count >= WAITING else None
        if full is not None:
            count -= len(waiting[full])
            yield waiting.pop(full)
    yield from waiting.values()


def hint_of(page: Page, item: FeedItem | None, base: KnowledgeBase) -> Hint:
    """Return prior knowledge of a page: the one article that the knowledge base finds, or that it is a list."""
    seen = recognise_in_full(page, base)
    if seen.level is None:
        return Hint(item=item)
    if not seen.level.is_terminal:
        return Hint(item=item, is_listing=True)
    found = [one for one in extract(page, seen.level, seen.application) if one.kind in MAIN and one.text]
    return Hint(found[0] if len(found) == 1 else None, item)


def by_auto(pairs: Sequence[Pair], items: FeedItems, base: KnowledgeBase) -> list[Article]:
    """Weigh all evidence of pages of a site together."""
    pages = [named.page for named, _ in pairs]
    return articles(pages, [hint_of(named.page, item, base) for named, item in pairs])


def by_forest(pairs: Sequence[Pair], items: FeedItems, base: KnowledgeBase) -> list[Article]:
    """Take the block that signifiers of the feed, or of the pages, point to."""
    return [_made(pair, "forest", found) for pair, found in zip(pairs, _by_signifiers(forest, pairs), strict=True)]


def by_coverage(pairs: Sequence[Pair], items: FeedItems, base: KnowledgeBase) -> list[Article]:
    """Take the block that covers the signifiers best."""
    return [_made(pair, "coverage", found) for pair, found in zip(pairs, _by_signifiers(coverage, pairs), strict=True)]


def _by_signifiers(method: Callable[..., list[Found | None]], pairs: Sequence[Pair]) -> list[Found | None]:
    """Take signifiers from the feed if it has an item for every page, else from the pages."""
    told = [item for _, item in pairs if item]
    return method([named.page for named, _ in pairs], of_items(told) if len(told) == len(pairs) else None)


def by_sigfeed(pairs: Sequence[Pair], items: FeedItems, base: KnowledgeBase) -> list[Article]:
    """Take what the feed's descriptions stand in."""
    return [_made(pair, "sigfeed", sigfeed(pair[0].page, pair[1], items.all) if pair[1] else None) for pair in pairs]


def by_description(pairs: Sequence[Pair], items: FeedItems, base: KnowledgeBase) -> list[Article]:
    """Take the feed's description itself: a baseline."""
    made = []
    for named, item in pairs:
        title, _, text = description(item).partition("\n") if item else ("", "", "")
        made.append(Article(named.page.url, title, text, "description"))
    return made


def _made(pair: Pair, method: str, found: Found | SigfeedResult | None) -> Article:
    named, item = pair
    said = claims(named.page)
    title = item.title if item else headline(said)
    author = (item.author if item else "") or said.author or None
    text = found.text if found else ""
    element = found.element if found else None
    return Article(named.page.url, title, text, method, lambda: element, read=lambda: Facts(author))


def _row(named: NamedPage, item: FeedItem | None, one: Article, now: datetime) -> Row:
    outside = Outside(feed=item.published, feed_modified=item.modified) if item else Outside()
    day = date_page(named.page, now, outside).published
    said = one.facts.published
    exact = said if said and (day is None or said[:10] == day[:10]) else day
    return {
        "file": named.name,
        "url": one.url,
        "title": one.title,
        "text": one.text,
        "xpath": one.xpath,
        "author": one.facts.author,
        "published": said if one.method == "knowledge" and said else exact,
        "method": one.method,
        "confidence": one.confidence,
    }
