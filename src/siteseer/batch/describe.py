"""Describes existing WARC and WACZ files: recognises and extracts their objects without the network."""

from __future__ import annotations

import pickle
import tempfile
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path

from siteseer.archive.archived_pages import check_holds_records, pages
from siteseer.archive.warc_sources import warc_files
from siteseer.batch.archived_sites import ArchivedSite, site_problems, unreadable
from siteseer.collection.collection import Collection
from siteseer.collection.description import Description
from siteseer.collection.foreign.import_archives import import_archives
from siteseer.collection.foreign.register_captures import (
    DESCRIBED,
    CapturePlaces,
    crawl_of_archives,
    finish_registering,
    register,
    unregistered,
)
from siteseer.collection.layout import archive_of
from siteseer.collection.state import State
from siteseer.crawler.results.derived_files import write_derived_files
from siteseer.errors import UsageError
from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.avoid_rules import AvoidRules
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise_without_version
from siteseer.knowledge.types import Application
from siteseer.model import JSON, Capture, Page, WebObject
from siteseer.page.dates.site_order import SiteOrders
from siteseer.page.tree import is_html, title
from siteseer.page.urls import site_of
from siteseer.strategies.learned.record_extraction import harvest_records
from siteseer.work_progress import tell_progress

Found = tuple[WebObject, Capture]
Stored = tuple[Page, Capture]
FAST = 1
"""The level of compression: pages shrink to a fifth, in less time than reading them takes."""


def describe_archives(sources: Sequence[Path], collection: Path | None, knowledge: KnowledgeBase) -> JSON:
    """Find the objects of archives and write them into a collection's description; return counts.

    Without `collection` the one source must be a collection: its description is made anew. Each site of the archives is
    recognised or learned by itself, as if it were alone.
    """
    if collection is None:
        if len(sources) != 1 or not archive_of(sources[0]).is_dir():
            raise UsageError("say where the description goes: -o DIR")
        collection = sources[0]
    itself = (collection.resolve(), archive_of(collection).resolve())
    foreign = [source for source in sources if source.resolve() not in itself]
    for source in sources:
        check_holds_records(source)
    with Collection.open(collection, "adopt") as opened:
        if foreign:
            refuse_crawled(opened.state)
            import_archives(foreign, opened.archive)
        unread = unreadable([opened.archive])
        number = _register(opened)
        reader = ArchiveReader([opened.archive], knowledge, collection)
        with _describe(opened, number, reader) as description:
            objects, kinds = objects_by_site(description), description.kinds()
    sites = [site.summary_row(objects.get(site.name, {})) for site in reader.sites.values()]
    return {
        "collection": str(collection),
        "pages": sum(site.pages for site in reader.sites.values()),
        "applications": dict(sum((site.applications for site in reader.sites.values()), Counter[str]())),
        "objects": kinds,
        "sites": sorted(sites, key=lambda site: -site["pages"]),
        "problems": [*unread, *site_problems(sites)],
    }


def refuse_crawled(state: State) -> None:
    """Raise UsageError where archives from elsewhere would get among the pages that Siteseer fetched."""
    if next(iter(state.rows("SELECT 1 FROM crawls WHERE strategy <> ? LIMIT 1", (DESCRIBED,))), None):
        raise UsageError(f"{state.collection} holds crawls of its own: name another directory for these archives")


def _register(opened: Collection) -> int | None:
    """Write down the captures of archives from elsewhere; return their number, None where all was crawled here."""
    state = opened.state
    last = state.last_crawl()
    if last is not None and last[1] != DESCRIBED:
        return None
    number = crawl_of_archives(state)
    register(state, number, unregistered(state, opened.archive))
    state.commit()
    return number


def _describe(opened: Collection, number: int | None, reader: ArchiveReader) -> Description:
    """Make the objects anew; those of archives from elsewhere are written into the database too."""
    state, archives = opened.state, [opened.archive]
    if number is None:
        found = chain(reader.found(), _made_otherwise(state))
        return Description.made(opened.path, found, sources=archives)
    state.db.execute("DELETE FROM objects WHERE crawl = ?", (number,))
    with closing(CapturePlaces(state)) as places:
        reader.hear = partial(_hear, state, places)
        made = Description.made(opened.path, _written(state, number, places, reader.found()), sources=archives)
    finish_registering(state, number, dict(sum((one.applications for one in reader.sites.values()), Counter[str]())))
    write_derived_files(state, number)
    return made


def _hear(state: State, places: CapturePlaces, page: Page, place: Capture, level: str | None) -> None:
    """Write down that a capture is a page."""
    if (capture := places.capture(place)) is not None:
        state.redraw(capture, title(page), None)
        state.relabel(capture, level)


def _written(state: State, number: int, places: CapturePlaces, found: Iterable[Found]) -> Iterator[Found]:
    for thing, place in found:
        state.add_object(number, places.capture(place), thing)
        yield thing, place


def _made_otherwise(state: State) -> Iterator[Found]:
    """Yield the objects that no archive gives again: what wrappers extracted, and records of forms understood."""
    rows = state.rows("SELECT id FROM crawls WHERE strategy IN ('wrapper', 'understand') ORDER BY id")
    for (crawl,) in list(rows):
        for _, thing, capture in state.objects(crawl=crawl):
            yield thing, capture


def objects_by_site(description: Description) -> dict[str, Counter[str]]:
    """Return how many objects of each kind a description has, for each site."""
    found: dict[str, Counter[str]] = {}
    for url, kind, count in description.kinds_by_page():
        found.setdefault(site_of(url), Counter())[kind] += count
    return found


class ArchiveReader:
    """Reads archives page by page, each site by itself; what no application claims is left to the record learner.

    Archives are read once to recognise, and once more where sites are to be learned: their pages go to a file from
    which each is read by itself. One site alone is read from the archives each time.
    """

    def __init__(self, archives: Sequence[Path], knowledge: KnowledgeBase, folder: Path) -> None:
        self.archives, self.knowledge, self.folder = archives, knowledge, folder
        self.sites: dict[str, ArchivedSite] = {}
        self._rules: dict[str, AvoidRules] = {}
        self._orders = SiteOrders(lambda: (page for page, _ in self._unattached()))
        self.hear: Callable[[Page, Capture, str | None], None] = lambda page, capture, level: None
        """Is told of every page once, with the level that was recognised."""

    def found(self) -> Iterator[Found]:
        """Yield every object with its capture."""
        for page, capture in self._told(self._readable(), "reading archives"):
            name = site_of(page.url)
            site = self.sites.get(name) or self.sites.setdefault(name, ArchivedSite(name))
            application, level, objects = self._look(page, site)
            site.add(page.url, application)
            self.hear(page, capture, level)
            yield from ((found, capture) for found in objects)
        learnable = {name: site for name, site in self.sites.items() if site.may_be_learned}
        if len(self.sites) == 1 and learnable:
            (site,) = learnable.values()
            yield from learned_objects(lambda: self._to_learn({site.name: site}))
        elif learnable:
            yield from self._learned_apart(learnable)

    def _readable(self) -> Iterator[tuple[Page, Capture]]:
        for page, capture in self._unattached():
            yield self._orders.attach(page), capture

    def _told(self, found: Iterable[Stored], task: str) -> Iterator[Stored]:
        """Yield pages, and say how many bytes of the archives have been read."""
        sizes = {file.name: file.size for archive in self.archives for file in warc_files(archive)}
        passed, current, total = 0, "", sum(sizes.values())
        for page, capture in found:
            if capture.file != current:
                passed, current = passed + sizes.get(current, 0), capture.file
            yield page, capture
            tell_progress(task, passed + capture.offset + capture.length, total)

    def _unattached(self) -> Iterator[tuple[Page, Capture]]:
        for archive in self.archives:
            for page, capture in pages(archive):
                if page.status == 200 and is_html(page):
                    yield page, capture

    def _to_learn(self, sites: Mapping[str, ArchivedSite]) -> Iterator[tuple[Page, Capture]]:
        for page, capture in self._told(self._readable(), "reading unknown sites"):
            site = sites.get(site_of(page.url))
            if site is not None and site.is_to_learn(page.url):
                yield page, capture

    def _learned_apart(self, sites: Mapping[str, ArchivedSite]) -> Iterator[Found]:
        with closing(PageSpool(self.folder)) as spool:
            for page, capture in self._to_learn(sites):
                spool.add(site_of(page.url), page, capture)
            for name in sites:
                yield from learned_objects(partial(self._spooled, spool, name))

    def _spooled(self, spool: PageSpool, site: str) -> Iterator[Stored]:
        for page, capture in spool.of_site(site):
            yield self._orders.attach(page), capture

    def _look(self, page: Page, site: ArchivedSite) -> tuple[Application | None, str | None, Iterable[WebObject]]:
        seen = recognise_without_version(page, self.knowledge, site.application)
        application = seen.application
        if application is None or (application.is_generic and seen.level is None):
            return None, None, ()
        if seen.level is None or not seen.level.extractions or self._avoided(page.url, application):
            return application, seen.level.id if seen.level else None, ()
        return application, seen.level.id, extract(page, seen.level, application)

    def _avoided(self, url: str, application: Application) -> bool:
        """Say whether a crawl that knows the application would have left this page alone: a print view, a permalink."""
        if application.id not in self._rules:
            usable = tuple(rule for rule in application.avoids if application.applies(rule.when, {}))
            self._rules[application.id] = AvoidRules(usable)
        return self._rules[application.id].first(url) is not None


def learned_objects(readable: Callable[[], Iterable[tuple[Page, Capture]]]) -> Iterator[Found]:
    """Yield the objects of one site's pages, as the record learner finds them, each with its capture."""
    captures: dict[str, Capture] = {}

    def again() -> Iterator[Page]:
        for page, capture in readable():
            captures[page.url] = capture
            yield page

    for page, found in harvest_records(again):
        yield found, captures[page.url]


class PageSpool:
    """A file without a name that is gone when it is closed; in memory are 12 bytes a page.

    Only what `add` has written is ever unpickled, from a file that no other process can open by name.
    """

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._places: dict[str, array[int]] = {}

    def add(self, site: str, page: Page, capture: Capture) -> None:
        """Keep a page as one of that site."""
        told = (page.url, page.status, page.headers, page.body, page.fetched_at), capture
        data = zlib.compress(pickle.dumps(told), FAST)
        self._places.setdefault(site, array("q")).append(self._file.tell())
        self._file.write(len(data).to_bytes(8, "big") + data)

    def of_site(self, site: str) -> Iterator[Stored]:
        """Yield the pages of a site in the order in which they came."""
        for place in self._places.get(site, ()):
            self._file.seek(place)
            length = int.from_bytes(self._file.read(8), "big")
            page, capture = pickle.loads(zlib.decompress(self._file.read(length)))
            yield Page(*page), capture

    def close(self) -> None:
        """Close the file."""
        self._file.close()
