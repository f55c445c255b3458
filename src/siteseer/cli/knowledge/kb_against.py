"""`siteseer kb test NAME --against COLLECTION`: tests whether today's knowledge still extracts a collection's objects.

Every page of the collection's last crawl is read again from the archive; the objects found now are compared with those
that were kept then. What is missing or says something else is told, page by page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from siteseer.collection.collection import Collection
from siteseer.collection.layout import state_path
from siteseer.collection.objects.object_json import loads
from siteseer.crawler.capture_writer import kept_pages
from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise_in_full
from siteseer.model import WebObject
from siteseer.strategies.aware.knowledge_test import Trial

COMPARED = ("title", "author", "published", "text")
LONGEST = 60


def is_collection(folder: Path) -> bool:
    """Say whether a folder is a collection and not one of test pages."""
    return state_path(folder).is_file()


def collection_trials(name: str, folder: Path, knowledge: KnowledgeBase) -> Iterator[Trial]:
    """Yield for each page with objects what is read otherwise now."""
    with Collection.open(folder) as opened:
        state = opened.state
        for (crawl,) in list(state.rows("SELECT max(id) FROM crawls")):
            rows = state.rows(
                "SELECT c.url, o.object FROM objects o JOIN captures c ON c.id = o.capture WHERE o.crawl = ? "
                "ORDER BY o.row",
                (crawl,),
            )
            stored: dict[str, list[str]] = {}
            for url, one in rows:
                stored.setdefault(url, []).append(one)
            for page in kept_pages(state, crawl):
                if page.url in stored:
                    seen = recognise_in_full(page, knowledge, name)
                    found = extract(page, seen.level, seen.application) if seen.level else []
                    yield Trial(page.url, tuple(_wrong(_known(stored[page.url]), found)))


def _known(rows: Sequence[str]) -> list[WebObject]:
    """Return the objects as they were read last: a field that was repaired late was read twice."""
    return list({one.id: one for one in map(loads, rows)}.values())


def _wrong(known: Sequence[WebObject], found: Sequence[WebObject]) -> Iterator[str]:
    by_id = {one.id: one for one in found}
    by_text = {one.text: one for one in found if one.text}
    for old in known:
        new = by_id.get(old.id) or by_text.get(old.text or "")
        if new is None:
            yield f"{old.kind} {_short(old.title or old.text)}: not found any more"
            continue
        for field in COMPARED:
            before, after = getattr(old, field), getattr(new, field)
            if before and before != after:
                yield f"{old.kind} {field}: {_short(after)} instead of {_short(before)}"


def _short(value: str | None) -> str:
    return repr(" ".join((value or "").split())[:LONGEST])
