"""ACEBot on captures of real software: the figures and tables of the thesis drawn again, and what selection costs.

    python bench/acebot.py [--parts cost,samples,5.6,5.8,5.9,5.10,table,reuse] [--captures A,B,C] [--out DIR]

Captured sites answer from memory; every request counts, robots.txt too. `content` is the share of the distinct 2-grams of
the true texts, `external` of the true external links, found in fetched pages. Figures 5.8 to 5.10, Table 5.2 and the reuse
show crawls that follow given patterns alone; `samples` and Figure 5.6 show whole crawls, the sample included.
With --out, each figure is also written as SVG.
"""

from __future__ import annotations

import heapq
import io
import json
import lzma
import re
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from acebot_samples import ROOT, SAMPLES
from fastwarc.warc import ArchiveIterator, WarcRecordType
from harness import Names, choose, run

from siteseer.model import Action, Follow, Outcome, Page, Seed
from siteseer.page.text import WORD
from siteseer.page.tree import is_html, tree
from siteseer.page.two_grams import DistinctGrams, Grams, grams, hash_words
from siteseer.page.urls import identity, resolve
from siteseer.settings import AcebotOptions
from siteseer.strategies.acebot import acebot_strategy as strategy_module
from siteseer.strategies.acebot.acebot_strategy import AcebotStrategy
from siteseer.strategies.acebot.learn_patterns import LearnedNavigation, learn
from siteseer.strategies.acebot.link_labels import labelled_links
from siteseer.strategies.acebot.oxpath_patterns import Pattern
from siteseer.strategies.scope import SeedScope

SITES = Path(__file__).parents[1] / ".." / "shared" / "sites"
URL = re.compile(r"https?://\S+")
THREE = ("textpattern", "serendipity-2k11", "fluxbb")
THESIS = {"fewer": 5.0, "content": 0.968, "external": 0.993}


@dataclass
class Capture:
    """A captured site, its truth, and what was computed from its pages: each page is parsed once."""

    name: str
    truth: dict[str, Any]
    pages: dict[str, Page]
    wanted: Grams
    external: frozenset[str]
    links: dict[tuple[str, tuple[str, ...]], list[tuple[str, str]]] = field(default_factory=dict)
    items: dict[str, Grams] = field(default_factory=dict)
    leaving: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def entry(self) -> str:
        """The URL at which crawls begin."""
        return str(self.truth["origin"] + self.truth["entry"])

    def labelled(self, page: Page, attributes: Sequence[str]) -> list[tuple[str, str]]:
        key = (page.url, tuple(attributes))
        if key not in self.links:
            self.links[key] = labelled_links(page, attributes)
            self.content(page)
            page.memo.clear()
        return self.links[key]

    def content(self, page: Page) -> Grams:
        if page.url not in self.items:
            self.items[page.url] = grams(page)
            hrefs = (element.get("href") for element in tree(page).iter("a"))
            self.leaving[page.url] = self.external.intersection(href for href in hrefs if href)
        return self.items[page.url]


@dataclass(frozen=True)
class Result:
    """What a crawl cost and brought."""

    requests: int
    content: float
    external: float
    learned: LearnedNavigation | None = None


@cache
def load(name: str) -> Capture:
    """Read a capture."""
    truth = json.loads(lzma.decompress((SITES / f"{name}.truth.json.xz").read_bytes()))
    pages: dict[str, Page] = {}
    stream = io.BytesIO(lzma.decompress((SITES / f"{name}.warc.xz").read_bytes()))
    for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True, auto_decode="all"):
        url = record.headers["WARC-Target-URI"].strip("<>")
        headers = tuple(record.http_headers.astuples())
        page = Page(url, record.http_headers.status_code, headers, record.reader.read())
        old = pages.get(identity(url))
        if old is None or old.status >= 400 > page.status:
            pages[identity(url)] = page
    texts = (WORD.findall(URL.sub(" ", text["text"]).lower()) for text in truth["texts"])
    wanted = np.unique(np.concatenate([hash_words(words) for words in texts if len(words) > 1]))
    return Capture(name, truth, pages, wanted, frozenset(truth["external_links"]))


def drive(site: Capture, strategy: AcebotStrategy) -> tuple[int, list[Page]]:
    """Run a strategy over a capture; return the number of requests and the pages."""
    strategy_module.labelled_links, strategy_module.grams = site.labelled, site.content  # type: ignore[attr-defined]
    waiting: list[tuple[float, int, Follow]] = []
    known: set[str] = set()
    fetched: list[Page] = []
    requests = 1

    def apply(actions: Iterable[Action]) -> None:
        for action in actions:
            if not isinstance(action, Follow) or identity(action.url) in known:
                continue
            if strategy.scope.verdict(action.url, action.depth).allowed:
                known.add(identity(action.url))
                heapq.heappush(waiting, (-action.priority, len(known), action))

    apply(strategy.start([Seed(site.entry)], None))
    while True:
        if not waiting:
            apply(strategy.refill(1))
        if not waiting:
            return requests, fetched
        why = heapq.heappop(waiting)[2]
        requests += 1
        page = site.pages.get(identity(why.url)) or site.pages.get(identity(f"{why.url}index.php"))
        if page is None:
            page = Page(why.url, 404)
        target = resolve(page.url, page.header("location")) if 300 <= page.status < 400 else None
        if target is None and page.status == 200 and is_html(page):
            fetched.append(page)
        kind = "redirect" if target else "page"
        apply(strategy.decide(Outcome(why.url, kind, page=page, target=target), why))


def crawl(site: Capture, options: AcebotOptions, seed: int = 0, patterns: Sequence[Pattern] = ()) -> Result:
    """Crawl a capture, and compare with its truth."""
    strategy = AcebotStrategy(scope(site), options, seed=seed, patterns=patterns)
    requests, pages = drive(site, strategy)
    seen, external = DistinctGrams(), set[str]()
    for page in pages:
        seen.add(site.content(page))
        external |= site.leaving[page.url]
    content = 1 - len(seen.new(site.wanted)) / len(site.wanted)
    return Result(requests, content, len(external) / max(1, len(site.external)), strategy.learned)


def scope(site: Capture) -> SeedScope:
    return SeedScope([site.entry], "host", (), (), None)


@cache
def sampled(name: str, size: int | None, attributes: tuple[str, ...] = ("id",)) -> AcebotStrategy:
    """Return the strategy after sampling alone."""
    site = load(name)
    strategy = AcebotStrategy(scope(site), AcebotOptions(sample=size, attributes=attributes), only_learn=True)
    drive(site, strategy)
    return strategy


def learned_patterns(name: str, size: int | None, **options: Any) -> list[Pattern]:
    strategy = sampled(name, size, options.get("attributes", ("id",)))
    found = learn(strategy.graph, strategy.seeds, AcebotOptions(sample=size, **options))
    return [one.pattern for one in found.patterns]


# ── the parts ─────────────────────────────────────────────────────────────────────────────────────────────────────


Rows = Iterator[tuple[Any, ...]]


def cost(names: Sequence[str]) -> Rows:
    """Selection over 3,000 sampled pages: wanted under 5 s and 500 MB."""
    yield "sample", "pages", "candidates", "patterns", "2-grams", "seconds", "CPU s", "peak MB", "holds"
    graphs = {name: (lambda name=name: sampled(name, 3000).graph) for name in names}
    for name, graph_of in {**graphs, **SAMPLES}.items():
        graph = graph_of()
        seeds = [load(name).entry] if name in graphs else [ROOT]
        began, cpu = time.perf_counter(), time.process_time()
        found = learn(graph, seeds, AcebotOptions())
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        tracemalloc.start()
        learn(graph, seeds, AcebotOptions())
        peak = tracemalloc.get_traced_memory()[1] + sum(one.nbytes for one in graph.grams.values()) >> 20
        tracemalloc.stop()
        figures = found.pages, found.candidates, len(found.patterns), found.two_grams
        yield name, *figures, round(seconds, 2), round(cpu, 2), peak, "yes" if cpu < 5 and peak < 500 else "NO"


def samples(names: Sequence[str]) -> Rows:
    """Whole crawls with samples of 100, 300 and 1,000 pages beside the claims of the thesis (5 x, 96.8 %, 99.3 %)."""
    yield "capture", "sample", "requests", "x oracle", "x fewer than blind", "content", "external", "content - thesis"
    for name in names:
        site = load(name)
        for size in (100, 300, 1000):
            found = crawl(site, AcebotOptions(sample=size))
            fewer = site.truth["blind_requests"] / found.requests
            oracle = found.requests / site.truth["oracle_requests"]
            difference = f"{found.content - THESIS['content']:+.3f}"
            yield name, size, found.requests, round(oracle, 2), round(fewer, 2), *shares(found), difference


def figure_5_6(names: Sequence[str]) -> Rows:
    """Figure 5.6: content against the size of the sample, three seeds; how often the maximum was reached."""
    yield "capture", "sample", "content, median", "content, worst", "maximum reached"
    for name in names:
        found = {
            size: [crawl(load(name), AcebotOptions(sample=size), seed).content for seed in range(3)]
            for size in (100, 300, 500, 1000, 2000)
        }
        most = max(map(max, found.values()))
        for size, shares_found in found.items():
            times = sum(one >= most - 0.001 for one in shares_found)
            yield name, size, round(statistics.median(shares_found), 4), round(min(shares_found), 4), f"{times} of 3"


def figure_5_8(names: Sequence[str]) -> Rows:
    """Figure 5.8: requests and content as the number of selected patterns grows (sample 1,000, ratio 0.99)."""
    yield "capture", "patterns", "content", "external", "requests"
    for name in names:
        patterns = learned_patterns(name, 1000, ratio=0.99)[:12]
        for count in range(1, len(patterns) + 1):
            found = crawl(load(name), AcebotOptions(), patterns=patterns[:count])
            yield name, count, *shares(found), found.requests


def figure_5_9(names: Sequence[str]) -> Rows:
    """Figure 5.9: attributes, complete and dynamic sitemap, repetition bounded or not."""
    yield "capture", "sitemap, attributes, bound", "content", "external", "requests"
    for name in names:
        for size in (None, 1000):
            for attributes in (("id",), ("class",), ("id", "class")):
                for continuity in (3, None):
                    patterns = learned_patterns(name, size, attributes=attributes, continuity=continuity)
                    options = AcebotOptions(attributes=attributes)
                    found = crawl(load(name), options, patterns=patterns)
                    setting = f"{size or 'complete'}, {'+'.join(attributes)}, {continuity or 'none'}"
                    yield name, setting, *shares(found), found.requests


def figure_5_10(names: Sequence[str]) -> Rows:
    """Figure 5.10: content against the completion ratio (sample 1,000)."""
    yield "capture", "ratio", "content", "external", "requests"
    for name in names:
        for ratio in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0):
            found = crawl(load(name), AcebotOptions(), patterns=learned_patterns(name, 1000, ratio=ratio))
            yield name, ratio, *shares(found), found.requests


def table_5_2(names: Sequence[str]) -> Rows:
    """Table 5.2: steps and completion ratio (sample 1,000); the thesis has 95.7 to 97.2 % and 98.6 to 99.4 %."""
    yield "capture", "steps, ratio", "content", "external", "requests"
    for name in names:
        for steps in (2, 3, 4):
            for ratio in (0.85, 0.9, 0.95):
                patterns = learned_patterns(name, 1000, steps=steps, ratio=ratio)
                found = crawl(load(name), AcebotOptions(), patterns=patterns)
                yield name, f"{steps}, {ratio}", *shares(found), found.requests


def reuse(names: Sequence[str]) -> Rows:
    """Patterns learned on one theme of Serendipity, followed on that site and on another theme."""
    yield "learned on, attributes", "followed on", "content", "external", "requests", "x fewer than blind"
    for attributes in (("id",), ("class",), ("id", "class")):
        patterns = learned_patterns("serendipity-2k11", 1000, attributes=attributes)
        for name in ("serendipity-2k11", "serendipity-bulletproof"):
            found = crawl(load(name), AcebotOptions(attributes=attributes), patterns=patterns)
            fewer = round(load(name).truth["blind_requests"] / found.requests, 1)
            yield f"2k11, {'+'.join(attributes)}", name, *shares(found), found.requests, fewer


def shares(found: Result) -> tuple[float, float]:
    return round(found.content, 4), round(found.external, 4)


PARTS: dict[str, Callable[[Sequence[str]], Rows]] = {
    "cost": cost,
    "samples": samples,
    "5.6": figure_5_6,
    "5.8": figure_5_8,
    "5.9": figure_5_9,
    "5.10": figure_5_10,
    "table": table_5_2,
    "reuse": reuse,
}
DRAWN = ("5.6", "5.8", "5.9", "5.10")


# ── printing and drawing ──────────────────────────────────────────────────────────────────────────────────────────


def show(rows: Rows) -> list[tuple[Any, ...]]:
    """Print a table as its rows come; return it."""
    found = []
    for row in rows:
        found.append(row)
        widths = [max(len(str(cell)), len(str(found[0][place]))) for place, cell in enumerate(row)]
        print("  ".join(str(cell).rjust(width) for cell, width in zip(row, widths, strict=True)), flush=True)
    return found


def draw(title: str, rows: Sequence[tuple[Any, ...]]) -> str:
    """Return an SVG: content (third column) against the second column, one line for each capture."""
    names = list(dict.fromkeys(row[0] for row in rows[1:]))
    ticks = list(dict.fromkeys(row[1] for row in rows[1:]))
    step, height = max(40, 640 // max(1, len(ticks))), 300
    place = {tick: 60 + number * step for number, tick in enumerate(ticks)}
    colours = ("#1b6ca8", "#c2571a", "#2f8f4e", "#7a3e9d")
    parts = [f'<text x="60" y="20">{escape(title)}</text>']
    for share in (0, 0.2, 0.4, 0.6, 0.8, 1):
        y = 30 + (1 - share) * height
        parts.append(
            f'<path d="M60 {y}H{60 + step * len(ticks)}" stroke="#ddd"/><text x="20" y="{y + 4}">{share:.0%}</text>'
        )
    for tick, x in place.items():
        parts.append(f'<text transform="translate({x},{height + 45}) rotate(30)">{escape(str(tick))}</text>')
    for number, name in enumerate(names):
        colour = colours[number % len(colours)]
        points = [(place[row[1]], 30 + (1 - float(row[2])) * height) for row in rows[1:] if row[0] == name]
        line = " ".join(f"{x},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(f'<text x="{70 + 160 * number}" y="{height + 150}" fill="{colour}">{escape(name)}</text>')
    size = f'width="{120 + step * len(ticks)}" height="{height + 170}"'
    style = 'font-family="sans-serif" font-size="11"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{"".join(parts)}</svg>\n'


def main(parts: Names = tuple(PARTS), captures: Names = THREE, out: Path | None = None) -> None:
    for part in choose(parts, PARTS):
        title = (PARTS[part].__doc__ or part).strip()
        print(f"\n{title}")
        rows = show(PARTS[part](captures))
        if out and part in DRAWN:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"acebot-{part}.svg").write_text(draw(title, rows), encoding="utf-8")


if __name__ == "__main__":
    run(main)
