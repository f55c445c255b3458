"""Writes repaired actions as an application of a knowledge file, with their provenance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.types import Application, Learned, Level, Site
from siteseer.strategies.aware.adaptation.extraction.extraction_repair import Change


def provenance(change: Change, host: str, at: str) -> Learned:
    """Return the provenance of an action: site, time, method, confidence, evidence pages and the action that it
    replaces.
    """
    pages = " ".join((change.example, *change.evidence))
    return Learned(host, at, change.method, change.confidence, pages, change.old)


def learned_application(
    known: Application, host: str, levels: Mapping[str, Level], changes: Iterable[Change], at: str
) -> Application:
    """Return the repairs of one site, as an application that is merged with the knowledge of its software."""
    by_place = {(change.level, change.field): change for change in changes}
    written = tuple(_level(level, by_place, host, at) for level in levels.values())
    site = Site(host, written)
    whole = Learned(host, at, "adaptation", None, "", "")
    return Application(known.id, known.category, known.name, sites=(site,), learned=whole)


def _level(level: Level, changes: Mapping[tuple[str, str], Change], host: str, at: str) -> Level:
    def of(name: str) -> Learned | None:
        change = changes.get((level.id, name))
        return provenance(change, host, at) if change else None

    navigations = tuple(
        replace(one, learned=of(f"{one.role} to {one.to}" if one.to else one.role)) for one in level.navigations
    )
    extractions = tuple(
        replace(
            one,
            learned=of(f"{one.of}/record"),
            fields=tuple(replace(field, learned=of(f"{one.of}/{field.type}")) for field in one.fields),
        )
        for one in level.extractions
    )
    return replace(
        level, navigations=navigations, extractions=extractions, learned=of("level") or Learned(host, at, "adaptation")
    )


def with_learned(knowledge: KnowledgeBase, learned: Iterable[Application]) -> KnowledgeBase:
    """Return a knowledge base to which learned applications are added; the shipped one stays as it is."""
    return KnowledgeBase((*knowledge.applications, *learned))


def change_rows(changes: Sequence[Change]) -> Iterator[dict[str, object]]:
    """Yield what a report says of each change."""
    for one in changes:
        yield {
            "level": one.level,
            "field": one.field,
            "old": one.old,
            "new": one.new,
            "relaxations": list(one.relaxations),
            "method": one.method,
            "confidence": one.confidence,
            "example": one.example,
        }
