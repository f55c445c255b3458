"""Adds attributes from detail pages: follows the link of each record, and joins the values of its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from siteseer.deepweb.records.output_schema import AnswerRecord, Values, learn_schema
from siteseer.deepweb.records.record_leaves import leaves
from siteseer.deepweb.records.value_types import fold
from siteseer.deepweb.sampling.query_budget import QueryBudget, Steps
from siteseer.deepweb.source import Source, column_values
from siteseer.deepweb.understanding_model import Column, Record
from siteseer.model import Page
from siteseer.page.tree import is_html, tree


def add_details(inquiry: QueryBudget, source: Source) -> Steps[None]:
    """Fetch the detail pages of the records, and join their values."""
    records = [record for record in source.records().values() if record.permalink]
    pages = yield from inquiry.fetch([record.permalink for record in records], "the page of a record")
    found = {
        record.id: page
        for record, page in zip(records, pages, strict=True)
        if page is not None and page.status < 400 and is_html(page)
    }
    columns, values = read_details(found, {record.id: record for record in records}, source.columns)
    source.details = columns
    source.detail_values = values


def read_details(
    pages: Mapping[str, Page], records: Mapping[str, Record], known: tuple[Column, ...]
) -> tuple[tuple[Column, ...], dict[str, Values]]:
    """Return the columns that detail pages add to those known, and their values by record."""
    seen = {
        name: AnswerRecord(page.url, at, tuple(leaves([next(tree(page).iter("body"), tree(page))])))
        for at, (name, page) in enumerate(pages.items())
    }
    if len(seen) < 2:
        return (), {}
    schema = learn_schema(list(seen.values()), source="details")
    values = {name: schema.values(one.leaves) for name, one in seen.items()}
    taken = {column.id for column in known}
    kept: dict[str, Column] = {}
    for column in schema.columns:
        if not _repeats(column, values, records, known):
            name = column.id if column.id not in taken else f"{column.id}-details"
            kept[column.id] = replace(column, id=name)
    named = {
        record: {kept[name].id: texts for name, texts in own.items() if name in kept} for record, own in values.items()
    }
    return tuple(kept.values()), named


def _repeats(
    column: Column, values: Mapping[str, Values], records: Mapping[str, Record], known: tuple[Column, ...]
) -> bool:
    """Say whether the pages only repeat there what the answers show in some column."""
    told = {name: set(map(fold, own[column.id])) for name, own in values.items() if column.id in own}
    for other in known:
        shown = {name: set(map(fold, records[name].values.get(other.id, ()))) for name in told}
        if told and sum(told[name] <= shown[name] for name in told) >= 0.9 * len(told):
            return True
    return not column_values([Record(name, "", own) for name, own in values.items()], column)
