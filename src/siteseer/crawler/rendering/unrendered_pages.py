"""Notes pages that need a browser where there is none, counts them, and queues them again when there is one.

A page is noted with the evidence that its content is missing. When the same command is run again and a browser is
there, these pages wait once more; their documents come from the archive, not from the server.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from siteseer.collection.state import State
from siteseer.model import Note, Page
from siteseer.page.scripts.needs_scripts import ScriptNeed
from siteseer.page.text import words
from siteseer.page.urls import url_key

EVENT = "not_shown"
SHOWN = ("rendered", "rendered_in_vain", "whole")
"""The events of pages that were shown after all, or need not be."""
ROUTE_RULE = "route"
"""The rule under which views are skipped that only a script shows."""
OFF = "--browser never"


@dataclass(frozen=True, slots=True)
class UnrenderedPage:
    """A page that no browser showed, and why one would be needed."""

    url: str
    because: str
    answer: str
    missing: str
    """What is missing to show it, as a sentence; or the option by which the person wants it so."""
    text: str = ""
    """A digest of the words of a page that shows few."""


def note_unrendered(page: Page, need: ScriptNeed, missing: str) -> Note:
    """Return the note of a page that cannot be shown."""
    details = {"answer": need.answer, "missing": missing}
    if need.evidence == "few":
        details["text"] = blake2b(" ".join(words(page)).encode(), digest_size=8).hexdigest()
    return Note(need.because, event=EVENT, details=details)


def unrendered_pages(state: State, crawl: int) -> list[UnrenderedPage]:
    """Return the pages of a crawl that were not shown up to now."""
    events = (EVENT, *SHOWN)
    marks = ", ".join("?" * len(events))
    rows = state.rows(
        f"SELECT url, event, because, details FROM notes WHERE crawl = ? AND event IN ({marks}) ORDER BY row",
        (crawl, *events),
    )
    last = {url: (event, because, details) for url, event, because, details in rows}
    return [_page(url, because, details) for url, (event, because, details) in last.items() if event == EVENT]


def without_content(pages: Sequence[UnrenderedPage], kept: int) -> list[UnrenderedPage]:
    """Return the pages whose content seems to be missing; `kept` is how many pages the crawl has kept.

    A page that shows few words may be whole: the page of a sparse record has words of its own. It is believed to be an
    empty frame where another page has the same words, or where nothing else was found.
    """
    alike = Counter(page.text for page in pages if page.text)
    return [page for page in pages if page.answer == "needed" or (page.text and (alike[page.text] > 1 or kept <= 1))]


def queue_unrendered(state: State, crawl: int) -> int:
    """Let the pages wait that were not shown, so that they are now; return how many there are."""
    found = unrendered_pages(state, crawl)
    for page in found:
        state.db.execute(
            "UPDATE urls SET status = 0, rule = NULL WHERE crawl = ? AND key = ? AND family IS NOT NULL "
            "AND (status IN (2, 3) OR status = 4 AND rule = ?)",
            (crawl, url_key(page.url), ROUTE_RULE),
        )
    if found:
        state.db.execute("UPDATE crawls SET finished = NULL, stopped_by = NULL WHERE id = ?", (crawl,))
    return len(found)


def _page(url: str, because: str, details: str) -> UnrenderedPage:
    known = json.loads(details)
    return UnrenderedPage(url, because, known["answer"], known["missing"], known.get("text", ""))
