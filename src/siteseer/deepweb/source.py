"""Reads the records of a source from its answers, and learns its list and columns anew as answers come.

A record is identified by its own link where it has one, otherwise by its values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from siteseer.deepweb.records.cell_or_record import is_header
from siteseer.deepweb.records.column_headers import find_head, find_link_path, find_main_link, is_stray, record_texts
from siteseer.deepweb.records.list_score import AnsweredQuery
from siteseer.deepweb.records.output_schema import AnswerRecord, Schema, Values, learn_schema
from siteseer.deepweb.records.record_leaves import emphatic, leaves, text_of
from siteseer.deepweb.records.result_lists import MOST_SAMPLE, ListKey, find_list, items_at
from siteseer.deepweb.records.value_types import amount, fold
from siteseer.deepweb.sampling.query_budget import words_asked
from siteseer.deepweb.understanding_model import Column, Record
from siteseer.forms.answer_types import Query
from siteseer.forms.form import Choice, Field, Form
from siteseer.forms.next_queries import search_words
from siteseer.forms.result_pages import MOST_WORDS, Answer, read_answer
from siteseer.model import Page
from siteseer.page.links import base
from siteseer.page.object_iris import object_iri
from siteseer.page.pagination.page_links import pagination
from siteseer.page.tree import is_html, tree
from siteseer.page.urls import identity, resolve

MOST_LEARNED = 1_500
"""Records that the columns are learned from."""


@dataclass(slots=True)
class Source:
    """The records of one form, as far as they are known."""

    form: Form
    empty: list[Page] = field(default_factory=list)
    """Answers that find nothing."""
    pages: list[tuple[Query, Page]] = field(default_factory=list)
    key: ListKey | None = None
    schema: Schema | None = None
    link_path: str = ""
    """The path of the leaf whose link is the record's own."""
    emphatic: frozenset[str] = frozenset()
    """Kinds of leaves that the template emphasises."""
    core: tuple[str, int] = ("", 0)
    """What tells records from what stands among them, see `find_core`."""
    head: tuple[str, ...] = ()
    """What the first item of every answer says that is no record but the heads of the columns."""
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    """What people read for a value of a list that was filled late: by field and value."""
    derived: dict[Column, dict[str, str]] = field(default_factory=dict)
    """Columns that records do not show: what was asked for, by record."""
    bounded: dict[str, str] = field(default_factory=dict)
    """The column that a range bounds, by the name of the field for its lower end."""
    details: tuple[Column, ...] = ()
    detail_values: dict[str, Values] = field(default_factory=dict)
    """What the pages of the records say beside the answers, by record."""
    _seen: dict[int, list[AnswerRecord]] = field(default_factory=dict)
    _read: dict[int, list[Record]] = field(default_factory=dict)
    _sampled: int = 0
    """Answers that the list was found in."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns found so far."""
        return (*(self.schema.columns if self.schema is not None else ()), *self.derived, *self.details)

    def add(self, query: Query, page: Page | None) -> None:
        """Add a page of an answer."""
        if page is not None and page.status < 400:
            self.pages.append((query, page))

    def learn(self) -> bool:
        """Find the list of records and its columns; say whether there is one."""
        key = self.key
        if key is None or self._sampled < MOST_SAMPLE:
            shown = [AnsweredQuery(page, words_asked(query)) for query, page in self.pages if page not in self.empty]
            sample = _sample(shown)
            key, self._sampled = find_list(sample, self.empty), len(sample)
        if key is None:
            return False
        self._read, self.head, self.core = {}, (), ("", 0)
        if key != self.key:
            self.key = key
            self._seen = {}
        items = [(item, words_asked(query)) for query, page in self.pages for item in items_at(page, key)]
        marked = emphatic(items[:MOST_LEARNED])
        if marked != self.emphatic:
            self.emphatic, self._seen = marked, {}
        self.core = find_main_link([self.seen(query, page) for query, page in self.pages])
        self.head = find_head([self.seen(query, page) for query, page in self.pages])
        records = self._records()
        if len(records) < 2:
            return False
        self.schema = learn_schema(records[:MOST_LEARNED], self._headings())
        self.link_path = find_link_path([self.seen(query, page) for query, page in self.pages])
        return bool(self.schema.columns)

    def seen(self, query: Query, page: Page) -> list[AnswerRecord]:
        """Return the records of a page as they stand there."""
        known = self._seen.get(id(page))
        if known is None and self.key is not None:
            asked = words_asked(query)
            items = items_at(page, self.key)
            known = [
                AnswerRecord(page.url, at, tuple(leaves(item, asked, self.emphatic))) for at, item in enumerate(items)
            ]
            turned = {identity(link.url) for link in pagination(page)}
            self._seen[id(page)] = known = [one for one in known if one.leaves and not _is_pager(one, page, turned)]
        return [
            one
            for one in known or ()
            if (not self.head or record_texts(one) != self.head) and not is_stray(one, self.core)
        ]

    def read(self, query: Query, page: Page) -> list[Record]:
        """Return the records of a page."""
        known = self._read.get(id(page))
        if known is None:
            known = self._read[id(page)] = [self._record(query, page, one) for one in self.seen(query, page)]
        return known

    def records(self) -> dict[str, Record]:
        """Return all records by their IRIs, each with the values of all answers."""
        found: dict[str, Record] = {}
        for query, page in self.pages:
            for record in self.read(query, page):
                known = found.get(record.id)
                found[record.id] = record if known is None else _joined(known, record)
        for name, own in self.detail_values.items():
            if name in found:
                found[name] = replace(found[name], values={**found[name].values, **own})
        for column, values in self.derived.items():
            for name, value in values.items():
                if name in found:
                    found[name] = replace(found[name], values={**found[name].values, column.id: (value,)})
        return found

    def take(self, query: Query, page: Page) -> list[Record]:
        """Add an answer, and return its records."""
        if page.status >= 400 or not is_html(page):
            return []
        if not any(page is known for _, known in self.pages):
            self.add(query, page)
        return self.read(query, page)

    def derive(self, one: Field, chosen: Mapping[Choice, Sequence[Record]]) -> Column:
        """Add a column of what a field selects, where records do not show it."""
        values = {record.id: choice.label or choice.value for choice, found in chosen.items() for record in found}
        name = one.label or one.name
        plain = re.sub(r"[\W_]+", "-", name.lower()).strip("-")[:40] or "choice"
        taken = {column.id for column in self.columns if column.source != "form"}
        made = Column(
            id=plain if plain not in taken else f"{plain}-chosen",
            name=name,
            label=name,
            type="text",
            path=f"form {one.name}",
            filled=round(len(values) / max(1, len(self.records())), 3),
            distinct=len(set(values.values())),
            examples=tuple(dict.fromkeys(values.values()))[:5],
            source="form",
        )
        self.derived = {column: known for column, known in self.derived.items() if column.path != made.path}
        self.derived[made] = values
        return made

    def answer(self, query: Query, page: Page) -> Answer:
        """Return a page as an answer for the query plan, with our records in place of its links."""
        records = self.read(query, page)
        words = {f"http://record.invalid/{_digest(record.id)}": _words_of(record) for record in records}
        said = read_answer(page, self.form)
        amounts = tuple(
            (name, value)
            for name, column in self.bounded.items()
            for text in column_values(records, column)
            if (value := amount(text)) is not None
        )
        return replace(said, records=tuple(words), words=tuple(words.values()), amounts=(*said.amounts, *amounts))

    def _records(self) -> list[AnswerRecord]:
        return [one for query, page in self.pages for one in self.seen(query, page)]

    def _record(self, query: Query, page: Page, one: AnswerRecord) -> Record:
        values: Values = self.schema.values(one.leaves) if self.schema is not None else {}
        link = next((leaf.link for leaf in one.leaves if leaf.path == self.link_path and leaf.link), "")
        permalink = (resolve(base(page), link) or "") if link else ""
        if permalink:
            name = object_iri("record", permalink=identity(permalink))
        else:
            said = "\n".join(f"{name}={fold(text)}" for name, texts in sorted(values.items()) for text in texts)
            name = object_iri(
                "record", site=page.url, native_id=_digest(said or " ".join(leaf.text for leaf in one.leaves))
            )
        return Record(name, page.url, values, permalink, query)

    def _headings(self) -> list[str]:
        """Return the heads of the columns, where the list is a table that has some."""
        if self.head:
            return list(self.head)
        for _, page in self.pages:
            items = items_at(page, self.key) if self.key is not None else []
            if items and items[0][0].tag == "tr":
                table = next(items[0][0].iterancestors("table"), None)
                head = next((row for row in table.iter("tr") if is_header(row)), None) if table is not None else None
                return [text_of([cell])[:60] for cell in head if cell.tag == "th"] if head is not None else []
        return []


def _sample(answers: Sequence[AnsweredQuery]) -> list[AnsweredQuery]:
    """Return answers in an order in which those with words come early, and no text comes twice."""
    distinct: dict[str, AnsweredQuery] = {}
    for one in answers:
        distinct.setdefault(text_of([tree(one.page)])[:20_000], one)
    ranked = sorted(distinct.values(), key=lambda one: -min(len(one.page.body), 100_000))
    with_words = [one for one in ranked if one.words]
    others = [one for one in ranked if not one.words]
    mixed = [one for pair in zip(with_words, others, strict=False) for one in pair]
    return [*mixed, *with_words[len(others) :], *others[len(with_words) :]]


def _words_of(record: Record) -> tuple[str, ...]:
    """Return the words of a record, each once."""
    said = (word for texts in record.values.values() for text in texts for word in search_words(text))
    return tuple(dict.fromkeys(said))[:MOST_WORDS]


def _is_pager(one: AnswerRecord, page: Page, turned: Collection[str]) -> bool:
    """Say whether all that an item leads to is further pages of the answer."""
    links = {resolve(base(page), leaf.link) or "" for leaf in one.leaves if leaf.link} if turned else set()
    return bool(links) and all(identity(link) in turned for link in links)


def _joined(known: Record, other: Record) -> Record:
    missing = {name: texts for name, texts in other.values.items() if name not in known.values}
    return replace(known, values={**known.values, **missing}) if missing else known


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def column_values(records: Iterable[Record], column: Column | str) -> list[str]:
    """Return the values of a column, each once, in the order of their first occurrence."""
    name = column if isinstance(column, str) else column.id
    return list(dict.fromkeys(text for record in records for text in record.values.get(name, ())))
