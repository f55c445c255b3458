"""Captured sites driven in memory: a strategy asks, the capture answers, requests are counted."""

from __future__ import annotations

import importlib.util
import io
import json
import lzma
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urljoin

from fastwarc.warc import ArchiveIterator, WarcRecordType

from siteseer.interfaces import Strategy
from siteseer.model import Follow, Keep, Note, Outcome, Page, Recognition, Remember, Seed, Skip
from siteseer.page.urls import identity

KEPT = 2
"""Captures that stay in memory: tests that read the same one stand together."""
SITES = Path(__file__).parents[2].parent / "shared" / "sites"


@dataclass
class Capture:
    truth: dict[str, Any]
    pages: dict[str, Page]
    _shown: dict[tuple[str, bytes], tuple[set[Any], set[str]]] = field(default_factory=dict, repr=False)

    @cached_property
    def said(self) -> frozenset[Any]:
        """What the texts of the site say, as the shared script counts it."""
        score = score_module()
        return frozenset().union(*(score.grams(score.URL.sub(" ", text["text"])) for text in self.truth["texts"]))

    def shown(self, page: Page) -> tuple[set[Any], set[str]]:
        """Return what a page shows of the texts, and where its links lead; it is read once for all crawls."""
        key = page.url, page.body
        if key not in self._shown:
            score = score_module()
            tree = score.lhtml.document_fromstring(page.body, parser=score.lhtml.HTMLParser(encoding="utf-8"))
            hrefs = {a.get("href") for a in tree.iter("a") if a.get("href")}
            self._shown[key] = self.said & score.grams(score.visible(tree)), hrefs
        return self._shown[key]


@lru_cache(maxsize=KEPT)
def capture(name: str) -> Capture:
    truth = json.loads(lzma.decompress((SITES / f"{name}.truth.json.xz").read_bytes()))
    pages: dict[str, Page] = {}
    stream = io.BytesIO(lzma.decompress((SITES / f"{name}.warc.xz").read_bytes()))
    for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True, auto_decode="all"):
        url = record.headers["WARC-Target-URI"].strip("<>")
        when = datetime.fromisoformat(record.headers["WARC-Date"].replace("Z", "+00:00"))
        headers = tuple((k, v) for k, v in record.http_headers.astuples() if k.lower() != "set-cookie")
        page = Page(url, record.http_headers.status_code, headers, record.reader.read(), when)
        old = pages.get(identity(url))
        if old is None or (old.status >= 400 > page.status):
            pages[identity(url)] = page
    return Capture(truth, pages)


@cache
def score_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", SITES / "score.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class NoMemory:
    def recall(self, kind: str) -> list[tuple[str, Any]]:
        return []

    def earlier_objects(self, url: str) -> list[Any]:
        return []

    def earlier_pages(self) -> list[Any]:
        return []


@dataclass
class Crawl:
    """What a crawl did: robots.txt counts as the first request."""

    asked: list[str] = field(default_factory=lambda: ["/robots.txt"])
    unknown: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    objects: dict[str, Any] = field(default_factory=dict)
    kept: int = 0
    skipped: dict[str, Skip] = field(default_factory=dict)
    recognitions: dict[str, Recognition] = field(default_factory=dict)
    events: list[tuple[str, str]] = field(default_factory=list)
    remembered: list[Remember] = field(default_factory=list)


def drive(strategy: Strategy, site: Capture, limit: int = 3000) -> Crawl:
    """Run a strategy over a capture, highest priority first, first come first served."""
    crawl = Crawl()
    known: set[str] = set()
    waiting: list[Follow] = []

    def apply(actions: Any, url: str) -> None:
        for action in actions:
            if isinstance(action, Follow):
                if identity(action.url) not in known:
                    known.add(identity(action.url))
                    waiting.append(action)
            elif isinstance(action, Keep):
                crawl.kept += 1
                crawl.objects.setdefault(action.object.id, action.object)
            elif isinstance(action, Skip):
                assert action.url not in crawl.skipped, f"skipped twice: {action.url}"
                crawl.skipped[action.url] = action
            elif isinstance(action, Note):
                if action.event:
                    crawl.events.append((action.event, f"{url} {action.because}"))
                if action.recognition:
                    crawl.recognitions[url] = action.recognition
            elif isinstance(action, Remember):
                crawl.remembered.append(action)

    apply(strategy.start([Seed(site.truth["origin"] + site.truth["entry"])], NoMemory()), "")
    while waiting and len(crawl.asked) < limit:
        why = max(waiting, key=lambda follow: follow.priority)
        waiting.remove(why)
        crawl.asked.append(why.url)
        page = site.pages.get(identity(why.url))
        if page is None and why.url == site.truth["origin"] + "/":
            page = site.pages.get(identity(why.url + "index.php"))
        if page is None:
            crawl.unknown.append(why.url)
            apply(strategy.decide(Outcome(why.url, "page", page=Page(why.url, 404)), why), why.url)
            continue
        page = Page(why.url, page.status, page.headers, page.body, page.fetched_at)
        if 300 <= page.status < 400:
            target = urljoin(why.url, page.header("location"))
            apply(strategy.decide(Outcome(why.url, "redirect", target=target), why), why.url)
            continue
        crawl.pages.append(page)
        apply(strategy.decide(Outcome(why.url, "page", page=page), why), why.url)
    return crawl


def figures(crawl: Crawl, site: Capture, folder: Path) -> dict[str, float]:
    """Score a crawl as the shared script does."""
    truth, score = site.truth, score_module()
    seen: set[Any] = set()
    hrefs: set[str] = set()
    for page in crawl.pages:
        if page.status == 200 and "html" in page.header("content-type") and page.body.strip():
            grams, links = site.shown(page)
            seen |= grams
            hrefs |= links
    external = set(truth["external_links"])
    path = folder / "objects.jsonl"
    with path.open("w", encoding="utf-8") as lines:
        for one in crawl.objects.values():
            lines.write(json.dumps({k: v for k, v in asdict(one).items() if v}) + "\n")
    return {
        "requests": len(crawl.asked),
        "unknown_urls": len(crawl.unknown),
        "vs_oracle": round(len(crawl.asked) / truth["oracle_requests"], 3),
        "content": round(len(seen) / max(1, len(site.said)), 4),
        "external": round(len(external & hrefs) / max(1, len(external)), 4),
        **score.match_objects(truth, path),
    }
