"""The record learner on captures of real software: prints a table of recall, precision, fields and times.

    python bench/records.py [--learn N] [--short SHARE] [--mixed N] [NAME...]

Learns from N content pages of each capture (default 60) without any knowledge base, applies what was learned to all
true content pages, drops repeated texts, and compares with the truth as the captures' own scorer does: 2-gram F1 of at
least 0.9, one to one. `--short` replaces that share of the texts by stock phrases, `--mixed` adds that many other pages
of the site to the sample.
"""

from __future__ import annotations

import json
import lzma
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from harness import Names, run
from lxml import etree, html
from warcio.archiveiterator import ArchiveIterator

from siteseer.extract.records import Record, RecordModel, learn_records
from siteseer.model import Page

SITES = Path(__file__).parents[1] / ".." / "shared" / "sites"
PHRASES = ("Thanks!", "+1", "me too", "same here", "bump", "ok")
WORD = re.compile(r"\w+")
URL = re.compile(r"https?://\S+")
Grams = set[tuple[str, str]]


@dataclass(frozen=True)
class Capture:
    """A captured site: its truth, the pages that show the true texts, and the other pages."""

    name: str
    truth: dict[str, Any]
    content: list[Page]
    others: list[Page]


def names() -> list[str]:
    """Return the names of the captures at hand."""
    return sorted(path.name.removesuffix(".truth.json.xz") for path in SITES.glob("*.truth.json.xz"))


def load(name: str) -> Capture:
    """Read a capture. A thread's or post's further pages are content pages too."""
    with lzma.open(SITES / f"{name}.truth.json.xz", "rt", encoding="utf-8") as stream:
        truth = json.load(stream)
    pages = list(_pages(SITES / f"{name}.warc.xz"))
    wanted = {text["page"] for text in truth["texts"]}
    content = [page for page in pages if _is_content(path_of(page), wanted)]
    known = {page.url for page in content}
    return Capture(name, truth, content, [page for page in pages if page.url not in known])


def path_of(page: Page) -> str:
    """Return path and query of a page."""
    parts = urlsplit(page.url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _is_content(path: str, wanted: set[str]) -> bool:
    further = re.fullmatch(r"(.*/)comment-page-\d+/", path)
    return path in wanted or bool(further and further[1] in wanted)


def _pages(path: Path) -> Iterator[Page]:
    with lzma.open(path) as stream:
        for record in ArchiveIterator(stream):
            headers = record.http_headers
            if record.rec_type != "response" or headers is None or headers.get_statuscode() != "200":
                continue
            if "html" not in (headers.get_header("Content-Type") or ""):
                continue
            fetched = datetime.fromisoformat(record.rec_headers.get_header("WARC-Date").replace("Z", "+00:00"))
            url = record.rec_headers.get_header("WARC-Target-URI")
            yield Page(url, 200, tuple(headers.headers), record.content_stream().read(), fetched)


def fresh(pages: Iterable[Page]) -> list[Page]:
    """Return the pages without what was computed from them."""
    return [Page(page.url, page.status, page.headers, page.body, page.fetched_at) for page in pages]


def grams(text: str) -> Grams:
    """Return the 2-grams of a text, addresses left out."""
    words = WORD.findall(URL.sub(" ", text).lower())
    return set(pairwise(words))


def once(records: Iterable[tuple[Page, Record]]) -> list[Record]:
    """Drop records whose text was met before."""
    seen: set[str] = set()
    kept = []
    for _, record in records:
        key = " ".join(record.text.split())
        if key and key not in seen:
            seen.add(key)
            kept.append(record)
    return kept


def minute(text: str | None) -> str:
    """Return a date to the minute, as far as it is known."""
    return (text or "-").replace("Z", "")[:16]


def score(truth: Sequence[dict[str, Any]], records: Sequence[Record]) -> dict[str, float]:
    """Match records with true texts one to one and count fields."""
    index: dict[tuple[str, str], list[int]] = defaultdict(list)
    found = [grams(record.text) for record in records]
    for number, own in enumerate(found):
        for gram in own:
            index[gram].append(number)
    texts = [(text, own) for text in truth if len(own := grams(text["text"])) >= 3]
    used: set[int] = set()
    tally: dict[str, int] = defaultdict(int)
    for text, wanted in sorted(texts, key=lambda pair: -len(pair[1])):
        common: dict[int, int] = defaultdict(int)
        for gram in wanted:
            for number in index.get(gram, ()):
                common[number] += number not in used
        best = max(common, key=lambda n: 2 * common[n] / (len(wanted) + len(found[n])), default=None)
        if best is None or 2 * common[best] / (len(wanted) + len(found[best])) < 0.9:
            continue
        used.add(best)
        record = records[best]
        tally["matched"] += 1
        tally["author"] += (record.author or "").strip().lower() == (text.get("author") or "").strip().lower()
        tally["day"] += (record.published or "-")[:10] == (text.get("date") or "")[:10]
        tally["minute"] += minute(record.published) == minute(text.get("date"))
        if text.get("title") and text["kind"] != "comment":
            tally["titled"] += 1
            tally["title"] += WORD.findall((record.title or "").lower()) == WORD.findall(text["title"].lower())
        tally["permalink"] += record.permalink is not None
    matched = max(1, tally["matched"])
    return {
        "recall": tally["matched"] / max(1, len(texts)),
        "precision": tally["matched"] / max(1, len(records)),
        **{name: tally[name] / matched for name in ("author", "day", "minute", "permalink")},
        "title": tally["title"] / max(1, tally["titled"]),
    }


def shorten(capture: Capture, share: float, seed: int) -> tuple[list[Page], list[dict[str, Any]], int]:
    """Replace a share of the texts by stock phrases; return pages, the truth that is left, how many were replaced."""
    pick = random.Random(seed)
    texts = capture.truth["texts"]
    chosen = {
        n: pick.choice(PHRASES) for n, text in enumerate(texts) if text["kind"] != "page" and pick.random() < share
    }
    by_start: dict[str, list[int]] = defaultdict(list)
    for number in chosen:
        by_start["".join(WORD.findall(texts[number]["text"]))[:25]].append(number)
    replaced: list[int] = []
    pages = [_shortened(page, texts, chosen, by_start, replaced) for page in fresh(capture.content)]
    left = [text for number, text in enumerate(texts) if number not in set(replaced)]
    return pages, left, len(replaced)


def _shortened(
    page: Page, texts: list[dict[str, Any]], chosen: dict[int, str], by_start: dict[str, list[int]], replaced: list[int]
) -> Page:
    root = html.document_fromstring(page.body, parser=html.HTMLParser(encoding="utf-8"))
    for element in reversed(list(root.iter("div", "p", "td", "section"))):
        own = element.text_content()
        for number in by_start.get("".join(WORD.findall(own[:120]))[:25], ()):
            if _f1(grams(own), grams(texts[number]["text"])) >= 0.9:
                for child in list(element):
                    element.remove(child)
                element.text = chosen[number]
                replaced.append(number)
    return replace(page, body=etree.tostring(root, encoding="utf-8", method="html"), memo={})


def _f1(one: Grams, other: Grams) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other))


def sample_of(pages: Sequence[Page], count: int, seed: int = 1) -> list[Page]:
    """Return that many pages, drawn with a fixed seed."""
    return random.Random(seed).sample(list(pages), min(count, len(pages)))


def measure(model: RecordModel, pages: Sequence[Page], truth: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Apply a model to pages and score what it finds."""
    begin = time.process_time()
    found = [(page, record) for page in pages for record in model.apply(page)]
    spent = (time.process_time() - begin) / max(1, len(pages)) * 1000
    stock = sum(record.text in PHRASES for _, record in found)
    kept = [(page, record) for page, record in found if record.text not in PHRASES]
    return {**score(truth, once(kept)), "ms": spent, "quality": model.quality, "stock": stock}


def row(capture: Capture, learn: int, short: float, mixed: int) -> dict[str, float]:
    """Return the figures of one capture."""
    pages, truth, replaced = fresh(capture.content), capture.truth["texts"], 0
    if short:
        pages, truth, replaced = shorten(capture, short, 5)
    sample = sample_of(pages, learn) + fresh(sample_of(capture.others, mixed, 2))
    random.Random(3).shuffle(sample)
    begin = time.process_time()
    model = learn_records(sample)
    spent = time.process_time() - begin
    if model is None:
        return {"recall": 0.0, "precision": 0.0, "learn": spent}
    figures = measure(model, fresh(pages), truth)
    return {**figures, "learn": spent, "short": figures["stock"] / replaced if replaced else 0.0}


def main(sites: Names = (), /, learn: int = 60, short: float = 0.0, mixed: int = 0) -> None:
    """Print the table."""
    columns = (
        "recall",
        "precision",
        "author",
        "day",
        "minute",
        "title",
        "permalink",
        "quality",
        "short",
        "learn",
        "ms",
    )
    print("site".ljust(25) + "".join(column.rjust(10) for column in columns))
    sums: dict[str, float] = defaultdict(float)
    chosen = list(sites) or names()
    for name in chosen:
        figures = row(load(name), learn, short, mixed)
        print(name.ljust(25) + "".join(f"{figures.get(column, 0):10.3f}" for column in columns), flush=True)
        for column in columns:
            sums[column] += figures.get(column, 0) / len(chosen)
    print("mean".ljust(25) + "".join(f"{sums[column]:10.3f}" for column in columns))


if __name__ == "__main__":
    run(main)
