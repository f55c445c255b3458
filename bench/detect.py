"""Detection time against the number of known types: the thesis' Figure 3.6 redrawn, and continued to 50,000.

    python bench/detect.py --out DIR

Four systems are asked for the type of the same real pages: the linear scan, the shared-prefix automaton of the thesis,
the index, and the index with tags and attribute names only. Types are those of the shipped knowledge base, which knows
every page, beside synthetic ones (a random path of real tags and attributes, mostly with a literal of its own). In the
workload *hit* the true types are known and the best match is asked for; in *miss* they are not, so that everything must
be ruled out. Times are CPU milliseconds per page above parsing, the least of three rounds.
"""

from __future__ import annotations

import lzma
import resource
import tarfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import log
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Annotated

import harness
from warcio.archiveiterator import ArchiveIterator

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise
from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.xpath.feature_cover import Feature, usual_frequency
from siteseer.xpath.inverted_index import PageFeatures
from siteseer.xpath.linear_scan import LinearScan
from siteseer.xpath.parser import parse
from siteseer.xpath.pattern_index import IndexedPattern, PatternIndex
from siteseer.xpath.yfilter import YFilter

SHARED = Path(__file__).resolve().parents[2] / "shared"
SIZES = (10, 100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
SLOW_UP_TO = 5_000
SLOW_EVERY = 20
"""The slow systems are asked of every twentieth page: their medians do not need more."""
PAGES = 200
ROUNDS = 3
HTML = (("Content-Type", "text/html; charset=utf-8"),)


class NamesOnly(PatternIndex):
    """The ablation: filed under tags and attribute names alone, and nothing else asked before XPath."""

    @classmethod
    def of(cls, patterns: Iterable[IndexedPattern]) -> NamesOnly:
        index = cls(_names_first)
        for pattern in patterns:
            index.add(pattern)
        return index

    def candidates(self, page: Page) -> set[int]:
        return self._postings.found(PageFeatures(page)).union(self._always)


def _names_first(feature: Feature) -> float:
    return usual_frequency(feature) + (0 if feature.kind in ("tag", "attribute") else 1_000)


System = LinearScan | YFilter | PatternIndex
MAKERS: dict[str, Callable[[list[IndexedPattern]], System]] = {
    "linear": LinearScan,
    "automaton": YFilter,
    "names only": NamesOnly.of,
    "index": PatternIndex.build,
}


# ── pages ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def real_pages() -> list[Page]:
    """Return up to 200 pages that the knowledge base knows: half from captured sites, half from the labelled pages."""
    captures = sorted((SHARED / "sites").glob("*.warc.xz"))
    each = PAGES // 2 // max(1, len(captures)) + 1
    found = [page for one in captures for page in islice(filter(_is_known, _captured(one)), each)]
    labelled = SHARED / "data" / "labelled.tar.xz"
    if labelled.exists():
        found += islice(filter(_is_known, _labelled(labelled)), PAGES - len(found))
    return found[:PAGES] or [_generated(Random(n)) for n in range(PAGES)]


def _is_known(page: Page) -> bool:
    """Leave out what hardly is a page (frames, redirects in HTML), and what no true type matches."""
    if sum(1 for _ in islice(tree(page).iter("*"), 51)) <= 50:
        return False
    return recognise(page, KnowledgeBase.shipped()).application is not None


def _captured(capture: Path) -> Iterator[Page]:
    with lzma.open(capture) as stream:
        for number, record in enumerate(ArchiveIterator(stream)):
            head = record.http_headers
            if record.rec_type != "response" or number % 7 or not (head and head.get_statuscode() == "200"):
                continue
            if "html" in (head.get_header("content-type") or ""):
                yield Page(
                    record.rec_headers.get_header("WARC-Target-URI"),
                    200,
                    tuple(head.headers),
                    record.content_stream().read(),
                )


def _labelled(archive: Path) -> Iterator[Page]:
    with tarfile.open(archive) as members:
        for number, member in enumerate(members):
            if member.isfile() and member.name.endswith((".html", ".htm")) and 2_000 < member.size < 500_000:
                file = members.extractfile(member)
                if file and number % 3 == 0:
                    yield Page(f"http://labelled{number % 17}.example/{number}", 200, HTML, file.read())


def _generated(random: Random) -> Page:
    parts = [
        f"<div class='c{random.randint(0, 50)}' id=i{n}><a href=/p{random.randint(0, 999)}>{random.random()}</a></div>"
        for n in range(random.randint(50, 1500))
    ]
    body = f"<body id=phpbb class=section-index>{''.join(parts)}"
    return Page(f"http://site{random.randint(0, 9)}.example/", 200, HTML, body.encode())


# ── types ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Vocabulary:
    tags: list[str]
    attributes: list[str]
    words: list[str]

    @classmethod
    def of(cls, pages: Iterable[Page]) -> Vocabulary:
        elements = [element for page in pages for element in islice(tree(page).iter("*"), 0, None, 20)]
        values = [value for element in elements for value in element.attrib.values() if 2 < len(value) < 30]
        return cls([e.tag for e in elements], [name for e in elements for name in e.attrib], sorted(set(values)))


def synthetic_types(count: int, vocabulary: Vocabulary, random: Random) -> Iterator[IndexedPattern]:
    """Return types that differ in structure and in their literal, a product's name of its own.

    Of the first 500 one in twenty-five uses a word of the pages instead: what a page resembles stays the same however
    many other products are known.
    """
    for number in range(count):
        word = f"{_name(random)}{number:x}{_name(random)}"
        if number < 500 and random.random() < 0.04:
            word = random.choice(vocabulary.words)
        joints = [random.choice(("/", "//")) for _ in range(random.choice((0, 0, 1, 2, 3)))]
        path = "".join(random.choice(vocabulary.tags) + joint for joint in joints)
        text = path + random.choice(vocabulary.tags) + _predicate(word, vocabulary, random)
        yield IndexedPattern(f"synthetic-{number}", parse(text), random.random())


def _name(random: Random) -> str:
    return "".join(random.choice("bdfglmnprstvz") + random.choice("aeiou") for _ in range(3))


def _predicate(word: str, vocabulary: Vocabulary, random: Random) -> str:
    word = word.replace("'", "''")
    attribute, kind = random.choice(vocabulary.attributes), random.random()
    if kind < 0.5:
        return f"[contains(@{attribute},'{word}')]"
    if kind < 0.8:
        return f"[@{attribute}='{word}']"
    if kind < 0.9 and word.replace("-", "").replace("_", "").isalnum():
        return f".{word}"
    return f"[contains(.,'{word}')]" + ("[last()]" if kind > 0.95 else "")


def true_types() -> list[IndexedPattern]:
    """Return the detection patterns of the shipped knowledge base, the decisive ones before all others."""
    return [
        IndexedPattern(application.id, pattern.expression, 2.0 if pattern.is_decisive else 0.5)
        for application in KnowledgeBase.shipped()
        for _, pattern in application.patterns()
        if not pattern.is_absence
    ]


# ── measurement ────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Row:
    system: str
    workload: str
    types: int
    median_ms: float
    p95_ms: float
    candidates: float
    build_s: float
    megabytes: float


def parsed(page: Page) -> Page:
    """Return the page as detection meets it: parsed, and nothing else known of it."""
    root = tree(page)
    fresh = replace(page, memo={key: value for key, value in page.memo.items() if value is root})
    assert tree(fresh) is root
    return fresh


def megabytes() -> float:
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def measure(name: str, workload: str, patterns: list[IndexedPattern], pages: list[Page]) -> tuple[Row, list[object]]:
    before, start = megabytes(), time.process_time()
    system = MAKERS[name](patterns)
    built = time.process_time() - start
    ask = system.first if workload == "hit" else system.matches
    answers: list[object] = [ask(page) for page in map(parsed, pages)]  # compiles what is verified
    rounds = ROUNDS if name == "index" else 1
    milliseconds = [min(_timed(ask, parsed(page)) for _ in range(rounds)) for page in pages]
    used = megabytes() - before
    count = len(patterns)
    if not isinstance(system, LinearScan):
        count = sum(len(system.candidates(parsed(page))) for page in pages) / len(pages)
    tail = quantiles(milliseconds, n=20)[-1]
    return Row(name, workload, len(patterns), median(milliseconds), tail, count, built, used), answers


def _timed(ask: Callable[[Page], object], page: Page) -> float:
    start = time.process_time()
    ask(page)
    return (time.process_time() - start) * 1000


def parse_milliseconds(pages: list[Page]) -> float:
    times = []
    for page in pages:
        start = time.process_time()
        tree(replace(page, memo={}))
        times.append((time.process_time() - start) * 1000)
    return median(times)


def slope(rows: list[Row]) -> float:
    """Return the least-squares slope of log time against log types, from 1,000 types on (all where there are fewer)."""
    used = [row for row in rows if row.types >= 1_000] or rows
    points = [(log(row.types), log(row.median_ms)) for row in used]
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((a - x) ** 2 for a, _ in points)
    return sum((a - x) * (b - y) for a, b in points) / spread if spread else 0.0


def run(pages: list[Page], sizes: tuple[int, ...]) -> list[Row]:
    types = list(synthetic_types(max(sizes), Vocabulary.of(pages), Random(1)))
    truth = true_types()
    rows = []
    for size in sizes:
        for workload in ("hit", "miss"):
            known = types[:size] + (truth if workload == "hit" else [])
            answers = {}
            for name in MAKERS:
                if name == "index" or size <= SLOW_UP_TO:
                    row, found = measure(name, workload, known, pages if name == "index" else pages[::SLOW_EVERY])
                    answers[name] = found[::SLOW_EVERY] if name == "index" else found
                    rows.append(replace(row, types=size))
                    print(line(rows[-1]), flush=True)
            assert all(found == answers["index"] for found in answers.values()), f"the systems disagree at {size}"
            assert workload == "miss" or None not in answers["index"], "a page has no answer"
    print("systems agree")
    return rows


# ── report ─────────────────────────────────────────────────────────────────────────────────────────────────────────


HEAD = (
    f"{'system':<12}{'workload':<9}{'types':>7}{'median ms':>11}{'p95 ms':>9}{'candidates':>12}{'build s':>9}{'MB':>7}"
)


def line(row: Row) -> str:
    return (
        f"{row.system:<12}{row.workload:<9}{row.types:>7}{row.median_ms:>11.3f}{row.p95_ms:>9.3f}"
        f"{row.candidates:>12.1f}{row.build_s:>9.2f}{row.megabytes:>7.0f}"
    )


def drawing(rows: list[Row]) -> str:
    """Draw median time against number of types, both logarithmic, for the workload *miss*."""
    left, top, width, height = 70, 30, 560, 360
    shown = [row for row in rows if row.workload == "miss"]
    floor, ceiling = 0.1, max(row.median_ms for row in shown) * 1.5
    fewest, most = min(row.types for row in shown), max(row.types for row in shown)

    def x(types: float) -> float:
        return left + width * log(types / fewest) / log(most / fewest)

    def y(milliseconds: float) -> float:
        return top + height * (1 - log(max(milliseconds, floor) / floor) / log(ceiling / floor))

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 450" font-family="sans-serif" font-size="12">',
        '<rect width="700" height="450" fill="white"/>',
        f'<path d="M{left} {top}V{top + height}H{left + width}" fill="none" stroke="black"/>',
        f'<text x="{left + width / 2}" y="440" text-anchor="middle">known types</text>',
        f'<text x="16" y="{top + height / 2}" transform="rotate(-90 16 {top + height / 2})" text-anchor="middle">'
        "median ms per page, above parsing</text>",
    ]
    for tick in (10.0**n for n in range(-1, 6)):
        if tick <= ceiling:
            parts.append(f'<path d="M{left} {y(tick):.1f}h{width}" stroke="#ddd"/>')
            parts.append(f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in (10, 100, 1_000, 5_000, 10_000, 50_000):
        if fewest <= tick <= most:
            parts.append(f'<text x="{x(tick):.1f}" y="{top + height + 18}" text-anchor="middle">{tick:,}</text>')
    for name, colour in (("linear", "#c33"), ("automaton", "#e90"), ("names only", "#777"), ("index", "#27a")):
        points = [(x(row.types), y(row.median_ms)) for row in shown if row.system == name]
        if points:
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
            a, b = points[-1]
            end = "end" if a > left + width - 40 else "start"
            parts.append(f'<text x="{a + 6:.1f}" y="{b - 6:.1f}" text-anchor="{end}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def report(rows: list[Row]) -> None:
    """Print slopes and ratios; what is wanted stands behind."""
    wanted = {"linear": " (wanted > 0.9)", "index": " (wanted < 0.15)"}
    for workload in ("hit", "miss"):
        for name in MAKERS:
            mine = [row for row in rows if row.system == name and row.workload == workload]
            base = next((row for row in mine if row.types == 500), mine[0])
            last = mine[-1]
            print(
                f"{workload:<5}{name:<11} slope {slope(mine):5.2f}{wanted.get(name, ''):<16}"
                f"{last.types:>7,} / {base.types} types: {last.median_ms / base.median_ms:6.2f} times, p95"
                f" {last.p95_ms / base.p95_ms:6.2f} times; {last.median_ms:8.3f} ms above parsing"
            )


def main(
    out: Annotated[Path | None, "folder for detect.svg"] = None,
    largest: Annotated[int, "leave out larger numbers of types"] = SIZES[-1],
) -> None:
    pages = real_pages()
    counts = sorted(sum(1 for _ in tree(page).iter("*")) for page in pages)
    print(f"{len(pages)} pages of {counts[0]} to {counts[-1]} elements, median {median(counts):.0f}")
    parsing = parse_milliseconds(pages)
    print(f"parsing: median {parsing:.3f} ms a page\n{HEAD}")
    rows = run(pages, tuple(size for size in SIZES if size <= largest))
    report(rows)
    if out:
        out.mkdir(parents=True, exist_ok=True)
        (out / "detect.svg").write_text(drawing(rows), encoding="utf-8")


if __name__ == "__main__":
    harness.run(main)
