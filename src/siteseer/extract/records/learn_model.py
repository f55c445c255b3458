"""Learns a record model from pages of a site without knowledge of its software (wrapper induction, unsupervised).

Body first, fields by alternation: the text of records occurs once in the sample, its elements share a key, and dates
and authors alternate with bodies in document order. Pages of several templates may be mixed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from siteseer.extract.records.apply_model import ModelApplication
from siteseer.extract.records.bodies.body_reading import is_quote
from siteseer.extract.records.bodies.body_rules import Fields, choose_bodies, learn_scope
from siteseer.extract.records.bodies.byline_boxes import inside_tags, learn_byline_boxes
from siteseer.extract.records.bodies.citations import learn_citations
from siteseer.extract.records.element_keys import KeyedDocument
from siteseer.extract.records.fields.column_quality import FieldColumn, author_column, date_column, reads_time_only
from siteseer.extract.records.fields.page_titles import learn_title
from siteseer.extract.records.fields.permalinks import learn_id_stem, learn_permalink
from siteseer.extract.records.fields.record_headings import HEADINGS, learn_heading
from siteseer.extract.records.page_sample import AtomColumn, Instances, Numbers, Sample
from siteseer.extract.records.record_document import Document, document
from siteseer.extract.records.record_model import BodyRule, Record, Wrapper
from siteseer.extract.records.template_clusters import cluster, core_of, paths_of, without_duplicates
from siteseer.model import JSON, Page
from siteseer.page.similarity.set_measures import jaccard
from siteseer.page.tree import is_html

SMALLEST_CLUSTER = 6
LARGEST_SAMPLE = 40
"""Pages of one template that are learned from: more cost time and teach nothing."""
QUOTES_ARE_TEXT = 0.4
BODIES_SHARE = 0.8
BESIDE_HEADING = 0.1
"""Share of the unique text of bodies that may stand outside their headings, where they are no more than these."""
UNION_QUALITY, SAME_BODIES_QUALITY = 0.97, 0.8


@dataclass(frozen=True)
class RecordModel:
    """The wrappers of a site, one per template that holds records."""

    wrappers: tuple[Wrapper, ...]
    now: datetime | None = None

    @property
    def quality(self) -> float:
        """How well records explain what is unique in the sample, of the best template. It ranks; it is no gate."""
        return max((wrapper.quality for wrapper in self.wrappers), default=0.0)

    def apply(self, page: Page) -> tuple[Record, ...]:
        """Return the records of a page, in page order."""
        wrapper = self.wrapper_for(page)
        return tuple(ModelApplication(wrapper, page, self.now).records()) if wrapper else ()

    def wrapper_for(self, page: Page) -> Wrapper | None:
        """Return the wrapper of the template that the page is most like."""
        if not is_html(page):
            return None
        if len(self.wrappers) < 2:
            return self.wrappers[0] if self.wrappers else None
        paths = paths_of(document(page))
        known = frozenset().union(*(wrapper.core for wrapper in self.wrappers))
        return max(self.wrappers, key=lambda wrapper: jaccard(paths & known, wrapper.core))

    def to_json(self) -> JSON:
        """Return plain values that `from_json` reads."""
        return {"wrappers": [wrapper.to_json() for wrapper in self.wrappers], "now": self.now and self.now.isoformat()}

    @classmethod
    def from_json(cls, value: JSON) -> RecordModel:
        """Read what `to_json` wrote."""
        now = datetime.fromisoformat(value["now"]) if value["now"] else None
        return cls(tuple(Wrapper.from_json(wrapper) for wrapper in value["wrappers"]), now)


def learn_records(pages: Sequence[Page], now: datetime | None = None) -> RecordModel | None:
    """Learn from at least six (better 20 to 60) pages of a site; None where they hold no records.

    `now` is when the pages were fetched, for pages that do not say so themselves.
    """
    docs = [document(page) for page in pages if is_html(page)]
    wrappers = tuple(learn_templates(docs, now))
    return RecordModel(wrappers, now) if any(wrapper.bodies for wrapper in wrappers) else None


def learn_templates(docs: Sequence[Document], now: datetime | None) -> Iterator[Wrapper]:
    """Learn a wrapper for each template: the best first, which takes in every group of pages that has its bodies."""
    groups = [[docs[number] for number in group] for group in cluster(docs)]
    if not groups or len(groups[0]) < SMALLEST_CLUSTER:
        groups = [list(docs)]
    learned = [
        (group, learn_wrapper(group, now) if len(group) >= min(SMALLEST_CLUSTER, len(docs)) else None)
        for group in groups
    ]
    while waiting := [
        (wrapper.quality * len(group), number) for number, (group, wrapper) in enumerate(learned) if wrapper
    ]:
        group, wrapper = learned.pop(max(waiting)[1])
        if wrapper is None:
            break
        for shares in (shares_main_body, shares_a_body):
            alike = [(other, found) for other, found in learned if wrapper.bodies and shares(wrapper, other)]
            union = learn_wrapper([*group, *(doc for other, _ in alike for doc in other)], now) if alike else None
            if union and _is_as_good(union, wrapper):
                wrapper = union
                learned = [pair for pair in learned if pair not in alike]
                break
        yield wrapper


def _is_as_good(union: Wrapper, wrapper: Wrapper) -> bool:
    """Say whether a wrapper of more pages may replace one: nearly its quality, or its very bodies and much of it."""
    same = {rule.key.partition("<")[0] for rule in wrapper.bodies} <= {
        rule.key.partition("<")[0] for rule in union.bodies
    }
    return union.quality >= (SAME_BODIES_QUALITY if same else UNION_QUALITY) * wrapper.quality


def shares_main_body(wrapper: Wrapper, docs: Sequence[Document]) -> bool:
    """Say whether pages surely follow a template: most of them hold its main body, the lone one exactly once."""
    main = next((rule for rule in reversed(wrapper.bodies) if rule.kind == "single"), wrapper.bodies[0])
    return _holds(wrapper, main, docs, once=main.kind == "single")


def shares_a_body(wrapper: Wrapper, docs: Sequence[Document]) -> bool:
    """Say whether pages may follow a template: most of them hold one of its bodies."""
    return any(_holds(wrapper, rule, docs, once=False) for rule in wrapper.bodies)


def _holds(wrapper: Wrapper, rule: BodyRule, docs: Sequence[Document], *, once: bool) -> bool:
    held = 0
    step = rule.key.partition("<")[0]
    for doc in docs:
        keyed = KeyedDocument(doc, wrapper.scheme)
        count = sum(keyed.step(n) == step and keyed.key(n) == rule.key for n in range(len(doc.tags)))
        held += count == 1 if once else count > 0
    return held >= BODIES_SHARE * len(docs)


def learn_wrapper(docs: Sequence[Document], now: datetime | None) -> Wrapper | None:
    """Learn one template from documents that follow it."""
    kept = _spread(without_duplicates(docs), LARGEST_SAMPLE)
    if len(kept) < 3:
        return None
    sample = Sample(kept, now or max((d.page.fetched_at for d in kept if d.page.fetched_at), default=None))
    fields = find_fields(sample)
    chosen = choose_bodies(sample, fields)
    atoms_at = {column.key: column.at for column in (*fields.dates, *fields.authors)}
    rules = [(finished(sample, rule, found, atoms_at), found) for rule, found in chosen]
    bodies = tuple(rule for rule, found in rules if len(rules) == 1 or not _is_heading(sample, rule, found))
    counts = Counter(path for doc in docs for path in paths_of(doc))
    return Wrapper(sample.scheme, sample.order, bodies, learn_title(sample.keyed), core_of(counts, len(docs)))


def _spread(docs: list[Document], most: int) -> list[Document]:
    """Return at most so many documents, taken evenly from the whole list."""
    step = max(1.0, len(docs) / most)
    return [docs[int(place * step)] for place in range(min(most, len(docs)))]


def find_fields(sample: Sample) -> Fields:
    """Return the columns of a sample that may be dates, authors or times of records."""
    dates: list[FieldColumn] = []
    authors: list[FieldColumn] = []
    times: list[FieldColumn] = []
    for column in sample.columns().values():
        if found := date_column(column, sample):
            dates.append(found)
        elif found := _time_column(column, sample):
            times.append(found)
        elif found := author_column(column, sample):
            authors.append(found)
    return Fields(sorted(dates, key=lambda c: -c.quality), sorted(authors, key=lambda c: -c.quality), times)


def _time_column(column: AtomColumn, sample: Sample) -> FieldColumn | None:
    timed = sum(
        reads_time_only(atom.value, sample.reader) for atom in column.atoms if ":" in atom.value or "." in atom.value
    )
    return FieldColumn(column.key, 1.0, column.at, timed=True) if timed >= 0.9 * len(column.atoms) else None


def finished(sample: Sample, rule: BodyRule, found: Instances, atoms_at: Mapping[str, Numbers]) -> BodyRule:
    """Return the rule of a body with what can be said once it is chosen: permalink, ids, whether quotes are text."""
    keeps = _quotes_are_text(sample, found)
    heads = learn_byline_boxes(sample, rule, found, atoms_at)
    if rule.kind == "single":
        return replace(rule, keeps_quotes=keeps, heads=heads)
    return replace(
        rule,
        keeps_quotes=keeps,
        heads=heads,
        permalink=learn_permalink(sample, found),
        heading=learn_heading(sample, found),
        id_stem=learn_id_stem(sample, found),
        scope=learn_scope(sample, found),
        citations=() if keeps else learn_citations(sample, found),
    )


def _is_heading(sample: Sample, rule: BodyRule, found: Instances) -> bool:
    """Say whether bodies are no more than the headings of other records."""
    if rule.heading is None or rule.heading.side != "inside":
        return False
    beside = np.concatenate(([0], np.cumsum(sample.unique * ~inside_tags(sample, HEADINGS))))
    every = np.concatenate(([0], np.cumsum(sample.unique)))
    said, whole = ((sums[found.stop_text] - sums[found.first_text]).sum() for sums in (beside, every))
    return bool(said <= BESIDE_HEADING * whole)


def _quotes_are_text(sample: Sample, found: Instances) -> bool:
    """Some templates write every post as a blockquote: then it is the text, not a quotation."""
    inside = everything = 0
    for page, element in zip(found.page.tolist(), found.element.tolist(), strict=True):
        doc, offset = sample.docs[page], int(sample.text_offsets[page])
        everything += int(sample.unique[doc.first_text[element] + offset : doc.stop_text[element] + offset].sum())
        at = element + 1
        while at < doc.stop[element]:
            if is_quote(doc, at):
                inside += int(sample.unique[doc.first_text[at] + offset : doc.stop_text[at] + offset].sum())
                at = doc.stop[at]
            else:
                at += 1
    return inside > QUOTES_ARE_TEXT * everything
