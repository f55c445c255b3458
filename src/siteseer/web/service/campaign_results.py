"""Reads the results of a campaign's offline phase: report, changes, proposal, selection."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from siteseer.campaigns import overview
from siteseer.campaigns.analysis.campaign_index import FILE as CATALOGUE
from siteseer.campaigns.analysis.campaign_index import page_key
from siteseer.campaigns.analysis.campaign_report import FOLDER as REPORT
from siteseer.campaigns.load_campaign import PROGRESS
from siteseer.campaigns.selection import proposal_marks
from siteseer.campaigns.selection.proposal import FILE as PROPOSAL
from siteseer.campaigns.selection.proposal_marks import Line, ProposalFilter
from siteseer.campaigns.selection.threshold_counts import ThresholdCounts
from siteseer.campaigns.selection.threshold_counts import count_thresholds as tally_of
from siteseer.errors import ArchiveError, NotFoundError
from siteseer.model import JSON

SELECTION = "selection.wacz"
PAGE = "report.html"
LARGEST = 64 * 2**20
LONGEST_LINE = 16 * 2**20
MADE = {"report": REPORT / "report.json", "proposal": Path(PROPOSAL), "selection": Path(SELECTION)}


def stamps(folder: Path) -> JSON:
    """Return when report, proposal and selection were written; null where they were not."""
    return {name: _written(folder / path) for name, path in MADE.items()}


def progress(folder: Path) -> str:
    """Return how far who works on a campaign has said to be."""
    try:
        return (folder / PROGRESS).read_text(encoding="utf-8", errors="replace")[:500]
    except OSError:
        return ""


# ── the report ────────────────────────────────────────────────────────────────────────────────────────────────────


def report(folder: Path) -> JSON:
    """Return the figures of the report, and the names of the files that belong to it."""
    path = folder / MADE["report"]
    try:
        if path.stat().st_size > LARGEST:
            raise ArchiveError(f"{path.name} is too large to be read")
        found = _object(path.read_bytes())
    except FileNotFoundError:
        raise NotFoundError("there is no report yet: analyse the campaign first") from None
    except (OSError, ValueError) as error:
        raise ArchiveError(f"{path.name} cannot be read ({error}); analyse the campaign again") from error
    return {**found, "made": _written(path), "files": sorted(_files(folder))}


def report_file(folder: Path, name: str) -> Path:
    """Return a file of the report: looked for, never made from a name, so that no name leads outside."""
    found = _files(folder)
    if name not in found:
        raise NotFoundError(f"the report has no file {name[:100]!r}")
    return found[name]


def report_page(folder: Path) -> str | None:
    """Return the report as a page; None where there is none. It is to be shown as archived pages are."""
    path = _files(folder).get(PAGE)
    return path.read_text(encoding="utf-8", errors="replace")[:LARGEST] if path else None


def _files(folder: Path) -> dict[str, Path]:
    place = folder / REPORT
    found = place.iterdir() if place.is_dir() else ()
    return {one.name: one for one in found if one.is_file() and not one.is_symlink() and not one.name.startswith(".")}


@dataclass(frozen=True, slots=True)
class Changes:
    """Which changes are looked for; what is empty does not matter."""

    change: str = ""
    """`new`, `gone`, `changed` or `edited`."""
    kind: str = ""
    """`page` or `object`."""
    words: str = ""
    """Stand in address or title."""


def changes(folder: Path, wanted: Changes, limit: int, offset: int = 0) -> tuple[int, list[JSON]]:
    """Return how many pages and objects are new, gone or changed, and some of them."""
    count, found = 0, list[JSON]()
    words = wanted.words.casefold().split()
    for one in _changes(folder):
        said = f"{one.get('url')} {one.get('title')}".casefold() if words else ""
        is_so = wanted.change in ("", one.get("change")) and wanted.kind in ("", one.get("kind"))
        if is_so and all(word in said for word in words):
            if offset <= count < offset + limit:
                found.append(one)
            count += 1
    return count, found


def _changes(folder: Path) -> Iterator[JSON]:
    try:
        with (folder / REPORT / "changes.jsonl").open("rb") as file:
            while line := file.readline(LONGEST_LINE):
                yield _object(line)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise ArchiveError(f"changes.jsonl cannot be read ({error}); analyse the campaign again") from error


# ── the proposal ──────────────────────────────────────────────────────────────────────────────────────────────────


def proposal_file(folder: Path) -> Path:
    """Return the file of the proposal."""
    if not (folder / PROPOSAL).is_file():
        raise NotFoundError("nothing is proposed yet: analyse the campaign first")
    return folder / PROPOSAL


def proposal(folder: Path, sought: ProposalFilter, limit: int, offset: int = 0) -> tuple[int, list[JSON]]:
    """Return how many sites and pages are as sought, and some of them."""
    count, found = proposal_marks.filter_lines(proposal_file(folder), sought, limit, offset)
    return count, [_as_json(folder, one) for one in found]


def tally(folder: Path) -> ThresholdCounts:
    """Return how many pages and bytes each threshold takes."""
    return tally_of(folder, proposal_file(folder))


def takes_something(folder: Path, threshold: float | None) -> bool:
    """Say whether marks and threshold let anything in."""
    return any(
        line.counts_as == "accept"
        or (threshold is not None and line.counts_as == "?" and line.proposed.degree >= threshold)
        for line in proposal_marks.read_lines(proposal_file(folder))
        if line.proposed.kind == "page"
    )


def _as_json(folder: Path, line: Line) -> JSON:
    one = line.proposed
    told = {
        "kind": one.kind, "address": one.address, "title": one.title, "degree": one.degree, "reasons": one.reasons,
        "mark": one.mark, "counts_as": line.counts_as, "site": line.site,
    }  # fmt: skip
    return {**told, "collection": _collection(folder, one.address)} if one.kind == "page" else told


def _collection(folder: Path, url: str) -> str:
    """Return the folder of the collection that holds a page."""
    rows = overview.read_rows(folder / CATALOGUE, "SELECT site FROM page WHERE key = ?", (page_key(url),))
    return str(rows[0][0]) if rows else ""


# ── the selection ─────────────────────────────────────────────────────────────────────────────────────────────────


def selection(folder: Path) -> JSON:
    """Return what the WACZ of the selection holds; raise NotFoundError where there is none."""
    path = selection_file(folder)
    try:
        with zipfile.ZipFile(path) as package, package.open("datapackage.json") as file:
            said = str(_object(file.read(LARGEST)).get("description") or "")
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise ArchiveError(f"{SELECTION} cannot be read ({error}); make it again") from error
    marked = _written(folder / PROPOSAL) or ""
    made = _written(path) or ""
    return {"made": made, "bytes": path.stat().st_size, "description": said, "is_current": marked <= made}


def selection_file(folder: Path) -> Path:
    """Return the WACZ of the selection."""
    if not (folder / SELECTION).is_file():
        raise NotFoundError("there is no WACZ of the selection yet: make it first")
    return folder / SELECTION


def _written(path: Path) -> str | None:
    """Return when a file was written."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="microseconds")
    except OSError:
        return None


def _object(text: bytes) -> JSON:
    """Return the JSON object that a text is; raise ValueError where it is none."""
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(found, dict):
        raise ValueError("it is no object")
    return found
