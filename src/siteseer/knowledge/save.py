"""Writes an `Application` as a knowledge file, which reads back to the same application."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lxml import etree

from siteseer.knowledge.build import kind_of_evidence
from siteseer.knowledge.types import (
    Application,
    Avoid,
    Detection,
    Extraction,
    Field,
    Learned,
    Level,
    Navigation,
    Pattern,
    Site,
    When,
)

Attributes = dict[str, str | None]


def save(application: Application, path: Path) -> None:
    """Write a knowledge file; an existing one is replaced in one step."""
    draft = path.with_name(path.name + ".part")
    draft.write_bytes(to_xml(application))
    draft.replace(path)


def to_xml(application: Application) -> bytes:
    """Return the knowledge file of an application."""
    root = _element(
        None,
        "application",
        {
            "id": application.id,
            "category": application.category,
            "name": application.name,
            "versions": application.versions,
            "generic": "yes" if application.is_generic else None,
        },
    )
    _learned(root, application.learned)
    _detections(root, application.detections)
    for version in application.version_patterns:
        _element(root, "version", {"regex": version.regex}, version.text)
    if application.identity.drops or application.identity.pagings:
        identity = _element(root, "identity")
        for drop in application.identity.drops:
            values: Attributes = {"name": drop.name, "value": drop.value, "path": drop.path, "because": drop.because}
            _element(identity, "drop-parameter", values)
        for paging in application.identity.pagings:
            values = {"parameter": paging.parameter, "path": paging.path, "matches": paging.matches}
            _element(identity, "paging", {**values, "first": paging.first})
    _avoids(root, application.avoids)
    for policy in application.policies:
        _element(root, "policy", {"name": policy.name, "default": policy.default}, policy.question)
    for entry in application.entries:
        values = {"role": entry.role, "url": entry.url, "to": entry.to, "because": entry.because}
        _element(root, "entry", {**values, **_when(entry.when)})
    for template in application.templates:
        one = _element(root, "template", {"id": template.id, "name": template.name})
        _patterns(one, template.patterns)
    for action in application.navigations:
        _navigation(root, action)
    for level in application.levels:
        _level(root, level)
    for site in application.sites:
        _site(root, site)
    etree.indent(root)
    return etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True)


def _element(
    parent: etree._Element | None, tag: str, values: Attributes | None = None, text: str = ""
) -> etree._Element:
    element = etree.Element(tag) if parent is None else etree.SubElement(parent, tag)
    for name, value in (values or {}).items():
        if value:
            element.set(name, value)
    if text:
        element.text = text
    return element


def _learned(parent: etree._Element, learned: Learned | None) -> None:
    if learned is not None:
        confidence = None if learned.confidence is None else format(learned.confidence, "g")
        values: Attributes = {"from": learned.source, "at": learned.at, "method": learned.method}
        values |= {"confidence": confidence, "evidence": learned.evidence, "replaces": learned.replaces}
        _element(parent, "learned", values)


def _detections(parent: etree._Element, detections: Iterable[Detection]) -> None:
    for detection in detections:
        priority = str(detection.priority) if detection.priority else None
        needs = detection.needs if detection.needs != "any" else None
        _patterns(_element(parent, "detect", {"priority": priority, "needs": needs}), detection.patterns)


def _patterns(parent: etree._Element, patterns: Iterable[Pattern]) -> None:
    for pattern in patterns:
        values: Attributes = {
            "kind": pattern.kind if pattern.kind != kind_of_evidence(pattern.text) else None,
            "decisive": "yes" if pattern.is_decisive else None,
            "absent": "yes" if pattern.is_absence else None,
            "same-site": "yes" if pattern.same_site else None,
        }
        _element(parent, "pattern", values, pattern.text)


def _avoids(parent: etree._Element, avoids: tuple[Avoid, ...]) -> None:
    if avoids:
        avoid = _element(parent, "avoid")
        for rule in avoids:
            values: Attributes = {"contains": rule.contains, "parameter": rule.parameter, "value": rule.value}
            values |= {"path": rule.path, "unless": rule.unless}
            _element(avoid, "url", {**values, "because": rule.because, **_when(rule.when)})


def _when(when: When) -> Attributes:
    return {"policy": when.policy, "is": when.value if when.policy and when.value != "yes" else None}


def _level(parent: etree._Element, level: Level) -> None:
    format = level.format if level.format != "html" else None
    values: Attributes = {"id": level.id, "kind": level.kind, "name": level.name, "format": format}
    element = _element(parent, "level", values)
    _learned(element, level.learned)
    _detections(element, level.detections)
    for step in level.interactions:
        _element(element, "interact", {"do": step.do, "most": str(step.most) if step.most else None}, step.text)
    for action in level.navigations:
        _navigation(element, action)
    for extraction in level.extractions:
        _extraction(element, extraction)
    for extraction in level.signed:
        _signed(element, extraction)


def _navigation(parent: etree._Element, action: Navigation) -> None:
    values: Attributes = {
        "role": action.role,
        "to": action.to,
        "priority": format(action.priority, "g") if action.priority else None,
        "matches": action.matches,
        "value": action.value,
        "url": action.url,
        "read": action.read if action.read != "url" else None,
        "take": action.take if action.take != "all" else None,
        "template": action.template,
        **_when(action.when),
    }
    _learned(_element(parent, "follow", values, action.text), action.learned)


def _extraction(parent: etree._Element, extraction: Extraction) -> None:
    values: Attributes = {
        "type": "record",
        "of": extraction.of,
        "scope": extraction.scope,
        "take": extraction.take if extraction.take != "all" else None,
        "template": extraction.template,
    }
    element = _element(parent, "extract", values)
    _learned(element, extraction.learned)
    for field in extraction.fields:
        _field(element, field)


def _signed(parent: etree._Element, extraction: Extraction) -> None:
    element = _element(parent, "signed", {"of": extraction.of, "scope": extraction.scope})
    for field in extraction.fields:
        _field(element, field)


def _field(parent: etree._Element, field: Field) -> None:
    usual = "html" if field.type == "html" else "text"
    values: Attributes = {
        "type": field.type,
        "name": field.name,
        "read": field.read if field.read != usual else None,
        "format": field.format,
        "without": field.without,
        "regex": field.regex,
        "until": field.until,
        "template": field.template,
    }
    _learned(_element(parent, "field", values, field.text), field.learned)


def _site(parent: etree._Element, site: Site) -> None:
    element = _element(parent, "site", {"host": site.host})
    _learned(element, site.learned)
    for level in site.levels:
        _level(element, level)
    _avoids(element, site.avoids)
