"""What adaptation leaves alone: knowledge with one, two and three broken fields of five, and captures in another style.

Broken fields name what does not exist; the others still read what they read. Every choice of broken fields is tried on
pages of each capture on which all authors are called "Dr ... Smith": objects are read with the whole knowledge, then
with the broken one after adaptation, and the values of the fields that were not broken are compared. Another style
says the same in other markup (`other_style.py`): the capture is crawled in memory with the knowledge as it is shipped.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import harness  # noqa: F401 - makes tests importable
from lxml import html
from mutations import captured
from other_style import in_other_style
from tests.real.adaptation_drive import drive
from tests.real.captures import capture, figures
from unseen import application_of, scrambled

from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.merge import merge
from siteseer.knowledge.types import Application, Field, Level
from siteseer.model import Page, WebObject
from siteseer.strategies.aware.adaptation.extraction.value_similarity import same_text
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation
from siteseer.strategies.aware.adaptive_strategy import AdaptiveStrategy
from siteseer.strategies.scope import SeedScope

FIVE = ("title", "author", "published", "body", "permalink")
ATTRIBUTE = {"body": "text"}
PAGES = 24
"""Pages of a capture that adaptation sees; as many others are read afterwards."""


@dataclass
class Kept:
    """What became of the objects: how many there were and are, and the values of working fields that changed."""

    objects: int = 0
    found: int = 0
    values: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    recall: float = 1.0
    """Share of the objects that are found again, with the broken fields with which it is lowest."""


def broken(application: Application, types: Sequence[str]) -> Application:
    """Return an application whose fields of some types name what does not exist."""

    def one(known: Field) -> Field:
        return replace(known, text=scrambled(known.text)) if known.type in types else known

    def level(known: Level) -> Level:
        if known.format != "html":
            return known
        extractions = (replace(e, fields=tuple(map(one, e.fields))) for e in known.extractions)
        return replace(known, extractions=tuple(extractions))

    return replace(application, levels=tuple(map(level, application.levels)))


def compare(wanted: Sequence[WebObject], found: Sequence[WebObject], working: Sequence[str], kept: Kept) -> None:
    """Compare the objects of one page: matched by their text, then by the fields that were not broken."""
    waiting = [one for one in found if one.text]
    for old in wanted:
        if not old.text:
            continue
        kept.objects += 1
        new = next((n for n in waiting if n.kind == old.kind and n.text == old.text), None)
        new = new or next((n for n in waiting if n.kind == old.kind and same_text(n.text or "", old.text or "")), None)
        if new is None:
            continue
        waiting.remove(new)
        kept.found += 1
        for name in working:
            before, after = (getattr(one, ATTRIBUTE.get(name, name)) for one in (old, new))
            kept.values += before is not None
            if before != after:
                kept.changed[name] += 1
                kept.examples.append(f"{old.kind}/{name}: {before!r:.60} became {after!r:.60}")


def adapted(application: Application, level: Level, pages: Sequence[Page]) -> Application:
    """Return an application after adaptation has seen some pages of a level."""
    site = SiteAdaptation(application, "kept.example", lambda url: ())
    for page in pages:
        site.watch(page, level, extract(page, level, application))
    if failing := site.failing(level):
        site.repair(level, failing)
    learned = site.repaired.get(level.id)
    return merge(application, replace(application, levels=(learned,), detections=())) if learned else application


def with_broken_fields(application: Application, level: Level, pages: Sequence[Page], number: int) -> Kept:
    """Break so many of the five fields, in every way; return what became of the objects and of the other fields."""
    kept = Kept()
    declared = {one.type for extraction in level.extractions for one in extraction.fields}
    wanted = {id(page): extract(page, level, application) for page in pages}
    for types in combinations([name for name in FIVE if name in declared], number):
        unfit = broken(application, types)
        unfit_level = unfit.level(level.id)
        assert unfit_level is not None
        known = adapted(unfit, unfit_level, pages[::2])
        now = known.level(level.id) or level
        working = [name for name in FIVE if name not in types]
        before, objects, found = len(kept.examples), kept.objects, kept.found
        for page in pages:
            compare(wanted[id(page)], extract(page, now, known), working, kept)
        kept.recall = min(kept.recall, (kept.found - found) / max(1, kept.objects - objects))
        kept.examples[before:] = [f"{'+'.join(types)} broken: {one}" for one in kept.examples[before:]]
    return kept


def of_one_family(pages: Sequence[Page], authors: set[str]) -> list[Page]:
    """Return pages on which every author has the same title and the same surname."""
    found = []
    for page in pages:
        root = html.document_fromstring(page.body, parser=html.HTMLParser(encoding="utf-8"))
        for one in root.iter("*"):
            for place in ("text", "tail"):
                if (name := (getattr(one, place) or "").strip()) in authors:
                    setattr(one, place, getattr(one, place).replace(name, f"Dr {name} Smith"))
        body = html.tostring(root, encoding="utf-8")
        found.append(Page(page.url, page.status, page.headers, body, page.fetched_at))
    return found


def kept_fields(name: str) -> Iterator[tuple[int, Kept]]:
    """Yield what one, two and three broken fields do to the others of a capture."""
    for _, application, level, pages in captured([name], 2 * PAGES):
        authors = {str(one.author) for page in pages for one in extract(page, level, application) if one.author}
        family = of_one_family(pages, authors)
        for number in (1, 2, 3):
            yield number, with_broken_fields(application, level, family, number)


def crawled_in_other_style(name: str) -> dict[str, float]:
    """Crawl a capture in another style with the shipped knowledge of its software; return its figures."""
    site = capture(name)
    scope = SeedScope([site.truth["origin"] + "/"])
    run, _ = drive(AdaptiveStrategy(KnowledgeBase([application_of(site)]), scope), site, change=in_other_style)
    with tempfile.TemporaryDirectory() as folder:
        return figures(run, site, Path(folder))
