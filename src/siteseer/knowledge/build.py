"""Builds an `Application` from the elements of a valid knowledge file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from lxml import etree

from siteseer.knowledge.types import (
    Application,
    Avoid,
    Detection,
    DropParameter,
    Entry,
    EvidenceKind,
    Extraction,
    Field,
    Identity,
    Interaction,
    Learned,
    Level,
    Navigation,
    Paging,
    Pattern,
    Policy,
    Site,
    Template,
    VersionPattern,
    When,
)
from siteseer.knowledge.validate import line_of, words_of

Made = TypeVar("Made")


def build(root: etree._Element, source: str) -> Application:
    """Return the application that an element describes; `source` is where it stands."""
    return Application(
        id=root.get("id", ""),
        category=root.get("category", "other"),
        name=root.get("name", ""),
        versions=root.get("versions", ""),
        is_generic=root.get("generic") == "yes",
        detections=_each(root, "detect", _detection),
        version_patterns=_each(root, "version", _version),
        identity=Identity(
            tuple(map(_drop, root.iterfind("identity/drop-parameter"))),
            tuple(map(_paging, root.iterfind("identity/paging"))),
        ),
        avoids=_each(root, "avoid/url", _avoid),
        policies=_each(root, "policy", _policy),
        entries=_each(root, "entry", _entry),
        templates=_each(root, "template", _template),
        navigations=_each(root, "follow", _navigation),
        levels=_each(root, "level", _level),
        sites=_each(root, "site", _site),
        learned=_learned(root),
        source=source,
    )


def _each(parent: etree._Element, path: str, make: Callable[[etree._Element], Made]) -> tuple[Made, ...]:
    return tuple(make(element) for element in parent.iterfind(path))


def _detection(element: etree._Element) -> Detection:
    needs: Any = element.get("needs", "any")
    return Detection(_each(element, "pattern", _pattern), int(float(element.get("priority", "0"))), needs)


def _pattern(element: etree._Element) -> Pattern:
    text = words_of(element)
    kind: Any = element.get("kind") or kind_of_evidence(text)
    return Pattern(
        text,
        kind,
        element.get("decisive") == "yes",
        element.get("absent") == "yes",
        element.get("same-site") == "yes",
        line_of(element),
    )


def _version(element: etree._Element) -> VersionPattern:
    return VersionPattern(words_of(element), element.get("regex", ""), line_of(element))


_KINDS: tuple[tuple[str, EvidenceKind], ...] = (
    (r"^/*http-cookie\b", "cookie"),
    (r"^/*http-header\b", "header"),
    (r"^/*http-", "url"),
    (r"^[/\w]*meta\[@name=['\"](generator|copyright)['\"]", "generator"),
    (r"^[/\w]*(script|link|img|form|iframe)\b.*@(src|href|action)\b", "asset"),
)


def kind_of_evidence(pattern: str) -> EvidenceKind:
    """Say what kind of evidence a pattern is, from what it looks at.

    >>> kind_of_evidence("http-cookie[contains(@name,'phpbb3_')]"), kind_of_evidence("body#phpbb")
    ('cookie', 'markup')
    """
    return next((kind for start, kind in _KINDS if re.search(start, pattern)), "markup")


def _drop(element: etree._Element) -> DropParameter:
    get = element.get
    return DropParameter(get("name", ""), get("because", ""), get("value", ""), get("path", ""), line_of(element))


def _paging(element: etree._Element) -> Paging:
    get = element.get
    return Paging(get("parameter", ""), get("path", ""), get("matches", ""), get("first", ""), line_of(element))


def _avoid(element: etree._Element) -> Avoid:
    get = element.get
    return Avoid(
        get("because", ""),
        get("contains", ""),
        get("parameter", ""),
        get("value", ""),
        get("path", ""),
        _when(element),
        line_of(element),
        get("unless", ""),
    )


def _policy(element: etree._Element) -> Policy:
    return Policy(element.get("name", ""), element.get("default", "no"), words_of(element), line_of(element))


def _entry(element: etree._Element) -> Entry:
    role: Any = element.get("role", "child")
    get = element.get
    return Entry(role, get("url", ""), get("because", ""), get("to", ""), _when(element), line_of(element))


def _template(element: etree._Element) -> Template:
    return Template(
        element.get("id", ""), _each(element, "pattern", _pattern), element.get("name", ""), line_of(element)
    )


def _level(element: etree._Element) -> Level:
    kind: Any = element.get("kind", "intermediate")
    format: Any = element.get("format", "html")
    return Level(
        id=element.get("id", "other"),
        kind=kind,
        name=element.get("name", ""),
        format=format,
        detections=_each(element, "detect", _detection),
        interactions=_each(element, "interact", _interaction),
        navigations=_each(element, "follow", _navigation),
        extractions=_each(element, "extract", _extraction),
        signed=_each(element, "signed", _extraction),
        learned=_learned(element),
        line=line_of(element),
    )


def _interaction(element: etree._Element) -> Interaction:
    do: Any = element.get("do", "scroll-until-still")
    return Interaction(do, words_of(element), int(float(element.get("most", "0"))), line_of(element))


def _navigation(element: etree._Element) -> Navigation:
    role: Any = element.get("role", "child")
    reading: Any = element.get("read", "url")
    take: Any = element.get("take", "all")
    return Navigation(
        role=role,
        text=words_of(element),
        to=element.get("to", ""),
        priority=float(element.get("priority", "0")),
        matches=element.get("matches", ""),
        url=element.get("url", ""),
        value=element.get("value", ""),
        read=reading,
        take=take,
        when=_when(element),
        template=element.get("template", ""),
        learned=_learned(element),
        line=line_of(element),
    )


def _extraction(element: etree._Element) -> Extraction:
    of: Any = element.get("of", "record")
    take: Any = element.get("take", "all")
    return Extraction(
        of,
        " ".join(element.get("scope", "").split()),
        _each(element, "field", _field),
        element.get("template", ""),
        _learned(element),
        take,
        line_of(element),
    )


def _field(element: etree._Element) -> Field:
    reading: Any = element.get("read", "html" if element.get("type") == "html" else "text")
    get = element.get
    return Field(
        type=get("type", ""),
        text=words_of(element),
        read=reading,
        name=get("name", ""),
        format=get("format", ""),
        without=" ".join(get("without", "").split()),
        regex=get("regex", ""),
        until=get("until", ""),
        template=get("template", ""),
        learned=_learned(element),
        line=line_of(element),
    )


def _site(element: etree._Element) -> Site:
    levels, avoids = _each(element, "level", _level), _each(element, "avoid/url", _avoid)
    return Site(element.get("host", "").lower(), levels, avoids, _learned(element), line_of(element))


def _learned(parent: etree._Element) -> Learned | None:
    element = parent.find("learned")
    if element is None:
        return None
    get = element.get
    confidence = float(get("confidence", "0")) if get("confidence") else None
    return Learned(
        get("from", ""), get("at", ""), get("method", ""), confidence, get("evidence", ""), get("replaces", "")
    )


def _when(element: etree._Element) -> When:
    return When(element.get("policy", ""), element.get("is", "yes"))
