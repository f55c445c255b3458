"""Reads the fields of records from the JSON answer of an API, by paths such as `items[].account.name`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lxml import html

from siteseer.extract.body_text import references
from siteseer.extract.read_values import plain_text, read_dates
from siteseer.extract.record_fields import MANY, Facts
from siteseer.knowledge.types import Extraction, Field, regex
from siteseer.model import JSON, Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.encoding import decode
from siteseer.page.links import base
from siteseer.page.tree import cached, tree
from siteseer.page.urls import resolve


@cached
def parse_answer(page: Page) -> JSON:
    """Return the parsed answer; None where it is no JSON."""
    try:
        return json.loads(decode(page))
    except (ValueError, RecursionError):
        return None


def values_at(value: JSON, path: str) -> Iterator[JSON]:
    """Yield the values at a path: names separated by dots, `[]` for each item of a list, `.` for the value itself.

    >>> list(values_at({"items": [{"by": {"name": "ann"}}, {"by": {}}]}, "items[].by.name"))
    ['ann']
    """
    found = [value]
    for step in path.strip().split(".") if path.strip() != "." else ():
        name = step.removesuffix("[]")
        if name:
            found = [one[name] for one in found if isinstance(one, dict) and one.get(name) is not None]
        if step.endswith("[]"):
            found = [item for one in found if isinstance(one, list) for item in one]
    yield from found


def first_at(value: JSON, text: str) -> str | None:
    """Return the first simple value among the alternatives of a path."""
    for path in text.split("|"):
        for found in values_at(value, path):
            if isinstance(found, str | int | float) and not isinstance(found, bool) and str(found).strip():
                return str(found).strip()
    return None


def facts_in(page: Page, extraction: Extraction) -> Iterator[Facts]:
    """Yield the facts of each record of an answer."""
    for record in values_at(parse_answer(page), extraction.scope):
        if isinstance(record, dict):
            yield _facts(page, record, extraction)


def _facts(page: Page, record: JSON, extraction: Extraction) -> Facts:
    facts = Facts()
    for one in extraction.fields:
        if one.type in facts.values or one.type in facts.lists:
            continue
        if one.type in MANY:
            paths = one.text.split("|")
            found = [str(value) for path in paths for value in values_at(record, path) if isinstance(value, str | int)]
            if found:
                facts.lists[one.type] = tuple(dict.fromkeys(found))
        elif value := _read(page, first_at(record, one.text), one):
            _put(page, one, value, facts)
    return facts


def _put(page: Page, one: Field, value: str, facts: Facts) -> None:
    if one.type == "field":
        facts.named[one.name] = value
    elif one.type == "body":
        fragment = tree(Page(page.url, headers=(("Content-Type", "text/html; charset=utf-8"),), body=value.encode()))
        facts.values["body"] = plain_text(fragment)
        facts.values.setdefault("html", value)
        nodes: list[html.HtmlElement] = [fragment]
        facts.links, facts.media = references(page, nodes, set())
    else:
        facts.values[one.type] = value


def _read(page: Page, value: str | None, one: Field) -> str | None:
    if value is None:
        return None
    if one.regex:
        found = regex(one.regex).search(value)
        value = (found.group(1) if found.groups() else found.group(0)) if found else ""
    if one.type in ("published", "modified"):
        return read_dates([value], context_of(page)) if value else None
    if one.type in ("permalink", "author_url"):
        return resolve(base(page), value) if value else None
    return value or None
