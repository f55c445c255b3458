"""Existing WARC and WACZ files in, objects out: recognise and extract without the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from siteseer.archive.page_spool import PageSpool
from siteseer.archive.read import check_holds_records, pages
from siteseer.crawl.archived_sites import ArchivedSite, site_problems
from siteseer.crawl.lock import only_one
from siteseer.decide.harvest import harvest_records
from siteseer.describe.describe import Description
from siteseer.errors import UsageError
from siteseer.extract.fields import extract
from siteseer.knowledge.avoid import AvoidRules
from siteseer.knowledge.base import KnowledgeBase
from siteseer.knowledge.types import Application
from siteseer.model import JSON, Capture, Page, WebObject
from siteseer.page.tree import is_html
from siteseer.page.urls import site_of
from siteseer.recognise import look

Found = tuple[WebObject, Capture]


def redescribe(sources: Sequence[Path], collection: Path | None, knowledge: KnowledgeBase) -> JSON:
    """Find the objects of archives and write them into a collection's description; return counts.

    Without `collection` the one source must be a collection: its description is made anew. Each site of the archives is
    recognised or learned by itself, as if it were alone.
    """
    if collection is None:
        if len(sources) != 1 or not (sources[0] / "archive").is_dir():
            raise UsageError("say where the description goes: -o DIR")
        collection = sources[0]
    archives = [source / "archive" if (source / "archive").is_dir() else source for source in sources]
    for archive in archives:
        check_holds_records(archive)
    collection.mkdir(parents=True, exist_ok=True)
    reader = Reader(archives, knowledge, collection)
    with only_one(collection), Description(collection) as description:
        description.rebuild(reader.found())
        description.settle()
        objects, kinds = objects_by_site(description), description.kinds()
    sites = [site.told(objects.get(site.name, {})) for site in reader.sites.values()]
    return {
        "collection": str(collection),
        "pages": sum(site.pages for site in reader.sites.values()),
        "applications": dict(sum((site.applications for site in reader.sites.values()), Counter[str]())),
        "objects": kinds,
        "sites": sorted(sites, key=lambda site: -site["pages"]),
        "problems": site_problems(sites),
    }


def objects_by_site(description: Description) -> dict[str, Counter[str]]:
    """Return how many objects of each kind a description has, for each site."""
    found: dict[str, Counter[str]] = {}
    for url, kind, count in description.kinds_by_page():
        found.setdefault(site_of(url), Counter())[kind] += count
    return found


class Reader:
    """Reads archives page by page, each site by itself; what no application claims is left to the record learner.

    Archives are read once to recognise, and once more where sites are to be learned: their pages go to a file from
    which each is read by itself. One site alone is read from the archives each time.
    """

    def __init__(self, archives: Sequence[Path], knowledge: KnowledgeBase, folder: Path) -> None:
        self.archives, self.knowledge, self.folder = archives, knowledge, folder
        self.sites: dict[str, ArchivedSite] = {}
        self._rules: dict[str, AvoidRules] = {}

    def found(self) -> Iterator[Found]:
        """Yield every object with its capture."""
        for page, capture in self._readable():
            name = site_of(page.url)
            site = self.sites.get(name) or self.sites.setdefault(name, ArchivedSite(name))
            application, objects = self._look(page, site)
            site.add(page.url, application)
            yield from ((found, capture) for found in objects)
        learnable = {name: site for name, site in self.sites.items() if site.may_be_learned}
        if len(self.sites) == 1 and learnable:
            (site,) = learnable.values()
            yield from learned(lambda: self._to_learn({site.name: site}))
        elif learnable:
            yield from self._learned_apart(learnable)

    def _readable(self) -> Iterator[tuple[Page, Capture]]:
        for archive in self.archives:
            for page, capture in pages(archive):
                if page.status == 200 and is_html(page):
                    yield page, capture

    def _to_learn(self, sites: Mapping[str, ArchivedSite]) -> Iterator[tuple[Page, Capture]]:
        for page, capture in self._readable():
            site = sites.get(site_of(page.url))
            if site is not None and site.is_to_learn(page.url):
                yield page, capture

    def _learned_apart(self, sites: Mapping[str, ArchivedSite]) -> Iterator[Found]:
        with closing(PageSpool(self.folder)) as spool:
            for page, capture in self._to_learn(sites):
                spool.add(site_of(page.url), page, capture)
            for name in sites:
                yield from learned(partial(spool.of_site, name))

    def _look(self, page: Page, site: ArchivedSite) -> tuple[Application | None, Iterable[WebObject]]:
        seen = look(page, self.knowledge, site.application)
        application = seen.application
        if application is None or (application.is_generic and seen.level is None):
            return None, ()
        if seen.level is None or not seen.level.extractions or self._avoided(page.url, application):
            return application, ()
        return application, extract(page, seen.level, application)

    def _avoided(self, url: str, application: Application) -> bool:
        """Say whether a crawl that knows the application would have left this page alone: a print view, a permalink."""
        if application.id not in self._rules:
            usable = tuple(rule for rule in application.avoids if application.applies(rule.when, {}))
            self._rules[application.id] = AvoidRules(usable)
        return self._rules[application.id].first(url) is not None


def learned(readable: Callable[[], Iterable[tuple[Page, Capture]]]) -> Iterator[Found]:
    """Yield the objects of one site's pages, as the record learner finds them, each with its capture."""
    captures: dict[str, Capture] = {}

    def again() -> Iterator[Page]:
        for page, capture in readable():
            captures[page.url] = capture
            yield page

    for page, found in harvest_records(again):
        yield found, captures[page.url]
