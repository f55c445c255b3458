"""Learns from a sample which elements are the bodies of records, and where their date and author stand.

Lists of records come first, up to three kinds; then at most one record per page: an article that contains its comments
would win otherwise. The best list is the one whose bodies alternate with dates and authors and hold most unique text;
among elements that occur as often as it, the body is the one that holds all unique text and little else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from siteseer.extract.records.bodies.alternation import (
    Boxes,
    Slots,
    alternation,
    chosen,
    closest_side,
    slots_of,
    where_several,
)
from siteseer.extract.records.bodies.body_extensions import PURITY, continuation_of, extensions_of
from siteseer.extract.records.bodies.record_spans import record_span
from siteseer.extract.records.fields.column_quality import FieldColumn
from siteseer.extract.records.page_sample import Instances, Numbers, Sample
from siteseer.extract.records.record_model import BodyRule, FieldRule, RecordKind

# ruff: noqa: E501 - lists of names read best unbroken


NO_BODY = frozenset(
    "html body a abbr b bdi bdo cite code em i img input kbd label mark q s samp small strong sub sup time tt u var br hr".split()
)
ROUNDS: tuple[RecordKind, ...] = ("list", "list", "list", "single")
EVIDENCE = 0.45
DATE_ALTERNATION, AUTHOR_ALTERNATION, TIME_ALTERNATION = 0.4, 0.3, 0.8
UNIQUE_SHARE = 0.03
ACTIVE_SHARE = 0.15
UNIQUE_CHARACTERS = 40
SEVERAL_SHARE_LIST, SEVERAL_SHARE_SINGLE = 0.15, 0.10
LONE_SHARE = 0.15
SAME_COUNT = 0.85
TIE = 0.004
MOST_RULES = 6
ELSEWHERE = 0.5
"""Share of values beside links to other objects, from which on a column tells of those."""
FEWEST_COMPARED, AGREEMENT = 3, 0.8
BESIDE = 6
"""Positions between two values of one line."""
REST_SHARE, REST_ALTERNATION, REST_QUALITY = 0.05, 0.8, 0.5
"""Bodies without a field that are worth a rule of their own, and what it must be."""
INSIDE, OWN_FIELDS = 0.8, 0.5
"""Shares of a list that lies inside the one text of its page, and that has dates or authors there."""
SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Fields:
    """The columns that may be fields of records."""

    dates: Sequence[FieldColumn]
    authors: Sequence[FieldColumn]
    times: Sequence[FieldColumn]


@dataclass(slots=True)
class Candidate:
    """A key that may be the body, with its unique text U and all its text T."""

    instances: Instances
    unique: float
    total: float
    evidence: float = 0.0


def choose_bodies(sample: Sample, fields: Fields) -> list[tuple[BodyRule, Instances]]:
    """Return the rules of all kinds of records of the sample, lists first."""
    chosen: list[tuple[BodyRule, Instances]] = []
    free = np.ones(len(sample.length), dtype=bool)
    everything = float(sample.unique.sum())
    if not everything:
        return []
    for kind in ROUNDS:
        unique, length = sample.unique * free, sample.length * free
        candidates = _candidates(sample, unique, length, everything, kind)
        residual = float(unique.sum())
        if kind == "list":
            for candidate in candidates:
                candidate.evidence = _evidence(candidate.instances, sample, fields)
            candidates = [c for c in candidates if c.evidence >= EVIDENCE and _are_records(c.instances, sample, fields)]
            lead = max(candidates, key=lambda c: c.evidence * (c.unique / residual) ** 0.7, default=None)
        else:
            lead = max(candidates, key=lambda c: c.unique, default=None)
            if lead and chosen and lead.unique < LONE_SHARE * everything:
                lead = None
        if lead is None:
            continue
        body, fit = _best_fit(lead, candidates, sample, [found for _, found in chosen])
        rule = _rule(body, fit, kind, sample, fields, chosen)
        chosen.append((rule, body.instances))
        for first, stop in zip(body.instances.first_text, body.instances.stop_text, strict=True):
            free[first:stop] = False
    chosen = _without_parts(chosen, fields)
    return [(_extended(rule, found, sample, chosen), found) for rule, found in chosen]


def _without_parts(chosen: list[tuple[BodyRule, Instances]], fields: Fields) -> list[tuple[BodyRule, Instances]]:
    """Leave out lists that are parts of the one text of a page: its own lists and boxes, dated by what is outside it."""
    single = next((found for rule, found in chosen if rule.kind == "single"), None)
    if single is None:
        return chosen
    columns = {column.key: column.at for column in (*fields.dates, *fields.authors)}
    none = np.array([], dtype=np.int64)

    def nearest(rule: BodyRule) -> Numbers:
        return next((columns[one.key] for one in (*rule.dates, *rule.authors)), none)

    return [(r, found) for r, found in chosen if r.kind == "single" or not _are_parts(found, single, nearest(r))]


def _are_parts(found: Instances, single: Instances, at: Numbers) -> bool:
    around = np.maximum(0, np.searchsorted(single.start, found.start, side="right") - 1)
    inside = (single.start[around] <= found.start) & (found.end <= single.end[around])
    if float(np.mean(inside)) < INSIDE:
        return False
    own = np.searchsorted(at, single.end[around]) > np.searchsorted(at, single.start[around])
    return float(np.mean(own[inside])) < OWN_FIELDS


def _candidates(
    sample: Sample, unique: Numbers, length: Numbers, everything: float, kind: RecordKind
) -> list[Candidate]:
    unique_sum = np.concatenate(([0], np.cumsum(unique)))
    length_sum = np.concatenate(([0], np.cumsum(length)))
    fewest = max(4, 0.04 * len(sample.docs))
    found = []
    for instances in sample.elements.values():
        if len(instances.page) < fewest or instances.tag in NO_BODY:
            continue
        own = unique_sum[instances.stop_text] - unique_sum[instances.first_text]
        total = float(own.sum())
        if total < UNIQUE_SHARE * everything:
            continue
        active = int((own > 0).sum())
        if active < ACTIVE_SHARE * len(own) or total < UNIQUE_CHARACTERS * active:
            continue
        if np.any(instances.start[1:] < instances.end[:-1]):
            continue
        # A list has several that say something: a column of text beside one of links is none.
        counts = np.bincount(instances.page[own > 0] if kind == "list" else instances.page)
        several = float(np.mean(counts[counts > 0] >= 2))
        if several < SEVERAL_SHARE_LIST if kind == "list" else several > SEVERAL_SHARE_SINGLE:
            continue
        whole = length_sum[instances.stop_text] - length_sum[instances.first_text]
        found.append(Candidate(instances, total, float(whole.sum())))
    return found


def _evidence(instances: Instances, sample: Sample, fields: Fields) -> float:
    """ev(B) = max over dates of alt*q + half of the max over authors of alt*q."""
    slots = slots_of(instances, sample.stride)
    return _strongest(slots, fields.dates, DATE_ALTERNATION) + 0.5 * _strongest(
        slots, fields.authors, AUTHOR_ALTERNATION
    )


def _are_records(instances: Instances, sample: Sample, fields: Fields) -> bool:
    """Say whether several bodies of a page have a date or author each; paragraphs of one text have one together."""
    slots = where_several(instances, sample.stride)
    date = _strongest(slots, fields.dates, DATE_ALTERNATION)
    return date + 0.5 * _strongest(slots, fields.authors, AUTHOR_ALTERNATION) >= EVIDENCE


def _strongest(slots: Slots, columns: Sequence[FieldColumn], lowest: float) -> float:
    best = 0.0
    for column in columns:
        if column.quality > best and (score := alternation(slots, column.at)[0]) >= lowest:
            best = max(best, score * column.quality)
    return best


def _best_fit(
    lead: Candidate, candidates: list[Candidate], sample: Sample, others: Sequence[Instances]
) -> tuple[Candidate, float]:
    """Among keys that occur as often as the lead: best F1 of P = U/T and R = U/max U; of equals the largest subtree.

    What goes on beside a body counts with it where that fits better: else the box around both would win.
    """
    pages = len(sample.docs)
    counts = np.bincount(lead.instances.page, minlength=pages)
    alike = [
        c
        for c in candidates
        if float(np.mean((np.bincount(c.instances.page, minlength=pages) == counts)[counts > 0])) >= SAME_COUNT
    ]
    most = max(c.unique for c in alike)
    fits = [_f1(c.unique / max(1.0, c.total), c.unique / most) for c in alike]
    best = max(fits)
    for c in alike:
        if best - TIE < c.unique / max(1.0, c.total) and c.unique / max(1.0, c.total) >= PURITY:
            more = continuation_of(sample, c.instances, others)
            whole = _f1((c.unique + more.unique) / (c.total + more.total), min(1.0, (c.unique + more.unique) / most))
            if more.keys and whole > best + TIE:
                alike, fits, best = [c], [whole], whole
    close = [(c.total, fit, c) for c, fit in zip(alike, fits, strict=True) if fit >= best - TIE]
    _, fit, body = max(close, key=lambda item: (item[0], float(item[2].instances.end[0] - item[2].instances.start[0])))
    return body, fit


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _rule(
    body: Candidate,
    fit: float,
    kind: RecordKind,
    sample: Sample,
    fields: Fields,
    chosen: Sequence[tuple[BodyRule, Instances]],
) -> BodyRule:
    slots, boxes = slots_of(body.instances, sample.stride), Boxes.around(body.instances, sample)
    if kind == "single":
        fields = _left_over(fields, chosen, body.instances, sample)
    # Once on a page alternates with anything: a lone record needs a word for its author, a list needs several authors.
    authors = [c for c in fields.authors if (c.hinted if kind == "single" else c.is_sure) and _may_be_of(c, kind)]
    days = [c for c in fields.dates if _may_be_of(c, kind) and not (kind == "single" and c.is_constant)]
    dates = field_rules(slots, days, DATE_ALTERNATION, boxes)
    if kind == "single" and dates and dates[0].edited:
        lead = next(column for column in days if column.key == dates[0].key)
        authors = [column for column in authors if not _is_editor(column, lead)]
    rule = BodyRule(
        body.instances.key,
        kind,
        tuple(dates),
        tuple(field_rules(slots, authors, AUTHOR_ALTERNATION, boxes)),
        fit=round(fit, 4),
        evidence=round(_evidence(body.instances, sample, fields), 4),
        cover=round(body.unique / float(sample.unique.sum()), 4),
    )
    timed = {column.key for column in fields.dates if column.timed}
    if dates and dates[0].key not in timed:
        times = field_rules(slots, fields.times, TIME_ALTERNATION, boxes)
        rule = replace(rule, time=times[0] if times else None)
    return rule


def _left_over(
    fields: Fields, lists: Sequence[tuple[BodyRule, Instances]], single: Instances, sample: Sample
) -> Fields:
    """Return the columns without the values that belong to records of lists."""
    if not lists:
        return fields
    every = (*fields.dates, *fields.authors)
    columns = {column.key: column for column in every}
    bodies = _by_page((found for _, found in lists), single)
    spans: list[tuple[int, int]] = []
    for rule, found in lists:
        slots = slots_of(found, sample.stride)
        served = [
            (columns[one.key].at, chosen(slots, columns[one.key].at, one.side))
            for one in (*rule.dates[:1], *rule.authors[:1])
        ]
        for row, (page, element) in enumerate(zip(found.page.tolist(), found.element.tolist(), strict=True)):
            offset = int(sample.offsets[page])
            values = [int(at[numbers[row]]) - offset for at, numbers in served if numbers[row] >= 0]
            start, end = record_span(sample.docs[page], element, values, bodies[page])
            spans.append((start + offset, end + offset))
    spans.sort()
    starts = np.array([start for start, _ in spans], dtype=np.int64)
    ends = np.maximum.accumulate(np.array([end for _, end in spans], dtype=np.int64))

    def without(column: FieldColumn) -> FieldColumn:
        place = np.searchsorted(starts, column.at, side="right") - 1
        free = (place < 0) | (ends[np.maximum(place, 0)] <= column.at)
        values = tuple(value for value, is_free in zip(column.values, free, strict=False) if is_free)
        return replace(column, at=column.at[free], values=values)

    return Fields(
        *(
            [kept for kept in map(without, some) if len(kept.at)]
            for some in (fields.dates, fields.authors, fields.times)
        )
    )


def _by_page(lists: Iterable[Instances], single: Instances) -> dict[int, list[int]]:
    """Return the bodies of each page, in order."""
    found: dict[int, list[int]] = defaultdict(list)
    for bodies in (*lists, single):
        for page, element in zip(bodies.page.tolist(), bodies.element.tolist(), strict=True):
            found[page].append(element)
    return {page: sorted(elements) for page, elements in found.items()}


def _may_be_of(column: FieldColumn, kind: RecordKind) -> bool:
    """Say whether a column may be a field: heads tell of whole pages, and what stands beside links of other objects."""
    return column.elsewhere < ELSEWHERE if kind == "single" else not column.of_page


def _is_editor(author: FieldColumn, edited: FieldColumn) -> bool:
    """Say whether names stand beside the dates of edits: who changed a page last did not write it."""
    place = np.clip(np.searchsorted(edited.at, author.at), 1, max(1, len(edited.at) - 1))
    apart = np.minimum(np.abs(author.at - edited.at[place - 1]), np.abs(author.at - edited.at[place % len(edited.at)]))
    return bool(np.median(apart) <= BESIDE)


def field_rules(slots: Slots, columns: Sequence[FieldColumn], lowest: float, boxes: Boxes) -> list[FieldRule]:
    """Return the rules for a field, best first; what contradicts the best is none."""
    found = []
    for column in columns:
        score, side = closest_side(slots, column.at, boxes)
        if score >= lowest:
            # Squared: a field that stands beside each record goes before one that only looks more like it.
            rank = round(score * score * column.quality, 4)
            rule = FieldRule(column.key, side, rank, column.first, column.last, column.edited)
            found.append((rule, column))
    found.sort(key=lambda pair: -pair[0].score)
    kept = [pair for pair in found if _agrees(slots, found[0], pair)][:MOST_RULES]
    return [rule for rule, _ in (*kept, *_for_the_rest(slots, columns, kept))]


def _for_the_rest(
    slots: Slots, columns: Sequence[FieldColumn], kept: Sequence[tuple[FieldRule, FieldColumn]]
) -> list[tuple[FieldRule, FieldColumn]]:
    """Return the best rule for bodies that no rule serves: the first post of a thread may look a little different."""
    if not kept:
        return []
    served = [chosen(slots, column.at, rule.side) >= 0 for rule, column in kept]
    rest = np.flatnonzero(~np.logical_or.reduce(served))
    if len(rest) < max(FEWEST_COMPARED, REST_SHARE * len(slots.start)):
        return []
    best: tuple[float, FieldRule, FieldColumn] | None = None
    for column in columns:
        if column.quality < REST_QUALITY * kept[0][1].quality:
            continue
        score, side = alternation(slots.of(rest), column.at)
        rule = FieldRule(column.key, side, round(score * column.quality, 4), column.first, column.last, column.edited)
        is_good = score >= REST_ALTERNATION and _agrees(slots, kept[0], (rule, column))
        if is_good and (best is None or rule.score > best[0]):
            best = rule.score, rule, column
    return [best[1:]] if best else []


def _agrees(slots: Slots, best: tuple[FieldRule, FieldColumn], other: tuple[FieldRule, FieldColumn]) -> bool:
    """Say whether a rule may stand in for the best one: where both find something, they mostly find the same."""
    left, right = (chosen(slots, column.at, rule.side) for rule, column in (best, other))
    both = np.flatnonzero((left >= 0) & (right >= 0))
    if len(both) < FEWEST_COMPARED or not best[1].values or not other[1].values:
        return True
    same = sum(_is_same(best[1].values[left[n]], other[1].values[right[n]]) for n in both)
    return bool(same >= AGREEMENT * len(both))


def _is_same(one: str, other: str) -> bool:
    return one == other or one in other or other in one


def _extended(
    rule: BodyRule, found: Instances, sample: Sample, chosen: Sequence[tuple[BodyRule, Instances]]
) -> BodyRule:
    others = [instances for other, instances in chosen if other.key != rule.key]
    return replace(rule, extensions=extensions_of(sample, found, others))


def learn_scope(sample: Sample, bodies: Instances) -> str | None:
    """Return the key of the records' own element; None where records are spread over siblings or share one."""
    pages, elements = bodies.page.tolist(), bodies.element.tolist()
    crowded: set[tuple[int, int]] = set()
    seen: set[tuple[int, int]] = set()
    for page, element in zip(pages, elements, strict=True):
        at = sample.docs[page].parent[element]
        while at >= 0 and (page, at) not in crowded:
            (crowded if (page, at) in seen else seen).add((page, at))
            at = sample.docs[page].parent[at]
    several = {page for page, count in Counter(pages).items() if count > 1}
    rows = [(page, element) for page, element in zip(pages, elements, strict=True) if page in several]
    times: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for page, element in rows:
        doc, at = sample.docs[page], element
        while at >= 0 and (page, at) not in crowded:
            key = sample.keyed[page].key(at)
            times[key] += 1
            sizes[key] += doc.stop[at] - at
            at = doc.parent[at]
    good = [key for key, count in times.items() if SHARE * len(rows) <= count <= len(rows)]
    return max(good, key=lambda key: (sizes[key] / times[key], key), default=None)
