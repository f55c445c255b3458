"""Existing WARC and WACZ files in, objects out: recognise and extract without the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from siteseer.archive.read import check_holds_records, pages
from siteseer.decide.harvest import harvest_records
from siteseer.describe.describe import Description
from siteseer.errors import UsageError
from siteseer.extract.fields import extract
from siteseer.knowledge.avoid import AvoidRules
from siteseer.knowledge.base import KnowledgeBase
from siteseer.knowledge.types import Application
from siteseer.model import JSON, Capture, Page, WebObject
from siteseer.page.tree import is_html
from siteseer.page.urls import origin_of
from siteseer.recognise import look

Found = tuple[WebObject, Capture]


def redescribe(sources: Sequence[Path], collection: Path | None, knowledge: KnowledgeBase) -> JSON:
    """Find the objects of archives and write them into a collection's description; return counts.

    Without `collection` the one source must be a collection: its description is made anew.
    """
    if collection is None:
        if len(sources) != 1 or not (sources[0] / "archive").is_dir():
            raise UsageError("say where the description goes: -o DIR")
        collection = sources[0]
    archives = [source / "archive" if (source / "archive").is_dir() else source for source in sources]
    for archive in archives:
        check_holds_records(archive)
    collection.mkdir(parents=True, exist_ok=True)
    reader = Reader(archives, knowledge)
    with Description(collection) as description:
        description.rebuild(reader.found())
        description.settle()
        kinds = description.kinds()
    return {
        "collection": str(collection),
        "pages": reader.pages,
        "applications": dict(reader.applications),
        "objects": kinds,
    }


class Reader:
    """Reads archives page by page; what no application claims is left to the record learner."""

    def __init__(self, archives: Sequence[Path], knowledge: KnowledgeBase) -> None:
        self.archives, self.knowledge = archives, knowledge
        self.pages = 0
        self.applications: Counter[str] = Counter()
        self._origins: dict[str, str] = {}
        self._rules: dict[str, AvoidRules] = {}
        self._unknown = 0

    def found(self) -> Iterator[Found]:
        """Yield every object with its capture."""
        for page, capture in self._readable():
            self.pages += 1
            application, objects = self._look(page)
            if application is None:
                self._unknown += 1
                continue
            self.applications[application.id] += 1
            yield from ((one, capture) for one in objects)
        if self._unknown and not self._origins:
            yield from self._harvested()

    def _readable(self) -> Iterator[tuple[Page, Capture]]:
        for archive in self.archives:
            for page, capture in pages(archive):
                if page.status == 200 and is_html(page):
                    yield page, capture

    def _look(self, page: Page) -> tuple[Application | None, Iterable[WebObject]]:
        origin = origin_of(page.url)
        seen = look(page, self.knowledge, self._origins.get(origin))
        application = seen.application
        if application is None or (application.is_generic and seen.level is None):
            return None, ()
        if not application.is_generic:
            self._origins.setdefault(origin, application.id)
        if seen.level is None or not seen.level.extractions or self._avoided(page.url, application):
            return application, ()
        return application, extract(page, seen.level, application)

    def _avoided(self, url: str, application: Application) -> bool:
        """Say whether a crawl that knows the application would have left this page alone: a print view, a permalink."""
        if application.id not in self._rules:
            usable = tuple(rule for rule in application.avoids if application.applies(rule.when, {}))
            self._rules[application.id] = AvoidRules(usable)
        return self._rules[application.id].first(url) is not None

    def _harvested(self) -> Iterator[Found]:
        captures: dict[str, Capture] = {}

        def again() -> Iterator[Page]:
            for page, capture in self._readable():
                captures[page.url] = capture
                yield page

        for page, one in harvest_records(again):
            yield one, captures[page.url]
