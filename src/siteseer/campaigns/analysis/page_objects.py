"""Makes objects of kept pages on which no strategy found any: title, text, author, date and links.

So the pages of a campaign whose strategy only follows links can still be searched, queried and analysed. Pages without
prose, such as lists of links, become no objects: only their links are recorded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from siteseer.archive.archived_pages import read_capture
from siteseer.campaigns.relevance.relevance_blocks import blocks_of
from siteseer.campaigns.relevance.term_matcher import letter_pairs, words_of
from siteseer.collection.state import State, capture_of
from siteseer.errors import ArchiveError
from siteseer.extract.article import Article, articles
from siteseer.extract.timestamps import date_page
from siteseer.model import Capture, Page, WebObject
from siteseer.page.dates.site_order import SiteOrders
from siteseer.page.links import links
from siteseer.page.object_iris import object_iri

TOGETHER = 24
"""Pages of a site whose texts are found together: what all of them show is no text of one."""
FEWEST_WORDS = 25
LINKED = 0.6
"""A text of which links make up more than this share of the words is a list."""


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page that a crawl kept."""

    number: int
    """Of its capture."""
    url: str
    title: str
    time: str
    digest: str
    relevance: float
    because: str
    referrer: str
    has_objects: bool
    place: Capture
    file: str
    offset: int
    """Where its bytes lie: those of a revisit lie elsewhere than its record."""


def kept_after(state: State, number: int, most: int) -> list[KeptPage]:
    """Return the next pages after a capture, in the order in which they came."""
    rows = state.rows(
        "SELECT c.id, c.url, c.title, c.time, c.digest, coalesce(w.degree, 0), coalesce(w.because, ''), "
        "coalesce((SELECT u.referrer FROM urls u WHERE u.crawl = c.crawl AND u.key = c.key), ''), "
        "EXISTS (SELECT 1 FROM objects b WHERE b.capture = c.id), "
        "c.file, c.offset, c.length, c.time, c.digest, c.record, "
        "coalesce(r.file, o.file, c.file), coalesce(r.offset, o.offset, c.offset) FROM captures c "
        "LEFT JOIN captures o ON o.id = c.original LEFT JOIN renderings r ON r.capture = c.id "
        "LEFT JOIN relevance w ON w.capture = c.id "
        "WHERE c.id > ? AND c.status = 200 AND c.title IS NOT NULL "
        "AND c.mime IN ('text/html', 'application/xhtml+xml', '') ORDER BY c.id LIMIT ?",
        (number, most),
    )
    return [
        KeptPage(*row[:8], bool(row[8]), capture_of(row[9:15]), row[15], row[16])  # type: ignore[call-arg]
        for row in list(rows)
    ]


def _all_kept(state: State) -> Iterator[KeptPage]:
    last = 0
    while some := kept_after(state, last, 500):
        yield from some
        last = some[-1].number


def read_kept(state: State, kept: KeptPage) -> Page:
    """Return a kept page from the archive, as its scripts made it where they did."""
    file = state.archive / kept.file
    try:
        page = read_capture(file, kept.offset)
    except ArchiveError:
        if not file.is_file():
            raise
        return Page(kept.url)  # a damaged record says nothing; `verify` tells of it
    return Page(kept.url, page.status, page.headers, page.body, page.fetched_at)


def site_orders(state: State) -> SiteOrders:
    """Return what the kept pages tell of the order of day and month."""
    return SiteOrders(lambda: (read_kept(state, one) for one in _all_kept(state)))


def page_objects(
    state: State, pages: Sequence[KeptPage], orders: SiteOrders
) -> Iterator[tuple[KeptPage, WebObject | None, tuple[str, ...]]]:
    """Return for each page its text as an object, None where it has none, and its links."""
    waiting = iter(pages)
    while batch := list(islice(waiting, TOGETHER)):
        read = [orders.attach(read_kept(state, one)) for one in batch]
        for one, page, found in zip(batch, read, articles(read), strict=True):
            thing = _thing(one, page, found)
            yield (
                one,
                thing,
                thing.links if thing else tuple({link.url for link in links(page) if link.kind == "anchor"}),
            )


def _thing(kept: KeptPage, page: Page, found: Article) -> WebObject | None:
    words = _count_words(found.text)
    linked = 0.0
    if found.element is not None:
        linked = sum(_count_words(str(anchor.text_content())[:1_000]) for anchor in found.element.iter("a"))
    if words < FEWEST_WORDS or linked > LINKED * words:
        return None
    facts = found.facts
    dated = date_page(page, page.fetched_at or kept.place.time)
    return WebObject(
        "page", object_iri("page", permalink=kept.url), kept.url, permalink=kept.url, title=found.title or kept.title,
        author=facts.author or _author(page), published=facts.published or dated.published,
        modified=facts.modified or dated.modified, text=found.text, links=facts.links, media=facts.images,
        because=f"article: {found.method}", confidence=round(found.confidence or 0.5, 3),
        fields=fields_of(kept.relevance, kept.because),
    )  # fmt: skip


def fields_of(degree: float, because: str) -> dict[str, str]:
    """Return the fields of an object that record its relevance.

    >>> fields_of(0.5, "kelp")
    {'relevance': '0.5000', 'relevant because': 'kelp'}
    """
    return {"relevance": f"{degree:.4f}", "relevant because": because or "nothing of the topic"}


def _count_words(text: str) -> float:
    """Return how many words a text has; where words are not parted, two letters are taken for one.

    >>> _count_words("Der Streit"), _count_words("日本語日本語")
    (2.0, 3.5)
    """
    words = words_of(text)
    return len(words) - len(letter_pairs(words)) / 2


def _author(page: Page) -> str | None:
    """Return who is named as the author of most of a page's text."""
    told: Counter[str] = Counter()
    for block in blocks_of(page):
        if block.author:
            told[block.author] += len(block.text)
    return told.most_common(1)[0][0] if told else None
