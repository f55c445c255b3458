"""A page in, what kind of page of what kind of site it is out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from siteseer.knowledge.base import KnowledgeBase
from siteseer.knowledge.types import Application, Level
from siteseer.model import Page, Recognition
from siteseer.page.urls import host_of
from siteseer.recognise.application import application_of
from siteseer.recognise.level import level_of
from siteseer.recognise.version import version_of

__all__ = ["Recognised", "look", "recognise"]


@dataclass(frozen=True, slots=True)
class Recognised:
    """A recognition together with the knowledge that it points to."""

    recognition: Recognition
    application: Application | None = None
    level: Level | None = None


def recognise(page: Page, knowledge: KnowledgeBase, expected: str | None = None) -> Recognition:
    """Say what kind of page of what kind of site this is, with the evidence.

    >>> html = (("Content-Type", "text/html"),)
    >>> page = Page("http://e.org/", headers=html, body=b"<body id=phpbb class=section-index>")
    >>> found = recognise(page, KnowledgeBase.shipped())
    >>> found.application, found.level, found.terminal
    ('phpbb', 'index', False)
    """
    return look(page, knowledge, expected).recognition


def look(page: Page, knowledge: KnowledgeBase, expected: str | None = None) -> Recognised:
    """Recognise a page and return application and level too. `expected` is what the site is known to run."""
    claim = application_of(page, knowledge, expected)
    if claim is None:
        return Recognised(Recognition())
    application = knowledge.of_site(claim.application.id, host_of(page.url))
    known = Recognition(
        application.id, application.category, evidence=claim.evidence, version=version_of(page, application)
    )
    found = level_of(page, application)
    if found is None:
        return Recognised(known, application)
    level, evidence = found
    recognition = replace(known, level=level.id, terminal=level.is_terminal, evidence=(*claim.evidence, evidence))
    return Recognised(recognition, application, level)
