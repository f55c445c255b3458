"""The kept pages of an unknown site in, its objects out: the record learner applied to a whole crawl.

Pages are read twice: once to draw a sample to learn from, once to find, for every text, the page that shows it best
(its own page rather than a listing), and once more to give out each object once. Memory grows with the number of
texts, by a few bytes each, not with their length.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from xxhash import xxh3_64_intdigest

from siteseer.extract.records import RecordModel, learn_records, to_objects
from siteseer.model import Page, WebObject
from siteseer.page.text import words
from siteseer.page.tree import is_html

SAMPLE = 160
"""Pages to learn from: the learner clusters them by template, and wants twenty of each or more."""
FEWEST = 6
"""With fewer pages nothing can be told from chance."""
FEWEST_WORDS = 20

Pages = Callable[[], Iterable[Page]]


def harvest_records(pages: Pages, seed: int = 0, model: RecordModel | None = None) -> Iterator[tuple[Page, WebObject]]:
    """Learn records from a sample of the pages and yield every object once, with its page."""
    if model is None:
        sample = draw(pages(), seed)
        model = learn_records(sample) if len(sample) >= FEWEST else None
    if model is None:
        return
    best: dict[int, tuple[float, int]] = {}
    for place, (_, objects) in enumerate(_applied(pages, model)):
        for one in objects:
            rank = _rank(one, len(objects))
            if rank > best.get(_fingerprint(one), (-1.0, 0))[0]:
                best[_fingerprint(one)] = (rank, place)
    for place, (page, objects) in enumerate(_applied(pages, model)):
        for one in objects:
            if best.get(_fingerprint(one), (0.0, -1))[1] == place:
                del best[_fingerprint(one)]
                yield page, one


def draw(pages: Iterable[Page], seed: int, size: int = SAMPLE) -> list[Page]:
    """Draw a fair sample of the pages that hold text, the same for the same seed (reservoir sampling)."""
    chosen: list[Page] = []
    picks = random.Random(seed)
    met = 0
    for page in pages:
        if not is_html(page) or len(words(page)) < FEWEST_WORDS:
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
            yield page, [one for one in to_objects(model.apply(page), page) if one.text]


def _fingerprint(one: WebObject) -> int:
    return xxh3_64_intdigest(" ".join((one.text or "").lower().split()).encode("utf-8", "replace"))


def _rank(one: WebObject, beside: int) -> float:
    """Prefer a page that tells author and date, and one that shows few other records."""
    told = (one.author is not None) + (one.published is not None) + 0.5 * (one.title is not None)
    return told + one.confidence + 1.0 / (1 + beside)
