"""Writes captures: archives exchanges in the WARC, indexes them in the database, counts their new 2-grams."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from siteseer.archive.archived_pages import read_capture
from siteseer.archive.warc_record import digest_of
from siteseer.archive.warc_writer import Original, WarcWriter
from siteseer.collection.events import CUT_SHORT, OWN_ERROR, READ_IN_PART, ROBOTS_MEMORY, UNVERIFIED
from siteseer.collection.state import State
from siteseer.fetch.exchange_page import page_and_cut
from siteseer.forms.form_request import body_of
from siteseer.interfaces import Exchange
from siteseer.model import JSON, Capture, Follow, Headers, Keep, Note, Outcome, Page, Remember, Submit, Weigh
from siteseer.page.interstitials import is_challenge
from siteseer.page.tree import is_html, left_off, title
from siteseer.page.two_grams import DistinctGrams, Grams, grams
from siteseer.page.urls import capture_key, host_of, resolve, site_of, url_key
from siteseer.settings import DEDUPLICATE_ABOVE_BYTES, FetchLimits

REDIRECTS = (301, 302, 303, 307, 308)
SCRIPTS = "scripts"
"""The family of what the scripts of a page ask for."""
NO_CONTENT = ("robots", "assets", SCRIPTS)
"""Families whose answers are not pages for people, even where a server answers with one."""
_CONTENT_TYPE = re.compile(rb"(?im)^content-type:([^\r\n]{1,200})")
NO_GRAMS: Grams = np.empty(0, np.uint64)
TRUNCATED = {"length": "too long", "time": "it came too slowly", "disconnect": "the connection broke off"}
"""Why an answer was cut, in words."""


@dataclass(frozen=True, slots=True)
class WrittenCapture:
    """An answer that is in the WARC already; `CaptureWriter.record` writes it into the database."""

    exchange: Exchange
    outcome: Outcome
    page: Page | None
    capture: Capture
    original: int | None
    new_grams: Grams
    is_content: bool
    request: JSON
    data_requests: int = 0
    """Requests that scripts of the page sent when a browser showed it."""
    refused_data: Page | None = None
    """The answer with which the page's own host refused such a request."""


class CaptureWriter:
    """Writes WARC and database of one crawl."""

    def __init__(self, state: State, crawl: int, warc: WarcWriter, limits: FetchLimits, counts: Counter[str]) -> None:
        self.state, self.crawl, self.warc, self.limits, self.counts = state, crawl, warc, limits, counts
        self._unrecorded: dict[str, WrittenCapture] = {}
        """What is in the WARC and not yet in the database: something only between `keep` and `record`."""
        self._unverified: set[str] = set()
        """Hosts that were noted already because their certificate cannot be verified."""
        self.grams = DistinctGrams()
        for blob in state.gram_blobs(crawl):
            self.grams.add(np.frombuffer(blob, np.uint64))

    def keep(self, exchange: Exchange, why: Follow | Submit, robots_note: str = "") -> WrittenCapture:
        """Archive an exchange and turn it into an outcome."""
        digest = digest_of(b"", exchange.body, exchange.body_length)
        earlier = self._earlier(exchange) if exchange.status == 304 else None
        same = self._same_payload(exchange, digest)
        original = _original(earlier, same)
        capture = self.warc.write(
            exchange,
            payload_digest=digest if earlier is None else earlier[2].digest,
            revisit_of=original,
            metadata=_metadata(why, robots_note, exchange.certificate),
        )
        found = earlier or same
        outcome = Outcome(exchange.url, "error", "could not be read")
        kept = WrittenCapture(
            exchange, outcome, None, capture, found[0] if found else None, NO_GRAMS, False, _request(why, exchange)
        )
        self._unrecorded[capture.record] = kept
        page, cut = (
            page_and_cut(exchange, self.limits.decoded_bytes)
            if earlier is None
            else (self._archived(earlier[1], earlier[2]), "")
        )
        outcome = _outcome(exchange, page, earlier is not None, same[1] if same else None)
        if exchange.certificate:
            outcome = replace(outcome, reason=f"{outcome.reason}; certificate not verified: {exchange.certificate}")
        exchange.body.close()
        is_page = outcome.kind == "page" and 200 <= exchange.status < 300 and why.family not in NO_CONTENT
        fresh, is_content = self._read(page, cut) if is_page and page is not None else (NO_GRAMS, False)
        return replace(kept, outcome=outcome, page=page, new_grams=fresh, is_content=is_content)

    def record_rest(self, requests: int) -> int | None:
        """Write what an error of ours kept from being recorded into the database; return the last capture's number.

        Whoever keeps an answer records it before others have their turn: what is left is nobody's any more.
        """
        numbers = [self.record(kept, requests) for kept in list(self._unrecorded.values())]
        return numbers[-1] if numbers else None

    def _read(self, page: Page, cut: str) -> tuple[Grams, bool]:
        """Return the new 2-grams of a page, and whether it is one for people to read."""
        try:
            if not is_html(page) or is_challenge(page):
                return NO_GRAMS, False
            title(page)
            if because := cut or left_off(page):
                self.note(Note(because, event=READ_IN_PART), page.url)
            return self.grams.add(grams(page)), True
        except Exception as error:  # the bytes are archived: an error of ours must not cost their place in the index
            self.note(Note(f"{type(error).__name__}: {error}"[:300], event=OWN_ERROR), page.url)
            return NO_GRAMS, False

    def record(self, kept: WrittenCapture, requests: int, note: Note | None = None) -> int:
        """Write a kept answer into the database; return the capture's number."""
        exchange, page = kept.exchange, kept.page
        level = note.recognition.level if note and note.recognition else None
        if exchange.truncated:
            self.note(Note(TRUNCATED.get(exchange.truncated, exchange.truncated), event=CUT_SHORT), exchange.url)
        if exchange.certificate and (host := host_of(exchange.url)) not in self._unverified:
            self._unverified.add(host)
            self.note(Note(exchange.certificate, event=UNVERIFIED, details={"host": host}), exchange.url)
        headers = {name.lower(): value for name, value in reversed(exchange.headers)}
        number = self.state.add_capture(
            {
                "crawl": self.crawl,
                "url": exchange.url,
                "key": capture_key(exchange.url, kept.request),
                "time": kept.capture.time.isoformat(),
                "file": kept.capture.file,
                "offset": kept.capture.offset,
                "length": kept.capture.length,
                "record": kept.capture.record,
                "status": exchange.status,
                "mime": headers.get("content-type", "").partition(";")[0].strip().lower()[:100],
                "digest": kept.capture.digest,
                "size": exchange.body_length,
                "original": kept.original,
                "etag": headers.get("etag"),
                "modified": headers.get("last-modified"),
                "title": title(page) if kept.is_content and page is not None else None,
                "level": level,
                "requests": requests,
                "grams": kept.new_grams.tobytes() if len(kept.new_grams) else None,
                "request": json.dumps(kept.request) if kept.request else None,
            }
        )
        self._unrecorded.pop(kept.capture.record, None)
        return number

    def keep_rendering(self, kept: WrittenCapture, capture: int, page: Page, because: str) -> WrittenCapture:
        """Archive a page as its scripts made it; return what was kept with that page in place of the fetched one."""
        place = self.warc.write_rendering(page, datetime.now(UTC), kept.capture.record)
        self.state.add_rendering(capture, page.url, place, because)
        fresh = self.grams.add(grams(page))
        held = np.union1d(kept.new_grams, fresh)
        self.state.redraw(capture, title(page), held.tobytes() if len(held) else None)
        outcome = replace(kept.outcome, url=page.url, kind="page", page=page, duplicate_of=None)
        return replace(kept, outcome=outcome, page=page, new_grams=fresh, is_content=True)

    def withdraw(self, capture: int) -> None:
        """Take an answer back: its capture stays as evidence, but it is no content of its URL any more."""
        found, objects = self.state.withdraw(capture)
        self.grams.discard(np.frombuffer(found, np.uint64))
        self.counts["objects"] -= objects

    def readmit(self, kept: WrittenCapture, capture: int) -> WrittenCapture:
        """Let an answer that was taken back count as what it is."""
        page = kept.page
        fresh = self.grams.add(grams(page)) if kept.is_content and page is not None else NO_GRAMS
        heading = title(page) if kept.is_content and page is not None else None
        key = capture_key(kept.exchange.url, kept.request)
        self.state.readmit(capture, key, heading, fresh.tobytes() if len(fresh) else None)
        return replace(kept, new_grams=fresh)

    def validators(self, url: str) -> Headers:
        """Return the headers of a conditional request where an earlier crawl kept this URL: ETag first."""
        if self.crawl == 1:
            return ()
        earlier = self.state.earlier_capture(url_key(url), self.crawl)
        if earlier and earlier["etag"]:
            return (("If-None-Match", earlier["etag"]),)
        if earlier and earlier["modified"]:
            return (("If-Modified-Since", earlier["modified"]),)
        return ()

    def _earlier(self, exchange: Exchange) -> tuple[int, str, Capture] | None:
        row = self.state.earlier_capture(url_key(exchange.url), self.crawl)
        return self.state.original_of(row["digest"]) if row else None

    def _same_payload(self, exchange: Exchange, digest: str) -> tuple[int, str, Capture] | None:
        if exchange.body_length <= DEDUPLICATE_ABOVE_BYTES or exchange.status != 200 or exchange.truncated:
            return None
        return self.state.original_of(digest)

    def _archived(self, url: str, capture: Capture) -> Page | None:
        return read_capture(self.state.archive / capture.file, capture.offset)

    # ── what the strategy wants kept ──────────────────────────────────────────────────────────────────────────────

    def keep_object(self, action: Keep, capture: int | None) -> None:
        """Write one object."""
        thing = action.object
        self.state.add_object(self.crawl, capture, thing if thing.because else replace(thing, because=action.because))
        self.counts["objects"] += 1

    def remember(self, action: Remember) -> None:
        """Write one row of the strategy's memory."""
        self.state.remember(self.crawl, action.kind, action.key, action.value)

    def weigh(self, capture: int, action: Weigh) -> None:
        """Write down how relevant a page is."""
        self.state.db.execute(
            "INSERT OR REPLACE INTO relevance VALUES (?, ?, ?)", (capture, action.degree, action.because)
        )

    def note(self, action: Note, url: str) -> None:
        """Write down what a strategy noticed."""
        self.state.note(self.crawl, url, action.event, action.because, dict(action.details))

    @property
    def kept_pages(self) -> KeptPages:
        """The HTML pages that this crawl kept."""
        return KeptPages(self.state, self.crawl)

    def capture_of(self, url: str) -> int | None:
        """Return the number of this crawl's capture of a URL."""
        row = next(
            iter(
                self.state.rows(
                    "SELECT id FROM captures WHERE key = ? AND crawl = ? ORDER BY id DESC", (url_key(url), self.crawl)
                )
            ),
            None,
        )
        return int(row[0]) if row else None

    def remember_robots(self, origin: str, status: int | None, body: bytes, failure: str = "") -> None:
        """Keep a host's robots.txt for when the crawl is resumed, or why it could not be had."""
        value = {"status": status, "body": body[:500_000].decode("latin-1"), "failure": failure}
        self.state.remember(self.crawl, ROBOTS_MEMORY, origin, value)

    def recall_robots(self, origin: str) -> tuple[int | None, bytes, str] | None:
        """Return status, body and failure of a host's robots.txt if this crawl has asked for it already."""
        value = self.state.recall_one(self.crawl, ROBOTS_MEMORY, origin)
        return (value["status"], value["body"].encode("latin-1"), value.get("failure", "")) if value else None

    def commit(self, counts: Counter[str]) -> None:
        """Bring the WARC to the disk, then commit the database with the WARC's position."""
        self.record_rest(counts["requests"])
        self.warc.flush()
        self.state.keep_position(*self.warc.position())
        self.state.save_counts(self.crawl, counts)
        self.state.commit()


def _original(*candidates: tuple[int, str, Capture] | None) -> Original | None:
    for found in candidates:
        if found is not None:
            return Original(found[2].record, found[1], found[2].time)
    return None


def _outcome(exchange: Exchange, page: Page | None, not_modified: bool, duplicate_of: str | None) -> Outcome:
    url = exchange.url
    if not_modified:
        return Outcome(url, "not-modified", "304 Not Modified", page)
    location = next((value for name, value in exchange.headers if name.lower() == "location"), None)
    if exchange.status in REDIRECTS and location:
        location = location.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        target = resolve(url, location)
        reason = f"{exchange.status} to {location[:200]}" if target else f"redirect to what is no URL: {location[:200]}"
        return Outcome(url, "redirect", reason, page, target)
    reason = f"{exchange.status} {exchange.reason}".strip()
    return Outcome(url, "page", reason, page, duplicate_of=duplicate_of)


def _metadata(why: Follow | Submit, robots_note: str, certificate: str) -> dict[str, str]:
    facts = {
        "via": why.referrer,
        "hopsFromSeed": str(why.depth),
        "because": why.because,
        "robots-decision": robots_note,
        "tls-certificate": f"not verified: {certificate}" if certificate else "",
    }
    return {name: value for name, value in facts.items() if value and value != "0"}


def _request(why: Follow | Submit, exchange: Exchange) -> JSON:
    if isinstance(why, Submit) and why.method == "POST":
        return {"method": "POST", "body": exchange.request_body.decode("utf-8", "replace"), "type": body_of(why)[0]}
    if why.family == SCRIPTS and exchange.request_head.startswith(b"POST "):
        kind = _CONTENT_TYPE.search(exchange.request_head)
        text = exchange.request_body.decode("utf-8", "replace")
        return {"method": "POST", "body": text, "type": kind[1].decode("latin-1").strip() if kind else ""}
    return None


@dataclass(frozen=True, slots=True)
class KeptPages:
    """The HTML pages that a crawl kept, from the archive; of all sites or of some."""

    state: State
    crawl: int

    def __call__(self) -> Iterator[Page]:
        """Yield all pages in the order in which they came."""
        return kept_pages(self.state, self.crawl)

    def sites(self) -> Counter[str]:
        """Return how many pages were kept of each site."""
        rows = self.state.rows("SELECT url FROM captures WHERE crawl = ? AND title IS NOT NULL", (self.crawl,))
        return Counter(site_of(url) for (url,) in rows)

    def of_sites(self, names: Collection[str]) -> Iterator[Page]:
        """Yield the pages of these sites; others are not read from the archive."""
        return kept_pages(self.state, self.crawl, lambda url: site_of(url) in names)


def kept_pages(state: State, crawl: int, wanted: Callable[[str], bool] = lambda _: True) -> Iterator[Page]:
    """Return the HTML pages that a crawl kept, from the archive, in the order in which they came."""
    rows = state.rows(
        "SELECT c.url, coalesce(r.file, o.file, c.file), coalesce(r.offset, o.offset, c.offset) FROM captures c "
        "LEFT JOIN captures o ON o.id = c.original LEFT JOIN renderings r ON r.capture = c.id "
        "WHERE c.crawl = ? AND c.title IS NOT NULL ORDER BY c.id",
        (crawl,),
    )
    for url, file, offset in [row for row in rows if wanted(row[0])]:
        page = read_capture(state.archive / file, offset)
        yield page if page.url == url else replace(page, url=url, memo={})
