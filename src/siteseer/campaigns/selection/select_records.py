"""A campaign and what was accepted of it in, one WACZ over all sites out; the originals stay as they are.

Pages come with what a browser needs to show them, the redirects that led there and, unless rejected, the pages over
which links led to them. Records are copied byte for byte, so every digest still holds.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from siteseer import __version__
from siteseer.archive.cdx import Entry, entries_of, write_index
from siteseer.archive.excerpt import copy_records
from siteseer.archive.holdings import WarcFile, warc_files
from siteseer.archive.wacz import Package, export_wacz
from siteseer.describe.describe import Description, folder_of
from siteseer.errors import UsageError
from siteseer.jobs.campaign.catalogue import Catalogue, page_key
from siteseer.jobs.campaign.gathered import Gathered, opened
from siteseer.jobs.campaign.marks import Line, lines
from siteseer.jobs.campaign.needed import Needed
from siteseer.jobs.campaign.proposal import read_proposal, way_to
from siteseer.jobs.campaign.survey import Tell, survey
from siteseer.model import JSON


@dataclass(frozen=True, slots=True)
class Chosen:
    """A page that enters the archive."""

    key: int
    because: str
    role: str
    """`page`, or `way`: only there to reach others."""


def choose(catalogue: Catalogue, marked: Iterable[Line], threshold: float | None) -> list[Chosen]:
    """Return the pages that marks and threshold let in, then those on the way to them; all are held by the campaign."""
    held = {key for (key,) in catalogue.each("SELECT key FROM page")}
    chosen: dict[int, Chosen] = {}
    rejected: set[int] = set()
    for line in marked:
        one = line.proposed
        if one.kind == "site":
            continue
        key = page_key(one.address)
        if key not in held:
            if one.mark == "accept":
                raise UsageError(f"{one.address} is accepted, but the campaign does not hold it: mend the address")
            continue
        if line.counts_as == "reject":
            rejected.add(key)
        elif line.counts_as == "accept":
            chosen[key] = Chosen(key, f"accepted by a person; {one.reasons}", "page")
        elif threshold is not None and one.degree >= threshold:
            chosen[key] = Chosen(key, f"degree {one.degree:g}, threshold {threshold:g}; {one.reasons}", "page")
    ways: dict[int, int] = {}
    for key in chosen:
        for step in way_to(catalogue, key):
            if step not in rejected and step not in chosen:
                ways[step] = ways.get(step, 0) + 1
    on_the_way = [Chosen(key, f"on the way to {count} chosen pages", "way") for key, count in ways.items()]
    return [*chosen.values(), *on_the_way]


def select(
    campaign: Gathered,
    proposal: Path,
    target: Path,
    threshold: float | None = None,
    tell: Tell = lambda line: None,
) -> JSON:
    """Write the WACZ of what was accepted; return what it holds."""
    with Catalogue.of(campaign.folder) as catalogue:
        survey(campaign, catalogue, tell)
        chosen = {one.key: one for one in choose(catalogue, lines(proposal), threshold)}
        if not any(one.role == "page" for one in chosen.values()):
            best = max((one.degree for one in read_proposal(proposal) if one.kind == "page"), default=0.0)
            raise UsageError(
                f"nothing is accepted: write accept in {proposal}, or let pages in by their degree with --threshold; "
                f"the highest is {best:g}"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".selection-") as name:
            made = _Made(Path(name), campaign, catalogue, chosen)
            for number, site in enumerate(campaign.sites, 1):
                made.take(site)
                tell(f"{number:,} of {len(campaign.sites):,} sites looked through, {made.pages:,} pages taken")
            return made.pack(target)


class _Made:
    """The collection that becomes the package."""

    def __init__(self, folder: Path, campaign: Gathered, catalogue: Catalogue, chosen: dict[int, Chosen]) -> None:
        self.folder, self.campaign, self.catalogue, self.chosen = folder, campaign, catalogue, chosen
        self.needed = Needed()
        self.pages = self.records = self.sites = 0
        self._best = (-1.0, "")
        for part in ("archive", "indexes", "pages"):
            (folder / part).mkdir()
        self._objects = folder / "objects.nq.gz"

    def take(self, site: Path) -> None:
        """Copy what was chosen of a site."""
        rows = [
            row
            for row in self.catalogue.each(
                "SELECT key, capture, url, title, time, relevance FROM page WHERE site = ? ORDER BY capture",
                (site.name,),
            )
            if row[0] in self.chosen
        ]
        if not rows:
            return
        with opened(site) as state:
            wanted = self.needed.records(state, [row[1] for row in rows])
        for file in warc_files(site):
            self.records += copy_records(file.path, wanted, self.folder / "archive" / f"{site.name}-{file.name}")
        self.sites += 1
        self._list(rows)
        if (folder_of(site) / "text.db").is_file():
            with Description(site) as description, gzip.open(self._objects, "ab") as out:
                ids = dict.fromkeys(one.id for row in rows for one in description.on_page(row[2]))
                out.writelines(text.encode() for text in description.statements(ids))

    def _list(self, rows: list[tuple[int, int, str, str, str, float]]) -> None:
        with (self.folder / "pages" / "pages.jsonl").open("a", encoding="utf-8", errors="replace") as file:
            for key, _, url, title, time, relevance in rows:
                one = self.chosen[key]
                line = {"url": url, "ts": time[:19] + "Z", "title": title or url, "relevance": relevance}
                line |= {"role": one.role, "because": one.because}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                self.pages += 1
                if one.role == "page" and relevance > self._best[0]:
                    self._best = (relevance, url)

    def pack(self, target: Path) -> JSON:
        """Write index and package."""
        write_index(self._entries(), self.folder / "indexes" / "index.cdxj")
        ((of_pages, of_sites),) = self.catalogue.rows("SELECT count(*), count(DISTINCT site) FROM page")
        description = f"{self.pages:,} of {of_pages:,} pages, {self.sites:,} of {of_sites:,} sites of the campaign"
        objects = self._objects if self._objects.exists() else None
        export_wacz(
            self.folder,
            target,
            Package(
                self.campaign.definition.name, description, self._best[1], None, f"siteseer/{__version__}", objects
            ),
        )
        ways = sum(one.role == "way" for one in self.chosen.values())
        return {
            "file": str(target), "pages": self.pages, "on_the_way": ways, "of_pages": of_pages, "sites": self.sites,
            "of_sites": of_sites, "records": self.records, "bytes": target.stat().st_size,
        }  # fmt: skip

    def _entries(self) -> Iterator[Entry]:
        for path in sorted((self.folder / "archive").iterdir()):
            yield from entries_of(WarcFile(path.name, path))
