"""Captured sites of real software: pages with content are terminal levels, lists that lead to them are not."""

from __future__ import annotations

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise_in_full
from siteseer.knowledge.types import Application
from siteseer.knowledge.url_identity import document_key, object_url
from siteseer.model import Page, Recognition
from siteseer.page.links import canonical, links
from siteseer.page.tree import is_html, title
from siteseer.page.urls import identity
from tests.real.captures import SITES, Capture, capture

NAMES = (
    *("wordpress-2021", "phpbb-prosilver", "smf", "dokuwiki", "fluxbb"),
    *("serendipity-2k11", "serendipity-bulletproof", "textpattern"),
)
MOST = 150
TITLES = 6
"""A list names and links at least so many documents."""
pytestmark = [
    pytest.mark.skipif(not SITES.is_dir(), reason="the captured sites are not beside the project (../shared/sites)"),
    pytest.mark.slow,
]


def shown(site: Capture) -> list[Page]:
    return [page for page in site.pages.values() if page.status == 200 and is_html(page) and page.body.strip()]


def sample(pages: list[Page]) -> list[Page]:
    return pages[:: max(1, len(pages) // MOST)]


def recognised(page: Page, application: Application) -> Recognition:
    return recognise_in_full(
        Page(page.url, 200, page.headers, page.body), KnowledgeBase.shipped(), application.id
    ).recognition


def application_of(site: Capture) -> Application:
    home = site.pages.get(identity(site.truth["origin"] + "/")) or next(iter(shown(site)))
    found = recognise_in_full(home, KnowledgeBase.shipped()).application
    assert found is not None
    return found


@pytest.mark.parametrize("name", NAMES)
def test_pages_with_content_are_terminal_and_lists_are_not(name: str) -> None:
    site = capture(name)
    application = application_of(site)
    origin = site.truth["origin"]
    documents = {document_key(origin + text["page"], application) for text in site.truth["texts"]}
    titles = {
        document_key(origin + text["page"], application): text["title"]
        for text in site.truth["texts"]
        if text.get("title")
    }
    exact = {identity(origin + text["page"]) for text in site.truth["texts"]}
    content = [page for page in shown(site) if identity(page.url) in exact]
    found = [recognised(page, application).terminal for page in sample(content)]
    assert sum(found) >= 0.98 * len(found) > 0
    objects = {object_url(key, application) for key in documents}
    names = set(titles.values())
    others = [page for page in shown(site) if not is_of(page, objects, application)]
    others = [page for page in others if not any(name in title(page) for name in names)]
    lists = [page for page in sample(others) if leads_to_many(page, titles, application)]
    wrong = [page.url for page in lists if recognised(page, application).terminal]
    assert len(wrong) <= 0.02 * len(lists), wrong


def is_of(page: Page, objects: set[str], application: Application) -> bool:
    """Say whether a page shows one of the objects: under its own address, on a further page, or in another spelling."""
    own = canonical(page) or page.url
    return any(object_url(url, application) in objects for url in (own, page.url))


def leads_to_many(page: Page, titles: dict[str, str], application: Application) -> bool:
    keys = {document_key(link.url, application): link.text for link in links(page)}
    return sum(titles.get(key) == text for key, text in keys.items()) >= TITLES
