"""The kept pages of an unknown site in, its objects out: the record learner applied to a whole crawl.

Pages are read three times: to draw a sample to learn from, to find, for every text, the page that shows it best (its
own page rather than a listing), and to give out each object once. Memory grows with the number of
texts, by a few bytes each, not with their length.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from statistics import median
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from siteseer.extract.records import RecordModel, learn_records, to_objects
from siteseer.interfaces import PagesBySite
from siteseer.model import Page, WebObject
from siteseer.navigation.economical.prose import prose
from siteseer.page.grams import DistinctGrams
from siteseer.page.links import links
from siteseer.page.text import WORD
from siteseer.page.tree import is_html

SAMPLE = 160
"""Pages to learn from: the learner clusters them by template, and wants twenty of each or more."""
FEWEST = 6
"""With fewer pages nothing can be told from chance."""
FEWEST_GRAMS = 30
FEWEST_TOLD = 15
"""A lone page with fewer 2-grams of prose is a message of the software, not a text."""
PROSE_SHARE = 0.4
LINKED_SHARE = 0.3
DOUBTFUL = 0.6
"""Less than this share of the usual confidence have lines of listings, not posts; what has comments is a post."""
CUT = 0.8
"""A text of less than this share of what another page shows is a teaser."""
FEWEST_TEASERS, TEASERS = 3, 0.8
"""Where so many texts, and that share of those that other pages show too, are cut, all are."""
BEGINNING, LONGEST_BEGINNING = 12, 2_000
"""Words by which a text is known: a listing often shows only how a post begins."""
FEWEST_NOTICES = 4
"""A beginning after which so many texts of one template go on differently is a notice above them."""
HTML = (("Content-Type", "text/html; charset=utf-8"),)

Pages = Callable[[], Iterable[Page]]


def harvest_records(pages: Pages, seed: int = 0, model: RecordModel | None = None) -> Iterator[tuple[Page, WebObject]]:
    """Learn records from a sample of the pages and yield every object once, with its page."""
    if model is None:
        sample = draw(pages(), seed)
        model = learn_records(sample) if len(sample) >= FEWEST else None
    if model is None:
        return
    rows = list(_rows(pages, model))
    texts = Texts(rows)
    best = _shown_best(rows, texts)
    least = DOUBTFUL * median(row.confidence for row in rows) if rows else 0.0
    commented = {row.template for row in rows if row.kind == "comment" and row.confidence >= least}
    for place, (page, objects) in enumerate(_applied(pages, model)):
        is_commented = bool(objects) and id(model.wrapper_for(page)) in commented
        for one in objects:
            text = texts.known_by(*_told(one))
            is_sure = one.confidence >= least or (one.kind == "page" and is_commented)
            if is_sure and best.get(text) == place:
                del best[text]
                yield page, one


def harvest_sites(pages: Pages, seed: int = 0) -> Iterator[tuple[Page, WebObject]]:
    """Learn the records of each site by itself; sites of a few pages are learned together."""
    sites = pages.sites() if isinstance(pages, PagesBySite) else {}
    if not isinstance(pages, PagesBySite) or len(sites) < 2:
        yield from harvest_records(pages, seed)
        return
    groups = [frozenset((site,)) for site, count in sites.items() if count >= FEWEST]
    strays = frozenset(site for site, count in sites.items() if count < FEWEST)
    for group in (*groups, strays):
        yield from harvest_records(partial(pages.of_sites, group), seed)


class Row(NamedTuple):
    """What is kept of an object while the best page of every text is sought."""

    place: int
    template: int
    kind: str
    title: int
    length: int
    rank: float
    confidence: float
    begins: int
    """How its text begins."""
    goes_on: int
    """How it goes on after its first line."""
    first_line: int


def _rows(pages: Pages, model: RecordModel) -> Iterator[Row]:
    for place, (page, objects) in enumerate(_applied(pages, model)):
        template = id(model.wrapper_for(page)) if objects else 0
        for one in objects:
            known = one.kind, _words(one.title or ""), len(one.text or ""), _rank(one, len(objects)), one.confidence
            yield Row(place, template, *known, *_told(one))


class Texts:
    """By what a text is known: how it begins, after a notice that stands above many texts or its own title.

    >>> own, listed = Row(0, 1, "post", 5, 90, 1.0, 1.0, 7, 8, 9), Row(1, 2, "post", 0, 95, 1.0, 1.0, 6, 7, 5)
    >>> Texts([own, listed]).known_by(6, 7, 5), Texts([own, listed]).known_by(7, 8, 9)
    (7, 7)
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        rows = list(rows)
        self.notices = _notices(rows)
        self._titled = frozenset((row.begins, row.title) for row in rows)

    def known_by(self, begins: int, goes_on: int, first_line: int) -> int:
        """Return what is the same for all observations of one text."""
        return goes_on if begins in self.notices or (goes_on, first_line) in self._titled else begins


def _notices(rows: Iterable[Row]) -> frozenset[int]:
    """Return beginnings after which texts of one template go on differently: what a site says above many pages.

    >>> row = Row(0, 1, "post", 0, 90, 1.0, 1.0, 7, 0, 0)
    >>> _notices([row._replace(goes_on=number) for number in range(4)]), _notices([row] * 4)
    (frozenset({7}), frozenset())
    """
    goes_on: dict[tuple[int, int], set[int]] = {}
    for row in rows:
        goes_on.setdefault((row.template, row.begins), set()).add(row.goes_on)
    return frozenset(begins for (_, begins), found in goes_on.items() if len(found) >= FEWEST_NOTICES)


def _shown_best(rows: Iterable[Row], texts: Texts) -> dict[int, int]:
    """Return for every text the place of the page that shows it best."""
    best: dict[int, Row] = {}
    longest: dict[tuple[int, int], int] = {}
    for row in rows:
        text = texts.known_by(row.begins, row.goes_on, row.first_line)
        longest[row.template, text] = max(row.length, longest.get((row.template, text), 0))
        if text != row.begins:  # it is longer by a line that is no part of it
            row = row._replace(rank=row.rank - 1)
        if text not in best or row.rank > best[text].rank:
            best[text] = row
    teasing = _teasers(longest, {text: (row.template, row.length) for text, row in best.items()})
    return {text: row.place for text, row in best.items() if row.template not in teasing}


def _teasers(longest: dict[tuple[int, int], int], best: dict[int, tuple[int, int]]) -> set[int]:
    """Return the templates that show only how texts begin, as pages of other templates tell.

    What they show of texts whose own pages were not fetched is no object either.

    >>> _teasers({(1, text): 90 for text in range(4)}, {0: (2, 400), 1: (2, 300), 2: (2, 500), 3: (1, 90)})
    {1}
    """
    met, cut = Counter[int](), Counter[int]()
    for (template, text), length in longest.items():
        better, whole = best[text]
        if template != better:
            met[template] += 1
            cut[template] += length < CUT * whole
    return {template for template, count in cut.items() if count >= max(FEWEST_TEASERS, TEASERS * met[template])}


def draw(pages: Iterable[Page], seed: int, size: int = SAMPLE) -> list[Page]:
    """Draw a fair sample of the pages that brought new text, the same for the same seed (reservoir sampling)."""
    chosen: list[Page] = []
    picks = random.Random(seed)
    seen = DistinctGrams()
    met = 0
    for page in pages:
        if not is_html(page) or len(seen.add(prose(page).grams)) < FEWEST_GRAMS:
            continue
        met += 1
        if len(chosen) < size:
            chosen.append(page)
        elif (place := picks.randrange(met)) < size:
            chosen[place] = page
    return chosen


def _applied(pages: Pages, model: RecordModel) -> Iterator[tuple[Page, list[WebObject]]]:
    for page in pages():
        if is_html(page):
            yield page, page_objects(model, page)


def page_objects(model: RecordModel, page: Page) -> list[WebObject]:
    """Return the objects that a model finds on one page; other pages may show the same."""
    return [one for one in to_objects(model.apply(page), page) if one.text and _is_content(one)]


def text_key(one: WebObject) -> int:
    """Return by what the text of an object is known again on other pages: how it begins."""
    return _told(one)[0]


def _is_content(one: WebObject) -> bool:
    """Say whether a lone page holds prose, rather than a list of links or a form of the software."""
    if one.kind != "page" or not one.html:
        return True
    page = Page(one.url, headers=HTML, body=one.html.encode("utf-8", "replace"))
    told, count = len(prose(page).grams), len(WORD.findall(one.text or ""))
    linked = sum(len(WORD.findall(link.text)) for link in links(page))
    return told >= FEWEST_TOLD and told >= PROSE_SHARE * count and linked <= LINKED_SHARE * count


def _told(one: WebObject) -> tuple[int, int, int]:
    """Return how a text begins, how it goes on after its first line, and that line."""
    first, _, rest = (one.text or "").partition("\n")
    return _fingerprint(one, one.text or ""), _fingerprint(one, rest), _words(first)


def _fingerprint(one: WebObject, text: str) -> int:
    """Return what makes two observations one object: how a text begins; for a short remark, who made it and when."""
    begins = WORD.findall(text[:LONGEST_BEGINNING].lower())[:BEGINNING]
    if len(begins) < BEGINNING:
        begins += [one.author or "", one.published or ""]
    return xxh3_64_intdigest(" ".join(begins).encode("utf-8", "replace"))


def _words(line: str) -> int:
    return xxh3_64_intdigest(" ".join(WORD.findall(line[:LONGEST_BEGINNING].lower())).encode("utf-8", "replace"))


def _rank(one: WebObject, beside: int) -> float:
    """Prefer a page that shows the whole text, tells author and date, and shows few other records."""
    told = (one.author is not None) + (one.published is not None) + 0.5 * (one.title is not None)
    return told + one.confidence + 1.0 / (1 + beside) + 2 * math.log2(1 + len(one.text or ""))
