"""Recognises quotations inside bodies by their text: they repeat the words of another record.

Most templates quote in a `blockquote` or a class that says so; others in a plain box. An element is a quotation where
most of its kind, inside bodies that say something else too, repeat the words of another body. A short line that always
stands right before one ("Ann wrote:") belongs to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from siteseer.extract.records.page_sample import Instances, Sample
from siteseer.extract.records.record_document import Document
from siteseer.extract.records.word_pairs import Grams, grams

FEWEST_GRAMS = 6
"""Pairs of words of which a quotation has at least so many."""
REPEATED = 0.8
"""Share of an element's pairs of words that another body has."""
FEWEST_QUOTATIONS = 2
QUOTING = 0.5
"""Share of the elements of a key that repeat another body; the body that is quoted may be on a page not seen."""
MOST_BODIES = 1_000
LONGEST_HEAD = 12
"""Words of a line that says who is quoted."""
HEADING = 0.8


def learn_citations(sample: Sample, bodies: Instances) -> tuple[str, ...]:
    """Return the keys of quotations inside these bodies, and of the lines before them that say who is quoted."""
    places = list(zip(bodies.page.tolist(), bodies.element.tolist(), strict=True))[:MOST_BODIES]
    said = [grams(sample.docs[page].string(element)) for page, element in places]
    speakers: dict[tuple[str, str], list[int]] = {}
    for number, words in enumerate(said):
        for gram in words:
            speakers.setdefault(gram, []).append(number)
    seen: Counter[str] = Counter()
    repeated: Counter[str] = Counter()
    for number, (page, body) in enumerate(places):
        doc, keyed = sample.docs[page], sample.keyed[page]
        for element, is_repeated in _judged(doc, body, number, said, speakers):
            seen[keyed.key(element)] += 1
            repeated[keyed.key(element)] += is_repeated
    keys = {key for key, count in repeated.items() if count >= max(FEWEST_QUOTATIONS, QUOTING * seen[key])}
    return tuple(sorted(keys | _heads(sample, places, keys))) if keys else ()


def _judged(
    doc: Document, body: int, number: int, said: list[Grams], speakers: dict[tuple[str, str], list[int]]
) -> Iterator[tuple[int, bool]]:
    """Yield the elements of a body that are long enough, and whether they repeat another; not what is inside these."""
    at, stop = body + 1, doc.stop[body]
    while at < stop:
        words = grams(doc.string(at))
        if len(words) < FEWEST_GRAMS:
            at = doc.stop[at]
            continue
        is_all = len(said[number]) - len(words) < FEWEST_GRAMS // 2
        is_repeated = not is_all and _is_said_elsewhere(words, number, speakers)
        if not is_all:
            yield at, is_repeated
        at = doc.stop[at] if is_repeated else at + 1


def _is_said_elsewhere(words: Grams, number: int, speakers: dict[tuple[str, str], list[int]]) -> bool:
    tally = Counter(other for gram in words for other in speakers.get(gram, ()) if other != number)
    return bool(tally) and tally.most_common(1)[0][1] >= REPEATED * len(words)


def _heads(sample: Sample, places: list[tuple[int, int]], keys: set[str]) -> set[str]:
    """Return the keys of short elements that stand right before quotations and hardly anywhere else in bodies."""
    leading: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for page, body in places:
        doc, keyed = sample.docs[page], sample.keyed[page]
        for element in range(body + 1, doc.stop[body]):
            following = doc.stop[element]
            seen[keyed.key(element)] += 1
            is_next = following < doc.stop[doc.parent[element]] and keyed.key(following) in keys
            if is_next and len(doc.string(element).split()) <= LONGEST_HEAD:
                leading[keyed.key(element)] += 1
    return {key for key, count in leading.items() if count >= max(FEWEST_QUOTATIONS, HEADING * seen[key])}
