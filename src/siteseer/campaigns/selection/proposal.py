"""Proposes sites and pages for the final archive, each with a degree and reasons, in a CSV file that a person edits.

Reference: the semi-automatic selection of ARCOMEM (Faheem's thesis, sections 4.1 and 4.2.2). A page's degree is its
relevance, raised by the campaign's entities that it names and by the authors that link to it; pages that repeat another
page word for word are left out. Marks made by a person are kept when the file is written again.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from siteseer.campaigns.analysis.campaign_index import CampaignIndex
from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.vocabulary.reference_crawl import MARKS
from siteseer.errors import UsageError

FILE = "proposal.tsv"
THRESHOLD = 0.5
ENTITY, MOST_ENTITIES = 0.1, 3
AUTHOR, MOST_AUTHORS = 0.05, 4
"""What an entity named, and an author who links here, add of what is missing to certainty."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
_FORMULA = ("=", "+", "-", "@")
SAME = "the same text as "
MOST_STEPS = 100
"""Pages on the way to one."""
PIECE = 2**16
HEADER = (
    "# mark\tkind\tdegree\taddress\ttitle\treasons\n"
    "# Write accept or reject in place of the ?; a mark on a site counts for its pages that have none.\n"
    "# siteseer campaign select takes what is accepted; with --threshold N also what has a ? and that degree.\n"
)


@dataclass(frozen=True, slots=True)
class ProposedPage:
    """A site or page that may enter the final archive."""

    kind: str
    """`site` or `page`."""
    degree: float
    address: str
    """The URL of a page, the host of a site."""
    title: str
    reasons: str
    mark: str = "?"


def propose(catalogue: CampaignIndex, definition: Definition, threshold: float = THRESHOLD) -> Iterator[ProposedPage]:
    """Return every site, each followed by its pages, the best first."""
    names = {one.name for one in definition.entities}
    ways = _ways(catalogue, names, threshold)
    for site, host in catalogue.rows("SELECT site, min(host) FROM page GROUP BY site ORDER BY site"):
        pages = [
            _page(catalogue, names, ways, row)
            for row in catalogue.rows(
                "SELECT key, url, title, relevance, because, published, words, digest FROM page WHERE site = ?", (site,)
            )
        ]
        pages.sort(key=lambda one: (-one.degree, one.address))
        good = sum(one.degree >= threshold for one in pages)
        reasons = f"{good:,} of {len(pages):,} pages from {threshold:g} on"
        yield ProposedPage("site", round(sum(one.degree for one in pages) / len(pages), 3), host, "", reasons)
        yield from pages


Row = tuple[int, str, str, float, str, str | None, int | None, str]


def _page(catalogue: CampaignIndex, names: set[str], ways: dict[int, int], row: Row) -> ProposedPage:
    key, url, title, relevance, because, published, words, digest = row
    degree, entities, authors = _degree(catalogue, names, key, relevance)
    reasons = [f"relevance {relevance:.2f} ({because})" if because else f"relevance {relevance:.2f}"]
    if entities:
        reasons.append(f"names {', '.join(entities)}")
    if published:
        reasons.append(f"written {published[:10]}")
    if authors:
        reasons.append(f"linked by {authors} author{'s' * (authors > 1)}")
    if key in ways:
        reasons.append(f"on the way to {ways[key]} of them")
    if (same := _same(catalogue, key, relevance, words, digest)) is not None:
        return ProposedPage("page", 0.0, url, title or "", f"{SAME}{same}; " + "; ".join(reasons))
    return ProposedPage("page", degree, url, title or "", "; ".join(reasons))


def _degree(catalogue: CampaignIndex, names: set[str], key: int, relevance: float) -> tuple[float, list[str], int]:
    """Return the degree of a page, the campaign's entities that it names, and how many authors link to it."""
    said = catalogue.rows(
        "SELECT DISTINCT term FROM mention m JOIN written w ON w.object = m.object WHERE w.page = ? ORDER BY term",
        (key,),
    )
    entities = [label for (label,) in said if label in names]
    ((authors,),) = catalogue.rows(
        "SELECT count(DISTINCT CASE author WHEN '' THEN origin ELSE author END) FROM link WHERE target = ?", (key,)
    )
    missing = (1 - relevance) * (1 - ENTITY * min(len(entities), MOST_ENTITIES))
    return round(1 - missing * (1 - AUTHOR * min(authors, MOST_AUTHORS)), 3), entities, authors


def _same(catalogue: CampaignIndex, key: int, relevance: float, words: int | None, digest: str) -> str | None:
    """Return the page that says the same and is kept instead: the more relevant, else the one with the shorter URL."""
    where, value = ("words = ?", words) if words is not None else ("words IS NULL AND digest = ?", digest)
    best = catalogue.rows(
        f"SELECT key, url FROM page WHERE {where} ORDER BY relevance DESC, length(url), url LIMIT 1", (value,)
    )
    return None if not best or best[0][0] == key else str(best[0][1])


def _ways(catalogue: CampaignIndex, names: set[str], threshold: float) -> dict[int, int]:
    """Return the pages that links led over to pages that would be kept, with how many of those."""
    found: dict[int, int] = {}
    for key, relevance in catalogue.rows("SELECT key, relevance FROM page WHERE relevance > ?", (threshold / 2,)):
        if _degree(catalogue, names, key, relevance)[0] >= threshold:
            for step in way_to(catalogue, key):
                found[step] = found.get(step, 0) + 1
    return found


def way_to(catalogue: CampaignIndex, key: int) -> list[int]:
    """Return the kept pages over which links led to a page, the nearest first."""
    steps: list[int] = []
    while len(steps) < MOST_STEPS:
        row = catalogue.rows(
            "SELECT p.key FROM page p WHERE p.key = (SELECT referrer FROM page WHERE key = ?)",
            (steps[-1] if steps else key,),
        )
        if not row or row[0][0] in steps or row[0][0] == key:
            break
        steps.append(row[0][0])
    return steps


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────────────


def write_proposal(path: Path, proposed: Iterable[ProposedPage]) -> tuple[int, int]:
    """Write the file, the best sites first, keeping the marks made by a person; return how many sites and pages.

    Sites come with their pages behind them, in any order: they are sorted on disk, not in memory.
    """
    marks = {one.address: one.mark for one in read_proposal(path) if one.mark != "?"} if path.exists() else {}
    made, pages = path.with_name(f".{path.name}.new"), 0
    sites: list[tuple[float, str, int]] = []
    with tempfile.TemporaryFile(dir=path.parent) as unordered, made.open("wb") as file:
        for one in proposed:
            if one.kind == "site":
                sites.append((-one.degree, one.address, unordered.tell()))
            else:
                pages += 1
            unordered.write(line(replace(one, mark=marks.get(_plain(one.address), "?"))).encode("utf-8", "replace"))
        ends = [*(start for _, _, start in sites[1:]), unordered.tell()]
        file.write(HEADER.encode())
        for (_, _, start), end in sorted(zip(sites, ends, strict=False)):
            unordered.seek(start)
            while piece := unordered.read(min(PIECE, end - unordered.tell())):
                file.write(piece)
    made.replace(path)
    return len(sites), pages


def line(one: ProposedPage) -> str:
    """Return a line of the file, safe against formulas in spreadsheets.

    >>> line(ProposedPage("page", 0.5, "http://e.org/", "=1+1", "relevance 0.5"))
    "?\\tpage\\t0.5\\thttp://e.org/\\t'=1+1\\trelevance 0.5\\n"
    """
    title = _plain(one.title)[:200]
    title = f"'{title}" if title.startswith(_FORMULA) else title
    return "\t".join((one.mark, one.kind, f"{one.degree:g}", _plain(one.address), title, _plain(one.reasons))) + "\n"


def read_proposal(path: Path, kind: str = "") -> Iterator[ProposedPage]:
    """Read the file line by line, or only its sites or pages; errors give the number of the line."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(file, 1):
                if text.strip() and not text.startswith("#") and kind in text.split("\t", 2)[:2][-1]:
                    yield _read(text.rstrip("\r\n"), f"{path}, line {number}")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not written in UTF-8") from error


def _read(text: str, place: str) -> ProposedPage:
    cells = [cell.strip(' "') for cell in (*text.split("\t", 6)[:6], "", "")]
    mark = cells[0].lower()
    if mark not in MARKS or len(cells) < 6 or cells[1] not in ("site", "page"):
        raise UsageError(f"{place}: a line is a mark ({', '.join(MARKS)}), site or page, degree and address, with tabs")
    try:
        degree = float(cells[2].replace(",", "."))
    except ValueError:
        degree = -1.0
    if not 0 <= degree <= 1:
        raise UsageError(f"{place}: the degree {cells[2]!r} is no number from 0 to 1")
    return ProposedPage(cells[1], degree, cells[3], cells[4], cells[5], mark)


def _plain(text: str) -> str:
    return _CONTROL.sub(" ", text)
