"""The interfaces between the parts of Siteseer, which plugins may implement."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol, runtime_checkable

from siteseer.model import JSON, Action, Annotation, Follow, Headers, Outcome, Page, Seed, Submit, WebObject
from siteseer.settings import CrawlOptions


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a URL may be fetched, and the rule that decided."""

    allowed: bool
    because: str
    rule: str = ""


class Scope(Protocol):
    """Which URLs belong to this crawl."""

    def verdict(self, url: str, depth: int = 0) -> Verdict:
        """Say whether the URL is in scope, and which rule decided."""
        ...


class Memory(Protocol):
    """The stored rows of a strategy, and what the collection knows of earlier crawls."""

    def recall(self, kind: str) -> Iterable[tuple[str, JSON]]:
        """Return the stored rows of that kind, key and value, in the order in which they were first written."""
        ...

    def earlier_objects(self, url: str) -> Sequence[WebObject]:
        """Return the objects that the last crawl before this one found on that page."""
        ...

    def earlier_pages(self) -> Iterable[tuple[str, str]]:
        """Return URL and level of the pages that earlier crawls of this collection kept."""
        ...


class Strategy(Protocol):
    """Decides which URLs are fetched. A crawler, a WARC reader, a REST call and a test all drive a strategy alike."""

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterable[Action]:
        """Return the first actions; after an interruption `memory` holds the rows that the strategy stored before."""
        ...

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterable[Action]:
        """Take the outcome of a URL that was requested, and return the actions that follow from it."""
        ...

    def refill(self, room: int) -> Iterable[Action]:
        """Return further actions when the frontier runs low; an empty result means that the strategy is finished."""
        ...


@dataclass(frozen=True, slots=True)
class Expectation:
    """The URLs that a strategy will still request, beyond those that wait in the frontier already.

    >>> Expectation(3, 10, 2) + Expectation(1, None)
    Expectation(sure=4, announced=None, doubtful=2)
    """

    sure: int = 0
    """URLs that it holds back and will ask for, as far as it knows now."""
    announced: int | None = 0
    """URLs that are known to exist but not by name, such as further pages of a list; None: nobody can tell."""
    doubtful: int = 0
    """URLs that it may ask for: whether they are worth it is not known yet."""

    def __add__(self, other: Expectation) -> Expectation:
        """Return what two strategies expect together."""
        is_told = self.announced is not None and other.announced is not None
        announced = (self.announced or 0) + (other.announced or 0) if is_told else None
        return Expectation(self.sure + other.sure, announced, self.doubtful + other.doubtful)


@runtime_checkable
class Expects(Protocol):
    """A strategy that estimates what it will still request. Of any other, only the frontier counts."""

    def expected(self) -> Expectation:
        """Return the estimate, as far as it is known now; called often, so it must be cheap."""
        ...


@runtime_checkable
class ObjectCounter(Protocol):
    """A strategy that extracts its objects when the crawl has ended, and estimates their number meanwhile."""

    def count_on(self) -> bool:
        """Count a little further, some milliseconds of work; False where there is nothing to count at the moment."""
        ...

    def objects_so_far(self) -> int:
        """Return about how many objects the pages so far hold."""
        ...


@runtime_checkable
class PagesBySite(Protocol):
    """The kept pages of a crawl, which may be of several sites: all of them when called, or those of some sites."""

    def __call__(self) -> Iterable[Page]:
        """Return all pages; each call starts anew."""
        ...

    def sites(self) -> Mapping[str, int]:
        """Return how many pages there are of each site (`page.urls.site_of`)."""
        ...

    def of_sites(self, names: Collection[str]) -> Iterable[Page]:
        """Return the pages of these sites; each call starts anew."""
        ...


@runtime_checkable
class Harvester(Protocol):
    """A strategy that extracts objects from all kept pages when the crawl has ended.

    What was learned late (an extraction action repaired on the fiftieth page, the record model of an unknown site) is
    then applied to the pages that came before. Where the pages are `PagesBySite`, sites can be looked at one by one.
    """

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterable[tuple[Page, Action]]:
        """Return further actions (`Keep`, `Note`, `Remember`), each with its page; each call of `pages` starts anew."""
        ...


@runtime_checkable
class LearningStrategy(Protocol):
    """A strategy that learns something which later crawls can use."""

    def lessons(self) -> Mapping[str, str]:
        """Return what it learned, as files for the collection's `siteseer/knowledge`: name to text."""
        ...


@dataclass(frozen=True, slots=True)
class StrategyContext:
    """The context of a new strategy: the user's options, the scope, and the knowledge base, loaded on demand."""

    options: CrawlOptions
    scope: Scope
    knowledge: Callable[[], Any]
    learned: Path | None = None
    """The folder of what earlier crawls of the collection learned, where there is one."""


class StrategyFactory(Protocol):
    """Makes a strategy; found by name in `plugins`."""

    def __call__(self, context: StrategyContext) -> Strategy:
        """Return a new strategy for one crawl."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """One HTTP exchange as it went over the wire, ready for the archive. `body` is content-encoded still, spooled."""

    url: str
    started: datetime
    milliseconds: int
    ip: str
    request_head: bytes
    request_body: bytes
    status: int
    reason: str
    headers: Headers
    body: IO[bytes]
    body_length: int
    protocol: str = "http/1.1"
    truncated: str = ""
    """Empty, or `length`, `time` or `disconnect`: why the body ends early (WARC-Truncated)."""
    certificate: str = ""
    """Why the certificate of the host could not be verified; empty where it was, or none was needed."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to be sent."""

    url: str
    method: str = "GET"
    headers: Headers = ()
    body: bytes = b""
    last_word: Callable[[], None] | None = None
    """Asked when a connection is there and the request is about to leave: raises where it may not."""


class Fetcher(Protocol):
    """Fetches one URL, without following redirects. Raises FetchError or TemporaryFetchError."""

    async def fetch(self, request: Request, sent: asyncio.Event | None = None) -> Exchange:
        """Send the request and return what came back; `sent` is set when the request is on its way."""
        ...

    async def close(self) -> None:
        """Close connections."""
        ...


FetcherFactory = Callable[[CrawlOptions, list[Seed]], Fetcher]


class StoragePlace(Protocol):
    """A place where files are kept under names such as `site/archive/a.warc.gz`; found by its scheme in `plugins`.

    `put` and `write` replace a file at once: readers see the old or the new one. A file that is missing is a
    FileNotFoundError.
    """

    def put(self, local: Path, name: str) -> None:
        """Copy a local file to the place."""
        ...

    def get(self, name: str, local: Path) -> None:
        """Copy a file of the place to a local path."""
        ...

    def write(self, name: str, content: bytes) -> None:
        """Make or replace a file."""
        ...

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        ...

    def open(self, name: str) -> BinaryIO:
        """Read a file from its beginning."""
        ...

    def names(self, folder: str) -> list[str]:
        """Return the names of all files below a folder."""
        ...

    def delete(self, name: str) -> None:
        """Remove a file."""
        ...

    def size(self, name: str) -> int:
        """Return a file's length in bytes."""
        ...


class ChosenObjects(Protocol):
    """The selected objects of a collection."""

    def objects(self) -> Iterable[Mapping[str, JSON]]:
        """Return the objects as JSON, each with its capture; each call starts anew."""
        ...

    def statements(self) -> Iterable[str]:
        """Return the RDF statements about the objects, as N-Quads; each call starts anew."""
        ...


class ObjectFormat(Protocol):
    """A format of files of objects; found by name in `plugins`, where the name is the ending of its files, too."""

    media_type: str

    def pieces(self, chosen: ChosenObjects) -> Iterable[bytes]:
        """Return the file, piece by piece."""
        ...


class Analyser(Protocol):
    """Analyses objects when the crawl is over: their entities, topics and opinions."""

    version: str
    """Changes whenever the same object could be annotated otherwise; everything is then analysed again."""

    def analyse(self, thing: WebObject) -> Sequence[Annotation]:
        """Return the annotations of an object, the same for the same object."""
        ...


@dataclass(frozen=True, slots=True)
class AnalyserContext:
    """The context of a new analyser: the text of the campaign's definition, and statistics over all objects."""

    definition: str
    study: JSON
    """As `campaigns.analysers.corpus_statistics.Study.to_json` writes it: names that repeat, and topics."""


class AnalyserFactory(Protocol):
    """Makes an analyser; found by name in `plugins`."""

    def __call__(self, context: AnalyserContext) -> Analyser:
        """Return an analyser for one campaign."""
        ...


class WebNode(Protocol):
    """A node of a page in a `Browser`: equal to itself however often it is selected, as long as the page lives."""

    @property
    def page(self) -> Hashable:
        """The document that the node belongs to: one key for each time that a page was loaded."""
        ...

    @property
    def key(self) -> Hashable:
        """The key that identifies the node within its page; it does not hold the page."""
        ...


class Browser(Protocol):
    """Loads pages for wrappers: a real browser, or pages without scripts from the network or an archive.

    Nodes may be used after the browser has gone on to other pages: it then brings their page back. Raises FetchError
    where a page cannot be had.
    """

    def open(self, url: str, wait: float = 0) -> WebNode:
        """Load a page, wait so many seconds more, and return its document node."""
        ...

    def evaluate(self, nodes: Sequence[WebNode], xpath: str) -> list[str | float | bool | list[WebNode]]:
        """Return the value of an XPath 1.0 expression at each node; node-sets come in document order."""
        ...

    def tell(self, nodes: Sequence[WebNode], what: str, name: str = "") -> list[str]:
        """Return a property of each node: `style` or `property` NAME, `visible` (yes or empty), `text`, `innerhtml`,
        `outerhtml`, or of its page: `url`, `fingerprint`, `time`, `screenshot`.
        """
        ...

    def act(self, node: WebNode, deed: str, value: str, wait: float, keep: bool) -> WebNode:
        """Act on a node; return the document node of the page that is there afterwards.

        `deed` is `keyword`, `text`, `index`, `press` or `wait`, `value` what to do it with; `keep` says that the node's
        page is needed again afterwards.
        """
        ...

    def again(self, node: WebNode, document: WebNode) -> WebNode | None:
        """Return the same node on the page of `document`, None where it is not there."""
        ...

    def release(self, node: WebNode, since: WebNode | None) -> None:
        """Release the page of a node, if it is another than that of `since`."""
        ...

    def close(self) -> None:
        """Close the browser and delete its files."""
        ...
