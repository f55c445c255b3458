"""Opens one collection for reading: figures, decisions, objects, answers, pages. Shared by all threads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from siteseer.archive.archived_pages import read_capture
from siteseer.archive.cdxj import lookup
from siteseer.collection.description import Answer, Description
from siteseer.collection.history.crawl_history import open_crawls, whole_crawls
from siteseer.collection.history.url_history import url_history
from siteseer.collection.layout import ADAPTATION, CERTIFICATE, INDEX, SUMMARY, archive_of, has_objects
from siteseer.collection.objects.object_formats import object_pieces
from siteseer.collection.objects.object_search import Filter
from siteseer.collection.rdf.sparql import Limits
from siteseer.collection.read_only_state import Curve, Decisions, ReadOnlyState
from siteseer.errors import ArchiveError, NotFoundError
from siteseer.measure.crawl_figures import figures
from siteseer.model import JSON, Page

if TYPE_CHECKING:
    from siteseer.deepweb.corrections import Correction
    from siteseer.deepweb.understanding_model import Understanding

LIMITS = Limits(seconds=20.0, rows=20_000, result_bytes=16 * 2**20)
"""What one query of the service may cost: less than on the command line, as others wait."""
ADAPTATIONS = ("failed_action", "adapted_action", "gone")
THREAD_MOST = 10_000
"""Posts of one thread that are shown at once."""


class Collection:
    """Answers questions about one collection."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self.look = ReadOnlyState(path)
        self._lock = Lock()
        self._description: Description | None = None

    # ── the crawl ─────────────────────────────────────────────────────────────────────────────────────────────────

    def figures(self) -> JSON:
        """Return the figures of the newest crawl, also while it runs, and under `total` those of all crawls."""
        return {"name": self.name, **figures(self.path)}

    def summary(self) -> JSON:
        """Return the summary as the crawl wrote it when it ended; the figures so far where it has not."""
        try:
            found: JSON = json.loads((self.path / SUMMARY).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return self.figures()
        return {**found, "collection": self.name}

    def history(self) -> list[JSON]:
        """Return the crawls, oldest first: `crawl`, `kind`, `began`, `ended`, `requests`, `new_pages`, `problems`."""
        return self.look.history()

    def url_history(self, url: str) -> list[JSON]:
        """Return what became of a URL in each crawl that had to do with it, oldest first."""
        return [asdict(one) for one in url_history(self.look, url)]

    def curve(self) -> Curve:
        """Return requests and distinct 2-grams of the newest crawl that was no revisit, as points."""
        return self.look.curve(self._crawl())

    def decisions(self, wanted: Decisions = Decisions()) -> tuple[int, list[JSON]]:  # noqa: B008
        """Return how many URLs there are of that kind, and a page of them with their last known status and reason."""
        return self.look.decisions(wanted)

    def skipped(self, examples: int = 3) -> list[JSON]:
        """Return the rules that skipped URLs, by the last known outcomes: `rule`, `count`, `because`, `examples`."""
        return self.look.skipped(examples=examples)

    def queue(self, limit: int = 20) -> list[JSON]:
        """Return what waits, family by family in their order: `family`, `rank`, `waiting`, `next`."""
        going_on = open_crawls(self.look.crawls())
        return self.look.queue(going_on[-1].number if going_on else self._crawl(), limit)

    def broken(self) -> list[JSON]:
        """Return the links that lead nowhere by their last known outcome: `url`, `because`, `from`."""
        return self.look.broken()

    def adaptations(self) -> list[JSON]:
        """Return failed, repaired and vanished actions of all crawls: `url`, `event`, `because`, `details`."""
        return self.look.notes(ADAPTATIONS)

    def adaptation_report(self) -> str | None:
        """Return the report on adaptation as HTML, if there is one."""
        path = self.path / ADAPTATION
        return path.read_text(encoding="utf-8") if path.is_file() else None

    def certificate(self) -> JSON | None:
        """Return the coverage certificate of the last audit, if there was one."""
        path = self.path / CERTIFICATE
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None

    def _crawl(self) -> int:
        crawls = whole_crawls(self.look.crawls())
        return crawls[-1].number if crawls else 0

    # ── the objects ───────────────────────────────────────────────────────────────────────────────────────────────

    def objects(self, wanted: Filter = Filter(limit=50)) -> list[JSON]:  # noqa: B008
        """Return the objects that pass the filter, as JSON."""
        return list(self.stream(wanted))

    def stream(self, wanted: Filter) -> Iterator[JSON]:
        """Return the objects that pass the filter one by one: for downloads of any length."""
        found = self.description()
        return found.objects(wanted) if found else iter(())

    def file(self, wanted: Filter, form: str) -> Iterator[bytes]:
        """Return the objects that pass the filter in one of the formats of `plugins.OBJECT_FORMATS`, piece by piece."""
        return object_pieces(self.description(), wanted, form)

    def count(self, wanted: Filter = Filter()) -> int:  # noqa: B008
        """Return how many objects pass the filter."""
        found = self.description()
        return found.count(replace(wanted, limit=None, offset=0)) if found else 0

    def kinds(self) -> dict[str, int]:
        """Return how many objects of each kind there are."""
        found = self.description()
        return found.kinds() if found else {}

    def object(self, identity: str) -> JSON:
        """Return one object by its id; raise UsageError where there is none."""
        found = self.objects(Filter(ids=(identity,), limit=1))
        if not found:
            raise NotFoundError(f"there is no object {identity[:200]!r} in {self.name}")
        return found[0]

    def thread(self, identity: str) -> list[JSON]:
        """Return what belongs together with an object, oldest first: the post and its comments, the whole thread."""
        one = self.object(identity)
        root = one.get("thread") or one["id"]
        below = self.objects(Filter(thread=root, order="oldest", limit=THREAD_MOST))
        top = self.objects(Filter(ids=(root,), limit=1))
        known = {each["id"] for each in below}
        return [*(each for each in top if each["id"] not in known), *(below or ([one] if not top else []))]

    def search(self, words: str, limit: int = 50, offset: int = 0) -> list[JSON]:
        """Return the objects in which the words stand, the best first."""
        return self.objects(Filter(text=words, limit=limit, offset=offset))

    def query(self, sparql: str, limits: Limits = LIMITS) -> Answer:
        """Answer SPARQL 1.1, read only, within limits of time and size."""
        found = self.description()
        if found is None:
            raise NotFoundError(f"{self.name} has no objects that could be asked about")
        return found.query(sparql, limits)

    def description(self) -> Description | None:
        """Return the description of the collection, opened once; None as long as nothing was described."""
        with self._lock:
            if self._description is None and has_objects(self.path):
                self._description = Description.of(self.path)
            return self._description

    # ── the form ──────────────────────────────────────────────────────────────────────────────────────────────────

    def understanding(self) -> Understanding:
        """Return what was understood of a form, with a person's corrections; raise NotFoundError where nothing was."""
        from siteseer.deepweb.run import load  # most programs that open a collection understand no form

        try:
            return load(self.path)
        except NotFoundError:
            raise NotFoundError(f"no form was understood in {self.name}") from None

    def correct(self, correction: Correction) -> Understanding:
        """Keep a person's word on what was understood, and return what is thought now."""
        from siteseer.deepweb.run import correct

        self.understanding()
        with self._lock:
            return correct(self.path, correction)

    # ── the pages ─────────────────────────────────────────────────────────────────────────────────────────────────

    def pages(self, words: str = "", limit: int = 50, offset: int = 0) -> tuple[int, list[JSON]]:
        """Return how many archived pages there are, and some of them: `url`, `title`, `level`, `time`."""
        return self.look.pages(words, limit, offset)

    def page(self, url: str) -> Page:
        """Return the newest capture of a URL; raise UsageError where there is none."""
        url = urldefrag(url).url
        place = self.look.place(url) or self._indexed(url)
        if place is None:
            raise NotFoundError(f"{url[:200]} is not in {self.name}")
        page = self.page_at(*place)
        return page if page.url == url else replace(page, url=url, memo={})

    def page_at(self, file: str, offset: int) -> Page:
        """Return the page whose capture lies there, as objects name it."""
        path = archive_of(self.path) / Path(file).name
        if not path.is_file():
            raise NotFoundError(f"{self.name} has no archive file {Path(file).name[:100]!r}")
        return read_capture(path, offset)

    def _indexed(self, url: str) -> tuple[str, int] | None:
        """Return the place that the index of another tool's collection names."""
        index = self.path / INDEX
        try:
            found = [one for one in lookup(index, url) if one.mime != "warc/revisit"] if index.is_file() else []
        except (ArchiveError, ValueError):
            return None
        return (found[-1].filename, found[-1].offset) if found else None
