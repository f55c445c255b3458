"""Restores the rows of the table of captures from a collection's WARC files, as the crawl wrote them.

What a WARC does not say (the family and the level of a page) is read from the logs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from siteseer.archive.archived_pages import ArchivedResponse, exchanges
from siteseer.archive.warc_reader import Archive
from siteseer.archive.warc_sources import warc_files
from siteseer.collection.layout import LOGS, archive_of
from siteseer.model import JSON, Page
from siteseer.page.interstitials import is_challenge
from siteseer.page.tree import is_html, title
from siteseer.page.two_grams import DistinctGrams, grams
from siteseer.page.urls import capture_key
from siteseer.page.whole_number import whole_number

NO_CONTENT = ("robots", "assets", "scripts")
"""Families whose answers are no pages for people."""
_PART_OF = re.compile(r"crawl (\d+)$")
_DESCRIPTION = re.compile(r"strategy (\S+); seeds: (.*)")


@dataclass(frozen=True, slots=True)
class CrawlInfo:
    """What a WARC file says of the run that wrote it."""

    number: int
    date: str
    strategy: str
    options: JSON


@dataclass(frozen=True, slots=True)
class RequestReason:
    """Why a URL was asked for, as its record says."""

    because: str = ""
    referrer: str = ""
    depth: int = 0


@dataclass(slots=True)
class ArchiveFacts:
    """What the heads of all records say beside the captures themselves."""

    crawls: dict[str, CrawlInfo] = field(default_factory=dict)
    """By WARC file."""
    sought: dict[str, RequestReason] = field(default_factory=dict)
    """By the id of the response."""


@dataclass(frozen=True, slots=True)
class LoggedPage:
    """What a log says of a page."""

    family: str = ""
    level: str | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class FoundCapture:
    """A capture of the archive: its row, and why it was made; `rendering` is a page as its scripts made it."""

    row: dict[str, Any]
    sought: RequestReason
    family: str
    refers_to: str = ""
    """The record of the original, of a revisit; of a rendering that of the response."""
    is_rendering: bool = False


def archive_facts(folder: Path) -> ArchiveFacts:
    """Read the heads of all records."""
    found = ArchiveFacts()
    for file in warc_files(folder):
        for record in Archive(file):
            if record.kind == "warcinfo":
                text = _named(record.read())
                found.crawls[file.name] = _crawl_info(text, record.fields.get("warc-date", ""))
            elif record.kind == "metadata":
                text = _named(record.read())
                beside = record.fields.get("warc-concurrent-to", "").strip("<> ")
                depth = text.get("hopsFromSeed", "0")
                found.sought[beside] = RequestReason(
                    text.get("because", ""), text.get("via", ""), whole_number(depth) or 0
                )
    return found


def logged_pages(folder: Path) -> dict[str, LoggedPage]:
    """Return what the logs of all crawls say of each URL; lines that are damaged are passed over."""
    found: dict[str, LoggedPage] = {}
    for path in sorted(folder.glob("crawl-*.jsonl")):
        with path.open("rb") as lines:
            for line in lines:
                try:
                    told = json.loads(line)
                    if told["event"] == "page":
                        page = LoggedPage(str(told["family"]), told.get("level"), str(told["because"]))
                        found[str(told["url"])] = page
                except (ValueError, KeyError, TypeError):
                    continue
    return found


class CaptureRows:
    """Makes rows for the captures of an archive, in their order."""

    def __init__(self, collection: Path) -> None:
        self.folder = archive_of(collection)
        self.facts = archive_facts(self.folder)
        self.logged = logged_pages(collection / LOGS)

    def found(self, gram_sets: dict[int, DistinctGrams] | None = None) -> Iterator[FoundCapture]:
        """Yield every capture; the 2-grams that are new to its crawl are counted in `gram_sets`."""
        counted = gram_sets if gram_sets is not None else {}
        for stored, page in exchanges(self.folder):
            info = self.facts.crawls.get(stored.capture.file)
            crawl = info.number if info else 1
            logged = self.logged.get(page.url, LoggedPage())
            sought = self.facts.sought.get(stored.capture.record, RequestReason())
            refers = stored.fields.get("warc-concurrent-to" if stored.is_rendering else "warc-refers-to", "")
            row = _row(stored, page, crawl)
            if _is_content(stored, page, logged.family):
                fresh = counted.setdefault(crawl, DistinctGrams()).add(grams(page))
                row |= {"title": title(page), "level": logged.level, "grams": fresh.tobytes() if len(fresh) else None}
            yield FoundCapture(row, sought, logged.family, refers.strip("<> "), stored.is_rendering)


def _is_content(stored: ArchivedResponse, page: Page, family: str) -> bool:
    """Say whether a capture is a page for people to read."""
    if not 200 <= page.status < 300 or family in NO_CONTENT or stored.status == 304:
        return False
    return is_html(page) and not is_challenge(page)


def _row(stored: ArchivedResponse, page: Page, crawl: int) -> dict[str, Any]:
    capture, request = stored.capture, _request(stored)
    headers = {name.lower(): value for name, value in reversed(stored.head.headers)}
    return {
        "crawl": crawl,
        "url": page.url,
        "key": capture_key(page.url, request),
        "time": capture.time.isoformat(),
        "file": capture.file,
        "offset": capture.offset,
        "length": capture.length,
        "record": capture.record,
        "status": stored.status,
        "mime": headers.get("content-type", "").partition(";")[0].strip().lower()[:100],
        "digest": capture.digest,
        "size": len(stored.payload),
        "etag": headers.get("etag"),
        "modified": headers.get("last-modified"),
        "request": json.dumps(request) if request else None,
    }


def _request(stored: ArchivedResponse) -> JSON:
    """Return a form that was posted, as the database keeps it."""
    if stored.method != "POST" or stored.asked is None:
        return None
    kind = stored.asked.head.header("content-type")
    return {"method": "POST", "body": stored.asked.body.decode("utf-8", "replace"), "type": kind}


def _named(block: bytes) -> dict[str, str]:
    lines = (line.partition(":") for line in block.decode("utf-8", "replace").splitlines())
    return {name.strip(): value.strip() for name, mark, value in lines if mark}


def _crawl_info(text: dict[str, str], date: str) -> CrawlInfo:
    number = _PART_OF.search(text.get("isPartOf", ""))
    described = _DESCRIPTION.match(text.get("description", ""))
    options: JSON = {"seeds": described[2].split()} if described else {}
    with suppress(ValueError):  # written by hand, or cut: seeds and strategy stand in the description, too
        options |= json.loads(text.get("siteseer-options", "{}"))
    wrapper = text.get("description", "").startswith("wrapper ")
    strategy = described[1] if described else "wrapper" if wrapper else "blind"
    return CrawlInfo(int(number[1]) if number else 1, date, strategy, options)
