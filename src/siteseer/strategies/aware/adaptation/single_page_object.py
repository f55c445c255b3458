"""A page beside the content in, the object that it shows out: an imprint, the first page of a wiki.

Such pages are too few to learn a level from. What was learned of the content often reads them too, as templates share
their parts; else the article of the page is taken, if it is surely one.
"""

from __future__ import annotations

from dataclasses import replace

from siteseer.adaptation.reference import main_kind
from siteseer.extract.article import article
from siteseer.extract.fields import extract
from siteseer.extract.records.objects import canonical
from siteseer.knowledge.types import Application, Level
from siteseer.model import Page, WebObject
from siteseer.page.iris import mint

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
        id=mint("page", permalink=address),
        permalink=address,
        parent=None,
        thread=None,
        because=BECAUSE,
    )


def _is_long(text: str | None) -> bool:
    return len((text or "").split()) >= FEWEST_WORDS
