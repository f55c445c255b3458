"""Extracts the objects of an unknown site: applies the record learner to all kept pages of a crawl.

Pages are read three times: to draw a sample to learn from, to find, for every text, the page that shows it best (its
own page rather than a listing), and to give out each object once. Memory grows with the number of
texts, by a few hundred bytes each, not with their length.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from statistics import median

from xxhash import xxh3_64_intdigest

from siteseer.extract import records
from siteseer.interfaces import PagesBySite
from siteseer.model import Page, WebObject
from siteseer.page.links import links
from siteseer.page.object_iris import object_iri
from siteseer.page.text import WORD
from siteseer.page.tree import is_html
from siteseer.page.two_grams import DistinctGrams
from siteseer.strategies.learned.online_learner.prose import prose
from siteseer.strategies.same_object import Observation, SameObjects, beginnings, observe

SAMPLE = 160
"""Pages to learn from: the learner clusters them by template, and wants twenty of each or more."""
FEWEST = 6
"""With fewer pages nothing can be told from chance."""
ENOUGH = 20
"""Pages that are enough to learn a template from."""
FEWEST_GRAMS, FEWER_GRAMS = 30, (8, 1)
"""New 2-grams of prose of a page that is drawn; and where few pages have so many, as their texts are short."""
MANY_MORE = 2
"""So many times more pages must a lower limit bring: short texts are then the rule of the site."""
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
HTML = (("Content-Type", "text/html; charset=utf-8"),)

Pages = Callable[[], Iterable[Page]]


def harvest_records(
    pages: Pages, seed: int = 0, model: records.RecordModel | None = None
) -> Iterator[tuple[Page, WebObject]]:
    """Learn records from a sample of the pages and yield every object once, with its page."""
    if model is None:
        sample = draw_telling(pages, seed)
        model = records.learn_records(sample) if len(sample) >= FEWEST else None
    if model is None:
        return
    rows = list(_rows(pages, model))
    best = _shown_best([row for _, row in rows])
    chosen = {(row.place, index) for number, (index, row) in enumerate(rows) if number in best}
    least = DOUBTFUL * median(row.confidence for _, row in rows) if rows else 0.0
    commented = {row.template for _, row in rows if row.kind == "comment" and row.confidence >= least}
    names: set[str] = set()
    for place, (page, objects) in enumerate(_applied(pages, model)):
        is_commented = bool(objects) and id(model.wrapper_for(page)) in commented
        for index, one in enumerate(objects):
            is_sure = one.confidence >= least or (one.kind != "comment" and is_commented)
            if is_sure and (place, index) in chosen:
                one = _named_apart(one, names)
                names.add(one.id)
                yield page, one


def _named_apart(one: WebObject, names: set[str]) -> WebObject:
    """Return an object under a name that no other object has: a site may claim one address for all its pages."""
    if one.id not in names:
        return one
    told = {"author": one.author, "created": one.published, "text": one.text}
    apart = (object_iri(one.kind, page_url=one.url, container=f"{one.url} {number}", **told) for number in count(1))
    return replace(one, id=next(name for name in apart if name not in names))


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


def _rows(pages: Pages, model: records.RecordModel) -> Iterator[tuple[int, Observation]]:
    """Yield every observation with its number on its page."""
    for place, (page, objects) in enumerate(_applied(pages, model)):
        template = id(model.wrapper_for(page)) if objects else 0
        for index, one in enumerate(objects):
            yield index, observe(one, place, template, _rank(one, len(objects)))


def _shown_best(rows: Sequence[Observation]) -> set[int]:
    """Return for every object the number of the observation that shows it best."""
    best: dict[int, int] = {}
    longest: dict[tuple[int, int], int] = {}
    for group, numbers in enumerate(SameObjects(rows).groups()):
        for number in numbers:
            place = rows[number].template, group
            longest[place] = max(rows[number].length, longest.get(place, 0))
        beginnings = {rows[number].begins for number in numbers}
        best[group] = max(numbers, key=lambda number: _rank_among(rows[number], beginnings))
    teasing = _teasers(longest, {group: (rows[number].template, rows[number].length) for group, number in best.items()})
    return {number for number in best.values() if rows[number].template not in teasing}


def _rank_among(row: Observation, beginnings: set[int]) -> float:
    """Return the rank of an observation; one is longer by a line that is no part of the text where others lack it."""
    return row.rank - (row.goes_on != row.begins and row.goes_on in beginnings)


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


def draw(pages: Iterable[Page], seed: int, size: int = SAMPLE, fewest_grams: int = FEWEST_GRAMS) -> list[Page]:
    """Draw a fair sample of the pages that brought new text, the same for the same seed (reservoir sampling)."""
    chosen: list[Page] = []
    picks = random.Random(seed)
    seen = DistinctGrams()
    met = 0
    for page in pages:
        if not is_html(page) or len(seen.add(prose(page).grams)) < fewest_grams:
            continue
        met += 1
        if len(chosen) < size:
            chosen.append(page)
        elif (place := picks.randrange(met)) < size:
            chosen[place] = page
    return chosen


def draw_telling(pages: Pages, seed: int) -> list[Page]:
    """Draw a sample of the pages that brought new text; less is new where texts are short, or nearly the same."""
    sample = draw(pages(), seed)
    for fewest_grams in FEWER_GRAMS:
        if len(sample) >= ENOUGH:
            break
        more = draw(pages(), seed, fewest_grams=fewest_grams)
        if len(sample) < FEWEST or len(more) >= MANY_MORE * len(sample):
            sample = more
    return sample


def _applied(pages: Pages, model: records.RecordModel) -> Iterator[tuple[Page, list[WebObject]]]:
    for page in pages():
        if is_html(page):
            yield page, page_objects(model, page)


def page_objects(model: records.RecordModel, page: Page) -> list[WebObject]:
    """Return the objects that a model finds on one page; other pages may show the same."""
    return [one for one in records.to_objects(model.apply(page), page) if one.text and _is_content(one)]


def text_key(one: WebObject) -> int:
    """Return by what an object is known again on other pages, about: how it begins, who wrote it, and on what day."""
    known = (str(beginnings(one)[0]), one.author or "", (one.published or "")[:10])
    return xxh3_64_intdigest(" ".join(known).encode("utf-8", "replace"))


def _is_content(one: WebObject) -> bool:
    """Say whether a lone page holds prose, rather than a list of links or a form of the software."""
    if one.kind != "page" or not one.html:
        return True
    page = Page(one.url, headers=HTML, body=one.html.encode("utf-8", "replace"))
    told, count = len(prose(page).grams), len(WORD.findall(one.text or ""))
    linked = sum(len(WORD.findall(link.text)) for link in links(page))
    return told >= FEWEST_TOLD and told >= PROSE_SHARE * count and linked <= LINKED_SHARE * count


def _rank(one: WebObject, beside: int) -> float:
    """Prefer a page that shows the whole text, tells author and date, and shows few other records."""
    told = (one.author is not None) + (one.published is not None) + 0.5 * (one.title is not None)
    return told + one.confidence + 1.0 / (1 + beside) + 2 * math.log2(1 + len(one.text or ""))
