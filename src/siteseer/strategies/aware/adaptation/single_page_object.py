"""Extracts the one object of a page apart from the content: an imprint, the first page of a wiki.

Such pages are too few to learn a level from. The rules learned for the content often read them too, as templates share
their parts; otherwise the article of the page is taken, if it is certain.
"""

from __future__ import annotations

from dataclasses import replace

from siteseer.extract.article import article
from siteseer.extract.by_knowledge import extract
from siteseer.extract.records.record_objects import canonical
from siteseer.knowledge.types import Application, Level
from siteseer.model import Page, WebObject
from siteseer.page.object_iris import object_iri
from siteseer.strategies.aware.adaptation.extraction.expected_records import main_kind

FEWEST_WORDS = 20
SURE = 0.7
BECAUSE = "a page beside the content"


def by_level(page: Page, level: Level, application: Application) -> WebObject | None:
    """Return the one object of a page as the level of the content reads it; None where there is none, or more."""
    found = [one for one in extract(page, level, application) if one.kind == main_kind(level)]
    if len(found) != 1 or not _is_long(found[0].text):
        return None
    one = found[0]
    if one.published or one.modified:
        return one
    return _as_page(one if one.title else replace(one, title=article(page).title or None), page)


def by_article(page: Page) -> WebObject | None:
    """Return the article of a page as an object; None where it is not surely one."""
    told = article(page)
    if told.confidence is None or told.confidence < SURE or not _is_long(told.text):
        return None
    made = WebObject("page", "", page.url, title=told.title or None, text=told.text, confidence=told.confidence)
    return _as_page(made, page)


def _as_page(one: WebObject, page: Page) -> WebObject:
    address = canonical(page)
    return replace(
        one,
        kind="page",
        id=object_iri("page", permalink=address),
        permalink=address,
        parent=None,
        thread=None,
        because=BECAUSE,
    )


def _is_long(text: str | None) -> bool:
    return len((text or "").split()) >= FEWEST_WORDS
