"""Learns a record model for a changed template by finding objects known from an earlier crawl on the new pages.

Reference: M. Faheem, thesis, Algorithm 3.1 (adaptation to a changed template). What is stored is found again in the new
page; the elements that hold it vote for their key, and every place beside it is judged by how often it shows the
stored author or date. Differs: places are judged by alternation keys as in learning, so nothing needs to be relaxed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

import numpy as np

from siteseer.extract.records.bodies.alternation import SIDES, Side, Slots, slots_of
from siteseer.extract.records.bodies.body_extensions import extensions_of
from siteseer.extract.records.fields.field_atoms import clean_name, strip_affixes
from siteseer.extract.records.fields.labels import role_of
from siteseer.extract.records.fields.name_affixes import label_words, shared_words
from siteseer.extract.records.fields.page_titles import learn_title
from siteseer.extract.records.learn_model import RecordModel, finished
from siteseer.extract.records.page_sample import AtomColumn, Instances, Numbers, Sample
from siteseer.extract.records.record_document import Document, document
from siteseer.extract.records.record_model import BodyRule, FieldRule, Wrapper
from siteseer.extract.records.template_clusters import core_of, paths_of
from siteseer.extract.records.word_pairs import Grams, grams
from siteseer.model import Page
from siteseer.page.similarity.set_measures import dice
from siteseer.page.tree import is_html

MOST_KNOWN = 10
MOST_OTHERS = 30
LENGTHS = (0.75, 1.6)
LOWEST_F1 = 0.85
LOWEST_VOTE = 0.4
LOWEST_FIELD = 0.5
MOST_RULES = 4


class KnownObject(Protocol):
    """What must be known of an object: `WebObject` has it all."""

    @property
    def kind(self) -> str:
        """Post, comment, article or page."""
        ...

    @property
    def text(self) -> str | None:
        """Its plain text."""
        ...

    @property
    def author(self) -> str | None:
        """Its author."""
        ...

    @property
    def published(self) -> str | None:
        """Its date, ISO 8601."""
        ...


Agrees = Callable[[int, KnownObject], float]
"""Says how far the atom of that row agrees with what is known."""


@dataclass(frozen=True, slots=True)
class LocatedObject:
    """A known object found again: the element of a page that holds its text, and how well."""

    page: int
    element: int
    f1: float
    known: KnownObject


def align_records(
    known: Mapping[str, Sequence[KnownObject]], pages: Sequence[Page], now: datetime | None = None
) -> RecordModel | None:
    """Learn how the pages write the objects that are known from earlier; None where none of them is found again.

    `known` holds objects by the address of their page. Of many pages with known objects some are taken: the first, and
    those with most objects. Pages without any only help to tell roles apart.
    """
    htmls = [page for page in pages if is_html(page)]
    told = [page for page in htmls if known.get(page.url)]
    richest = sorted(told, key=lambda page: -len(known[page.url]))
    rich = list({id(page): page for page in (*told[: MOST_KNOWN // 2], *richest)}.values())[:MOST_KNOWN]
    others = [page for page in htmls if not known.get(page.url)][:MOST_OTHERS]
    if not rich:
        return None
    docs = [document(page) for page in (*rich, *others)]
    sample = Sample(docs, now or max((d.page.fetched_at for d in docs if d.page.fetched_at), default=None))
    sightings = [
        s for number, page in enumerate(rich) for s in find_known(sample.docs[number], number, known[page.url])
    ]
    columns = list(sample.columns().values())
    chosen: list[tuple[BodyRule, Instances]] = []
    for kind in sorted({sighting.known.kind for sighting in sightings}):
        if found := _body_rule(kind, sightings, known, rich, sample, columns):
            chosen.append(found)
    if not chosen:
        return None
    rules = tuple(_with_extensions(rule, found, chosen, sample) for rule, found in chosen)
    counts = Counter(path for doc in docs for path in paths_of(doc))
    wrapper = Wrapper(sample.scheme, sample.order, rules, learn_title(sample.keyed), core_of(counts, len(docs)))
    return RecordModel((wrapper,), now)


def find_known(doc: Document, page: int, objects: Sequence[KnownObject]) -> list[LocatedObject]:
    """Return all elements that hold the text of a known object: of like length, with nearly the same 2-grams."""
    lengths = [
        sum(len(text) + 1 for text in doc.texts[doc.first_text[n] : doc.stop_text[n]]) if doc.tags[n] != "html" else 0
        for n in range(len(doc.tags))
    ]
    cache: dict[int, Grams] = {}
    found = []
    for known in objects:
        wanted = grams(known.text or "")
        size = len(known.text or "")
        if len(wanted) < 3:
            continue
        for element, length in enumerate(lengths):
            if LENGTHS[0] * size <= length <= LENGTHS[1] * size:
                own = cache.get(element)
                if own is None:
                    own = cache[element] = grams(doc.string(element))
                f1 = dice(own, wanted)
                if f1 >= LOWEST_F1:
                    found.append(LocatedObject(page, element, f1, known))
    return found


def _body_rule(
    kind: str,
    sightings: Sequence[LocatedObject],
    known: Mapping[str, Sequence[KnownObject]],
    rich: Sequence[Page],
    sample: Sample,
    columns: Sequence[AtomColumn],
) -> tuple[BodyRule, Instances] | None:
    """Take the key whose elements are the known texts: argmax of the F1 of votes against instances."""
    mine = [sighting for sighting in sightings if sighting.known.kind == kind]
    per_page = [sum(len(grams(o.text or "")) >= 3 for o in known[page.url] if o.kind == kind) for page in rich]
    votes: dict[str, dict[tuple[int, int], LocatedObject]] = defaultdict(dict)
    for sighting in mine:
        votes[sample.keyed[sighting.page].key(sighting.element)][sighting.page, sighting.element] = sighting
    best, best_score = None, (LOWEST_VOTE, 0.0)
    for key, seen in votes.items():
        instances = int((sample.elements[key].page < len(rich)).sum())
        f1 = 2 * len(seen) / max(1, instances + sum(per_page))
        closeness = sum(sighting.f1 for sighting in seen.values()) / len(seen)
        if (f1 * closeness, closeness) > best_score:
            best, best_score = key, (f1 * closeness, closeness)
    if best is None:
        return None
    bodies = sample.elements[best]
    places = {(int(p), int(e)): row for row, (p, e) in enumerate(zip(bodies.page, bodies.element, strict=True))}
    rows = [(places[place], sighting.known) for place, sighting in votes[best].items()]
    slots = slots_of(bodies, sample.stride)
    rule = BodyRule(
        best,
        "list" if max(per_page) > 1 else "single",
        tuple(_date_rules(rows, slots, sample, columns)),
        tuple(_author_rules(rows, slots, columns)),
        fit=round(best_score[1], 4),
        evidence=1.0,
        cover=round(len(rows) / max(1, sum(len(known[page.url]) for page in rich)), 4),
    )
    return finished(sample, rule, bodies, {column.key: column.at for column in columns}), bodies


def _with_extensions(
    rule: BodyRule, found: Instances, chosen: Sequence[tuple[BodyRule, Instances]], sample: Sample
) -> BodyRule:
    others = [instances for other, instances in chosen if other.key != rule.key]
    return replace(rule, extensions=extensions_of(sample, found, others))


def _author_rules(
    rows: Sequence[tuple[int, KnownObject]], slots: Slots, columns: Sequence[AtomColumn]
) -> list[FieldRule]:
    wanted = {known.author.strip().lower() for _, known in rows if known.author}
    rules = []
    for column in columns:
        values = [clean_name(atom.value) for atom in column.atoms]
        found = []
        # What is stored says which of the shared words belong to the names: a repeated surname, or a label.
        for first, last in dict.fromkeys((((), ()), label_words(values), shared_words(values))):
            names = [strip_affixes(value, first, last).lower() for value in values]
            if not wanted.isdisjoint(names):
                score, side = _best_side(rows, slots, column.at, _names_agree(names))
                found.append(FieldRule(column.key, side, score, first, last))
        best = max(found, key=lambda rule: rule.score, default=None)
        if best is not None and best.score >= LOWEST_FIELD:
            rules.append(best)
    return sorted(rules, key=lambda rule: -rule.score)[:MOST_RULES]


def _date_rules(
    rows: Sequence[tuple[int, KnownObject]], slots: Slots, sample: Sample, columns: Sequence[AtomColumn]
) -> list[FieldRule]:
    wanted = {(known.published or "")[:10] for _, known in rows} - {""}
    rules = []
    for column in columns:
        way = column.key.rpartition("|")[2]
        if ":" in way and role_of(way) is None:
            continue
        read = [sample.reader.read_as(way, atom.value) for atom in column.atoms]
        shown = [date.iso[:16] if date else "" for date in read]
        if wanted.isdisjoint(date[:10] for date in shown):
            continue
        score, side = _best_side(rows, slots, column.at, _dates_agree(shown))
        if score >= LOWEST_FIELD:
            rules.append(FieldRule(column.key, side, score))
    return sorted(rules, key=lambda rule: -rule.score)[:MOST_RULES]


def _names_agree(names: list[str]) -> Agrees:
    return lambda row, known: float(bool(known.author) and names[row] == (known.author or "").strip().lower())


def _dates_agree(shown: list[str]) -> Agrees:
    return lambda row, known: _agree(shown[row], known.published)


def _agree(shown: str, stored: str | None) -> float:
    """1 to the minute, .8 for the day where the page shows no more than that."""
    if not shown or not stored or shown[:10] != stored[:10]:
        return 0.0
    if len(stored) <= 10 or shown == stored[:16]:
        return 1.0
    return 0.8 if len(shown) <= 10 else 0.0


def _best_side(
    rows: Sequence[tuple[int, KnownObject]], slots: Slots, at: Numbers, agrees: Agrees
) -> tuple[float, Side]:
    """Return on which side the nearest atom says what is stored, and for what share of the records."""
    bodies = np.array([row for row, _ in rows], dtype=np.int64)
    before = np.searchsorted(at, slots.start[bodies]) - 1
    after = np.searchsorted(at, slots.end[bodies])
    inside = np.searchsorted(at, slots.start[bodies])
    borders = {
        "before": (before, slots.previous_end[bodies], slots.start[bodies]),
        "after": (after, slots.end[bodies], slots.next_start[bodies]),
        "inside": (inside, slots.start[bodies], slots.end[bodies]),
    }
    best: tuple[float, Side] = (0.0, "before")
    for side in SIDES:
        nearest, low, high = borders[side]
        score = 0.0
        for place, (_, known) in enumerate(rows):
            row = int(nearest[place])
            if 0 <= row < len(at) and low[place] <= at[row] < high[place]:
                score += agrees(row, known)
        if score / len(rows) > best[0]:
            best = (round(score / len(rows), 4), side)
    return best
