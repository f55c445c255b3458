"""Recognises a page: its software and the version of it, its level (kind of page), and the evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.pattern_match import detects, selected
from siteseer.knowledge.recognise_application import application_of
from siteseer.knowledge.types import Application, Detection, Level, regex
from siteseer.model import Evidence, Page, Recognition
from siteseer.page.tree import content_type
from siteseer.page.urls import host_of

__all__ = ["FullRecognition", "recognise", "recognise_in_full"]
NUMBER = r"(?:^|[^0-9.])v?([0-9]{1,4}(?:\.[0-9]{1,4}){1,4})"
"""A version where its pattern says no more: the first number with a point in it."""
LONGEST = 40
MOST_NODES, MOST_TEXT = 20, 20_000


@dataclass(frozen=True, slots=True)
class FullRecognition:
    """A recognition, with its application and level."""

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
    return recognise_in_full(page, knowledge, expected).recognition


def recognise_in_full(page: Page, knowledge: KnowledgeBase, expected: str | None = None) -> FullRecognition:
    """Recognise a page and return application and level too. `expected` is the software that the site runs."""
    found = recognise_without_version(page, knowledge, expected)
    if found.application is None:
        return found
    version = version_of(page, found.application)
    return replace(found, recognition=replace(found.recognition, version=version))


def recognise_without_version(page: Page, knowledge: KnowledgeBase, expected: str | None = None) -> FullRecognition:
    """Recognise a page as `recognise_in_full` does, but for the version, which costs as much as all the rest."""
    claim = application_of(page, knowledge, expected)
    if claim is None:
        return FullRecognition(Recognition())
    application = knowledge.of_site(claim.application.id, host_of(page.url))
    known = Recognition(application.id, application.category, evidence=claim.evidence)
    found = level_of(page, application)
    if found is None:
        return FullRecognition(known, application)
    level, evidence = found
    recognition = replace(known, level=level.id, terminal=level.is_terminal, evidence=(*claim.evidence, evidence))
    return FullRecognition(recognition, application, level)


def level_of(page: Page, application: Application) -> tuple[Level, Evidence] | None:
    """Return the level of a page and the pattern that matched, or None."""
    format = "json" if is_json(page) else "html"
    for detection, level in detections_by_priority(application):
        if level.format == format and (pattern := detects(detection, page)):
            return level, Evidence(pattern.text, f"level {level.id}")
    return None


def detections_by_priority(application: Application) -> list[tuple[Detection, Level]]:
    """Return all level detections, the highest priority first; equal ones as in the file."""
    pairs = [(detection, level) for level in application.levels for detection in level.detections]
    return sorted(pairs, key=lambda pair: -pair[0].priority)


def is_json(page: Page) -> bool:
    """Say whether a page is the answer of an API."""
    kind = content_type(page)
    return kind == "application/json" or kind.endswith("+json")


def version_of(page: Page, application: Application) -> str | None:
    """Return the version of the application that made a page; None where the page does not say it.

    >>> from siteseer.knowledge.knowledge_base import KnowledgeBase
    >>> html = b'<meta name="generator" content="MediaWiki 1.39.17">'
    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=html)
    >>> version_of(page, KnowledgeBase.shipped()["mediawiki"])
    '1.39.17'
    """
    for pattern in application.version_patterns:
        for node in selected(pattern.text, page)[:MOST_NODES]:
            text = node if isinstance(node, str) else "".join(node.itertext())
            found = regex(pattern.regex or NUMBER).search(" ".join(text[:MOST_TEXT].split()))
            if found and (version := found.group(1 if found.groups() else 0)):
                return str(version)[:LONGEST]
    return None
